import JSONStream
import Yams

/// Transformers in a mapping file: a name, a name with its argument as in `{prefix: "Patient/"}`, or a list of these.
extension MappingReader {
  /// Further members of a transformer with arguments, by its name.
  private static let secondArguments = ["regex": "write", "table": "otherwise"]
  /// A table of pairs is a list of lists of scalars; no argument nests deeper.
  private static let deepest = 3

  mutating func transformers(_ node: Node) -> [TransformerCall] {
    if let name = node.scalar?.string, name.isEmpty { return [] }
    guard let elements = node.sequence else { return transformer(node).map { [$0] } ?? [] }
    return elements.compactMap { transformer($0) }
  }

  private mutating func transformer(_ node: Node) -> TransformerCall? {
    let call: TransformerCall
    if let text = node.scalar?.string, !text.isEmpty {
      call = TransformerCall(text)
    } else if node.mapping != nil {
      guard let read = self.call(node) else { return nil }
      call = read
    } else {
      problem(
        node, "transformers",
        "expected a transformer: a name, or a name with its argument, as {prefix: \"a/\"}")
      return nil
    }
    // A name without arguments may be one of a program's functions.
    if case .named = call.kind { return call }
    guard let problem = call.problem else { return call }
    self.problem(
      node, "transformers", "“\(ModelError.shortened(call.text))” is not \(problem.expected)",
      advice: problem.advice)
    return nil
  }

  /// A transformer with arguments, such as `{regex: "…", write: "…"}`.
  private mutating func call(_ node: Node) -> TransformerCall? {
    let members = members(of: node, "a transformer with its argument")
    guard
      let name = members.map(\.key).first(where: { TransformerCall.usages[$0] != nil }) ?? members.first?.key
    else {
      problem(node, "transformers", "expected a transformer with its argument, as {prefix: \"a/\"}")
      return nil
    }
    let second = Self.secondArguments[name]
    if let other = members.map(\.key).first(where: { $0 != name && $0 != second }) {
      let isCall = TransformerCall.usages[other] != nil
      problem(
        node, "transformers", "“\(other)” is no argument of “\(name)”",
        advice: isCall
          ? "write a list of transformers: [{\(name): …}, {\(other): …}]"
          : second.flatMap { nearestName(to: other, in: [$0]) }.map { "did you mean “\($0)”?" })
      return nil
    }
    var arguments: [FormValue] = []
    for key in [name, second].compactMap({ $0 }) {
      guard let value = members.first(where: { $0.key == key })?.value else { continue }
      guard let form = FormValue(value, deepest: Self.deepest) else {
        problem(value, "transformers", "the argument of “\(name)” nests too deep")
        return nil
      }
      arguments.append(form)
    }
    let shown = arguments.map(\.shortText).joined(separator: ", ")
    return TransformerCall.make(name, arguments, text: "\(name)(\(shown))")
  }
}

extension FormValue {
  /// A node of YAML or JSON; nil if it nests deeper, or if a key is no scalar.
  ///
  /// Scalars without quotes are what they are in JSON, so that `yes` and `on` are texts.
  fileprivate init?(_ node: Node, deepest: Int) {
    guard deepest > 0 else { return nil }
    switch node {
    case .scalar(let scalar): self = Self.value(of: scalar)
    case .sequence(let elements):
      var values: [FormValue] = []
      for element in elements {
        guard let value = FormValue(element, deepest: deepest - 1) else { return nil }
        values.append(value)
      }
      self = .array(values)
    case .mapping(let pairs):
      var members: [(key: FormValue, value: FormValue)] = []
      for (key, value) in pairs {
        guard case .scalar(let scalar) = key, let value = FormValue(value, deepest: deepest - 1) else {
          return nil
        }
        members.append((Self.value(of: scalar), value))
      }
      self = Self.object(members)
    case .alias: return nil
    }
  }

  /// An object; if a key is no string, a list of pairs.
  private static func object(_ members: [(key: FormValue, value: FormValue)]) -> FormValue {
    var result: [Member] = []
    for (key, value) in members {
      guard case .string(let name) = key else { return .array(members.map { .array([$0.key, $0.value]) }) }
      result.append(Member(key: name, value: value))
    }
    return .object(result)
  }

  private static func value(of scalar: Node.Scalar) -> FormValue {
    guard scalar.style == .any || scalar.style == .plain else { return .string(scalar.string) }
    switch scalar.string {
    case "", "~", "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    case let text:
      guard JSONValue.number(text).isWellFormed else { return .string(text) }
      return Int64(text).map(FormValue.integer) ?? .number(text)
    }
  }

  /// What messages show of it.
  fileprivate var shortText: String {
    if case .string(let text) = self { "\"\(text)\"" } else { summary }
  }
}
