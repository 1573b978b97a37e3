import Bytes

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
