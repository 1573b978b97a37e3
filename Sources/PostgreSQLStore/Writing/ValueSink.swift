#if PostgreSQL
  import PostgreSQLClient

  /// What takes values one after another: the parameters of a statement, the fields of a COPY, the elements of an array.
  protocol ValueSink: AnyObject {
    func appendNull(of type: PostgreSQLType)
    func append(bool value: Bool)
    func append(int8 value: Int64)
    func append(float8 value: Double)
    func append(timestamptz value: Int64)
    func append(uuid value: PostgreSQLUUID)
    func append(text: UnsafeBufferPointer<UInt8>) throws(PostgreSQLDataError)
    func append(bytea bytes: UnsafeRawBufferPointer) throws(PostgreSQLDataError)
    func append(numeric text: UnsafeBufferPointer<UInt8>) throws(PostgreSQLDataError)
  }

  extension ValueSink {
    func append(text: String) throws {
      var text = text
      try text.withUTF8 { try append(text: $0) }
    }
  }

  extension PostgreSQLParameters: ValueSink {
    func appendNull(of type: PostgreSQLType) { appendNull(type) }
  }

  extension PostgreSQLCopyWriter: ValueSink {
    func appendNull(of type: PostgreSQLType) { appendNull() }
  }
#endif
