import Foundation
import Mapping

/// The line on a terminal that tells how far an import has come.
final class ProgressLine {
  private let start = Date()
  private var last = Date.distantPast
  private var isShown = false

  func show(_ progress: Importer.Progress) {
    let now = Date()
    let elapsed = now.timeIntervalSince(start)
    // Short imports need none, and nobody reads faster.
    guard elapsed > 0.3, now.timeIntervalSince(last) > 0.1 else { return }
    last = now
    isShown = true
    let rate = Double(progress.bytes) / elapsed
    var line = "\(Quantity.bytes(progress.bytes))"
    if let total = progress.totalBytes, total > 0 {
      line += " of \(Quantity.bytes(total)) (\(progress.bytes * 100 / total) %)"
    }
    line += ", \(Quantity.grouped(progress.objects)) objects, \(Quantity.bytes(Int(rate)))/s"
    if let total = progress.totalBytes, rate > 0 {
      line += ", \(Quantity.duration(Double(max(0, total - progress.bytes)) / rate)) left"
    }
    Terminal.writeErrorAsIs("\r\u{1B}[K\(TextWidth.shortened(line, to: Terminal.errorColumns - 1))")
  }

  func clear() {
    if isShown { Terminal.writeErrorAsIs("\r\u{1B}[K") }
    isShown = false
  }
}

/// Numbers as people read them.
enum Quantity {
  static func grouped(_ number: Int) -> String {
    var digits = String(number.magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return (number < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
  }

  static func bytes(_ count: Int) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB"]
    var value = Double(count)
    var unit = 0
    while value >= 1000, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    return unit == 0 ? "\(count) bytes" : "\(decimal(value, 1)) \(units[unit])"
  }

  static func duration(_ seconds: Double) -> String {
    if seconds < 1 { return "\(Int((seconds * 1000).rounded())) ms" }
    if seconds < 60 { return "\(decimal(seconds, 1)) s" }
    return "\(Int(seconds) / 60) min \(Int(seconds) % 60) s"
  }

  static func decimal(_ value: Double, _ places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = Int((value * scale).rounded())
    let fraction = String(scaled % Int(scale))
    return "\(scaled / Int(scale))." + String(repeating: "0", count: places - fraction.count) + fraction
  }

  /// `1 object`, `2 objects`
  static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
  }
}
