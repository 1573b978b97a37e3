import Bytes
import ObjectModel

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
