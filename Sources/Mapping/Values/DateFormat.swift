import Foundation

/// How the dates of an attribute are written in JSON.
package struct DateFormat: Sendable, Hashable {
  enum Form: Sendable, Hashable {
    /// Any form that ``DateReader`` knows is read; ISO 8601 is written.
    case automatic
    case unix(DateReader.UnixUnit)
    case pattern(DatePattern, text: String)
  }

  let form: Form
  /// Seconds east of UTC of dates that do not say.
  let defaultOffset: Int

  package static let automatic = DateFormat(form: .automatic, defaultOffset: 0)

  init(form: Form, defaultOffset: Int) {
    self.form = form
    self.defaultOffset = defaultOffset
  }

  /// Reads `auto`, `seconds`, `milliseconds` or a pattern, and a time zone by name or offset; nil if either
  /// is none.
  package init?(_ text: String?, timeZone: String? = nil) {
    switch text?.lowercased() {
    case nil, "auto", "iso8601": form = .automatic
    case "seconds", "unix": form = .unix(.seconds)
    case "milliseconds": form = .unix(.milliseconds)
    default:
      guard let text, let pattern = DatePattern(text) else { return nil }
      form = .pattern(pattern, text: text)
    }
    guard let offset = Self.offset(of: timeZone) else { return nil }
    defaultOffset = offset
  }

  /// A zone's offset from UTC in seconds. Zones that change it in the course of a year have the offset of
  /// their standard time.
  private static func offset(of name: String?) -> Int? {
    guard let name, !name.isEmpty else { return 0 }
    var text = name
    let offset = text.withUTF8 { bytes in
      var cursor = TextCursor(bytes)
      let offset = cursor.offset()
      return cursor.isAtEnd ? offset : nil
    }
    return offset
      ?? TimeZone(identifier: name).map { zone in
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: 1_704_067_200))
      }
  }

  /// What to tell a person whose date was not read.
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
    var time: CivilTime? =
      switch form {
      case .automatic: isNumber ? DateReader.unixTime(text, unit: nil) : DateReader.read(text)
      case .unix(let unit): DateReader.unixTime(text, unit: unit)
      case .pattern(let pattern, _): pattern.read(text)
      }
    guard time?.normalize(defaultOffset: defaultOffset) == true else { return nil }
    return time
  }
}
