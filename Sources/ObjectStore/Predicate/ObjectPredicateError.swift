/// What is wrong with a predicate, and where.
///
/// Its description shows the spot:
///
///     Band has no property fromed. Did you mean formed?
///
///       fromed > 1970
///       ^
public struct ObjectPredicateError: Error, Sendable, Hashable {
  /// What is wrong, in a sentence or two.
  public let message: String
  /// The format of the predicate.
  public let format: String
  /// Where it is wrong, in bytes of UTF-8 from the beginning.
  public let offset: Int

  init(_ message: String, at place: Place, in format: String) {
    self.message = message
    self.format = format
    offset = min(max(0, place.start), format.utf8.count)
  }

  /// The line of the spot, counted from 1.
  public var line: Int { 1 + lineBreaks.count }

  /// The column of the spot in its line, in characters, counted from 1.
  public var column: Int { 1 + before.count }

  private var lineBreaks: [String.UTF8View.Index] {
    format.utf8.prefix(offset).indices.filter { format.utf8[$0] == UInt8(ascii: "\n") }
  }

  /// What stands before the spot in its line.
  private var before: Substring {
    let utf8 = format.utf8
    let start = lineBreaks.last.map { utf8.index(after: $0) } ?? utf8.startIndex
    return Substring(Substring(format).utf8[start..<utf8.index(utf8.startIndex, offsetBy: offset)])
  }

  /// What stands at and behind the spot in its line.
  private var behind: Substring {
    let utf8 = Substring(format).utf8
    let rest = utf8[utf8.index(utf8.startIndex, offsetBy: offset)...]
    return Substring(rest.prefix { $0 != UInt8(ascii: "\n") })
  }
}

extension ObjectPredicateError: CustomStringConvertible {
  public var description: String {
    guard !format.isEmpty else { return message }
    let (line, indentation) = excerpt
    return "\(message)\n\n  \(line)\n  \(String(repeating: " ", count: indentation))^"
  }

  /// The line of the spot, or as much of it as fits, and how far into it the spot is.
  private var excerpt: (line: String, indentation: Int) {
    let before = before.suffix(49)
    let behind = behind.prefix(33)
    let isCutBefore = before.count > 48
    let isCutBehind = behind.count > 32
    let shown = (isCutBefore ? before.suffix(47) : before).map(Self.printable)
    let rest = (isCutBehind ? behind.prefix(31) : behind).map(Self.printable)
    let start = isCutBefore ? "…" : ""
    return (start + String(shown) + String(rest) + (isCutBehind ? "…" : ""), start.count + shown.count)
  }

  /// A character that takes one place and does nothing to a terminal.
  private static func printable(_ character: Character) -> Character {
    if character == "\t" || character == "\r" { return " " }
    let isControl = character.unicodeScalars.contains { scalar in
      [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
    }
    // A letter can have any number of marks on it.
    return isControl || character.utf8.count > 40 ? "\u{FFFD}" : character
  }
}

/// A stretch of a format, in bytes of UTF-8.
struct Place: Sendable, Hashable {
  var start: Int
  var end: Int

  /// That of what stands in no format.
  static let none = Place(start: 0, end: 0)

  func through(_ other: Place) -> Place { Place(start: start, end: other.end) }
}
