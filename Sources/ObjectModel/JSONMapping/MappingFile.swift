public import Foundation
import JSONStream
import Yams

extension JSONMapping {
  /// Reads a mapping from a file, in YAML or JSON.
  ///
  /// ```yaml
  /// Band:
  ///   identity: name
  ///   keys:
  ///     formed: [details.founded, started]
  ///   toMany:
  ///     albums: prune
  /// Album:
  ///   dates:
  ///     released: {format: dd.MM.yyyy, timeZone: Europe/Berlin}
  ///   transformers:
  ///     label: [trimmed, htmlEntities]
  ///     cover: {prefix: "covers/"}
  /// ```
  ///
  /// - Throws: ``MappingError`` if the file cannot be read, is neither YAML nor JSON, or says what no mapping
  ///   says; with the line. Whether it fits a model shows when it is applied.
  public init(contentsOf url: URL) throws {
    let name = url.lastPathComponent
    guard url.isFileURL else {
      throw MappingError([MappingError.Problem(place: url.absoluteString, message: "is no file")])
    }
    let text: String
    do {
      text = try String(contentsOf: url, encoding: .utf8)
    } catch {
      throw MappingError([MappingError.Problem(place: url.path, message: "cannot be read")])
    }
    try self.init(text: text, name: name)
  }

  /// Reads a mapping from a text, in YAML or JSON; `name` is for messages.
  public init(text: String, name: String = "the mapping") throws {
    let root: Node?
    do {
      root = try Yams.compose(yaml: text)
    } catch let error as YamlError {
      throw MappingError([MappingError.Problem(place: name, message: Self.cause(of: error))])
    }
    guard let root else {
      throw MappingError([MappingError.Problem(place: name, message: "is empty")])
    }
    var reader = MappingReader(file: name)
    self = reader.read(root)
    guard reader.problems.isEmpty else { throw MappingError(reader.problems) }
  }

  private static func cause(of error: YamlError) -> String {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      "is neither YAML nor JSON: \(problem) in line \(mark.line), column \(mark.column)"
    case .duplicatedKeysInMapping(let duplicates, let context):
      "says \(duplicates.joined(separator: ", ")) twice, in line \(context.mark.line) or below it"
    default: "is neither YAML nor JSON: \(error)"
    }
  }
}

/// Reads the tree of a mapping file and collects what no mapping says.
struct MappingReader {
  let file: String
  private var mapping = JSONMapping()
  private var entity = ""
  private(set) var problems: [MappingError.Problem] = []

  init(file: String) {
    self.file = file
  }

  private static let sections = [
    "identity", "names", "keys", "dates", "transformers", "ignore", "notExported", "discriminator", "toMany",
    "references", "version", "values", "unknown", "dictionary", "inside", "constants",
    "polymorphic", "only", "exportedKeys",
  ]

  mutating func read(_ root: Node) -> JSONMapping {
    for (name, node, place) in members(of: root, "a mapping: the names of entities, and what is said of each")
    {
      if name == "document" {
        mapping.document = document(node)
        continue
      }
      if name == "dialect" {
        mapping.dialect = dialect(node)
        continue
      }
      entity = name
      mapping.places[MappingPlace(entity: name)] = place
      var rules = EntityMapping()
      for (section, value, place) in members(of: node, "what is said of \(name): keys, dates, …") {
        mapping.places[MappingPlace(entity: name, section: section)] = place
        read(section, value, at: place, into: &rules)
      }
      mapping.entities[name] = rules
    }
    return mapping
  }

  private mutating func read(
    _ section: String, _ node: Node, at place: String?, into rules: inout EntityMapping
  ) {
    switch section {
    case "identity": rules.identity = node.scalar?.string == "none" ? [] : names(node, section)
    case "names": rules.names = names(node, section)
    case "keys": rules.keys = properties(node, section) { $0.names($1, section) }
    case "dates": rules.dates = properties(node, section) { $0.dateRule($1) }
    case "transformers": rules.transformers = properties(node, section) { $0.transformers($1) }
    case "ignore": rules.ignored = names(node, section)
    case "notExported": rules.notExported = names(node, section)
    case "discriminator": rules.discriminator = discriminator(node, &rules)
    case "unknown":
      rules.unknownValues = properties(node, section) {
        $0.name($1, "the value for those that are not known")
      }
    case "toMany": rules.toMany = properties(node, section) { $0.policy($1, section) }
    case "references": rules.references = properties(node, section) { $0.policy($1, section) }
    case "dictionary": rules.dictionaries = properties(node, section) { $0.dictionary($1) }
    case "only": rules.only = properties(node, section) { $0.operations($1) }
    case "exportedKeys": rules.exportedKeys = properties(node, section) { $0.name($1, "a key or key path") }
    case "inside": rules.inside = inside(node)
    case "polymorphic": rules.polymorphic = properties(node, section) { $0.polymorphic($1) }
    case "constants":
      for (key, value, _) in members(of: node, "keys and their values") {
        rules.constants[key] = name(value, "a text")
      }
    case "version": rules.version = name(node, "the name of an attribute")
    case "values": rules.values = values(node)
    default:
      problem(
        node, section, "is no part of a mapping", at: place,
        advice: nearestName(to: section, in: Self.sections).map { "did you mean “\($0)”?" }
          ?? "there are \(Self.sections.joined(separator: ", "))")
    }
  }

  // MARK: - Sections

  private mutating func properties<Value>(
    _ node: Node, _ section: String, _ read: (inout MappingReader, Node) -> Value?
  ) -> [String: Value] {
    var result: [String: Value] = [:]
    for (name, value, place) in members(
      of: node, "\(section): the names of properties, and what is said of each")
    {
      mapping.places[MappingPlace(entity: entity, section: section, property: name)] = place
      result[name] = read(&self, value)
    }
    return result
  }

  private mutating func dateRule(_ node: Node) -> DateRule? {
    if let format = node.scalar?.string { return DateRule(format) }
    var rule = DateRule()
    for (key, value, _) in members(of: node, "a format, or format and timeZone") {
      switch key {
      case "format": rule.format = name(value, "a format")
      case "timeZone": rule.timeZone = name(value, "a time zone")
      default: problem(value, "dates", "“\(key)” is neither format nor timeZone")
      }
    }
    return rule
  }

  private mutating func policy<Policy: CaseIterable & RawRepresentable<String>>(
    _ node: Node, _ section: String
  ) -> Policy? {
    let known = Policy.allCases.map(\.rawValue)
    guard let word = name(node, known.joined(separator: ", ")) else { return nil }
    if let policy = Policy(rawValue: word) { return policy }
    problem(
      node, section, "“\(word)” is none of \(known.joined(separator: ", "))",
      advice: nearestName(to: word, in: known).map { "did you mean “\($0)”?" })
    return nil
  }

  private mutating func operations(_ node: Node) -> Operations? {
    let words = names(node, "only").flatMap { $0.split(separator: ",") }
      .map { String($0).replacing(" ", with: "") }
    if let operations = Operations(words: words) { return operations }
    problem(node, "only", "“\(words.joined(separator: ", "))” is not of insert, update and delete")
    return nil
  }

  private mutating func discriminator(_ node: Node, _ rules: inout EntityMapping) -> Discriminator? {
    if let key = node.scalar?.string { return .key(key) }
    var key: String?
    var function: String?
    var isWrapper = false
    var values: KindValues = [:]
    for (name, value, _) in members(of: node, "a key, or key, wrapper or function, and values") {
      switch name {
      case "key": key = self.name(value, "a key or key path")
      case "function": function = self.name(value, "the name of a function")
      case "unknown": rules.unknownKind = self.name(value, "skip, or the name of an entity")
      case "default": rules.defaultKind = self.name(value, "the name of an entity")
      case "wrapper": isWrapper = value.bool ?? false
      case "values":
        for (kind, entity, _) in members(of: value, "values, and the entity that each stands for") {
          values[kind] = self.name(entity, "the name of an entity")
        }
      default:
        problem(
          value, "discriminator", "“\(name)” is none of key, wrapper, function, values, unknown and default")
      }
    }
    if [key != nil, function != nil, isWrapper].count(where: { $0 }) != 1 {
      problem(node, "discriminator", "needs one of key, wrapper: true and function")
    }
    return key.map { .key($0, values: values) } ?? function.map { .function($0) } ?? .wrapper(values)
  }

  private mutating func inside(_ node: Node) -> InsideRule {
    var rule = InsideRule()
    for (name, value, _) in members(of: node, "key paths for attributes, relationships and targets") {
      switch name {
      case "attributes": rule.attributes = self.name(value, "a key path")
      case "relationships": rule.relationships = self.name(value, "a key path")
      case "targets": rule.targets = names(value, "inside")
      default: problem(value, "inside", "“\(name)” is none of attributes, relationships and targets")
      }
    }
    return rule
  }

  private mutating func dialect(_ node: Node) -> Dialect? {
    let known = Dialect.allCases.map(\.rawValue)
    guard let word = name(node, known.joined(separator: ", ")) else { return nil }
    if let dialect = Dialect(rawValue: word) { return dialect }
    problem(
      node, "dialect", "“\(word)” is none of \(known.joined(separator: ", "))",
      advice: nearestName(to: word, in: known).map { "did you mean “\($0)”?" })
    return nil
  }

  private mutating func document(_ node: Node) -> DocumentMapping {
    var document = DocumentMapping()
    for (name, value, place) in members(of: node, "what is said of documents: at, kind, others, set, forms") {
      mapping.places[MappingPlace(entity: "", section: "document", property: name)] = place
      switch name {
      case "at": document.root = self.name(value, "a path to the objects")
      case "columns": document.columns = self.name(value, "first, or a path to the names of columns")
      case "kind": document.kind = self.name(value, "a key or key path")
      case "others":
        let word = self.name(value, "skip or issue")
        document.skipsOthers = word == "skip"
        if let word, word != "skip", word != "issue" {
          problem(value, "document", "“\(word)” is neither skip nor issue")
        }
      case "set": document.added = added(value)
      case "forms": document.forms = forms(value)
      case "references":
        let word = self.name(value, "keys or objects")
        document.referencesAreObjects = word == "objects"
        if let word, word != "keys", word != "objects" {
          problem(value, "document", "“\(word)” is neither keys nor objects")
        }
      case "ignore": document.ignored = names(value, "document")
      case "constants":
        for (key, value, _) in members(of: value, "keys and their values") {
          document.constants[key] = self.name(value, "a text")
        }
      default:
        problem(
          value, "document",
          "“\(name)” is none of at, columns, kind, others, set, forms, references, ignore and constants",
          at: place)
      }
    }
    return document
  }

  private mutating func added(_ node: Node) -> [String: AddedValue] {
    var result: [String: AddedValue] = [:]
    for (key, value, _) in members(of: node, "keys, and the value that each object gets under them") {
      let text = value.scalar?.string
      result[key] = text.flatMap { AddedValue($0) }
      if result[key] == nil { problem(value, "document", "“\(text ?? "")” is no value and no path") }
    }
    return result
  }

  private mutating func forms(_ node: Node) -> [SourceForm] {
    guard let elements = node.sequence else {
      problem(node, "document", "expected a list of forms, each with at, entity, keys, files and set")
      return []
    }
    return elements.map { element in
      var form = SourceForm()
      for (name, value, place) in members(of: element, "at, entity, keys, files and set") {
        switch name {
        case "at":
          let path = self.name(value, "a path to the objects")
          form.root = path == "$" ? nil : path
        case "entity": form.entity = self.name(value, "the name of an entity")
        case "keys": form.keys = names(value, "document").sorted()
        case "files": form.files = names(value, "document").sorted()
        case "set": form.added = added(value)
        default: problem(value, "document", "“\(name)” is none of at, entity, keys, files and set", at: place)
        }
      }
      return form
    }
  }

  private mutating func dictionary(_ node: Node) -> DictionaryRule? {
    guard node.mapping != nil else { return DictionaryRule(keys: names(node, "dictionary"), value: nil) }
    var rule = DictionaryRule(keys: [], value: nil)
    for (name, value, _) in members(of: node, "attributes for the keys, or keys and value") {
      switch name {
      case "keys": rule.keys = names(value, "dictionary")
      case "value": rule.value = self.name(value, "the name of a property")
      default: problem(value, "dictionary", "“\(name)” is neither keys nor value")
      }
    }
    return rule
  }

  private mutating func polymorphic(_ node: Node) -> PolymorphicRule? {
    guard node.mapping != nil else { return PolymorphicRule(names(node, "polymorphic")) }
    var rule = PolymorphicRule([])
    for (name, value, _) in members(of: node, "relationships, or to, kind, key, text and values") {
      switch name {
      case "to": rule.relationships = names(value, "polymorphic")
      case "kind": rule.kind = self.name(value, "a key")
      case "key": rule.key = self.name(value, "a key")
      case "text": rule.text = self.name(value, "a text with {kind} and {key}")
      case "values":
        for (kind, relationship, _) in members(of: value, "kinds, and the relationship that each stands for")
        {
          rule.values[kind] = self.name(relationship, "the name of a relationship")
        }
      default: problem(value, "polymorphic", "“\(name)” is none of to, kind, key, text and values")
      }
    }
    return rule
  }

  private mutating func values(_ node: Node) -> [String: String] {
    if let property = node.scalar?.string { return ["": property] }
    var result: [String: String] = [:]
    for (key, value, _) in members(
      of: node, "keys of documents, and the property that the values of each fill")
    {
      result[key] = name(value, "the name of a property")
    }
    return result
  }

  // MARK: - Parts

  mutating func members(
    of node: Node, _ expected: String
  ) -> [(key: String, value: Node, place: String?)] {
    guard let members = node.mapping else {
      problem(node, "", "expected \(expected)")
      return []
    }
    return members.compactMap { key, value in
      key.scalar.map { ($0.string, value, place(of: key)) }
    }
  }

  private mutating func names(_ node: Node, _ section: String) -> [String] {
    if let only = node.scalar?.string { return only.isEmpty ? [] : [only] }
    guard let elements = node.sequence else {
      problem(node, section, "expected a name or a list of names")
      return []
    }
    return elements.compactMap { name($0, "a name") }
  }

  private mutating func name(_ node: Node, _ expected: String) -> String? {
    if let text = node.scalar?.string, !text.isEmpty { return text }
    problem(node, "", "expected \(expected)")
    return nil
  }

  private func place(of node: Node) -> String? { node.mark.map { "\(file):\($0.line)" } }

  mutating func problem(
    _ node: Node, _ section: String, _ message: String, at place: String? = nil, advice: String? = nil
  ) {
    problems.append(
      MappingError.Problem(
        place: place ?? self.place(of: node) ?? file, entity: entity.isEmpty ? nil : entity,
        property: section.isEmpty ? nil : section, message: message, advice: advice))
  }
}

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
      result.append(Member(name, value))
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

  /// The text in messages.
  fileprivate var shortText: String {
    if case .string(let text) = self { "\"\(text)\"" } else { summary }
  }
}

/// Everything in a mapping that does not make sense.
///
///     mapping.yaml:12: Band.keys: there is no property “nmae”; did you mean “name”?
public struct MappingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A mistake.
  public struct Problem: Sendable, Hashable, CustomStringConvertible {
    /// The file and the line, if the mapping was read from one.
    public var place: String?
    public var entity: String?
    /// The property, or the part of the entity's mapping.
    public var property: String?
    /// The mistake.
    public var message: String
    /// Advice.
    public var advice: String?

    public var description: String {
      let subject = [entity, property].compactMap { $0 }.joined(separator: ".")
      let text = [message, advice].compactMap { $0 }.joined(separator: "; ")
      return [place, subject.isEmpty ? nil : subject, text].compactMap { $0 }.joined(separator: ": ")
    }
  }

  /// At least one.
  public let problems: [Problem]

  init(_ problems: [Problem]) {
    self.problems = problems
  }

  public var description: String {
    (["The mapping cannot be used."] + problems.map(\.description)).joined(separator: "\n")
  }
}

/// A place in a mapping: an entity, one of its sections, and in that a property.
struct MappingPlace: Hashable {
  var entity: String
  var section = ""
  var property = ""
}
