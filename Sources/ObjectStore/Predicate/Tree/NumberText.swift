import Bytes

/// A number in digits, and what can be made of it.
struct NumberText {
  let text: String
  /// In the form that the store has for decimals; nil if that would be too long.
  let decimal: String?

  /// Nil if the text is no number.
  init?(_ text: String) {
    var text = text
    let parsed: (isNumber: Bool, decimal: String?) = text.withUTF8 { bytes in
      guard let number = DecimalNumber(bytes) else { return (false, nil) }
      var buffer = ByteBuffer()
      guard number.append(to: &buffer) else { return (true, nil) }
      return (true, String(decoding: buffer.elements, as: UTF8.self))
    }
    guard parsed.isNumber else { return nil }
    self.text = text
    decimal = parsed.decimal
  }

  /// The whole number that it is, if it is one of 64 bits.
  var integer: Int64? { decimal.flatMap { Int64($0) } }

  var double: Double? { Double(decimal ?? text) }
}
