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
    /// A text that should be the name of a file: it has a slash, begins with a dot, or is empty.
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
  /// The expected form of a value of a Core Data store.
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

/// Transformable values: archives and property lists of plain values become JSON.
enum CoreDataTransformable {
  static func cell(
    _ row: PreparedStatement, _ column: Int, _ storage: StorageType, _ batch: inout RowBatch
  ) throws(CoreDataValue.Failure) -> Cell {
    switch storage {
    case .integer: return batch.text(String(row.integer(column)))
    case .real: return batch.text("\(row.double(column))")
    case .text: return quoted(row.text(column), &batch)
    case .blob: return try archive(Array(row.blob(column)), &batch)
    }
  }

  private static func archive(
    _ bytes: [UInt8], _ batch: inout RowBatch
  ) throws(CoreDataValue.Failure) -> Cell {
    let reading: PlainValue.Reading
    do {
      reading = try PlainValue.read(bytes) { DateText(secondsSince2001: $0)?.iso8601 }
    } catch {
      throw .notPlain(isText(bytes) ? "text that is no property list" : "bytes that are no property list")
    }
    switch reading.form {
    case .notPlain(let name): throw .notPlain("an archive with \(name)")
    case .json(let json):
      let cell = json.withUnsafeBufferPointer { batch.text($0) }
      if reading.hasNonFinite { throw .notFinite(cell) }
      return cell
    }
  }

  /// Whether bytes are text in UTF-8, which JSON is as well.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || 0x09...0x0D ~= $0 }
      && String(validating: bytes, as: UTF8.self) != nil
  }

  /// The bytes of a value as a JSON string in Base64.
  static func base64(_ row: PreparedStatement, _ column: Int, _ batch: inout RowBatch) -> Cell {
    let offset = batch.bytes.count
    batch.bytes.append(UInt8(ascii: "\""))
    Base64.encode(row.blob(column), to: &batch.bytes)
    batch.bytes.append(UInt8(ascii: "\""))
    return .text(at: offset, count: batch.bytes.count - offset)
  }

  /// A text as a JSON string.
  private static func quoted(_ text: UnsafeBufferPointer<UInt8>, _ batch: inout RowBatch) -> Cell {
    let offset = batch.bytes.count
    batch.bytes.append(UInt8(ascii: "\""))
    for byte in String(decoding: text, as: UTF8.self).utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        batch.bytes.append(UInt8(ascii: "\\"))
        batch.bytes.append(byte)
      case 0..<0x20:
        batch.bytes.append("\\u00")
        batch.bytes.append(byte < 0x10 ? 0x30 : 0x31)
        let low = byte & 15
        batch.bytes.append(low < 10 ? 0x30 + low : 0x57 + low)
      default: batch.bytes.append(byte)
      }
    }
    batch.bytes.append(UInt8(ascii: "\""))
    return .text(at: offset, count: batch.bytes.count - offset)
  }
}

/// The faults in the archives of a Core Data store, counted by attribute: one issue for all objects.
struct CoreDataArchiveProblems {
  enum Found {
    /// The contents of the value instead of an archive of plain values.
    case notPlain(String)
    /// Numbers that are not finite.
    case notFinite
  }

  private struct Counts {
    let entity: String
    let property: String
    /// How many values hold each kind.
    var kinds: [String: Int] = [:]
    /// In how many values there were more kinds than are counted.
    var others = 0
    var notFinite = 0
  }

  /// By entity and property.
  private var counts: [String: Counts] = [:]

  /// How many kinds of an attribute are counted, and how many are named.
  private static let (mostKinds, mostNamed) = (100, 3)

  mutating func add(_ found: Found, entity: String, property: String) {
    let key = "\(entity).\(property)"
    var known = counts[key] ?? Counts(entity: entity, property: property)
    switch found {
    case .notFinite: known.notFinite += 1
    case .notPlain(let kind):
      if known.kinds[kind] != nil || known.kinds.count < Self.mostKinds {
        known.kinds[kind, default: 0] += 1
      } else {
        known.others += 1
      }
    }
    counts[key] = known
  }

  var problems: [SourceProblem] {
    counts.sorted { $0.key < $1.key }.flatMap { Self.problems($0.value) }
  }

  private static func problems(_ counts: Counts) -> [SourceProblem] {
    var problems: [SourceProblem] = []
    if !counts.kinds.isEmpty {
      problems.append(
        SourceProblem(
          object: "", entity: counts.entity, property: counts.property,
          expected: "an archive of plain values", found: text(counts),
          action: "kept as its bytes in Base64"))
    }
    if counts.notFinite > 0 {
      problems.append(
        SourceProblem(
          object: "", entity: counts.entity, property: counts.property, expected: "finite numbers",
          found: "NaN or an infinite number in an archive, \(objects(counts.notFinite))",
          action: "null in its place"))
    }
    return problems
  }

  /// The most frequent kinds with their counts.
  private static func text(_ counts: Counts) -> String {
    let sorted = counts.kinds.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
    var parts = sorted.prefix(mostNamed).map { "\($0.key), \(objects($0.value))" }
    let rest = sorted.dropFirst(mostNamed).map(\.value).reduce(counts.others, +)
    if rest > 0 { parts.append("others, \(objects(rest))") }
    return parts.joined(separator: "; ")
  }

  private static func objects(_ count: Int) -> String { "in \(count) \(count == 1 ? "object" : "objects")" }
}
