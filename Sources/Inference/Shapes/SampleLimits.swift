/// How much of an input is looked at.
struct SampleLimits: Sendable {
  var records: Int?
  var bytes: Int?

  func isReached(records: Int, bytes: Int) -> Bool {
    if let most = self.records, records >= most { return true }
    if let most = self.bytes, bytes >= most { return true }
    return false
  }
}
