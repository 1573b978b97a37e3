public import Mapping
public import ObjectStore

extension Importer {
  /// An importer into a store.
  public init(_ store: Store, _ options: ImportOptions = ImportOptions()) {
    self.init(store as any StoreEngine, options)
  }
}

extension Exporter {
  /// An exporter of the objects of a store.
  public init(_ store: Store, _ options: ExportOptions = ExportOptions()) {
    self.init(store as any StoreEngine, options)
  }
}
