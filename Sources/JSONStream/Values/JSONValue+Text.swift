extension JSONValue {
  /// Reads a JSON text; nil if it is none.
  package init?(text: String) {
    let bytes = Array(text.utf8)
    var reader = JSONReader(
      MemorySource(bytes), options: JSONReader.Options(allowsSequence: false, windowSize: bytes.count))
    do throws(JSONError) {
      self = try reader.value(from: reader.next())
      guard try reader.next() == .end else { return nil }
    } catch {
      return nil
    }
  }

  /// The value as JSON text without white space, the keys of its objects in order.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The bytes of the value's JSON text.
  package var bytes: [UInt8] {
    let sink = MemorySink()
    var writer = JSONWriter(sink)
    writer.value(self)
    do throws(SourceError) { try writer.flush() } catch { return [] }
    return sink.bytes
  }

  /// Whether all numbers in it are written as JSON writes numbers.
  package var isWellFormed: Bool {
    switch self {
    case .null, .bool, .string: true
    case .number(let digits): Self.isNumber(digits.utf8)
    case .array(let elements): elements.allSatisfy(\.isWellFormed)
    case .object(let members): members.values.allSatisfy(\.isWellFormed)
    }
  }

  /// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
  private static func isNumber(_ text: String.UTF8View) -> Bool {
    var rest = text[...]
    func skip(_ bytes: StaticString) -> Bool {
      guard let first = rest.first else { return false }
      let isThere = (0..<bytes.utf8CodeUnitCount).contains { bytes.utf8Start[$0] == first }
      if isThere { rest.removeFirst() }
      return isThere
    }
    func skipDigits() -> Bool {
      let before = rest.count
      while let first = rest.first, first &- UInt8(ascii: "0") <= 9 { rest.removeFirst() }
      return rest.count < before
    }
    _ = skip("-")
    guard skip("0") || skipDigits() else { return false }
    if skip("."), !skipDigits() { return false }
    if skip("eE") {
      _ = skip("+-")
      guard skipDigits() else { return false }
    }
    return rest.isEmpty
  }
}

extension JSONValue {
  /// A number as ``JSONWriter/double(_:)`` writes it.
  package init(writing value: Double) {
    self = JSONWriter.wholeNumber(value).map(JSONValue.integer) ?? .double(value)
  }
}
