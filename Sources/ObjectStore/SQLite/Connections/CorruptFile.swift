import GRDB

/// The words for a file that cannot be read as a database.
///
/// SQLite has one code for a file that is damaged and for a disk that fails while the file is read, so nobody is told that
/// a file is damaged which may be whole.
enum CorruptFile {
  static let words =
    "the file could not be read: it is damaged, or the disk failed just now. Try again; PRAGMA integrity_check says"
    + " whether the file is whole"
}

extension DatabaseError {
  /// Why SQLite failed, as a part of a sentence.
  var reason: String {
    resultCode == .SQLITE_CORRUPT ? CorruptFile.words : message ?? "\(resultCode)"
  }
}
