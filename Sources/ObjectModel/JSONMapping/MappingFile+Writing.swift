import JSONStream

extension JSONMapping {
  /// The mapping as a file in YAML, which `init(text:)` reads. Functions cannot be written.
  public func text() -> String {
    var writer = MappingWriter()
    if let dialect { writer.line("dialect: \(dialect.rawValue)") }
    writer.write(document)
    for name in entities.keys.sorted() { writer.write(self[name], of: name) }
    return writer.text
  }
}

/// Writes a mapping, section by section. What stands in a section is in the flow style, which is JSON with fewer quotes.
private struct MappingWriter {
  private(set) var text = ""

  mutating func line(_ line: String) { text += line + "\n" }

  mutating func write(_ document: DocumentMapping) {
    var sections: [(String, String)] = []
    sections.add("at", document.root.map(quoted))
    sections.add("columns", document.columns.map(quoted))
    sections.add("kind", document.kind.map(quoted))
    sections.add("others", document.skipsOthers ? "skip" : nil)
    sections.add("set", object(document.added.mapValues { quoted($0.text) }))
    sections.add("forms", forms(document.forms))
    sections.add("ignore", list(document.ignored))
    sections.add("references", document.referencesAreObjects ? "objects" : nil)
    sections.add("constants", object(document.constants.mapValues(quoted)))
    write(sections, under: "document")
  }

  mutating func write(_ rules: EntityMapping, of entity: String) {
    var sections: [(String, String)] = []
    sections.add("identity", rules.identity.map { $0.isEmpty ? "none" : names($0) })
    sections.add("names", list(rules.names))
    sections.add("keys", object(rules.keys.mapValues(names)))
    sections.add("dates", object(rules.dates.mapValues(date)))
    sections.add("transformers", object(rules.transformers.mapValues(transformers)))
    sections.add("ignore", list(rules.ignored))
    sections.add("notExported", list(rules.notExported))
    sections.add("discriminator", discriminator(rules))
    sections.add("toMany", object(rules.toMany.mapValues(\.rawValue)))
    sections.add("references", object(rules.references.mapValues(\.rawValue)))
    sections.add("dictionary", object(rules.dictionaries.mapValues(dictionary)))
    sections.add("values", rules.values.count == 1 ? rules.values[""].map(quoted) : nil)
    if rules.values[""] == nil { sections.add("values", object(rules.values.mapValues(quoted))) }
    sections.add("inside", rules.inside.flatMap(inside))
    sections.add("constants", object(rules.constants.mapValues(quoted)))
    sections.add("version", rules.version.map(quoted))
    sections.add("unknown", object((rules.unknownValues ?? [:]).mapValues(quoted)))
    write(sections, under: quoted(entity))
  }

  private mutating func write(_ sections: [(String, String)], under name: String) {
    guard !sections.isEmpty else { return }
    line("\(name):")
    for (section, value) in sections { line("  \(section):\(value.hasPrefix("\n") ? "" : " ")\(value)") }
  }

  // MARK: - Sections

  private func forms(_ forms: [SourceForm]) -> String? {
    guard !forms.isEmpty else { return nil }
    return forms.map { form in
      var members: [(String, String)] = []
      members.add("at", quoted(form.root ?? "$"))
      members.add("entity", form.entity.map(quoted))
      members.add("keys", list(form.keys))
      members.add("files", list(form.files))
      members.add("set", object(form.added.mapValues { quoted($0.text) }))
      return "\n    - {\(members.map { "\($0): \($1)" }.joined(separator: ", "))}"
    }.joined()
  }

  private func date(_ rule: DateRule) -> String {
    guard let zone = rule.timeZone else { return quoted(rule.format ?? "auto") }
    return "{format: \(quoted(rule.format ?? "auto")), timeZone: \(quoted(zone))}"
  }

  private func transformers(_ calls: [TransformerCall]) -> String {
    calls.count == 1 ? quoted(calls[0].text) : "[\(calls.map { quoted($0.text) }.joined(separator: ", "))]"
  }

  private func dictionary(_ rule: DictionaryRule) -> String {
    guard let value = rule.value else { return names(rule.keys) }
    return "{keys: \(names(rule.keys)), value: \(quoted(value))}"
  }

  private func inside(_ rule: InsideRule) -> String? {
    var members: [(String, String)] = []
    members.add("attributes", rule.attributes.map(quoted))
    members.add("relationships", rule.relationships.map(quoted))
    members.add("targets", list(rule.targets))
    return members.isEmpty ? nil : "{\(members.map { "\($0): \($1)" }.joined(separator: ", "))}"
  }

  private func discriminator(_ rules: EntityMapping) -> String? {
    var members: [(String, String)] = []
    switch rules.discriminator {
    case nil: return nil
    case .key(let key, let values):
      members.add("key", quoted(key))
      members.add("values", kinds(values))
    case .wrapper(let values):
      members.add("wrapper", "true")
      members.add("values", kinds(values))
    case .function(let name): members.add("function", quoted(name))
    }
    members.add("unknown", rules.unknownKind.map(quoted))
    members.add("default", rules.defaultKind.map(quoted))
    return "{\(members.map { "\($0): \($1)" }.joined(separator: ", "))}"
  }

  private func kinds(_ values: KindValues) -> String? {
    guard !values.pairs.isEmpty else { return nil }
    return "{\(values.pairs.map { "\(quoted($0.value)): \(quoted($0.entity))" }.joined(separator: ", "))}"
  }

  // MARK: - Values

  private func names(_ names: [String]) -> String {
    names.count == 1 ? quoted(names[0]) : "[\(names.map(quoted).joined(separator: ", "))]"
  }

  private func list(_ names: [String]) -> String? { names.isEmpty ? nil : self.names(names) }

  private func object(_ members: [String: String]) -> String? {
    guard !members.isEmpty else { return nil }
    let parts = members.sorted { $0.key < $1.key }.map { "\(quoted($0.key)): \($0.value)" }
    return "{\(parts.joined(separator: ", "))}"
  }

  /// A text that YAML reads as it is, in quotes unless it is a plain word.
  private func quoted(_ text: String) -> String {
    let isWord =
      text.unicodeScalars.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || $0 == "_") }
      && !text.isEmpty
    let words = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "none"]
    return isWord && !words.contains(text.lowercased()) ? text : JSONValue.string(text).text
  }
}

extension [(String, String)] {
  /// Adds a section that is there.
  fileprivate mutating func add(_ name: String, _ value: String?) {
    if let value { append((name, value)) }
  }
}
