/// Where a store keeps the entries of its ``Journal``.
package protocol JournalTable {
  /// All entries, the oldest change first.
  func entries() throws -> [JournalEntry]
  /// The entry of the object with a key; `root` names the entity that the object's table is of.
  func entry(root: String, key: String) throws -> JournalEntry?
  /// The entries of objects that the server knows under a key which they have no more.
  func entries(root: String, formerly key: String) throws -> [JournalEntry]
  /// Puts an entry in place of that of the same object.
  func put(_ entry: JournalEntry, root: String) throws
  /// Takes the entry of an object away.
  func remove(root: String, key: String) throws
  /// Notes that somebody was told of new objects.
  func markSent() throws
  /// A number greater than all before, also than those of entries that are gone.
  func nextRevision() throws -> Int64
}
