import Bytes
import ObjectModel

/// How far the writing of a list has come.
///
/// A list does not write its targets. It says which row has to be written next, and goes on when that is done.
class ListStep {
  let list: LinkList
  /// The row that has the list, and its key.
  let owner: Int
  let ownerKey: [Cell]

  init(_ list: LinkList, of owner: Int, key: [Cell]) {
    self.list = list
    self.owner = owner
    ownerKey = key
  }

  /// Goes on until a row has to be written, and returns that; nil when the list is written.
  func advance(_ batch: inout RowBatch) throws -> RowStep? { nil }

  /// The owner's key as values that outlive the batch.
  func ownerValues(_ batch: borrowing RowBatch) -> [SQLValue] {
    var values: [SQLValue] = []
    for cell in ownerKey { values.append(batch.value(of: cell)) }
    return values
  }

  /// The owner's key as text.
  func ownerTexts(_ batch: borrowing RowBatch) -> [String] {
    var texts: [String] = []
    for cell in ownerKey { texts.append(KeyText.text(of: cell, batch)) }
    return texts
  }
}
