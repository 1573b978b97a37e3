import Bytes
import GRDBSQLite
import ObjectModel

/// Puts a value of a Core Data store in the form of ours.
///
/// | attribute | kept by Core Data as | here |
/// |---|---|---|
/// | Boolean, integers | integer | the same |
/// | Float, Double | real, or integer where whole | real |
/// | Decimal | integer, real, or text | its digits; a real has those that are left of it |
/// | String, URI | text | the same |
/// | Date | seconds since 2001 | text in UTC |
/// | UUID | 16 bytes | text |
/// | Binary | bytes; with external storage a byte in front that says where they are | bytes |
/// | Transformable | an archive or a property list | JSON text |
struct CoreDataValue {
  let type: AttributeType
  /// Where binary values may be in files of their own; nil if they never are.
  let external: CoreDataExternalFiles?

  /// Why a value cannot be used.
  enum Failure: Error {
    case notOfType
    /// The folder and the name of the file of the value.
    case noFile(String)
    /// What should be the name of a file: it has a slash, begins with a dot, or is empty.
    case noFileName(String)
    /// The path of the file of the value.
    case unreadableFile(String)
    case tooLarge(String)
    /// Why the file of the value could not be written.
    case notWritten(String)
    /// An archive that is no plain value, with what it holds. The bytes are kept.
    case notPlain(String)
    /// An archive with numbers that JSON cannot have, and the cell with null in their places.
    case notFinite(Cell)
  }

  /// The cell of a column of the present row.
  ///
  /// - Parameter name: What to call its file, where it is to be one.
  func cell(
    _ row: PreparedStatement, _ column: Int, _ batch: inout RowBatch,
    named name: @autoclosure () -> String = ""
  ) throws(Failure) -> Cell {
    guard let storage = row.storage(column) else { return .null }
    switch type {
    case .boolean, .integer16, .integer32, .integer64: return try integer(row, column, storage)
    case .float, .double: return try real(row, column, storage)
    case .decimal: return try decimal(row, column, storage, &batch)
    case .string: return try text(row, column, storage, &batch)
    case .uri:
      let cell = try text(row, column, storage, &batch)
      guard cell.count > 0, batch.bytes(of: cell).allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
        throw .notOfType
      }
      return cell
    case .date: return try date(row, column, storage, &batch)
    case .uuid: return try uuid(row, column, storage, &batch)
    case .binary: return try binary(row, column, storage, name(), &batch)
    case .transformable, .composite, .undefined:
      return try CoreDataTransformable.cell(row, column, storage, &batch)
    }
  }

  private func integer(_ row: PreparedStatement, _ column: Int, _ storage: StorageType) throws(Failure)
    -> Cell
  {
    var value: Int64
    switch storage {
    case .integer: value = row.integer(column)
    case .real:
      guard let whole = Int64(exactly: row.double(column)) else { throw .notOfType }
      value = whole
    case .text, .blob: throw .notOfType
    }
    // Core Data keeps what its code put in, any number that is not 0 for true.
    if type == .boolean { value = value == 0 ? 0 : 1 }
    let fits =
      switch type {
      case .integer16: Int16(exactly: value) != nil
      case .integer32: Int32(exactly: value) != nil
      default: true
      }
    guard fits else { throw .notOfType }
    return .integer(value)
  }

  private func real(_ row: PreparedStatement, _ column: Int, _ storage: StorageType) throws(Failure) -> Cell {
    guard storage == .integer || storage == .real else { throw .notOfType }
    let value = row.double(column)
    guard value.isFinite, type != .float || value.magnitude <= Double(Float.greatestFiniteMagnitude) else {
      throw .notOfType
    }
    return .real(value)
  }

  private func decimal(
    _ row: PreparedStatement, _ column: Int, _ storage: StorageType, _ batch: inout RowBatch
  ) throws(Failure) -> Cell {
    guard storage != .blob else { throw .notOfType }
    let offset = batch.bytes.count
    // Of a real, Swift writes as few digits as tell it from all others: those that were put in, up to fifteen.
    var digits = storage == .real ? "\(row.double(column))" : row.string(column)
    if storage == .integer { digits = String(row.integer(column)) }
    let isRead = digits.withUTF8 { text in DecimalNumber(text)?.append(to: &batch.bytes) ?? false }
    guard isRead else {
      batch.bytes.truncate(to: offset)
      throw .notOfType
    }
    return .text(at: offset, count: batch.bytes.count - offset)
  }

  private func text(
    _ row: PreparedStatement, _ column: Int, _ storage: StorageType, _ batch: inout RowBatch
  ) throws(Failure) -> Cell {
    switch storage {
    case .text:
      let bytes = row.text(column)
      guard isUTF8(bytes) else { throw .notOfType }
      return batch.text(bytes)
    case .integer: return batch.text(String(row.integer(column)))
    case .real: return batch.text("\(row.double(column))")
    case .blob: throw .notOfType
    }
  }

  private func isUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if bytes.allSatisfy({ $0 < 0x80 }) { return true }
    return String(validating: bytes, as: UTF8.self) != nil
  }

  private func date(
    _ row: PreparedStatement, _ column: Int, _ storage: StorageType, _ batch: inout RowBatch
  ) throws(Failure) -> Cell {
    let offset = batch.bytes.count
    guard storage == .integer || storage == .real,
      DateText.append(secondsSince2001: row.double(column), to: &batch.bytes)
    else { throw .notOfType }
    return .text(at: offset, count: batch.bytes.count - offset)
  }

  private func uuid(
    _ row: PreparedStatement, _ column: Int, _ storage: StorageType, _ batch: inout RowBatch
  ) throws(Failure) -> Cell {
    let offset = batch.bytes.count
    let bytes = row.blob(column)
    if storage == .blob, bytes.count == 16 {
      for (place, byte) in bytes.enumerated() {
        if [4, 6, 8, 10].contains(place) { batch.bytes.append(UInt8(ascii: "-")) }
        batch.bytes.append(Self.hexadecimal(byte >> 4))
        batch.bytes.append(Self.hexadecimal(byte & 15))
      }
    } else if storage != .text || !UUIDText.append(row.text(column), to: &batch.bytes) {
      batch.bytes.truncate(to: offset)
      throw .notOfType
    }
    return .text(at: offset, count: batch.bytes.count - offset)
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8 { digit < 10 ? 0x30 + digit : 0x57 + digit }

  private func binary(
    _ row: PreparedStatement, _ column: Int, _ storage: StorageType, _ name: @autoclosure () -> String,
    _ batch: inout RowBatch
  ) throws(Failure) -> Cell {
    guard storage == .blob else { throw .notOfType }
    let bytes = row.text(column)
    guard let external else { return Self.blob(bytes, &batch) }
    return try external.cell(of: bytes, named: name(), &batch)
  }

  static func blob(_ bytes: UnsafeBufferPointer<UInt8>, _ batch: inout RowBatch) -> Cell {
    let offset = batch.bytes.count
    batch.bytes.append(bytes)
    return .blob(at: offset, count: bytes.count)
  }
}

extension AttributeType {
  /// What a value of a Core Data store should have been.
  var coreDataExpectation: String {
    switch self {
    case .boolean: "true or false"
    case .integer16: "a whole number from -32768 to 32767"
    case .integer32: "a whole number from -2147483648 to 2147483647"
    case .integer64: "a whole number of 64 bits"
    case .float, .double: "a number"
    case .decimal: "a decimal number"
    case .string: "text in UTF-8"
    case .date: "seconds since 2001, in the years 0 to 9999"
    case .uuid: "16 bytes of a UUID"
    case .uri: "a URI"
    case .binary: "bytes"
    case .transformable, .composite, .undefined: "an archive of plain values"
    }
  }
}
