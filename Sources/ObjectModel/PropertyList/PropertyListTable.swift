/// The values of a property list in flat arrays: a value is the index of its node.
///
/// Containers hold indices, so that values that are shared, or lead back to themselves, take no more room than in the
/// file, and reading never calls itself.
final class PropertyListTable: Sendable {
  /// What texts and data are in: the file itself, or for XML its texts without escapes.
  let bytes: [UInt8]
  let nodes: [PropertyListNode]
  /// The indices in all containers, those of one container side by side.
  let references: [UInt32]
  let top: Int

  init(bytes: [UInt8], nodes: [PropertyListNode], references: [UInt32], top: Int) {
    self.bytes = bytes
    self.nodes = nodes
    self.references = references
    self.top = top
  }

  func value(at index: Int) -> PropertyListValue {
    let node = nodes[index]
    let start = Int(truncatingIfNeeded: node.payload)
    let count = Int(node.count)
    switch node.kind {
    case .null: return .null
    case .false: return .boolean(false)
    case .true: return .boolean(true)
    case .integer: return .integer(Int64(bitPattern: node.payload))
    case .unsigned: return .unsigned(node.payload)
    case .real: return .real(Double(bitPattern: node.payload))
    case .date: return .date(Double(bitPattern: node.payload))
    case .data: return .data(bytes[start..<start + count])
    case .utf8: return .string(String(decoding: bytes[start..<start + count], as: UTF8.self))
    case .utf16: return .string(utf16(start, count))
    case .uid: return .uid(start)
    case .array: return .array(PropertyListArray(table: self, node: index, start: start, count: count))
    case .dictionary:
      return .dictionary(PropertyListDictionary(table: self, node: index, start: start, count: count))
    }
  }

  /// A text of so many units of two bytes, the higher first.
  private func utf16(_ start: Int, _ count: Int) -> String {
    let units = (0..<count).lazy.map { [bytes] in
      UInt16(bytes[start + 2 * $0]) << 8 | UInt16(bytes[start + 2 * $0 + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// Whether a value is this text, which is ASCII. Nothing is allocated.
  func isText(_ index: Int, _ text: String) -> Bool {
    let node = nodes[index]
    guard node.kind == .utf8, Int(node.count) == text.utf8.count else { return false }
    let start = Int(truncatingIfNeeded: node.payload)
    return bytes.withUnsafeBytes { bytes in
      var place = start
      for byte in text.utf8 {
        if bytes[place] != byte { return false }
        place += 1
      }
      return true
    }
  }
}

/// A value, or where it is.
struct PropertyListNode: BitwiseCopyable {
  enum Kind: UInt8 {
    case null
    case `false`
    case `true`
    case integer
    case unsigned
    case real
    case date
    case data
    /// ASCII is UTF-8 as well.
    case utf8
    case utf16
    case uid
    /// Sets are arrays.
    case array
    /// Its keys come first, then its values.
    case dictionary

    /// What a message calls it.
    var name: String {
      switch self {
      case .null: "null"
      case .false, .true: "a Boolean"
      case .integer, .unsigned: "an integer"
      case .real: "a real number"
      case .date: "a date"
      case .data: "data"
      case .utf8, .utf16: "a text"
      case .uid: "a reference"
      case .array: "an array"
      case .dictionary: "a dictionary"
      }
    }
  }

  /// A number's bits; or where its bytes or its references begin.
  var payload: UInt64 = 0
  /// How many bytes, units or elements it has.
  var count: UInt32 = 0
  var kind: Kind

  init(_ kind: Kind, payload: UInt64 = 0, count: UInt32 = 0) {
    self.kind = kind
    self.payload = payload
    self.count = count
  }
}
