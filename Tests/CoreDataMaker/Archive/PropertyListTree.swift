/// A property list to be written.
package indirect enum PropertyListTree: Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// As 16 bytes.
  case unsigned(UInt64)
  case real(Double)
  /// As 4 bytes.
  case float(Float)
  /// Seconds since 2001-01-01T00:00:00Z.
  case date(Double)
  case data([UInt8])
  case string(String)
  case uid(Int)
  case array([PropertyListTree])
  case set([PropertyListTree])
  case dictionary([(String, PropertyListTree)])
}
