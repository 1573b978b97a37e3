/// The notes of a table besides its values: rows with more fields than there are columns, columns without a name.
///
/// It belongs to the thread that reads. The table is read a little ahead of its rows' objects, so notes wait for them.
package final class TableNotes {
  package struct Note: Sendable, Hashable {
    /// The line, from 1.
    package var line: Int
    package var expected: String
    package var found: String
    package var action: String
  }

  private var notes: [Note] = []
  private var next = 0

  package init() {}

  func add(_ note: Note) { notes.append(note) }

  /// Takes the next note of a line, or of one before it.
  package func take(upTo line: Int) -> Note? {
    guard next < notes.count, notes[next].line <= line else {
      if next == notes.count, next > 0 { (notes, next) = ([], 0) }
      return nil
    }
    defer { next += 1 }
    return notes[next]
  }
}
