import Bytes
public import Foundation

/// A condition on objects, in the format strings of `NSPredicate`.
///
/// ```swift
/// let predicate = try ObjectPredicate(format: "formed > %d AND ANY albums.label ==[c] %@", [1970, "virgin"])
/// ```
///
/// Making one only reads the format. Whether its names are in a model, and its values of the right types, is
/// found out when it is used.
public struct ObjectPredicate: Sendable, Hashable {
  /// The format it was made from; empty if it was not made from one.
  public let format: String
  package let root: PredicateNode

  /// A condition that no format says.
  package init(_ root: PredicateNode) {
    format = ""
    self.root = root
  }

  /// Reads a format.
  ///
  /// - Parameters:
  ///   - format: The condition. `%@`, `%d`, `%f` and their like stand for arguments, `%K` for a key path that
  ///     is an argument; inside quotes nothing stands for anything else.
  ///   - arguments: The arguments, in the order of their places in the format.
  ///   - variables: The values of `$name`, by their names without the `$`.
  /// - Throws: ``ObjectPredicateError`` if the format cannot be read, or the arguments do not fit it.
  public init(
    format: String, _ arguments: [PredicateArgument] = [], variables: [String: PredicateArgument] = [:]
  ) throws(ObjectPredicateError) {
    self.format = format
    root = try Self.parsed(format, arguments, variables)
  }

  private static func parsed(
    _ format: String, _ arguments: [PredicateArgument], _ variables: [String: PredicateArgument]
  ) throws(ObjectPredicateError) -> PredicateNode {
    func parse() throws(ObjectPredicateError) -> PredicateNode {
      var parser = try PredicateParser(format, arguments, variables)
      return try parser.parse()
    }
    guard mayBeDeep(format) else { return try parse() }
    // Parentheses are read by recursion. A thread of a program may have little stack.
    let result: Result<PredicateNode, ObjectPredicateError>
    do {
      result = try StackThread.run(stackSize: stackSize) {
        do throws(ObjectPredicateError) { return .success(try parse()) } catch { return .failure(error) }
      }
    } catch {
      throw ObjectPredicateError(
        "This is nested too deep: \(error.message).", at: Place(start: 0, end: format.utf8.count), in: format)
    }
    return try result.get()
  }

  /// A parenthesis takes up to 12 kB in a debug build.
  private static let stackSize = 2 << 20
  /// So many things in each other have room on any thread.
  private static let levelsOfAny = 6

  /// Whether a format may have many things in each other: each needs a character that opens it, or an operator before its
  /// value.
  private static func mayBeDeep(_ format: String) -> Bool {
    var (count, before) = (0, UInt8(0))
    for byte in format.utf8 {
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "-"), UInt8(ascii: "!"):
        count += 1
      // NOT begins with these two letters, in either case.
      case UInt8(ascii: "O"), UInt8(ascii: "o"): if before | 0x20 == UInt8(ascii: "n") { count += 1 }
      default: break
      }
      if count > levelsOfAny { return true }
      before = byte
    }
    return false
  }
}

extension ObjectPredicate: CustomStringConvertible {
  /// The predicate with its arguments put in and every part in parentheses; it can be read again.
  public var description: String { PredicateText.of(root) }
}

/// A value for a place in a predicate's format.
///
/// Literals of Swift are arguments as they stand; for other values there are initializers.
///
/// ```swift
/// try ObjectPredicate(format: "formed IN %@ AND founded < %@", [[1974, 1981], .init(Date())])
/// ```
public struct PredicateArgument: Sendable, Hashable {
  enum Value: Sendable, Hashable {
    case constant(PredicateConstant)
    case list([PredicateArgument])
  }

  let value: Value

  private init(_ constant: PredicateConstant) {
    value = .constant(constant)
  }

  public init(_ value: String) { self.init(.string(value)) }
  public init(_ value: Bool) { self.init(.boolean(value)) }
  public init(_ value: some BinaryInteger) { self.init(.number("\(value)")) }
  public init(_ value: Double) { self.init(.number("\(value)")) }
  /// A number with all its digits.
  public init(_ value: Decimal) { self.init(.number("\(value)")) }
  /// A moment, with as many digits as it takes to read the same number, nine of a second at most.
  public init(_ value: Date) { self.init(.moment(value.timeIntervalSinceReferenceDate)) }
  public init(_ value: UUID) { self.init(.string(value.uuidString)) }
  public init(_ value: Data) { self.init(.data([UInt8](value))) }

  /// A list, for `IN` and `BETWEEN`.
  public init(_ values: [PredicateArgument]) { value = .list(values) }

  /// No value.
  public static let null = PredicateArgument(.null)
}

extension PredicateArgument: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self.init(value) }
}

extension PredicateArgument: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int64) { self.init(value) }
}

extension PredicateArgument: ExpressibleByFloatLiteral {
  public init(floatLiteral value: Double) { self.init(value) }
}

extension PredicateArgument: ExpressibleByBooleanLiteral {
  public init(booleanLiteral value: Bool) { self.init(value) }
}

extension PredicateArgument: ExpressibleByNilLiteral {
  public init(nilLiteral: ()) { self = .null }
}

extension PredicateArgument: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: PredicateArgument...) { self.init(elements) }
}

/// A mistake in a predicate, and its place.
///
/// Its description shows the spot:
///
///     Band has no property fromed. Did you mean formed?
///
///       fromed > 1970
///       ^
public struct ObjectPredicateError: Error, Sendable, Hashable {
  /// The mistake, in a sentence or two.
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

  /// The text before the spot in its line.
  private var before: Substring {
    let utf8 = format.utf8
    let start = lineBreaks.last.map { utf8.index(after: $0) } ?? utf8.startIndex
    return Substring(Substring(format).utf8[start..<utf8.index(utf8.startIndex, offsetBy: offset)])
  }

  /// The text at and behind the spot in its line.
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
