/// Why an import in chunks ended early, after it had committed some of them.
///
/// The committed chunks stay. What came after them changed nothing, and nothing was pruned. To continue, import the
/// same JSON again: objects that are there already are found by their identities and not written twice. Objects at
/// the top of the JSON whose entity has no identity would be inserted again; ``objects`` says how many of them there
/// are already.
public struct PartialImportError: Error, Sendable {
  /// The error that ended it.
  public let cause: any Error
  /// What the committed chunks did. It does not list pending references.
  public let report: Report
  /// How many objects at the top of the JSON, counted from its beginning, the committed chunks have read.
  public let objects: Int

  /// Whether the caller stopped the import.
  public var isCancellation: Bool {
    cause is CancellationError || (cause as? ImportError)?.isCancellation == true
  }
}

extension PartialImportError: CustomStringConvertible {
  public var description: String {
    let reason =
      (cause as? ImportError)?.text(isWhole: false) ?? (isCancellation ? "Interrupted." : "\(cause)")
    let count = report.chunks ?? 0
    return "\(reason) The first \(objects) objects of the JSON were committed before that, in"
      + " \(count) \(count == 1 ? "chunk" : "chunks"), and stay. Import the same JSON again to go on: an object with an"
      + " identity is found and not written twice, one without is inserted again."
  }
}
