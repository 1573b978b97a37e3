public import ObjectStore

extension Importer {
  /// An importer into a store.
  public init(_ store: Store, _ options: ImportOptions = ImportOptions()) {
    self.init(store.backend, options)
  }
}

extension Exporter {
  /// An exporter of the objects of a store.
  public init(_ store: Store, _ options: ExportOptions = ExportOptions()) {
    self.init(store.backend, options)
  }
}

extension ValueValidator {
  /// A gate to a store.
  package convenience init(_ store: Store) throws { try self.init(store.backend) }
}
