/// A value in the form that the store keeps.
///
/// This is the kind of value to take unless there is a reason for another: it owns its bytes, knows nothing of the model
/// and can be kept and compared. What costs time for every value of an import is a ``Cell`` instead.
public enum SQLValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}
