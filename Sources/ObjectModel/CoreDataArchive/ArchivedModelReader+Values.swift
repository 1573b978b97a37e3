import Foundation
import JSONStream

extension ArchivedModelReader {
  /// The default in the words of Core Data's XML.
  mutating func readDefault(
    of object: ArchivedObject, to attribute: inout Attribute
  ) throws(PropertyListError) {
    let value = try object.value("NSDefaultValue")
    if case .null = value { return }
    if attribute.type == .date {
      if let date = value.object, date.isKind(of: "NSDate"), let seconds = date.fields["NS.time"]?.number,
        seconds.isFinite
      {
        attribute.defaultDate = seconds
        return
      }
    } else if let text = try defaultText(value, attribute.type) {
      attribute.defaultValue = text
      return
    }
    remark("its default, \(value.kindName), is left out")
  }

  private mutating func defaultText(
    _ value: ArchivedValue, _ type: AttributeType
  ) throws(PropertyListError) -> String? {
    switch type {
    case .boolean: return ArchivedNumber(value)?.truth.map { $0 ? "YES" : "NO" }
    case .integer16, .integer32, .integer64, .decimal, .double, .float:
      return ArchivedNumber(value)?.text(as: type)
    case .string, .undefined: return try text(value)
    case .uuid, .uri:
      if let text = try text(value) { return text }
      return try scalarText(value).map { type == .uuid ? $0.uppercased() : $0 }
    case .binary:
      if case .value(.data(let bytes)) = value {
        try spend(bytes.count)
        return Data(bytes).base64EncodedString()
      }
      return try scalarText(value)
    case .transformable: return try json(value)
    case .date, .composite: return nil
    }
  }

  /// The text of an object such as a UUID, an address or data.
  private mutating func scalarText(_ value: ArchivedValue) throws(PropertyListError) -> String? {
    guard let object = value.object, case .text(let text)? = try PlainScalar(object) else { return nil }
    try spend(text.utf8.count)
    return text
  }

  /// A plain value as JSON, which is how the store keeps what is transformable.
  private mutating func json(_ value: ArchivedValue) throws(PropertyListError) -> String? {
    let archive = archive
    var className: String?
    let json = try JSONWriter.bytes { (writer) throws(PropertyListError) in
      var walk = PlainValueWalk(archive: archive, inputSize: 0, date: { _ in nil })
      className = try walk.write(value, to: &writer)
    }
    try spend(json.count)
    return className == nil ? String(decoding: json, as: UTF8.self) : nil
  }

  // MARK: - Bounds

  /// What the conditions on an attribute say, as far as a model can say it.
  mutating func readBounds(
    of object: ArchivedObject, to attribute: inout Attribute
  ) throws(PropertyListError) {
    for element in try elements(object.value("NSValidationPredicates")) {
      guard let predicate = element.object, let bound = try ArchivedBound(predicate, attribute.type) else {
        remark("a condition on its values is left out")
        continue
      }
      try spend(bound.text.utf8.count)
      switch bound {
      case .minimum(let text): attribute.minimum = text
      case .maximum(let text): attribute.maximum = text
      case .pattern(let text): attribute.pattern = text
      case .earliest(let text): attribute.other["minDateTimeInterval"] = text
      case .latest(let text): attribute.other["maxDateTimeInterval"] = text
      }
    }
  }
}

/// A number of an archive.
enum ArchivedNumber {
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case decimal(String)

  /// A number of a property list, or an `NSDecimalNumber`; nil if a value is none.
  init?(_ value: ArchivedValue) {
    switch value {
    case .value(.boolean(let flag)): self = .boolean(flag)
    case .value(.integer(let number)): self = .integer(number)
    case .value(.unsigned(let number)): self = .decimal(String(number))
    case .value(.real(let number)): self = .real(number)
    case .object(let object):
      guard object.isKind(of: "NSNumber"), let scalar = try? PlainScalar(object) else { return nil }
      switch scalar {
      case .boolean(let flag): self = .boolean(flag)
      case .integer(let number): self = .integer(number)
      case .real(let number): self = .real(number)
      case .digits(let digits): self = .decimal(digits)
      default: return nil
      }
    default: return nil
    }
  }

  var truth: Bool? {
    switch self {
    case .boolean(let flag): flag
    case .integer(let number): number != 0
    case .real(let number): number != 0
    case .decimal: nil
    }
  }

  var text: String? {
    switch self {
    case .boolean(let flag): flag ? "YES" : "NO"
    case .integer(let number): String(number)
    case .real(let number): number.isFinite ? String(number) : nil
    case .decimal(let digits): digits
    }
  }

  /// The text of a number of some type; nil if it is not finite.
  func text(as type: AttributeType) -> String? {
    switch (self, type) {
    case (.boolean(let flag), _): flag ? "1" : "0"
    case (.real(let number), .float) where number.isFinite: String(Float(number))
    case (.real(let number), .integer16), (.real(let number), .integer32), (.real(let number), .integer64),
      (.real(let number), .decimal):
      Int64(exactly: number).map { String($0) } ?? text
    case (.integer(let number), .double), (.integer(let number), .float): String(Double(number))
    default: text
    }
  }
}
