/// Turns the objects of an archive into a model.
///
/// Whatever it does not know is left out with a remark. All texts are counted, so that parts which many objects share
/// cannot make a model that is much larger than its archive.
struct ArchivedModelReader {
  let archive: KeyedArchive
  private(set) var remarks: [ModelProblem] = []
  /// What is being read, for messages.
  private var entity: String?
  private var property: String?
  /// What may still be read, in bytes of text.
  private var budget: Int
  /// The composites found so far, by their names.
  var composites: [String: Composite] = [:]

  private static let mostRemarks = 200
  /// What is always allowed.
  private static let leastBudget = 8 << 20
  /// What an object costs beside its texts.
  private static let objectCost = 64

  init(_ archive: KeyedArchive) {
    self.archive = archive
    budget = max(Self.leastBudget, archive.count * 4 * Self.objectCost)
  }

  /// Where the reading is, for a message.
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

  mutating func leaveProperty() { property = nil }

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
  mutating func nameOrText(_ key: String, of value: ArchivedValue) throws(PropertyListError) -> String? {
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
