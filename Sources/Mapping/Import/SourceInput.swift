import JSONStream

/// The bytes of a source on their way to the reader of JSON: decompressed, in UTF-8, and JSON if they were a table.
struct SourceInput {
  let source: any ByteSource
  /// What is to be told of a table; nil if the source is none.
  let table: TableNotes?
  private let decoded: DecodedInput

  /// - Throws: ``SourceError`` if the first bytes cannot be read.
  init(_ source: ImportSource, _ bytes: any ByteSource, _ options: ImportOptions) throws(SourceError) {
    let limits = InputLimits(maximumSize: options.maximumSize, maximumRatio: options.maximumRatio)
    decoded = try DecodedInput(bytes, limits: limits)
    if let form = source.table {
      let notes = TableNotes()
      self.source = CSVSource(decoded.source, separator: form.separator, notes: notes)
      table = notes
    } else {
      self.source = decoded.source
      table = nil
    }
  }

  /// How many bytes of text, and how many of the source, have been read when the reader of JSON has come to an offset.
  /// Where the text is not the JSON itself, these are a little more: what has been read ahead counts too.
  func position(ofReader offset: Int) -> (text: Int, received: Int) {
    if table == nil, decoded.isUnchanged { return (offset, offset) }
    return (decoded.meter.text, decoded.meter.received)
  }
}
