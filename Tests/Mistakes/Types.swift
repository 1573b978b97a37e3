import Broker

struct Size {}

@Entity struct Album {
  @Identity var title: String
  var size: Size?  // error: this type cannot be stored: make it Codable, an AttributeValue, or an enumeration
}
