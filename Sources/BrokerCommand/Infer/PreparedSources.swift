import Mapping

/// The sources of an import, which are read more than once if a model is taken from them.
final class PreparedSources {
  private(set) var sources: [ImportSource]
  private var areReceived = false
  /// The issues of those that were left out.
  private(set) var leftOut: [ImportIssue] = []

  /// - Parameter options: How they are to be read: of a table, all bytes are received.
  init(_ sources: [ImportSource], _ options: ImportOptions) {
    self.sources = sources.map { $0.formatted(byDefaultAs: options.format) }
  }

  /// The sources. Of those that can be read only once, such as pipes, all is received now, once.
  func readableTwice() throws -> [ImportSource] {
    if !areReceived {
      sources = try sources.map { try $0.readableAgain(isCancelled: { Interruption.isRequested }) }
      areReceived = true
    }
    return sources
  }

  /// Leaves out the sources that are broken.
  ///
  /// - Throws: ``ImportError`` if all of them are.
  func leaveOutBroken(_ options: ImportOptions) throws {
    var usable: [ImportSource] = []
    var first: ImportError?
    for source in try readableTwice() {
      if let fault = try source.fault(options, isCancelled: { Interruption.isRequested }) {
        first = first ?? fault
        leftOut.append(source.issue(of: fault))
      } else {
        usable.append(source)
      }
    }
    if usable.isEmpty, let first { throw first }
    sources = usable
  }
}
