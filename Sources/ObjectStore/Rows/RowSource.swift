package import Bytes

/// Objects that are kept elsewhere as rows already, for an import to take over: another store.
package protocol RowSource: Sendable {
  /// The name in messages.
  var name: String { get }
  /// The choices that were made, as sentences for the report.
  var notes: [String] { get }
  /// How many objects it has, if that is known.
  var objectCount: Int? { get }
  /// Its size in bytes, if that is known.
  var size: Int? { get }

  /// Adds the source to those whose objects a store has, in the order in which they came; nothing if sources of its kind
  /// cannot be mixed up.
  ///
  /// - Throws: ``StoreError`` if its objects would be taken for those of another source.
  func add(to sources: inout [String]) throws

  /// Gives `body` a reader of all objects, in the form of a layout.
  ///
  /// - Parameter isCancelled: Asked now and then; once it says true, reading ends with an error.
  /// - Throws: What `body` throws; ``StoreError`` if the source cannot be read; `CancellationError`.
  func read<Result>(
    for layout: Layout, isCancelled: @escaping @Sendable () -> Bool, _ body: (any RowReader) throws -> Result
  ) throws -> Result
}

/// Reads objects one after another as rows of a batch.
package protocol RowReader: AnyObject {
  /// The entities of the layout that the source has, also those without objects.
  var entities: [Int] { get }
  /// Keys of the source that the layout has no place for, by entity, with the count of objects.
  var unmatched: [String: [String: Int]] { get }

  /// Adds the next object to a batch: a row, its links by keys. Nil after the last.
  func next(_ batch: inout RowBatch) throws -> Int?

  /// Whether something could not be used since this was last asked for.
  var hasProblems: Bool { get }

  /// The problems since this was last asked.
  func takeProblems() -> [SourceProblem]

  /// Appends what to call the object of the row that was added last: `Band/p12`.
  func appendName(to bytes: inout ByteBuffer)
}

/// Something in a source that could not be used.
package struct SourceProblem: Sendable {
  /// The object, as the source calls it; empty if it is about many.
  package var object: String
  package var entity: String
  package var property: String?
  package var expected: String
  package var found: String
  package var action: String

  package init(
    object: String, entity: String, property: String?, expected: String, found: String, action: String
  ) {
    self.object = object
    self.entity = entity
    self.property = property
    self.expected = expected
    self.found = found
    self.action = action
  }
}
