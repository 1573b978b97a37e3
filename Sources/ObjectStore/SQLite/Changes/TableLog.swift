import Bytes

/// The part of a log that is about the objects of a table. An entry costs no allocation.
final class TableLog {
  struct Entry: BitwiseCopyable {
    /// The key, if it is an integer, or else where it begins in the bytes.
    var bits: Int64
    /// The count of the key's bytes.
    var count: Int32
    var form: KeyForm
    var operation: ChangeOperation
    /// Unknown, -1, if the object was touched.
    var entity: Int32
    var mark: Int64
  }

  private var entries = PlainBuffer<Entry>()
  private var bytes = ByteBuffer()

  var count: Int { entries.count }

  subscript(index: Int) -> Entry { entries[index] }

  func add(_ key: KeyArguments, _ operation: ChangeOperation, _ entity: Int, _ mark: Int64) {
    let start = bytes.count
    let (form, bits) = key.append(to: &bytes)
    entries.append(
      Entry(
        bits: form == .integer ? bits : Int64(start), count: Int32(truncatingIfNeeded: bytes.count - start),
        form: form, operation: operation, entity: Int32(truncatingIfNeeded: entity), mark: mark))
  }

  /// Adds an object whose key is its row id.
  func add(_ row: Int64, _ operation: ChangeOperation, _ entity: Int32, _ mark: Int64) {
    entries.append(
      Entry(bits: row, count: 0, form: .integer, operation: operation, entity: entity, mark: mark))
  }

  /// Drops all entries from a mark on.
  func undo(from mark: Int64) {
    var end = entries.count
    while end > 0, entries[end - 1].mark >= mark {
      end -= 1
      if entries[end].form != .integer { bytes.truncate(to: Int(entries[end].bits)) }
    }
    entries.truncate(to: end)
  }

  func removeAll() {
    // What one large transaction took is not kept for all the small ones after it.
    if entries.count > 1 << 12 { entries = PlainBuffer() } else { entries.removeAll() }
    if bytes.count > 1 << 16 { bytes = ByteBuffer() } else { bytes.removeAll() }
  }

  // MARK: - Keys

  func key(_ index: Int) -> ObjectKey {
    let entry = entries[index]
    switch entry.form {
    case .integer: return .integer(entry.bits)
    case .text: return .text(String(decoding: keyBytes(entry), as: UTF8.self))
    case .composite: return .composite(EncodedKey.parts(keyBytes(entry)))
    }
  }

  func hash(_ index: Int) -> Int {
    var hash = Hash()
    let entry = entries[index]
    if entry.form == .integer {
      hash.combine(UInt64(bitPattern: entry.bits))
    } else {
      hash.combine(keyBytes(entry))
    }
    return hash.value
  }

  func haveSameKey(_ left: Int, _ right: Int) -> Bool {
    let (left, right) = (entries[left], entries[right])
    guard left.form == right.form, left.count == right.count else { return false }
    if left.form == .integer { return left.bits == right.bits }
    return keyBytes(left).elementsEqual(keyBytes(right))
  }

  private func keyBytes(_ entry: Entry) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes.elements[Int(entry.bits)..<Int(entry.bits) + Int(entry.count)])
  }
}
