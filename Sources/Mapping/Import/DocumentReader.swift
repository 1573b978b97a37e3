import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// Finds the records in a source, whatever the form of its JSON, and has them read one by one.
///
/// The JSON may be a list, one object, a dictionary keyed by identity, or a document whose keys name entities. Each
/// of these may be wrapped in further objects, and any number of them may follow one another, one on each line.
struct DocumentReader: ~Copyable {
  var records: RecordReader
  let source: ImportSource
  private(set) var entity: Int?
  /// Whether only the name of the file, or of its folder, names the entity.
  private var isHinted: Bool
  private(set) var rootPath: RootPath
  /// The discriminator of a list of objects of several entities.
  let documentKind: DocumentKind?
  /// The place of the names of columns, for objects that are given as lists.
  let columnsPlace: ColumnsPlace?
  var frames: [Frame] = [.root]
  /// The entity that the keys of a lone object tell.
  var loneEntity: Int?
  /// How many values there have been at the root.
  private var roots = 0
  /// The line of the first value at the root.
  private var firstLine = 1
  /// The keys of a document that named no entity, for the error where none of them does.
  private var unknownKeys: [String] = []
  var unmatched: [String: Int] = [:]
  private let target: ResolvedTarget
  /// The entities that the JSON has lists of at its top.
  var listed: Set<Int> = []
  /// For each entity, how many objects have been at the root by themselves.
  private var loneObjects: [Int: Int] = [:]
  let hasLines: Bool
  /// Whether there are other sources, which are imported though this one has nothing of use.
  let isOneOfMany: Bool
  /// Whether the model was taken from data, so that a key may be called like an entity and hold something else.
  private let isGuessed: Bool
  /// The notes of the table that the JSON was made of; nil if it was none.
  private let table: TableNotes?

  /// The containers that the reader is inside of.
  enum Frame {
    case root
    case list(entity: Int, step: String, position: Int)
    /// A list of objects of several entities.
    case mixedList(step: String, position: Int)
    case keyed(entity: Int, step: String, property: KeyMatch.Target?)
    case document(step: String)
    /// A list of documents whose keys name entities: `[{"zone": {…}}, {"zone": {…}}]`.
    case documents(step: String, position: Int)
    /// A list inside an object.
    case connection(Connection)
    /// An object or a list on the way to what is imported.
    case level(Level)
  }

  init(
    _ source: ImportSource, _ input: SourceInput, plan: Plan, options: ImportOptions, entity: Int?,
    rootPath: RootPath, documentKind: DocumentKind?, additions: Additions, columns: ColumnsPlace?,
    target: ResolvedTarget, isOneOfMany: Bool
  ) {
    // Where objects tell their entities themselves, the name of a file does not.
    // Everything is known before a field is set: where an autoclosure (`&&`, `??`) reads one field of a type that cannot be
    // copied, Swift 6.3 destroys those that are not set yet.
    let hints = documentKind == nil && entity == nil ? source.entityHints : []
    let hinted = plan.entity(ofFile: hints)
    var records = RecordReader(
      input.source, plan: plan, options: JSONReader.Options(maximumDepth: options.maximumDepth),
      sourceName: SourceName(
        amongSeveral: isOneOfMany ? source.name : nil,
        ofLines: source.name == ImportSource.unnamed ? nil : source.name))
    records.isTable = input.table != nil
    records.additions = additions
    self.records = records
    self.source = source
    self.entity = entity ?? hinted
    isHinted = hinted != nil
    // A table has no places but its rows.
    self.rootPath = input.table == nil ? rootPath : .root
    self.documentKind = documentKind
    columnsPlace = columns
    self.target = target
    hasLines = source.hasLines
    self.isOneOfMany = isOneOfMany
    isGuessed = options.doubtsOwnership
    table = input.table
  }

  var plan: Plan { records.plan }

  /// Whether no form fits the source, so that nothing of it is imported.
  var isPassedOver = false
  /// Whether the form of the source knows the keys of its objects, so that an object at its root is one of the entity.
  var isOfKnownKeys = false
  /// Whether the object at the root is a dictionary, whose keys name no entities.
  var isDictionary = false
  /// The keys that documents of the form have, also those that hold no objects.
  var knownKeys: Set<String> = []

  /// Reads the source to its end, and counts the keys at its top as those that match nothing.
  private mutating func passOver() throws {
    while case let token = try records.json.next(), token != .end {
      guard token == .key, records.json.depth == 1 else { continue }
      unmatched[String(decoding: records.json.text, as: UTF8.self), default: 0] += 1
    }
  }

  /// Reads the source by a form that fits it.
  mutating func use(_ form: FormCandidate, entity: Int?, _ additions: Additions) {
    rootPath = form.root
    self.entity = entity
    isHinted = false
    records.additions = additions
  }

  // MARK: - Going on

  /// Reads on, at most to the end of one record. False at the end of the source.
  mutating func advance() throws -> Bool {
    guard !isPassedOver else {
      try passOver()
      return false
    }
    guard let frame = frames.last else { return false }
    switch frame {
    case .root, .level: return try advanceRoot()
    case .list(let entity, let step, let position): try advanceList(entity, step, position)
    case .mixedList(let step, let position): try advanceMixedList(step, position)
    case .keyed(let entity, let step, let property): try advanceKeyed(entity, step, property)
    case .document(let step): try advanceDocument(step)
    case .documents(let step, let position): try advanceDocuments(step, position)
    case .connection(let connection): try advanceConnection(connection)
    }
    return true
  }

  private mutating func advanceRoot() throws -> Bool {
    guard let (token, step) = try nextRoot() else { return false }
    switch target {
    case .store: try begin(token, entity ?? loneEntity, step, isRoot: true)
    case .object(let object): try readOnto(object, token, step)
    case .relationship(let object, let place): try readInto(object, place, token, step)
    }
    return true
  }

  /// Counts a value at the root of the JSON, whose first token was just read.
  mutating func countRoot() {
    roots += 1
    if roots == 1 { firstLine = records.json.line }
    if roots == 2 { placeFirst() }
  }

  /// Whether paths begin with the line of their value at the root.
  var isNumbered: Bool { roots > 1 || hasLines }

  /// Adds the line to the paths of what the first value holds, as a second value has come.
  private mutating func placeFirst() {
    guard !hasLines else { return }
    let line = JSONPath.root(atLine: firstLine)
    for row in 0..<records.batch.rows.rows.count {
      let parent = records.batch.rows.rows[row].parent
      // Objects that are read into one of the store have no place of their own in the JSON.
      guard parent < 0 || parent == records.bareRow else { continue }
      let text = records.batch.text(of: records.batch.places[row].step)
      let step = records.step(line + text.dropFirst(parent < 0 ? 1 : 0))
      records.batch.places[row].step = step
    }
    let name = records.sourceName
    for index in records.batch.issues.indices {
      var path = records.batch.issues[index].issue.path[...]
      if let named = name.amongSeveral { path = path.dropFirst(named.count + 2) }
      records.batch.issues[index].issue.path =
        (name.ofLines.map { "\($0):" } ?? "line ") + line + path.dropFirst()
    }
  }

  /// An error about the content of the JSON. The rest is read first: if the JSON is broken, that is the error to
  /// throw.
  mutating func failure(_ kind: ImportError.Kind) throws -> ImportError {
    while try records.json.next() != .end {}
    return ImportError(kind)
  }

  private mutating func advanceList(_ entity: Int, _ step: String, _ position: Int) throws {
    let token = try records.json.next()
    guard token != .endArray else {
      frames.removeLast()
      return
    }
    frames[frames.count - 1] = .list(entity: entity, step: step, position: position + 1)
    let plan = plan.entities[entity]
    if let table { return try readRow(plan, table) }
    if token == .null, plan.omitsNulls { return }
    let place = records.step(step)
    let isList = token == .beginArray && (records.columns != nil || plan.isReadFromLists)
    if token == .beginArray, columnsPlace != nil, records.columns == nil, !plan.isReadFromLists {
      throw try failure(.noColumns(source: source.name))
    }
    guard token == .beginObject || isList else {
      return try readValue(token, of: plan, step: place, position: position)
    }
    _ = try records.readNewObject(
      plan, parent: -1, step: place, position: position, isRoot: true, isList: token == .beginArray)
  }

  /// Reads a value where objects of an entity stand: it stands for one, or is left out.
  private mutating func readValue(
    _ token: JSONToken, of plan: EntityPlan, step: PathStep, position: Int = -1
  ) throws {
    let row = records.addRow(plan, parent: -1, step: step, position: position)
    records.batch.rows.roots.append(row)
    if takesValues(plan), token != .null || plan.entity.hasIdentity,
      let property = plan.defaultValueProperty
    {
      try records.readValue(token, of: property, plan, row)
      return try records.finishValue(plan, row)
    }
    let found = records.found(token)
    try records.json.skip(from: token)
    records.batch.rows.rows[row].state = .skipped
    records.report(row, key: nil, expected: "an object", found: found, action: "element left out")
  }

  /// Whether values in a list stand for objects of an entity: these have no identity, or are identified by their source.
  func takesValues(_ plan: EntityPlan) -> Bool {
    plan.defaultValueProperty != nil
      && (!plan.entity.hasIdentity || plan.isIdentifiedBySource(records.additions.source?.key))
  }

  /// Reads the object of a row of a table, whose opening brace was just read.
  private mutating func readRow(_ plan: EntityPlan, _ table: TableNotes) throws {
    let line = records.json.line
    let place = records.step(JSONPath.rowOfTable)
    let row = try records.readNewObject(plan, parent: -1, step: place, position: line, isRoot: true)
    while let note = table.take(upTo: line) {
      records.report(row, note)
    }
  }

  private mutating func advanceKeyed(_ entity: Int, _ step: String, _ property: KeyMatch.Target?) throws {
    guard try records.json.next() == .key else {
      frames.removeLast()
      return
    }
    let plan = plan.entities[entity]
    let key = records.batch.rows.text(records.json.text)
    if plan.omitsNulls, property == nil, plan.defaultValueProperty == nil, try records.skipNull() { return }
    let outer = records.step(step)
    _ = try records.readKeyedValue(
      plan, parent: -1, step: records.keyedStep(outer, key), key, property: property, isRoot: true)
  }

  private mutating func advanceDocument(_ step: String) throws {
    guard try records.json.next() == .key else {
      frames.removeLast()
      return
    }
    let key = String(decoding: records.json.text, as: UTF8.self)
    let token = try records.json.next()
    guard let entity = plan.entity(namedBy: key), token == .beginArray || token == .beginObject else {
      let isKnown = token == .null && plan.entity(namedBy: key) != nil || knownKeys.contains(key)
      if !isKnown { unmatched[key, default: 0] += 1 }
      return try records.json.skip(from: token)
    }
    let property = plan.entities[entity].valueProperty[key]
    if token == .beginObject, property == nil {
      if try passEmptyObject() { return }
      // A model that somebody gave may have other keys than the object, which is told.
      let mayBeOther = isGuessed || !plan.entities[entity].entity.hasIdentity
      if mayBeOther, try isOfNoKeys(of: entity) {
        unmatched[key, default: 0] += 1
        return try records.json.skip(from: token)
      }
    }
    try begin(token, entity, step + JSONPath.step(key), property: property)
  }

  private mutating func advanceDocuments(_ step: String, _ position: Int) throws {
    let token = try records.json.next()
    guard token != .endArray else {
      frames.removeLast()
      return
    }
    frames[frames.count - 1] = .documents(step: step, position: position + 1)
    if token == .null { return }
    let step = "\(step)[\(position)]"
    if token == .beginObject, try namesEntities(nil) { return frames.append(.document(step: step)) }
    leaveOut(
      step, expected: "an object under the name of its entity", found: records.found(token),
      action: "element left out")
    try records.json.skip(from: token)
  }

  /// Whether the first element of the list whose opening bracket was just read is a document whose keys name entities.
  private mutating func holdsDocuments() throws -> Bool {
    let start = records.json.checkpoint()
    defer {
      records.json.rewind(to: start)
      records.json.release(start)
    }
    return try records.json.next() == .beginObject && namesEntities(nil)
  }

  /// Passes an object, whose opening brace was just read, if it is empty.
  private mutating func passEmptyObject() throws -> Bool {
    let start = records.json.checkpoint()
    defer { records.json.release(start) }
    if try records.json.next() == .endObject { return true }
    records.json.rewind(to: start)
    return false
  }

  // MARK: - Beginning

  /// Begins with a value that holds records.
  private mutating func begin(
    _ token: JSONToken, _ entity: Int?, _ step: String, isRoot: Bool = false,
    property: KeyMatch.Target? = nil
  ) throws {
    if documentKind != nil, entity == nil, isRoot { return try beginMixed(token, step) }
    switch token {
    case .beginArray:
      if isRoot, entity == nil {
        if try leaveOutValues(step) { return }
        if onlyEntity == nil, try holdsDocuments() {
          return frames.append(.documents(step: step, position: 0))
        }
      }
      guard let entity = try isRoot ? known(entity, ofRoot: token, step) : known(entity) else { return }
      listed.insert(entity)
      frames.append(.list(entity: entity, step: step, position: 0))
      try readFirstColumns()
    case .beginObject:
      let isObject = isRoot && isOfKnownKeys
      if isRoot, !isObject, !isDictionary, try namesEntities(entity) {
        frames.append(.document(step: step))
        return
      }
      guard let entity = try isRoot ? known(entity, ofRoot: token, step) : known(entity) else { return }
      if try beginConnection(entity, step) { return }
      let plan = plan.entities[entity]
      let form = isObject ? .object : property == nil ? try records.objectForm(plan) : .keyed
      if form == .keyed {
        listed.insert(entity)
        frames.append(.keyed(entity: entity, step: step, property: property))
      } else {
        if isRoot, roots == 1, !hasLines, try skipStranger(plan, step) { return }
        countLone(entity)
        _ = try records.readNewObject(plan, parent: -1, step: records.step(step), isRoot: true)
      }
    // Rows of which there are none may be a null.
    case .null where isRoot && (rootPath.endsAtPosition || rootPath.mayLeadNowhere): break
    default:
      // The values of a dictionary, of which the path leads through all keys.
      if isRoot, rootPath.endsAtAnyKey, let entity = entity ?? onlyEntity, takesValues(plan.entities[entity])
      {
        listed.insert(entity)
        return try readValue(token, of: plan.entities[entity], step: records.step(step))
      }
      let found = records.found(token)
      guard isRoot, isOneOfMany else { throw try failure(.notObjects(source: source.name, found: found)) }
      leaveOut(step, expected: "an object or a list of objects", found: found, action: "file left out")
    }
  }

  /// The entity of records at the root. Records of which nothing says it are left out, unless the import fails where that is so; then
  /// it is nil.
  private mutating func known(_ entity: Int?, ofRoot token: JSONToken, _ step: String) throws -> Int? {
    guard !rootPath.isOfAllDocuments, entity == nil, onlyEntity == nil else { return try known(entity) }
    isPassedOver = true
    leaveOut(
      step, expected: "objects of \(ImportError.list(plan.entities.map(\.entity.name).sorted()))",
      found: unknownKeys.isEmpty ? "nothing that says of which" : "only \(ImportError.list(unknownKeys))",
      action: "file left out")
    try records.json.skip(from: token)
    return nil
  }

  /// Notes an object at the root. Several of them are a list, and one in a file of lines is a list too.
  mutating func countLone(_ entity: Int) {
    loneObjects[entity, default: 0] += 1
    if hasLines || loneObjects[entity, default: 0] > 1 { listed.insert(entity) }
  }

  /// The entity of the records: the one that the caller named, or the only one that there is.
  func known(_ entity: Int?) throws -> Int {
    if let entity = entity ?? onlyEntity { return entity }
    throw ImportError(
      .noEntity(
        source: source.name, keys: unknownKeys, known: plan.entities.map(\.entity.name).sorted()))
  }

  private var onlyEntity: Int? {
    let concrete = plan.entities.filter { !$0.entity.isAbstract }
    return concrete.count == 1 ? concrete[0].entity.index : nil
  }

  /// The reader looks ahead to find out what an object is. After so many bytes, it no longer keeps what it has
  /// passed.
  private static let farthestLook = 1 << 20
  /// The largest number of passed keys that are counted.
  private static let mostPassed = 4_096

  /// Looks ahead whether the object, whose opening brace was just read, is a document whose keys name entities.
  /// Otherwise it is an object of the entity.
  ///
  /// Keys that do not tell are kept, so that the reader can go back to them. If they take too much room, the reader
  /// does not go back: read again, they would not tell either.
  mutating func namesEntities(_ entity: Int?) throws -> Bool {
    unknownKeys = []
    var place = records.json.checkpoint()
    let limit = records.json.offset + Self.farthestLook
    var holdsAll = true
    var passed: [String] = []
    // The keys of an entity whose values stand alone are identities, of which each is an object.
    let mayBeKeyed = entity.map { plan.entities[$0].defaultValueProperty != nil } ?? false
    while true {
      let (isDocument, token) = try isDocumentByNextKey(entity)
      if let isDocument {
        records.json.rewind(to: place)
        records.json.release(place)
        countPassed(passed, isDocument ? nil : entity)
        return isDocument
      }
      if !holdsAll {
        records.json.release(place)
        if let last = unknownKeys.last, passed.count < Self.mostPassed { passed.append(last) }
      }
      let outside = records.json.depth - (token == .beginObject || token == .beginArray ? 1 : 0)
      while records.json.depth > outside || (holdsAll && records.json.offset > limit) {
        if holdsAll, records.json.offset > limit {
          if mayBeKeyed {
            records.json.rewind(to: place)
            records.json.release(place)
            return false
          }
          records.json.release(place)
          holdsAll = false
          passed = unknownKeys
          continue
        }
        _ = try records.json.next()
      }
      if unknownKeys.count > 20 { unknownKeys.remove(at: 19) }
      if !holdsAll { place = records.json.checkpoint() }
    }
  }

  /// Whether a relationship leads from objects without identity to the object that they belong to.
  private func leadsToOwner(_ relationship: Int, of entity: Int) -> Bool {
    let relationship = plan.entities[entity].relationships[relationship].relationship
    guard !plan.entities[entity].hasIdentity, let inverse = relationship.inverse else { return false }
    return plan.layout.schema.relationships[inverse].relationship.deleteRule == .cascade
  }

  /// Whether the object whose opening brace was just read stands under the only key of the object around it. Of one that is longer
  /// than the reader looks ahead it is taken for granted.
  private mutating func isAlone() throws -> Bool {
    let start = records.json.checkpoint()
    defer {
      records.json.rewind(to: start)
      records.json.release(start)
    }
    let outside = records.json.depth - 1
    let limit = records.json.offset + Self.farthestLook
    while records.json.depth > outside {
      guard records.json.offset < limit else { return true }
      _ = try records.json.next()
    }
    return try records.json.next() == .endObject
  }

  /// Whether the next key shows that the object is a document or that it is none; nil if the key does not show it.
  /// The token is the first one of the key's value.
  private mutating func isDocumentByNextKey(
    _ entity: Int?
  ) throws -> (isDocument: Bool?, token: JSONToken) {
    guard try records.json.next() == .key else { return (false, .end) }
    // A key that wraps one object in its entity's name is handled where objects are read.
    var isProperty = false
    var (isUntold, isOwner) = (false, false)
    let key = String(decoding: records.json.text, as: UTF8.self)
    if let entity, let property = property(of: plan.entities[entity]) {
      // A list called as the file and the entity are, at the beginning, is one of its objects, not one in an object.
      let isNamesake = isHinted && unknownKeys.isEmpty && plan.entity(namedBy: key) == entity
      guard isHinted, isNamesake || !plan.entities[entity].isList(property) else { return (false, .key) }
      isProperty = true
      if property.action == .relationship {
        isUntold = !plan.entities[entity].relationships[Int(property.index)].isInJSON
        isOwner = unknownKeys.isEmpty && leadsToOwner(Int(property.index), of: entity)
      }
    }
    let token = try records.json.next()
    // JSON tells of the owner around its parts, and hardly in a part that says nothing else.
    if isOwner, token == .beginObject, try isAlone() { isUntold = true }
    if isProperty {
      // A list is one of another entity, if that which the name of a file or a folder names has no list under the key; so is an
      // object, if JSON tells nothing of the relationship that is called so.
      let isOther = token == .beginArray || token == .beginObject && isUntold
      return (isOther && plan.entity(namedBy: key) != nil, token)
    }
    let holdsRecords = token == .beginArray || token == .beginObject
    if holdsRecords, plan.entity(namedBy: key) != nil { return (true, token) }
    if token == .beginObject, let entity, try isElement(of: plan.entities[entity]) { return (false, token) }
    unknownKeys.append(key)
    return (nil, token)
  }

  /// Counts keys that the reader did not go back to as keys that match nothing, in an entity or in a document.
  private mutating func countPassed(_ keys: [String], _ entity: Int?) {
    for key in keys {
      if let entity {
        _ = Array(key.utf8).withUnsafeBufferPointer { plan.entities[entity].keys.find($0, after: -1) }
      } else {
        unmatched[key, default: 0] += 1
      }
    }
  }

  /// The use of the key just read as one of the entity's properties; nil if it is none.
  private func property(of entity: EntityPlan) -> KeyNode.Entry? {
    let index = entity.keys.find(records.json.text, after: -1)
    defer { entity.keys.unuse(index) }
    let entry = entity.keys.entry(index)
    switch entry.action {
    case .attribute, .relationship, .descend, .polymorphic, .linkKind: return entry
    case .ignore, .wrapper: return nil
    }
  }

  /// Whether the object, whose opening brace was just read, looks like an object of the entity. Then the object
  /// around it is a dictionary keyed by identity. The reader goes no further than to the object's first key.
  private mutating func isElement(of entity: EntityPlan) throws -> Bool {
    let start = records.json.checkpoint()
    defer {
      records.json.rewind(to: start)
      records.json.release(start)
    }
    return try records.json.next() == .key && property(of: entity) != nil
  }
}
