import Mapping

/// The sources of an import, which are read twice if a model is taken from them.
final class PreparedSources {
  private(set) var sources: [ImportSource]
  private var copy: StandardInputCopy?

  init(_ sources: [ImportSource]) {
    self.sources = sources
  }

  /// The sources, standard input as a temporary file from now on.
  func readableTwice() throws -> [ImportSource] {
    guard copy == nil, sources.contains(where: \.isDescriptor) else { return sources }
    let copy = try StandardInputCopy()
    self.copy = copy
    sources = sources.map { $0.isDescriptor ? $0.stored(at: copy.path) : $0 }
    return sources
  }

  func remove() { copy?.remove() }
}
