import Broker
import Foundation
import GRDB

/// Eight columns, as an API has them.
@Entity struct Person {
  var id: Int
  var name: String
  var email: String
  var age: Int
  var height: Double
  var isActive: Bool
  var created: Date
  var city: String?
}

/// The same row as GRDB's users read it, by hand, in the quickest way: by the places of the columns.
struct PersonRecord: FetchableRecord {
  var id: Int
  var name: String
  var email: String
  var age: Int
  var height: Double
  var isActive: Bool
  var created: Date
  var city: String?

  init(row: Row) {
    id = row[0]
    name = row[1]
    email = row[2]
    age = row[3]
    height = row[4]
    isActive = row[5]
    created = row[6]
    city = row[7]
  }
}

/// The JSON of persons.
func personsJSON(_ count: Int) -> Data {
  var json = "["
  for id in 1...count {
    if id > 1 { json += "," }
    json += """
      {"id":\(id),"name":"Person number \(id)","email":"person\(id)@example.com","age":\(id % 90),\
      "height":\(Double(id % 100) / 100 + 1),"isActive":\(id % 2 == 0),"created":"20\(10 + id % 15)-0\(1 + id % 9)-1\(id % 10)T1\(id % 10):30:00Z",\
      "city":\(id % 3 == 0 ? "null" : "\"City \(id % 500)\"")}
      """
  }
  return Data((json + "]").utf8)
}
