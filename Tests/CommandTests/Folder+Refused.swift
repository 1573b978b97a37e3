import Testing

extension Folder {
  /// An import that is refused: its message, status 1, and a store that is as it was.
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
