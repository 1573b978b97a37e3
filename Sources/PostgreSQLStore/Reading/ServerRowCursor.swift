#if PostgreSQL
  import ObjectStore
  import PostgreSQLClient

  /// A cursor whose rows were sent by the server.
  protocol ServerRowCursor: Cursor {
    /// The values of the row that it stands on.
    var values: ServerRowValues { get }
  }

  extension ServerRowCursor {
    func isNull(_ column: Int) -> Bool { values.field(column).isNull }
    func storage(_ column: Int) -> StorageType? { values.storage(column) }
    func integer(_ column: Int) -> Int64 { values.integer(column) }
    func double(_ column: Int) -> Double { values.double(column) }
    func text(_ column: Int) -> UnsafeBufferPointer<UInt8> { values.text(column) }
    func blob(_ column: Int) -> UnsafeRawBufferPointer { values.blob(column) }
    func string(_ column: Int) -> String { String(decoding: values.text(column), as: UTF8.self) }
  }
#endif
