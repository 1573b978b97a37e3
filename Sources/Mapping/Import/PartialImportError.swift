/// Why an import in chunks ended before its end, after it had committed some.
///
/// What was committed stays; what came after it did not change anything, and nothing was pruned. Importing the same JSON
/// again goes on: objects that are there already are found by their identities and not written twice. Objects at the top of
/// the JSON whose entity has no identity would be inserted again; ``objects`` says how many there are already.
public struct PartialImportError: Error, Sendable {
  /// What ended it: what the import would have thrown as a whole.
  public let cause: any Error
  /// What the committed chunks did. References that wait are not looked for.
  public let report: Report
  /// How many objects at the top of the JSON, from its beginning, were dealt with in what was committed.
  public let objects: Int

  /// Whether the import was stopped on purpose.
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
      + " \(count) \(count == 1 ? "chunk" : "chunks"), and stay. Import the same JSON again to go on: what is there already"
      + " is not written twice."
  }
}
