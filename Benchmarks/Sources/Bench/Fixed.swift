/// A number with a fixed count of digits after the point.
struct Fixed: CustomStringConvertible {
  let description: String

  init(_ value: Double, digits: Int) {
    guard value.isFinite else {
      description = "–"
      return
    }
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int((value * Double(scale)).rounded())
    guard digits > 0 else {
      description = String(scaled)
      return
    }
    let fraction = String(scaled.magnitude % UInt(scale))
    let zeros = String(repeating: "0", count: digits - fraction.count)
    description = "\(scaled < 0 ? "-" : "")\(scaled.magnitude / UInt(scale)).\(zeros)\(fraction)"
  }
}
