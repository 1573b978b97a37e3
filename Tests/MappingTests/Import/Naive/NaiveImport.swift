import Mapping
import ObjectModel
import ObjectStore

/// The report of a naive import, to compare with Broker's.
struct NaiveReport: Hashable {
  var inserted: [String: Int] = [:]
  var updated: [String: Int] = [:]
  var unchanged: [String: Int] = [:]
  var deleted: [String: Int] = [:]
  var skipped: [String: Int] = [:]
  var outdated: [String: Int] = [:]
  var excluded: [String: Int] = [:]
  var duplicates = 0
  var issueCount = 0
  var unmatched: [String: [String: Int]] = [:]
  var pending: Set<String> = []
}

/// An import as the contract describes it, written for clearness instead of speed. It imports objects in the order
/// of the JSON, and nested objects before the links to them.
struct NaiveImport {
  enum Mark { case inserted, updated, unchanged }

  var state: NaiveState
  var report = NaiveReport()
  let options: ImportOptions
  /// What the import did with each object, which is counted once.
  var marks: [NaiveKey: Mark] = [:]
  /// The objects that the import has come across.
  var seen: Set<NaiveKey> = []
  /// The objects that count as outdated, and as nothing else.
  var outdated: Set<NaiveKey> = []
  /// The references in the JSON.
  var references: [Reference] = []
  /// The last targets that the JSON gives to each relationship of each object.
  var lastTargets: [ListID: Set<NaiveKey>] = [:]
  /// The same targets in the order of the JSON.
  var lastLists: [ListID: [NaiveKey]] = [:]
  /// Why the result of this import is not compared: the JSON contradicts itself, so that the contract leaves the
  /// result open, or another test covers the case.
  var reasonNotToCompare: String?
  /// Whether the pending references are not compared, since other tests cover them.
  var pendingIsUnsure = false
  /// Links that a list no longer has, to objects that cannot be without one.
  var released: [Reference] = []

  struct Reference: Hashable {
    var end: Int
    var owner: NaiveKey
    var target: NaiveKey
  }

  /// In the top-level object that is being imported: its objects, those with parts, and those that lack a value.
  var objectsInRecord: Set<NaiveKey> = []
  var withPartsInRecord: Set<NaiveKey> = []
  var lackingInRecord: Set<NaiveKey> = []
  /// For each end, the owner whose list had an object last.
  var claims: [Int: [NaiveKey: NaiveKey]] = [:]
  /// For each end, the objects in the lists of the top-level object.
  var claimedInRecord: [Int: Set<NaiveKey>] = [:]
  /// For each end, the owners that objects get at the end of the import instead of those in the store.
  var takeovers: [Int: [NaiveKey: NaiveKey]] = [:]
  /// The ends where lists of several owners had the same object.
  var disputes: Set<Int> = []

  /// The entities of which the JSON has lists at its top.
  var scopes: Set<Int> = []
  /// Whether anything in a list could not be used.
  var leftOut = false

  struct ListID: Hashable {
    var end: Int
    var owner: NaiveKey
  }

  var model: NaiveModel { state.model }

  init(_ state: NaiveState, _ options: ImportOptions) {
    self.state = state
    self.options = options
  }

  // MARK: - Objects

  /// The result of importing one element of a list.
  enum ImportedElement: Hashable {
    case object(NaiveKey)
    /// It cannot be used because of one of its values.
    case skipped(NaiveKey, lacksValue: Bool)
    /// It cannot be used at all.
    case nothing
  }

  /// Imports an object with an identity, and returns its key if it has one. An object that is skipped has a key
  /// too, since it stays in the list that names it.
  mutating func importObject(
    _ members: [TestJSON.Member], _ kind: Int, isNested: Bool, filling key: String? = nil
  )
    -> ImportedElement
  {
    let kind = self.kind(members, kind)
    var members = members
    if let key, let first = model.identity(kind).first,
      !members.contains(where: { property($0.key, kind) == .attribute(first.name) })
    {
      members.append(.init(first.name, .string(key)))
    }
    let found = self.key(members, kind)
    countUnmatched(members, kind)
    if let found, isNested, isReference(members, kind) { return .object(found) }
    let given = values(members, kind)
    guard let named = found else {
      // "JSON for an entity with an identity, but without its value: an issue, and the object is skipped."
      if given.isUsable { report.issueCount += 1 }
      skip(kind, members)
      return .nothing
    }
    let existing = state.objects[named]
    if model.kinds[kind].isAbstract && existing == nil {
      // "An object that does not tell is of the entity itself; if that is abstract, it is an issue."
      if given.isUsable { report.issueCount += 1 }
      skip(kind, members)
      return .skipped(named, lacksValue: false)
    }
    let actual = self.kind(of: named, importedAs: kind)
    let isOfKind = existing?.kind == actual
    noteRepetition(named, members, kind)
    guard given.isUsable, isOfKind || isComplete(values(of: named, actual, with: given.values), actual) else {
      skip(kind, members)
      if given.isUsable { skipComparisonForParts(members, kind) }
      lackingInRecord.insert(named)
      // A stub may lack required values, and so may the object that the JSON has for it afterwards.
      if given.isUsable, references.contains(where: { $0.target == named && isStub($0.end) }) {
        reasonNotToCompare = "a stub that lacks required values"
      }
      return .skipped(named, lacksValue: given.isUsable)
    }
    let isFirst = seen.insert(named).inserted
    if !isFirst { report.duplicates += 1 }
    if isOutdated(named, kind, given.values) {
      // "Each object is counted once."
      if isFirst, marks[named] == nil {
        report.outdated[model.kinds[kind].name, default: 0] += 1
        outdated.insert(named)
      }
      for link in importNested(members, kind) { forget(link) }
      return .object(named)
    }
    write(named, kind, given.values)
    for link in importNested(members, kind) { apply(link, named) }
    return .object(named)
  }

  /// "The same identity twice: one object, later values win key by key". So one occurrence may have what another
  /// lacks, and the parts of an earlier one are never inserted.
  private mutating func noteRepetition(_ key: NaiveKey, _ members: [TestJSON.Member], _ kind: Int) {
    let hasParts = members.contains { member in
      guard case .end(let end) = property(member.key, kind) else { return false }
      return model.isPart(model.ends[end].target)
    }
    if hasParts { withPartsInRecord.insert(key) }
    guard !objectsInRecord.insert(key).inserted else { return }
    if withPartsInRecord.contains(key) { reasonNotToCompare = "parts of an object that comes twice" }
    if lackingInRecord.contains(key) || model.kinds[kind].version != nil {
      reasonNotToCompare = "an object that comes twice and lacks a value once"
    }
  }

  /// Parts are read before it is known that their owner lacks a value.
  mutating func skipComparisonForParts(_ members: [TestJSON.Member], _ kind: Int) {
    for member in members {
      if case .end(let end) = property(member.key, kind), model.isPart(model.ends[end].target) {
        reasonNotToCompare = "whether parts of an object that lacks a value are reported"
      }
    }
  }

  /// "An object whose version is older than the store's is not written."
  func isOutdated(_ key: NaiveKey, _ kind: Int, _ values: [String: String?]) -> Bool {
    guard let version = model.kinds[model.root(kind)].version, let imported = values[version] ?? nil,
      let stored = state.objects[key]?.values[version], let new = Double(imported), let old = Double(stored)
    else { return false }
    return new < old
  }

  /// Parts of an outdated object are neither written nor counted.
  private mutating func forget(_ link: Link) {
    if case .parts = link.value { reasonNotToCompare = "how parts of outdated objects count" }
  }

  /// Whether the JSON of an object has nothing but its identity. Where the entity has nothing else, it is the object.
  func isReference(_ members: [TestJSON.Member], _ kind: Int) -> Bool {
    let identity = model.identity(kind).map(\.name)
    if model.attributes(kind).count == identity.count && !model.kinds[kind].isAbstract { return false }
    return members.allSatisfy { member in
      switch property(member.key, kind) {
      case .attribute(let name): identity.contains(name)
      // "With any other key, known or not, it is the object itself."
      case .end, nil: false
      }
    }
  }

  mutating func key(_ members: [TestJSON.Member], _ kind: Int) -> NaiveKey? {
    var parts: [String] = []
    for attribute in model.identity(kind) {
      guard let member = members.last(where: { property($0.key, kind) == .attribute(attribute.name) }),
        let value = NaiveValues.convert(member.value, attribute)
      else { return nil }
      parts.append(value)
    }
    return NaiveKey(root: model.root(kind), parts: parts)
  }

  /// "Objects nested in a skipped one that have an identity of their own are imported all the same"; its
  /// parts are skipped with it.
  mutating func skip(_ kind: Int, _ members: [TestJSON.Member]) {
    report.skipped[model.kinds[kind].name, default: 0] += 1
    // The objects in its links are imported, and the links themselves are not.
    for link in importNested(members, kind) { skip(link) }
  }

  func elements(_ value: TestJSON) -> [TestJSON] {
    if case .list(let elements) = value { elements } else { [value] }
  }

  // MARK: - Values

  struct ImportedValues {
    var values: [String: String?] = [:]
    /// Whether all required values can be used.
    var isUsable = true
  }

  /// "Absent keeps, null clears." An optional value that cannot be used is left out.
  mutating func values(_ members: [TestJSON.Member], _ kind: Int) -> ImportedValues {
    var result = ImportedValues()
    let identity = model.identity(kind).map(\.name)
    for member in members {
      guard case .attribute(let name) = property(member.key, kind), !identity.contains(name),
        let attribute = model.attributes(kind).first(where: { $0.name == name })
      else { continue }
      if let value = NaiveValues.convert(member.value, attribute) {
        result.values[name] = .some(value)
      } else if member.value == .null && attribute.isOptional {
        result.values[name] = .some(nil)
      } else {
        report.issueCount += 1
        if !attribute.isOptional { result.isUsable = false }
      }
    }
    return result
  }

  /// Whether a new object has all the attributes that it needs.
  mutating func isComplete(_ values: [String: String], _ kind: Int) -> Bool {
    if lacks(values, kind).isEmpty { return true }
    report.issueCount += 1
    return false
  }

  func lacks(_ values: [String: String?], _ kind: Int) -> [Attribute] {
    let identity = model.identity(kind).map(\.name)
    return model.attributes(kind).filter { attribute in
      !attribute.isOptional && !identity.contains(attribute.name)
        && (values[attribute.name] ?? NaiveValues.defaultValue(attribute)) == nil
    }
  }

  mutating func write(_ key: NaiveKey, _ kind: Int, _ values: [String: String?]) {
    guard var object = state.objects[key] else {
      insert(key, kind, values)
      return
    }
    let before = object
    object.kind = self.kind(of: key, importedAs: kind)
    object.values = self.values(of: key, object.kind, with: values)
    state.objects[key] = object
    if object.kind != before.kind { changeKind(key, from: before.kind, into: object.kind) }
    mark(key, object == before ? .unchanged : .updated)
  }

  /// "A default applies when an object is inserted."
  mutating func insert(_ key: NaiveKey, _ kind: Int, _ values: [String: String?]) {
    var object = NaiveObject(kind: kind)
    for attribute in model.attributes(kind) {
      object.values[attribute.name] = values[attribute.name] ?? NaiveValues.defaultValue(attribute)
    }
    for name in model.kinds[model.root(kind)].identity { object.values[name] = nil }
    state.objects[key] = object
    marks[key] = .inserted
  }

  /// An object that was inserted or updated stays so.
  mutating func mark(_ key: NaiveKey, _ mark: Mark) {
    if outdated.contains(key) { return }
    switch marks[key] {
    case nil: marks[key] = mark
    case .unchanged: marks[key] = mark
    case .inserted, .updated: break
    }
  }

  mutating func countUnmatched(_ members: [TestJSON.Member], _ kind: Int) {
    // "A key that tells the kind of objects is not unmatched."
    let hasRelatives = model.kinds.indices.contains { $0 != kind && model.root($0) == model.root(kind) }
    for member in members where property(member.key, kind) == nil && !(hasRelatives && member.key == "type") {
      report.unmatched[model.kinds[kind].name, default: [:]][member.key, default: 0] += 1
    }
  }

  // MARK: - Ends

  /// Whether a reference to a new object is kept in its target's row, so that the reports may name it differently;
  /// see FoundTests.aReferenceIsReportedUnderItsOwnName.
  var namesOthers: Bool {
    references.contains { reference in
      model.holds(model.ends[reference.end].inverse) && !model.holds(reference.end)
        && marks[reference.target] == .inserted
    }
  }

  func isStub(_ end: Int) -> Bool { (model.ends[end].references ?? options.references) == .stub }

  /// Does what waits for the end of the import, and counts the objects.
  mutating func finish() {
    settleTakeovers()
    settleReleased()
    findContradictions()
    makeStubs()
    dropIncomplete()
    prune()
    for key in marks.keys { count(key) }
    // See FoundTests.aListThatNamesAnObjectOfASiblingWaits.
    let isOfSibling = references.contains {
      state.objects[$0.target] != nil && !state.isThere($0.end, $0.target)
    }
    if namesOthers || isOfSibling { pendingIsUnsure = true }
    for reference in references where isPending(reference) && !pendingIsUnsure {
      let name = state.isPart(reference.owner) ? "#" : reference.owner.text
      let target = model.kinds[model.ends[reference.end].target].name
      report.pending.insert(
        "\(kindName(reference.owner)) \(name) \(model.name(reference.end)) -> \(target) \(reference.target.text)"
      )
    }
  }

  /// Whether the import has nothing to write: no object changes or comes twice, and no reference is pending.
  var writesNothing: Bool {
    report.inserted.isEmpty && report.updated.isEmpty && report.deleted.isEmpty && report.duplicates == 0
      && report.issueCount == 0 && !references.contains(where: isPending)
  }

  /// Counts an object under what the import did with it.
  mutating func count(_ key: NaiveKey) {
    guard let kind = state.objects[key]?.kind, let mark = marks[key] else { return }
    let name = model.kinds[kind].name
    switch mark {
    case .inserted: report.inserted[name, default: 0] += 1
    case .updated: report.updated[name, default: 0] += 1
    case .unchanged: report.unchanged[name, default: 0] += 1
    }
  }

  func isPending(_ reference: Reference) -> Bool {
    state.objects[reference.owner] != nil && !state.isThere(reference.end, reference.target)
      && state.list(reference.end, reference.owner).contains(reference.target)
  }
}

extension NaiveImport {
  /// The name of an object's own entity.
  func kindName(_ key: NaiveKey) -> String {
    model.kinds[state.objects[key]?.kind ?? key.root].name
  }
}
