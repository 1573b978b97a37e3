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
    var parser = try PredicateParser(format, arguments, variables)
    self.format = format
    root = try parser.parse()
  }
}

extension ObjectPredicate: CustomStringConvertible {
  /// The predicate with its arguments put in and every part in parentheses; it can be read again.
  public var description: String { PredicateText.of(root) }
}
