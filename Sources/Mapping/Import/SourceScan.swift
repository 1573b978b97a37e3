package import JSONStream

extension ImportSource {
  /// Opens the source as JSON, as an import would read it, for who only looks at it.
  ///
  /// - Parameter body: Is given the bytes of the JSON, and whether they were made of a table.
  /// - Throws: ``ImportError`` for what cannot be read, and for JSON that is broken.
  package func scan<Result>(
    _ options: ImportOptions, isCancelled: @escaping @Sendable () -> Bool,
    _ body: (_ bytes: any ByteSource, _ isTable: Bool) throws -> Result
  ) throws -> Result {
    try formatted(byDefaultAs: options.format).open(isCancelled: isCancelled) { bytes in
      let input: SourceInput
      do throws(SourceError) {
        input = try SourceInput(formatted(byDefaultAs: options.format), bytes, options)
      } catch {
        throw RecordProducer.failure(error, self)
      }
      do {
        return try body(input.source, input.table != nil)
      } catch let error as JSONError {
        throw RecordProducer.failure(error, self, input)
      }
    }
  }
}
