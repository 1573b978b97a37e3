import Yams

/// A YAML document as a tree of values, with the places of its parts.
package struct YAMLTree {
  package let value: FormValue
  private let root: Node

  /// How deep values may be nested, and how many there may be with all aliases written out.
  private static let deepest = 200
  private static let most = 2_000_000

  /// - Throws: ``ModelError`` if it is no YAML, or nested or repeated beyond measure.
  package init(_ text: String) throws {
    if YAMLPrecheck(text).isSuspicious { throw ModelError(.aliases) }
    let node: Node?
    do { node = try Yams.compose(yaml: text) } catch let error as YamlError {
      throw Self.error(error)
    }
    guard let node else { throw ModelError(.empty) }
    root = node
    var count = 0
    value = try Self.value(node, depth: 0, &count)
  }

  private static func error(_ error: YamlError) -> ModelError {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      var result = ModelError(.malformedYAML(problem))
      (result.line, result.column) = (mark.line, mark.column)
      return result
    case .duplicatedKeysInMapping(let duplicates, let context):
      var result = ModelError(.malformedYAML("\(duplicates.joined(separator: ", ")) is said twice"))
      result.line = context.mark.line
      return result
    default: return ModelError(.malformedYAML("\(error)"))
    }
  }

  private static func value(_ node: Node, depth: Int, _ count: inout Int) throws -> FormValue {
    count += 1
    guard count <= most else { throw ModelError(.aliases) }
    guard depth <= deepest else { throw ModelError(.tooDeep(limit: deepest)) }
    switch node {
    case .scalar(let scalar): return Self.value(scalar)
    case .sequence(let sequence): return .array(try sequence.map { try value($0, depth: depth + 1, &count) })
    case .mapping(let mapping):
      return .object(
        try mapping.map { key, item in
          guard let name = key.scalar?.string else {
            var error = ModelError(.malformedYAML("a key is no text"))
            (error.line, error.column) = (key.mark?.line, key.mark?.column)
            throw error
          }
          return FormValue.Member(name, try value(item, depth: depth + 1, &count))
        })
    case .alias: return .null
    }
  }

  /// A scalar by the rules of YAML 1.2: `yes` is a text.
  private static func value(_ scalar: Node.Scalar) -> FormValue {
    guard scalar.style == .plain || scalar.style == .any else { return .string(scalar.string) }
    switch scalar.string {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    default: return number(scalar.string) ?? .string(scalar.string)
    }
  }

  private static func number(_ text: String) -> FormValue? {
    guard let first = text.utf8.first, first == UInt8(ascii: "-") || (48...57).contains(first),
      text.utf8.allSatisfy({ (48...57).contains($0) || "+-.eE".utf8.contains($0) }), Double(text) != nil
    else { return nil }
    // What only looks like a number, as an article's number 007, is a text.
    let digits = text.drop { $0 == "-" }
    if digits.hasPrefix("0"), digits.count > 1, !digits.dropFirst().hasPrefix("."), Int64(text) != nil {
      return nil
    }
    return FormValue.shortest(text)
  }

  // MARK: - Places

  /// The error with the line and the column of the entity or the property that it names.
  func located(_ error: ModelError) -> ModelError {
    guard error.line == nil, let entity = error.entity, let found = member(entity, in: entities) else {
      return error
    }
    var place = found
    if let property = error.property {
      let parts = found.value.mapping.map { mapping in
        [found.value] + ["attributes", "relationships"].compactMap { mapping[$0] }
      }
      place = parts?.lazy.compactMap { member(property, in: $0) }.first ?? found
    }
    var result = error
    (result.line, result.column) = (place.key.mark?.line, place.key.mark?.column)
    return result
  }

  private var entities: Node { root.mapping?["entities"] ?? root }

  /// The member of a mapping, or the element of a list that has this name.
  private func member(_ name: String, in node: Node) -> (key: Node, value: Node)? {
    if let mapping = node.mapping {
      return mapping.first { $0.key.scalar.map { ShortEntity.Head($0.string).name } == name }
        .map { (key: $0.key, value: $0.value) }
    }
    return node.sequence?.first { $0.mapping?["name"]?.scalar?.string == name }.map { (key: $0, value: $0) }
  }
}

/// Looks at a YAML text before it is parsed.
///
/// The parser compares the keys of a mapping, all that they contain. With anchors inside anchors, such a key may contain
/// more than any computer can go through, in a text of a few lines.
struct YAMLPrecheck {
  private let bytes: [UInt8]

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// Whether the text has anchors, and keys that are no plain texts.
  var isSuspicious: Bool {
    var hasAnchor = false
    var hasKey = false
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "&") where begins(index): hasAnchor = true
      case UInt8(ascii: "*") where begins(index): hasKey = hasKey || isKey(from: index)
      case UInt8(ascii: "?") where begins(index): hasKey = hasKey || isSpace(index + 1)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): hasKey = hasKey || isColon(after: index)
      default: break
      }
    }
    return hasAnchor && hasKey
  }

  private func begins(_ index: Int) -> Bool {
    guard index > 0 else { return true }
    return isSpace(index - 1) || "[{,?-:".utf8.contains(bytes[index - 1])
  }

  private func isSpace(_ index: Int) -> Bool {
    guard index < bytes.count else { return true }
    return [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index])
  }

  /// Whether a colon follows an alias.
  private func isKey(from index: Int) -> Bool {
    var next = index + 1
    while next < bytes.count, !isSpace(next), !",[]{}".utf8.contains(bytes[next]) { next += 1 }
    return isColon(after: next - 1) || (next > index + 1 && bytes[next - 1] == UInt8(ascii: ":"))
  }

  private func isColon(after index: Int) -> Bool {
    var next = index + 1
    while next < bytes.count, bytes[next] == 0x20 || bytes[next] == 0x09 { next += 1 }
    return next < bytes.count && bytes[next] == UInt8(ascii: ":")
  }
}

/// Values as YAML on one line.
enum YAMLText {
  /// A flow mapping or a scalar.
  static func flow(_ value: FormValue) -> String {
    switch value {
    case .string(let text): scalar(text)
    case .array(let elements): "[\(elements.map(flow).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.map { "\(scalar($0.key)): \(flow($0.value))" }.joined(separator: ", "))}"
    default: json(value)
    }
  }

  /// A text, in quotation marks where it would be something else without.
  static func scalar(_ text: String) -> String { isPlain(text) ? text : json(.string(text)) }

  private static func json(_ value: FormValue) -> String {
    var text = ""
    value.writeOnOneLine(to: &text)
    return text
  }

  private static let words: Set = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first,
      first == "_" || first == "$" || first.properties.isAlphabetic,
      text.last != " ", !words.contains(text.lowercased())
    else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || " _-.!?*=$<|".unicodeScalars.contains(scalar)
    }
  }
}
