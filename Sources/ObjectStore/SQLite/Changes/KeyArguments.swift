import Bytes
import GRDBSQLite

/// How a log has a key.
enum KeyForm: UInt8, BitwiseCopyable {
  case integer
  /// As UTF-8.
  case text
  /// As ``EncodedKey`` has it.
  case composite
}

/// The arguments of an SQL function that are a key, as long as the function runs.
struct KeyArguments {
  let values: UnsafeMutablePointer<OpaquePointer?>
  let width: Int

  /// Appends the key, unless it is one integer.
  func append(to bytes: inout ByteBuffer) -> (form: KeyForm, bits: Int64) {
    if width == 1 {
      switch sqlite3_value_type(values[0]) {
      case SQLITE_INTEGER: return (.integer, sqlite3_value_int64(values[0]))
      case SQLITE_TEXT:
        bytes.append(Self.bytes(of: values[0]))
        return (.text, 0)
      default: break
      }
    }
    for part in 0..<width { EncodedKey.append(values[part], to: &bytes) }
    return (.composite, 0)
  }

  func equals(_ other: KeyArguments) -> Bool {
    (0..<width).allSatisfy { part in
      let (left, right) = (values[part], other.values[part])
      guard sqlite3_value_type(left) == sqlite3_value_type(right) else { return false }
      switch sqlite3_value_type(left) {
      case SQLITE_INTEGER: return sqlite3_value_int64(left) == sqlite3_value_int64(right)
      case SQLITE_FLOAT: return sqlite3_value_double(left) == sqlite3_value_double(right)
      default: return Self.bytes(of: left).elementsEqual(Self.bytes(of: right))
      }
    }
  }

  /// The bytes of a text or blob. As a blob, a text is not copied to get a zero behind it.
  static func bytes(of value: OpaquePointer?) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_value_blob(value)
    return UnsafeBufferPointer(
      start: start?.assumingMemoryBound(to: UInt8.self), count: Int(sqlite3_value_bytes(value)))
  }
}

/// Keys of several parts as bytes: a byte for the type of each, then eight of the number, or of the count of the
/// bytes that follow.
enum EncodedKey {
  private enum Tag: UInt8 {
    case null, integer, real, text, blob
  }

  static func append(_ value: OpaquePointer?, to bytes: inout ByteBuffer) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: append(.integer, UInt64(bitPattern: sqlite3_value_int64(value)), to: &bytes)
    case SQLITE_FLOAT: append(.real, sqlite3_value_double(value).bitPattern, to: &bytes)
    case SQLITE_NULL: append(.null, 0, to: &bytes)
    case let type:
      let content = KeyArguments.bytes(of: value)
      append(type == SQLITE_TEXT ? .text : .blob, UInt64(content.count), to: &bytes)
      bytes.append(content)
    }
  }

  private static func append(_ tag: Tag, _ word: UInt64, to bytes: inout ByteBuffer) {
    bytes.append(tag.rawValue)
    withUnsafeBytes(of: word) { bytes.append($0.assumingMemoryBound(to: UInt8.self)) }
  }

  static func parts(_ bytes: UnsafeBufferPointer<UInt8>) -> [SQLValue] {
    let bytes = UnsafeRawBufferPointer(bytes)
    var parts: [SQLValue] = []
    var index = 0
    while index + 9 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: index + 1, as: UInt64.self)
      let tag = Tag(rawValue: bytes[index])
      index += 9
      switch tag {
      case .integer: parts.append(.integer(Int64(bitPattern: word)))
      case .real: parts.append(.real(Double(bitPattern: word)))
      case .text, .blob:
        let content = bytes[index..<min(index + Int(word), bytes.count)]
        index = content.endIndex
        parts.append(tag == .text ? .text(String(decoding: content, as: UTF8.self)) : .blob(Array(content)))
      case .null, nil: parts.append(.null)
      }
    }
    return parts
  }
}
