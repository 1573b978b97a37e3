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

  /// The issue of a source that is left out since it is broken.
  package func issue(of fault: ImportError) -> ImportIssue {
    ImportIssue(
      path: name, entity: "", expected: "JSON or a table", found: fault.text(isWhole: false),
      action: "file left out")
  }

  /// The fault of the source, if it cannot be read to its end as JSON or as a table; nil if it can be.
  ///
  /// - Throws: ``ImportError`` if it cannot be opened, or if reading was cancelled.
  package func fault(
    _ options: ImportOptions, isCancelled: @escaping @Sendable () -> Bool
  ) throws -> ImportError? {
    do {
      try scan(options, isCancelled: isCancelled) { bytes, _ in
        var json = JSONReader(bytes, options: JSONReader.Options(maximumDepth: options.maximumDepth))
        do {
          while try json.next() != .end {}
        } catch let error as JSONError where error.kind == .empty && hasLines {
          // A file of lines may have none.
        }
      }
      return nil
    } catch let error as ImportError where error.isOfContent {
      return error
    }
  }
}
