import Bytes
package import ObjectModel

/// How values of a type compare.
package enum ComparedType: Sendable, Hashable {
  case boolean, integer, real, decimal, text, date, uuid, blob, json

  package init(_ type: AttributeType) {
    switch type {
    case .boolean: self = .boolean
    case .integer16, .integer32, .integer64: self = .integer
    case .float, .double: self = .real
    case .decimal: self = .decimal
    case .string, .uri: self = .text
    case .date: self = .date
    case .uuid: self = .uuid
    case .binary: self = .blob
    case .transformable, .composite, .undefined: self = .json
    }
  }

  /// The type of a value that a predicate says, where nothing else tells.
  package init(_ constant: PredicateConstant) {
    switch constant {
    case .null, .string: self = .text
    case .boolean: self = .boolean
    case .number: self = .decimal
    case .moment: self = .date
    case .data: self = .blob
    case .stored(_, let type): self.init(type)
    case .identity: self = .text
    }
  }

  /// For messages.
  var name: String {
    switch self {
    case .boolean: "true or false"
    case .integer: "a whole number"
    case .real: "a number"
    case .decimal: "a decimal number"
    case .text: "a text"
    case .date: "a date"
    case .uuid: "a UUID"
    case .blob: "binary data"
    case .json: "JSON text"
    }
  }

  package var isNumeric: Bool { [.boolean, .integer, .real, .decimal].contains(self) }

  // MARK: - Values

  /// A value as the store keeps it in a column of this type, and the type that it then has. That is another one
  /// for `1.5` and whole numbers, which compare all the same. Nil if the two cannot be compared.
  package func value(of constant: PredicateConstant) -> (value: SQLValue, type: ComparedType)? {
    switch (self, constant) {
    case (_, .null): return nil
    case (_, .stored(let value, let type)):
      let type = ComparedType(type)
      return common(with: type) == nil ? nil : (value, type)
    // An identity is of the types of what it is compared with.
    case (_, .identity(let parts)): return parts.count == 1 ? (parts[0], self) : nil
    case (.integer, _), (.real, _), (.decimal, _): return number(constant)
    case (.boolean, _): return Self.truth(constant).map { (.integer($0 ? 1 : 0), self) }
    case (.date, _): return Self.date(constant).map { (.text($0), self) }
    case (.uuid, .string(let text)): return Self.uuid(text).map { (.text($0), self) }
    case (.blob, .data(let bytes)): return (.blob(bytes), self)
    case (.blob, .string(let text)): return Base64.bytes(of: text).map { (.blob($0), self) }
    case (.text, _), (.json, _): return Self.text(constant).map { (.text($0), self) }
    default: return nil
    }
  }

  /// The values of an identity that is given as text, as a key in JSON is, by the types of its values. What cannot be
  /// converted stays a text, which is nobody's identity. Nil if it has other parts.
  static func identity(_ text: String, of entity: SchemaEntity) -> [SQLValue]? {
    guard let parts = KeyText.split(text, count: entity.identity.count) else { return nil }
    return zip(entity.identity, parts).map { value, part in
      ComparedType(value.type).value(of: .string(part))?.value ?? .text(part)
    }
  }

  private func number(_ constant: PredicateConstant) -> (value: SQLValue, type: ComparedType)? {
    let digits: String
    switch constant {
    case .number(let text), .string(let text): digits = text
    case .boolean(let isTrue): digits = isTrue ? "1" : "0"
    default: return nil
    }
    guard let number = NumberText(digits) else { return nil }
    if self == .integer, let value = number.integer { return (.integer(value), .integer) }
    if self != .real, let decimal = number.decimal { return (.text(decimal), .decimal) }
    guard self != .decimal, let value = number.double else { return nil }
    return (.real(value), .real)
  }

  private static func truth(_ constant: PredicateConstant) -> Bool? {
    switch constant {
    case .boolean(let isTrue): return isTrue
    case .number(let text):
      return NumberText(text)?.integer.flatMap { $0 == 1 ? true : $0 == 0 ? false : nil }
    case .string(let text):
      switch text.lowercased() {
      case "true", "yes", "1": return true
      case "false", "no", "0": return false
      default: return nil
      }
    default: return nil
    }
  }

  /// The date in the store's form.
  static func date(_ constant: PredicateConstant) -> String? {
    switch constant {
    case .moment(let seconds): return DateText(secondsSince2001: seconds)?.text
    case .string(var text):
      return text.withUTF8 { bytes in
        guard var time = ISODate.read(bytes), time.normalize(defaultOffset: 0) else { return nil }
        var buffer = ByteBuffer()
        time.append(to: &buffer)
        return String(decoding: buffer.elements, as: UTF8.self)
      }
    default: return nil
    }
  }

  private static func uuid(_ text: String) -> String? {
    var text = text
    return text.withUTF8 { bytes in
      var buffer = ByteBuffer()
      guard UUIDText.append(bytes, to: &buffer) else { return nil }
      return String(decoding: buffer.elements, as: UTF8.self)
    }
  }

  /// The text of a scalar, as an import makes it for an attribute that is a string.
  package static func text(_ constant: PredicateConstant) -> String? {
    switch constant {
    case .string(let text), .number(let text): text
    case .boolean(let isTrue): isTrue ? "true" : "false"
    case .stored(.text(let text), _): text
    case .null, .moment, .data, .stored, .identity: nil
    }
  }
}
