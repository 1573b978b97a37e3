import Foundation

/// JSON with its lists in one order, since that of objects and of lists without order may differ.
func sortedJSON(_ json: String) throws -> String {
  func normal(_ value: Any) -> Any {
    if let list = value as? [Any] { return list.map(normal).sorted { "\(text($0))" < "\(text($1))" } }
    if let object = value as? [String: Any] { return object.mapValues(normal) }
    return value
  }
  func text(_ value: Any) -> String {
    let data = try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
    return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
  return text(normal(try JSONSerialization.jsonObject(with: Data(json.utf8))))
}
