import Mapping
import ObjectModel
import ObjectStore

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
}
