import JSONStream

extension JSONMapping {
  /// A model with all that this mapping says as annotations, above those that it has.
  ///
  /// - Throws: ``MappingError`` with everything that does not fit the model: entities and properties that it
  ///   does not have, with the nearest names; two properties that claim one key; formats for what is no date.
  public func applied(to model: Model) throws(MappingError) -> Model {
    let mapping = withDialect(for: model)
    var application = MappingApplication(mapping, model)
    application.check(mapping.document)
    for name in mapping.entities.keys.sorted() { application.apply(mapping[name], to: name) }
    guard application.problems.isEmpty else { throw MappingError(application.problems) }
    return application.model.with(mapping.document)
  }
}

/// Writes a mapping into a model, entity by entity, and collects what does not fit.
struct MappingApplication {
  let mapping: JSONMapping
  let hierarchy: EntityHierarchy
  private(set) var model: Model
  private(set) var problems: [MappingError.Problem] = []
  private var entity = ""
  private var index = 0

  init(_ mapping: JSONMapping, _ model: Model) {
    self.mapping = mapping
    self.model = model
    hierarchy = EntityHierarchy(model)
  }

  /// Checks the paths that are said of documents.
  mutating func check(_ document: DocumentMapping) {
    let roots = [("at", document.root), ("kind", document.kind)] + document.forms.map { ("forms", $0.root) }
    for (section, text) in roots {
      guard let text, text != "$" else { continue }
      do throws(JSONKeyPathError) { _ = try JSONKeyPath(text) } catch {
        problem("document", section, "\(quoted(text)) is no key and no key path: it \(error.message)")
      }
    }
    let entities = model.entities.map(\.name)
    for case let name? in document.forms.map(\.entity) where !entities.contains(name) {
      problem("document", "forms", "there is no entity \(quoted(name))", near: name, in: entities)
    }
  }

  mutating func apply(_ rules: EntityMapping, to name: String) {
    entity = name
    guard let index = model.entities.firstIndex(where: { $0.name == name }) else {
      return problem("", "", "there is no entity \(quoted(name))", near: name, in: model.entities.map(\.name))
    }
    self.index = index
    applyIdentity(rules)
    applyKeys(rules.keys, exported: rules.exportedKeys)
    applyNames(rules)
    for (name, rule) in rules.dates.sorted(by: { $0.key < $1.key }) { apply(rule, to: name) }
    for (name, calls) in rules.transformers.sorted(by: { $0.key < $1.key }) { apply(calls, to: name) }
    for name in rules.ignored.sorted() { annotate(name, "ignore") { $0["broker.ignored"] = "true" } }
    for name in rules.notExported.sorted() {
      annotate(name, "notExported") { $0["broker.exported"] = "false" }
    }
    for (name, policy) in rules.toMany.sorted(by: { $0.key < $1.key }) { apply(policy, to: name) }
    for (name, policy) in rules.references.sorted(by: { $0.key < $1.key }) { apply(policy, to: name) }
    for (name, operations) in rules.only.sorted(by: { $0.key < $1.key }) { apply(operations, to: name) }
    for (name, rule) in rules.dictionaries.sorted(by: { $0.key < $1.key }) { apply(rule, to: name) }
    apply(rules.inside)
    apply(rules.polymorphic)
    if !rules.constants.isEmpty {
      model.entities[index].userInfo["broker.constants"] =
        JSONValue.object(rules.constants.mapValues(JSONValue.string)).text
    }
    applyVersion(rules.version)
    apply(rules.discriminator)
    applyUnknown(rules)
  }

  // MARK: - The entity

  private mutating func applyIdentity(_ rules: EntityMapping) {
    guard let names = rules.identity else { return }
    let attributes = hierarchy.attributes(of: model.entities[index]).map(\.name)
    let relationships = hierarchy.relationships(of: model.entities[index])
    let known = attributes + relationships.filter { !$0.isToMany }.map(\.name)
    for name in names where !known.contains(name) {
      let words =
        relationships.contains { $0.name == name }
        ? "\(quoted(name)) is to-many" : "there is no attribute and no to-one relationship \(quoted(name))"
      problem("identity", "", words, near: name, in: known)
    }
    if let owner = hierarchy.ancestors(of: model.entities[index]).last(where: {
      !$0.isAbstract && mapsIdentity(of: $0)
    }) {
      problem(
        "identity", "", "it shares the identity of \(quoted(owner.name)), from which it inherits",
        advice: "map that")
    }
    model.entities[index].userInfo["broker.identity"] = names.isEmpty ? "none" : names.joined(separator: ",")
  }

  /// Whether an ancestor has an identity, by the mapping or the model, that its sub-entities share.
  private func mapsIdentity(of ancestor: Entity) -> Bool {
    mapping.entities[ancestor.name]?.identity.map { !$0.isEmpty } ?? (ancestor.declaredIdentity != nil)
  }

  private mutating func applyNames(_ rules: EntityMapping) {
    var names = rules.names.map { ($0, nil as String?) }
    for (key, property) in rules.values.sorted(by: { $0.key < $1.key }) {
      check(property, "values")
      if key.isEmpty {
        model.entities[index].userInfo["broker.value"] = property
      } else {
        names.removeAll { $0.0 == key }
        names.append((key, property))
      }
    }
    guard !names.isEmpty else { return }
    for (number, (key, property)) in names.enumerated() {
      // Numbers from 100 on leave those that the model has.
      model.entities[index].userInfo["broker.key.\(100 + number)"] = key
      if let property { model.entities[index].userInfo["broker.value.\(100 + number)"] = property }
    }
  }

  private mutating func applyVersion(_ name: String?) {
    guard let name else { return }
    let attributes = hierarchy.attributes(of: model.entities[index])
    guard let attribute = attributes.last(where: { $0.name == name }) else {
      return problem(
        "version", "", "there is no attribute \(quoted(name))", near: name, in: attributes.map(\.name))
    }
    guard attribute.canBeVersion else {
      return problem("version", "", "the values of \(quoted(name)) have no order")
    }
    model.entities[index].userInfo["broker.version"] = name
  }

  private mutating func apply(_ discriminator: Discriminator?) {
    switch discriminator {
    case nil: return
    case .key(let key, let values):
      do throws(JSONKeyPathError) { _ = try JSONKeyPath(key) } catch {
        problem("discriminator", "", "\(quoted(key)) is no key and no key path: it \(error.message)")
      }
      model.entities[index].userInfo["broker.discriminator"] = key
      applyKinds(values)
    case .wrapper(let values):
      model.entities[index].userInfo["broker.discriminator.wrapper"] = "true"
      applyKinds(values)
    case .function(let name):
      model.entities[index].userInfo["broker.discriminator.function"] = name
      guard mapping.functions.discriminators[name] == nil else { return }
      problem(
        "discriminator", "", "there is no function \(quoted(name))", near: name,
        in: Array(mapping.functions.discriminators.keys))
    }
  }

  private mutating func applyUnknown(_ rules: EntityMapping) {
    if let kind = rules.unknownKind {
      let family = model.entities.map(\.name).filter { hierarchy.entity($0, is: entity) }
      if kind != "skip", !family.contains(kind) {
        problem(
          "discriminator", "", "\(quoted(kind)) is no sub-entity of \(quoted(entity))", near: kind, in: family
        )
      }
      model.entities[index].userInfo["broker.unknown"] = kind
    }
    if let kind = rules.defaultKind {
      let family = model.entities.map(\.name).filter { hierarchy.entity($0, is: entity) }
      if !family.contains(kind) {
        problem(
          "discriminator", "", "\(quoted(kind)) is no sub-entity of \(quoted(entity))", near: kind, in: family
        )
      }
      model.entities[index].userInfo["broker.discriminator.default"] = kind
    }
    for (name, value) in (rules.unknownValues ?? [:]).sorted(by: { $0.key < $1.key }) {
      annotate(name, "unknown") { $0["broker.unknown"] = value }
    }
  }

  private mutating func applyKinds(_ values: KindValues) {
    let family = model.entities.map(\.name).filter { hierarchy.entity($0, is: entity) }
    for (name, pairs) in Dictionary(grouping: values.pairs, by: \.entity).sorted(by: { $0.key < $1.key }) {
      guard family.contains(name), let kind = model.entities.firstIndex(where: { $0.name == name }) else {
        problem(
          "discriminator", "", "\(quoted(name)) is no sub-entity of \(quoted(entity))", near: name, in: family
        )
        continue
      }
      model.entities[kind].userInfo["broker.kind"] = pairs.map(\.value).joined(separator: ",")
    }
  }

  // MARK: - Keys

  private mutating func applyKeys(_ keys: [String: [String]], exported: [String: String]) {
    var owners: [String: String] = [:]
    var keys = keys
    for (name, key) in exported.sorted(by: { $0.key < $1.key }) {
      guard check(name, "exportedKeys") else { continue }
      checkPath(key, of: name)
      let declared = declaredKeys(of: name)
      // What is exported is read again.
      if !(keys[name] ?? declared).contains(key) { keys[name] = (keys[name] ?? declared + [name]) + [key] }
      annotate(name, "exportedKeys") { $0["broker.exportedKey"] = key }
    }
    for (name, paths) in keys.sorted(by: { $0.key < $1.key }) {
      guard check(name, "keys", reversed: paths) else { continue }
      for path in paths {
        checkPath(path, of: name)
        if let other = owners.updateValue(name, forKey: path), other != name {
          problem("keys", name, "\(quoted(other)) and \(quoted(name)) both claim the key \(quoted(path))")
        }
      }
    }
    // A key that the mapping gives away is nobody else's any more, whatever the model says.
    let claimed = Set(owners.keys)
    for place in model.entities[index].attributes.indices {
      Self.rewriteKeys(
        &model.entities[index].attributes[place].userInfo,
        keys[model.entities[index].attributes[place].name], claimed)
    }
    for place in model.entities[index].relationships.indices {
      Self.rewriteKeys(
        &model.entities[index].relationships[place].userInfo,
        keys[model.entities[index].relationships[place].name], claimed)
    }
  }

  private func declaredKeys(of name: String) -> [String] {
    let entity = model.entities[index]
    let attribute = entity.attributes.first { $0.name == name }?.annotations
    return (attribute ?? entity.relationships.first { $0.name == name }?.annotations)?.keys ?? []
  }

  private mutating func checkPath(_ text: String, of name: String) {
    do throws(JSONKeyPathError) {
      let path = try JSONKeyPath(text)
      let attribute = model.entities[index].attributes.first { $0.name == name }
      let relationship = model.entities[index].relationships.first { $0.name == name }
      guard
        let message = attribute.flatMap({ path.problem(for: $0) })
          ?? relationship.flatMap({ path.problem(for: $0) })
      else { return }
      problem("keys", name, "\(quoted(text)) \(message)")
    } catch {
      problem("keys", name, "\(quoted(text)) is no key and no key path: it \(error.message)")
    }
  }

  private static func rewriteKeys(
    _ userInfo: inout [String: String], _ own: [String]?, _ claimed: Set<String>
  ) {
    let declared = Annotations(userInfo).keys
    let keys = (own ?? []) + declared.filter { !claimed.contains($0) }
    guard own != nil || keys != declared else { return }
    Annotations.removeKeys(from: &userInfo)
    for (number, key) in keys.enumerated() {
      userInfo[number == 0 ? "broker.key" : "broker.key.\(number)"] = key
    }
  }

  // MARK: - Properties

  private mutating func apply(_ rule: DateRule, to name: String) {
    guard check(name, "dates") else { return }
    guard model.entities[index].attributes.contains(where: { $0.name == name && $0.type == .date }) else {
      return problem("dates", name, "is no date")
    }
    annotate(name, "dates") { userInfo in
      userInfo["broker.dateFormat"] = rule.format ?? userInfo["broker.dateFormat"]
      userInfo["broker.timeZone"] = rule.timeZone ?? userInfo["broker.timeZone"]
    }
  }

  private mutating func apply(_ calls: [TransformerCall], to name: String) {
    annotate(name, "transformers") { userInfo in
      userInfo["broker.transformer"] = calls.isEmpty ? "none" : calls.map(\.text).joined(separator: ",")
    }
  }

  private mutating func apply(_ policy: ToManyPolicy, to name: String) {
    guard check(name, "toMany") else { return }
    let relationship = model.entities[index].relationships.first { $0.name == name }
    guard relationship?.isToMany == true else { return problem("toMany", name, "is no to-many relationship") }
    annotate(name, "toMany") { $0["broker.toMany"] = policy.rawValue }
  }

  private mutating func apply(_ policy: ReferencePolicy, to name: String) {
    guard check(name, "references") else { return }
    guard model.entities[index].relationships.contains(where: { $0.name == name }) else {
      return problem("references", name, "is no relationship")
    }
    annotate(name, "references") { $0["broker.references"] = policy.rawValue }
  }

  private mutating func apply(_ operations: Operations, to name: String) {
    guard check(name, "only") else { return }
    guard let relationship = model.entities[index].relationships.first(where: { $0.name == name }) else {
      return problem("only", name, "is no relationship")
    }
    annotate(name, "only") { $0["broker.only"] = operations.words.joined(separator: ",") }
    let target = model.entities.first { $0.name == relationship.destination }
    guard let target, mapping.entities[target.name]?.identity?.isEmpty == true else { return }
    problem(
      "only", name, "\(quoted(target.name)) has no identity, so that its objects are replaced as a whole")
  }

  private mutating func apply(_ rule: InsideRule?) {
    guard let rule else { return }
    for (name, path) in rule.paths {
      do throws(JSONKeyPathError) {
        guard name != "targets", try JSONKeyPath(path).steps.contains(where: \.isInList) else { continue }
        problem("inside", "", "\(quoted(path)) leads through a list, and \(name) are in one object")
      } catch {
        problem("inside", "", "\(quoted(path)) is no key and no key path: it \(error.message)")
      }
    }
    Annotations.write(rule, to: &model.entities[index].userInfo)
  }

  private mutating func apply(_ rules: [String: PolymorphicRule]) {
    guard !rules.isEmpty else { return }
    for (key, rule) in rules.sorted(by: { $0.key < $1.key }) {
      guard let found = model.entities[index].problem(with: rule, in: model) else { continue }
      problem("polymorphic", key, found.message, near: found.name, in: found.known)
    }
    Annotations.write(rules, to: &model.entities[index].userInfo)
  }

  private mutating func apply(_ rule: DictionaryRule, to name: String) {
    guard check(name, "dictionary") else { return }
    guard let relationship = model.entities[index].relationships.first(where: { $0.name == name }) else {
      return problem("dictionary", name, "is no relationship")
    }
    if let found = relationship.problem(with: rule, in: model) {
      return problem("dictionary", name, found.message, near: found.name, in: found.known)
    }
    annotate(name, "dictionary") { userInfo in
      userInfo["broker.dictionary"] = rule.keys.joined(separator: ",")
      userInfo["broker.dictionary.value"] = rule.value
    }
  }

  private mutating func annotate(
    _ name: String, _ section: String, _ change: (inout [String: String]) -> Void
  ) {
    guard check(name, section) else { return }
    if let place = model.entities[index].attributes.firstIndex(where: { $0.name == name }) {
      change(&model.entities[index].attributes[place].userInfo)
    } else if let place = model.entities[index].relationships.firstIndex(where: { $0.name == name }) {
      change(&model.entities[index].relationships[place].userInfo)
    }
  }

  /// Whether the entity itself declares a property; what stands in the way is noted.
  ///
  /// - Parameter reversed: What the property was mapped to, which may have been meant to be the property.
  @discardableResult
  private mutating func check(_ name: String, _ section: String, reversed: [String] = []) -> Bool {
    let declared = model.entities[index]
    let own = declared.attributes.map(\.name) + declared.relationships.map(\.name)
    if own.contains(name) { return true }
    for ancestor in hierarchy.ancestors(of: declared)
    where ancestor.attributes.contains(where: { $0.name == name })
      || ancestor.relationships.contains(where: { $0.name == name })
    {
      // A dictionary's values may fill what is inherited.
      if section == "values" { return true }
      problem(section, name, "it is inherited", advice: "map it at \(quoted(ancestor.name))")
      return false
    }
    if let property = reversed.first(where: own.contains) {
      problem(
        section, name, "there is no property \(quoted(name))",
        advice: "write the property first: \(property): \(name)")
    } else {
      problem(section, name, "there is no property \(quoted(name))", near: name, in: own)
    }
    return false
  }

  // MARK: - Problems

  private mutating func problem(
    _ section: String, _ property: String, _ message: String, near name: String, in names: [String]
  ) {
    problem(
      section, property, message,
      advice: nearestName(to: name, in: names).map { "did you mean \(quoted($0))?" }
    )
  }

  private mutating func problem(
    _ section: String, _ property: String, _ message: String, advice: String? = nil
  ) {
    let places = [
      MappingPlace(entity: entity, section: section, property: property),
      MappingPlace(entity: entity, section: section), MappingPlace(entity: entity),
    ]
    problems.append(
      MappingError.Problem(
        place: places.compactMap { [mapping] in mapping.places[$0] }.first,
        entity: section.isEmpty ? nil : entity, property: property.isEmpty ? section : property,
        message: message, advice: advice))
  }

  private func quoted(_ name: String) -> String { "“\(ModelError.shortened(name))”" }
}
