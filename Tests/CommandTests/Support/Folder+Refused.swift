import Testing

extension Folder {
  /// Runs an import that must fail with a message and status 1, and must not change the store.
  func refused(
    _ arguments: [String], input: String = "", because message: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = store()
    let outcome = try broker(["import"] + arguments, input: input, in: self)
    #expect(outcome.status == 1, "\(outcome.output)", sourceLocation: sourceLocation)
    #expect(outcome.error == "Error: \(message)\n", sourceLocation: sourceLocation)
    #expect(outcome.output == "", sourceLocation: sourceLocation)
    #expect(store() == before, sourceLocation: sourceLocation)
  }
}
