import JSONStream
import ObjectModel
import ObjectStore

/// A value as the store keeps it, whose bytes are the cursor's until that moves on.
///
/// It has the cases of an `SQLValue`, which would copy the bytes of each text that an export writes.
enum StoredValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(UnsafeBufferPointer<UInt8>)
  case blob(UnsafeRawBufferPointer)

  init(_ row: any Cursor, _ column: Int) {
    switch row.storage(column) {
    case nil: self = .null
    case .integer: self = .integer(row.integer(column))
    case .real: self = .real(row.double(column))
    case .text: self = .text(row.text(column))
    case .blob: self = .blob(row.blob(column))
    }
  }

  /// Reads the text that stands for a value of a type in a key that the store remembers; see ``KeyText``.
  init(key text: UnsafeBufferPointer<UInt8>, _ type: AttributeType) {
    let string = String(decoding: text, as: UTF8.self)
    switch StorageType(type) {
    case .integer: self = Int64(string).map(StoredValue.integer) ?? .text(text)
    case .real: self = Double(string).map(StoredValue.real) ?? .text(text)
    case .text, .blob: self = .text(text)
    }
  }

  /// The text that stands for the value in a key; see ``KeyText``.
  var keyText: String {
    switch self {
    case .null: ""
    case .integer(let integer): String(integer)
    case .real(let double): String(double)
    case .text(let text): String(decoding: text, as: UTF8.self)
    case .blob(let data): String(decoding: data, as: UTF8.self)
    }
  }
}
