/// Turns the objects of an archive into a model.
///
/// Whatever it does not know is left out with a remark. All texts are counted, so that parts which many objects share
/// cannot make a model that is much larger than its archive.
struct ArchivedModelReader {
  let archive: KeyedArchive
  private(set) var remarks: [ModelProblem] = []
  /// The text that is being read, for messages.
  private var entity: String?
  private var property: String?
  /// The bytes of text that may still be read.
  private var budget: Int
  /// The composites found so far, by their names.
  var composites: [String: Composite] = [:]

  private static let mostRemarks = 200
  /// The operations that are always allowed.
  private static let leastBudget = 8 << 20
  /// The cost of an object beside its texts.
  private static let objectCost = 64

  init(_ archive: KeyedArchive) {
    self.archive = archive
    budget = max(Self.leastBudget, archive.count * 4 * Self.objectCost)
  }

  /// The place of the reading, for a message.
  var place: String {
    let parts = [entity, property].compactMap { $0.map { ModelError.shortened($0) } }
    return parts.isEmpty ? "" : parts.joined(separator: ".") + ": "
  }

  mutating func model() throws(PropertyListError) -> Model {
    guard let root = try archive.root().object, root.isKind(of: "NSManagedObjectModel") else {
      throw .expected("a model, an object of NSManagedObjectModel", found: try archive.root().kindName)
    }
    var model = Model()
    model.entities = try entities(of: root)
    leave()
    model.fetchRequests = try fetchRequests(of: root)
    model.configurations = try configurations(of: root)
    model.versionIdentifier = try versionIdentifier(of: root)
    model.composites = composites.values.sorted { $0.name < $1.name }
    return model
  }

  // MARK: - Where it is

  mutating func enter(entity: String) {
    self.entity = entity
    property = nil
  }

  mutating func enter(property: String) { self.property = property }

  private mutating func leaveProperty() { property = nil }

  private mutating func leave() {
    entity = nil
    property = nil
  }

  /// Notes what is left out of the model.
  mutating func remark(_ message: String) {
    guard remarks.count < Self.mostRemarks else { return }
    remarks.append(ModelProblem(severity: .warning, entity: entity, property: property, message: message))
  }

  // MARK: - Values

  /// Counts what is read.
  mutating func spend(_ cost: Int) throws(PropertyListError) {
    budget -= cost + Self.objectCost
    guard budget >= 0 else {
      throw PropertyListError(
        "its objects are shared so often that the model would be far larger than the archive")
    }
  }

  /// The text that a value is; nil if it is none.
  mutating func text(_ value: ArchivedValue) throws(PropertyListError) -> String? {
    let text: String?
    switch value {
    case .value(.string(let string)): text = string
    case .object(let object) where object.isKind(of: "NSString"):
      text = try object.value("NS.string").value?.text
    default: text = nil
    }
    if let text { try spend(text.utf8.count) }
    return text
  }

  mutating func text(_ key: String, of object: ArchivedObject) throws(PropertyListError) -> String? {
    try text(object.value(key))
  }

  /// The text of a field, or nil where it is empty.
  mutating func nonEmpty(_ key: String, of object: ArchivedObject) throws(PropertyListError) -> String? {
    try text(key, of: object).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The name that an entity or a property has in a field; nil if the value is neither.
  mutating func name(_ key: String, of value: ArchivedValue) throws(PropertyListError) -> String? {
    guard let object = value.object else { return nil }
    return try nonEmpty(key, of: object)
  }

  /// The same, or the text that a value is: parts of a model refer to others by name or as objects.
  private mutating func nameOrText(_ key: String, of value: ArchivedValue) throws(PropertyListError)
    -> String?
  {
    if let name = try name(key, of: value) { return name }
    return try text(value)
  }

  func flag(_ key: String, of object: ArchivedObject) throws(PropertyListError) -> Bool {
    switch try object.value(key) {
    case .value(.boolean(let flag)): flag
    case .value(.integer(let number)): number != 0
    default: false
    }
  }

  func integer(_ key: String, of object: ArchivedObject) throws(PropertyListError) -> Int? {
    try object.value(key).value?.integer.flatMap { Int(exactly: $0) }
  }

  /// The elements of an array or a set; empty if a value is none.
  mutating func elements(_ value: ArchivedValue) throws(PropertyListError) -> [ArchivedValue] {
    let values: ArchivedElements
    switch value {
    case .value(.array(let array)): values = ArchivedElements(array)
    case .object(let object):
      // To put those of an ordered set in order takes time for each field.
      try spend(object.fields.count)
      guard let elements = ArchivedElements(of: object) else { return [] }
      values = elements
    default: return []
    }
    try spend(values.count)
    var result: [ArchivedValue] = []
    for index in 0..<values.count { result.append(try archive.resolved(values[index])) }
    return result
  }
}

extension ArchivedModelReader {
  mutating func fetchRequests(of root: ArchivedObject) throws(PropertyListError) -> [FetchRequest] {
    var requests: [FetchRequest] = []
    for (name, value) in try members(root.value("NSFetchRequestTemplates")) {
      guard let object = value.object else { continue }
      requests.append(try fetchRequest(object, named: name))
    }
    return requests
  }

  private mutating func fetchRequest(
    _ object: ArchivedObject, named name: String
  ) throws(PropertyListError) -> FetchRequest {
    var request = FetchRequest(name: name)
    if let entity = try nonEmpty("NSEntityName", of: object) {
      request.entity = entity
    } else {
      request.entity = try self.name("NSEntityName", of: object.value("NSEntity"))
    }
    if let predicate = try object.value("NSPredicate").object {
      request.predicate = try ArchivedPredicate.text(of: predicate)
      try spend(request.predicate?.utf8.count ?? 0)
      if request.predicate == nil {
        remark("the predicate of fetch request “\(ModelError.shortened(name))” is left out")
      }
    }
    return request
  }

  /// Xcode's name for the fetch requests of fetched properties.
  private static let requestName = "fetchedPropertyFetchRequest"

  mutating func fetchedProperty(
    _ object: ArchivedObject, named name: String
  ) throws(PropertyListError) -> FetchedProperty {
    var property = FetchedProperty(name: name, isOptional: try flag("NSIsOptional", of: object))
    if let request = try object.value("NSFetchRequest").object {
      property.fetchRequest = try fetchRequest(request, named: Self.requestName)
    }
    property.userInfo = try userInfo(of: object)
    return property
  }

  /// Core Data's name of the configuration that has all entities.
  private static let wholeConfiguration = "PF_DEFAULT_CONFIGURATION_NAME"

  mutating func configurations(of root: ArchivedObject) throws(PropertyListError) -> [Configuration] {
    var result: [Configuration] = []
    for (name, value) in try members(root.value("NSConfigurations")) where name != Self.wholeConfiguration {
      var names: [String] = []
      for element in try elements(value) {
        if let name = try nameOrText("NSEntityName", of: element) {
          names.append(name)
        }
      }
      result.append(Configuration(name: name, entities: names.sorted()))
    }
    return result
  }

  mutating func versionIdentifier(of root: ArchivedObject) throws(PropertyListError) -> String? {
    var identifiers: [String] = []
    for element in try elements(root.value("NSVersionIdentifiers")) {
      if let text = try text(element), !text.isEmpty { identifiers.append(text) }
    }
    identifiers.sort()
    if identifiers.count > 1 {
      remark("it has \(identifiers.count) version identifiers, of which one is kept")
    }
    return identifiers.first
  }
}

extension ArchivedModelReader {
  /// An entity's object, and what is known of it before its properties are read.
  private struct Outline {
    let name: String
    let object: ArchivedObject
    let properties: [(name: String, value: ArchivedValue)]
    let propertyNames: Set<String>
    let constraints: [[String]]
    var parent: String?
  }

  mutating func entities(of root: ArchivedObject) throws(PropertyListError) -> [Entity] {
    var outlines: [Outline] = []
    var indices: [String: Int] = [:]
    for (key, value) in try members(root.value("NSEntities")) {
      enter(entity: key)
      guard let object = value.object, object.isKind(of: "NSEntityDescription") else {
        remark("it is \(value.kindName), and is left out")
        continue
      }
      let outline = try outline(of: object, key: key)
      guard indices.updateValue(outlines.count, forKey: outline.name) == nil else {
        throw PropertyListError("two entities have this name")
      }
      outlines.append(outline)
    }
    outlines.sort { $0.name < $1.name }
    for (index, outline) in outlines.enumerated() { indices[outline.name] = index }
    var entities: [Entity] = []
    for outline in outlines {
      let parent = outline.parent.flatMap { indices[$0] }.map { outlines[$0] }
      entities.append(try entity(outline, parent: parent))
    }
    return entities
  }

  private mutating func outline(
    of object: ArchivedObject, key: String
  ) throws(PropertyListError) -> Outline {
    let name = try nonEmpty("NSEntityName", of: object) ?? key
    enter(entity: name)
    var properties: [(name: String, value: ArchivedValue)] = []
    for (key, value) in try members(object.value("NSProperties")) {
      properties.append((try self.name("NSPropertyName", of: value) ?? key, value))
    }
    return Outline(
      name: name, object: object, properties: properties, propertyNames: Set(properties.map(\.name)),
      constraints: try nameLists("NSUniqueTuples", of: object),
      parent: try self.name("NSEntityName", of: object.value("NSSuperentity")))
  }

  private mutating func entity(_ outline: Outline, parent: Outline?) throws(PropertyListError) -> Entity {
    enter(entity: outline.name)
    let object = outline.object
    var entity = Entity(name: outline.name, parent: outline.parent)
    entity.className = try nonEmpty("NSClassNameForEntity", of: object)
    // The class of entities without one of their own.
    if entity.className == "NSManagedObject" { entity.className = nil }
    entity.isAbstract = try flag("NSIsAbstract", of: object)
    entity.renamingIdentifier = try renamingIdentifier(of: object, name: outline.name)
    entity.versionHashModifier = try nonEmpty("NSVersionHashModifier", of: object)
    entity.userInfo = try userInfo(of: object)
    // A sub-entity repeats what it inherits.
    let inherited = Set(parent?.constraints ?? [])
    entity.uniquenessConstraints = outline.constraints.filter { !inherited.contains($0) }
    entity.indexes = try compoundIndexes(of: object)
    for (name, value) in outline.properties where parent?.propertyNames.contains(name) != true {
      enter(property: name)
      try add(value, named: name, to: &entity)
    }
    leaveProperty()
    return entity
  }

  private mutating func add(
    _ value: ArchivedValue, named name: String, to entity: inout Entity
  ) throws(PropertyListError) {
    guard let object = value.object else {
      return remark("it is \(value.kindName), and is left out")
    }
    if object.isKind(of: "NSAttributeDescription") {
      if let attribute = try attribute(object, named: name) { entity.attributes.append(attribute) }
    } else if object.isKind(of: "NSRelationshipDescription") {
      if let relationship = try relationship(object, named: name) {
        entity.relationships.append(relationship)
      }
    } else if object.isKind(of: "NSFetchedPropertyDescription") {
      entity.fetchedProperties.append(try fetchedProperty(object, named: name))
    } else {
      remark("it is an object of \(object.className), which is not known, and is left out")
    }
  }

  /// The renaming identifier, if it is another than the name, which it is by default.
  mutating func renamingIdentifier(
    of object: ArchivedObject, name: String
  ) throws(PropertyListError) -> String? {
    let identifier = try nonEmpty("NSRenamingIdentifier", of: object)
    return identifier == name ? nil : identifier
  }

  /// The texts of a `userInfo`; numbers are made texts.
  mutating func userInfo(of object: ArchivedObject) throws(PropertyListError) -> [String: String] {
    var result: [String: String] = [:]
    for (key, value) in try members(object.value("NSUserInfo")) {
      if let text = try text(value) {
        result[key] = text
      } else if let text = ArchivedNumber(value)?.text {
        result[key] = text
      } else {
        remark("“\(ModelError.shortened(key))” in its userInfo is \(value.kindName), and is left out")
      }
    }
    return result
  }

  /// Lists of properties, each as its name or its description.
  private mutating func nameLists(
    _ key: String, of object: ArchivedObject
  ) throws(PropertyListError) -> [[String]] {
    var lists: [[String]] = []
    for list in try elements(object.value(key)) {
      var names: [String] = []
      for element in try elements(list) {
        if let name = try nameOrText("NSPropertyName", of: element) {
          names.append(name)
        } else {
          remark("a part of “\(key)” has no name, and is left out")
        }
      }
      if !names.isEmpty { lists.append(names) }
    }
    return lists
  }

  /// Indexes of before 2017. Others say nothing to Broker and are left out.
  private mutating func compoundIndexes(of object: ArchivedObject) throws(PropertyListError) -> [Index] {
    try nameLists("NSCompoundIndexes", of: object).map { names in
      Index(compound: names.map { Index.Element(property: $0) })
    }
  }
}

extension ArchivedModelReader {
  /// The members of a dictionary whose keys are texts, sorted by these; empty if a value is none.
  mutating func members(
    _ value: ArchivedValue
  ) throws(PropertyListError) -> [(key: String, value: ArchivedValue)] {
    let keys: PropertyListArray
    let values: PropertyListArray
    switch value {
    case .value(.dictionary(let members)): (keys, values) = (members.keys, members.values)
    case .object(let object):
      guard let archivedKeys = object.fields["NS.keys"]?.array,
        let archived = object.fields["NS.objects"]?.array
      else {
        return try namedObjects(in: object)
      }
      (keys, values) = (archivedKeys, archived)
    default: return []
    }
    guard keys.count == values.count else {
      throw .expected("a dictionary with as many values as keys", found: "\(values.count) and \(keys.count)")
    }
    var result: [(key: String, value: ArchivedValue)] = []
    for index in 0..<keys.count {
      guard let key = try text(archive.resolved(keys[index])) else { continue }
      result.append((key, try archive.resolved(values[index])))
    }
    result.sort { $0.key < $1.key }
    return result
  }

  /// Entities and properties by their names, in the lists that an object has: Core Data has dictionaries of its own, which
  /// keep their keys elsewhere.
  private mutating func namedObjects(
    in object: ArchivedObject
  ) throws(PropertyListError) -> [(key: String, value: ArchivedValue)] {
    var result: [String: ArchivedValue] = [:]
    let fields = object.fields.values
    for index in 0..<min(fields.count, 256) {
      for element in try elements(archive.resolved(fields[index])) {
        for key in ["NSPropertyName", "NSEntityName"] {
          if let name = try name(key, of: element) { result[name] = element }
        }
      }
    }
    return result.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
