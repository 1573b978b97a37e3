import Foundation
import ObjectStore

/// How the dates of an attribute are written in JSON.
package struct DateFormat: Sendable, Hashable {
  enum Form: Sendable, Hashable {
    /// Any form that ``DateReader`` knows is read; ISO 8601 is written.
    case automatic
    case unix(DateReader.UnixUnit)
    case pattern(DatePattern, text: String)
  }

  let form: Form
  /// The zone of dates that name no zone; nil for UTC.
  private let zone: TimeZone?

  package static let automatic = DateFormat(form: .automatic, zone: nil)

  private init(form: Form, zone: TimeZone?) {
    self.form = form
    self.zone = zone
  }

  /// Reads a format, which is `auto`, `seconds`, `milliseconds` (or `UnixTime`) or a pattern, and a time zone by name
  /// or offset. Nil if either cannot be read.
  package init?(_ text: String?, timeZone: String? = nil) {
    switch text?.lowercased() {
    case nil, "auto", "iso8601": form = .automatic
    case "seconds", "unix": form = .unix(.seconds)
    // MagicalRecord writes `UnixTime`.
    case "milliseconds", "unixtime": form = .unix(.milliseconds)
    default:
      guard let text, let pattern = DatePattern(text) else { return nil }
      form = .pattern(pattern, text: text)
    }
    guard let timeZone, !timeZone.isEmpty else {
      zone = nil
      return
    }
    guard let named = Self.zone(timeZone) else { return nil }
    zone = named
  }

  /// A zone by its offset, `+01:00`, or its name, `Europe/Berlin`.
  private static func zone(_ name: String) -> TimeZone? {
    var text = name
    let offset = text.withUTF8 { bytes in
      var cursor = TextCursor(bytes)
      let offset = cursor.offset()
      return cursor.isAtEnd ? offset : nil
    }
    if let offset { return TimeZone(secondsFromGMT: offset) }
    return TimeZone(identifier: name)
  }

  /// The zone's offset, in seconds east of UTC, at a moment given in seconds since 1970.
  func offset(at seconds: Int) -> Int {
    zone?.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))) ?? 0
  }

  /// The zone's offset at the moment when its clocks show a time.
  func offset(local time: CivilTime) -> Int {
    guard zone != nil else { return 0 }
    let shown = time.secondsSince1970
    // The offset at that moment is not known before the moment is, so it is looked up twice: a day has at most one
    // change.
    return offset(at: shown - offset(at: shown - offset(at: shown)))
  }

  /// The expected form, for issues about dates that could not be read.
  var expectation: String {
    switch form {
    case .automatic: "a date"
    case .unix(.seconds): "a date in seconds since 1970"
    case .unix(.milliseconds): "a date in milliseconds since 1970"
    case .pattern(_, let text): "a date like \(text)"
    }
  }

  /// Reads the text of a JSON string or number.
  @inline(__always)
  func read(_ text: UnsafeBufferPointer<UInt8>, isNumber: Bool) -> CivilTime? {
    let time: CivilTime? =
      switch form {
      case .automatic: isNumber ? DateReader.unixTime(text, unit: nil) : DateReader.read(text)
      case .unix(let unit): DateReader.unixTime(text, unit: unit)
      case .pattern(let pattern, _): pattern.read(text)
      }
    guard var found = time, found.normalize(defaultOffset: found.offset == nil ? offset(local: found) : 0)
    else {
      return nil
    }
    return found
  }
}
