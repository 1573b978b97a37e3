import Mapping
import ObjectModel
import ObjectStore

/// What a naive import tells, to compare with a report.
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

/// An import as the contract describes it, with no thought of speed: objects are taken in the order of the
/// JSON, what they nest first, and then what they say themselves.
struct NaiveImport {
  enum Mark { case inserted, updated, unchanged }

  var state: NaiveState
  var report = NaiveReport()
  let options: ImportOptions
  /// What became of each object, which is counted once.
  var marks: [NaiveKey: Mark] = [:]
  /// The objects that have come.
  var seen: Set<NaiveKey> = []
  /// Those that counted as outdated, which is all that they count as.
  var outdated: Set<NaiveKey> = []
  /// The references that the JSON has.
  var said: [Said] = []
  /// What the JSON says last of each relationship of each object.
  var word: [Word: Set<NaiveKey>] = [:]
  /// The same, in order.
  var told: [Word: [NaiveKey]] = [:]
  /// Why what the JSON says is not to be compared: it contradicts itself, so that the outcome is nobody's
  /// promise, or Broker has a defect there that a test of its own tells.
  var excuse: String?
  /// Whether the list of references that wait is wrong by a defect that a test of its own tells.
  var pendingIsUnsure = false
  /// Links that a list no longer has, to objects that cannot be without one.
  var released: [Said] = []

  struct Said: Hashable {
    var end: Int
    var owner: NaiveKey
    var target: NaiveKey
  }

  /// Of the object at the top that is being taken: the objects that it has, those that have parts, and those that
  /// lacked a value.
  var toldInRecord: Set<NaiveKey> = []
  var withPartsInRecord: Set<NaiveKey> = []
  var lackingInRecord: Set<NaiveKey> = []
  /// By end, whose list had an object last.
  var claims: [Int: [NaiveKey: NaiveKey]] = [:]
  /// By end, the objects that lists of the object at the top have had.
  var claimedInRecord: [Int: Set<NaiveKey>] = [:]
  /// By end, the owners that objects get in the end, though the store has others for them.
  var takeovers: [Int: [NaiveKey: NaiveKey]] = [:]
  /// The ends by which lists of several owners had the same object.
  var disputes: Set<Int> = []

  /// The entities that the JSON has lists of at its top.
  var scopes: Set<Int> = []
  /// Whether anything in a list could not be used.
  var leftOut = false

  struct Word: Hashable {
    var end: Int
    var owner: NaiveKey
  }

  var sketch: NaiveModel { state.sketch }

  init(_ state: NaiveState, _ options: ImportOptions) {
    self.state = state
    self.options = options
  }

  // MARK: - Objects

  /// What an element of a list was.
  enum Taken: Hashable {
    case object(NaiveKey)
    /// It could not be used for one of its values.
    case skipped(NaiveKey, lacksValue: Bool)
    /// It could not be used at all.
    case nothing
  }

  /// Takes an object with an identity, and returns its key if it tells it; also if it is skipped, for it
  /// stays in the list that names it.
  mutating func take(_ members: [TestJSON.Member], _ kind: Int, isNested: Bool, filling key: String? = nil)
    -> Taken
  {
    let kind = self.kind(members, kind)
    var members = members
    if let key, let first = sketch.identity(kind).first,
      !members.contains(where: { property($0.key, kind) == .attribute(first.name) })
    {
      members.append(.init(first.name, .string(key)))
    }
    let found = self.key(members, kind)
    countUnmatched(members, kind)
    if let found, isNested, isReference(members, kind) { return .object(found) }
    let told = values(members, kind)
    guard let named = found else {
      // "JSON for an entity with an identity, but without its value: an issue, and the object is skipped."
      if told.isUsable { report.issueCount += 1 }
      skip(kind, members)
      return .nothing
    }
    let existing = state.objects[named]
    if sketch.kinds[kind].isAbstract && existing == nil {
      // "An object that does not tell is of the entity itself; if that is abstract, it is an issue."
      if told.isUsable { report.issueCount += 1 }
      skip(kind, members)
      return .skipped(named, lacksValue: false)
    }
    let actual = self.kind(of: named, toldAs: kind)
    let isOfKind = existing?.kind == actual
    noteTold(named, members, kind)
    guard told.isUsable, isOfKind || isComplete(values(of: named, actual, with: told.values), actual) else {
      skip(kind, members)
      if told.isUsable { excuseParts(members, kind) }
      lackingInRecord.insert(named)
      // A stub lacks what it likes, and so does what is told of it afterwards.
      if told.isUsable, said.contains(where: { $0.target == named && isStub($0.end) }) {
        excuse = "stubs need nothing"
      }
      return .skipped(named, lacksValue: told.isUsable)
    }
    let isFirst = seen.insert(named).inserted
    if !isFirst { report.duplicates += 1 }
    if isOutdated(named, kind, told.values) {
      // "Each object is counted once."
      if isFirst, marks[named] == nil {
        report.outdated[sketch.kinds[kind].name, default: 0] += 1
        outdated.insert(named)
      }
      for link in takeNested(members, kind) { forget(link) }
      return .object(named)
    }
    write(named, kind, told.values)
    for link in takeNested(members, kind) { apply(link, named) }
    return .object(named)
  }

  /// "The same identity twice: one object, later values win key by key", so that what one telling lacks another may
  /// have, and the parts of one are never made.
  private mutating func noteTold(_ key: NaiveKey, _ members: [TestJSON.Member], _ kind: Int) {
    let hasParts = members.contains { member in
      guard case .end(let end) = property(member.key, kind) else { return false }
      return sketch.isPart(sketch.ends[end].target)
    }
    if hasParts { withPartsInRecord.insert(key) }
    guard !toldInRecord.insert(key).inserted else { return }
    if withPartsInRecord.contains(key) { excuse = "the parts of an object that comes twice" }
    if lackingInRecord.contains(key) || sketch.kinds[kind].version != nil {
      excuse = "an object that comes twice, and lacks a value once"
    }
  }

  /// Parts are read before it shows that their owner lacks a value.
  mutating func excuseParts(_ members: [TestJSON.Member], _ kind: Int) {
    for member in members {
      if case .end(let end) = property(member.key, kind), sketch.isPart(sketch.ends[end].target) {
        excuse = "what parts of an object that lacks a value lack is told too"
      }
    }
  }

  /// "An object whose version is older than the store's is not written."
  func isOutdated(_ key: NaiveKey, _ kind: Int, _ values: [String: String?]) -> Bool {
    guard let version = sketch.kinds[sketch.root(kind)].version, let told = values[version] ?? nil,
      let stored = state.objects[key]?.values[version], let new = Double(told), let old = Double(stored)
    else { return false }
    return new < old
  }

  /// Parts of what is outdated are neither written nor counted.
  private mutating func forget(_ link: Link) {
    if case .parts = link.value { excuse = "how the parts of outdated objects count is told elsewhere" }
  }

  /// An object that holds nothing but its identity; unless there is nothing else to hold, so that it says
  /// all.
  func isReference(_ members: [TestJSON.Member], _ kind: Int) -> Bool {
    let identity = sketch.identity(kind).map(\.name)
    if sketch.attributes(kind).count == identity.count && !sketch.kinds[kind].isAbstract { return false }
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
    for attribute in sketch.identity(kind) {
      guard let member = members.last(where: { property($0.key, kind) == .attribute(attribute.name) }),
        let value = NaiveValues.convert(member.value, attribute)
      else { return nil }
      parts.append(value)
    }
    return NaiveKey(root: sketch.root(kind), parts: parts)
  }

  /// "Objects nested in a skipped one that have an identity of their own are imported all the same"; its
  /// parts are skipped with it.
  mutating func skip(_ kind: Int, _ members: [TestJSON.Member]) {
    report.skipped[sketch.kinds[kind].name, default: 0] += 1
    // What its links say is looked at, and comes to nothing.
    for link in takeNested(members, kind) { skip(link) }
  }

  func elements(_ value: TestJSON) -> [TestJSON] {
    if case .list(let elements) = value { elements } else { [value] }
  }

  // MARK: - Values

  struct ToldValues {
    var values: [String: String?] = [:]
    /// Whether all that is required could be used.
    var isUsable = true
  }

  /// "Absent keeps, null clears." What cannot be used is left out where it is optional.
  mutating func values(_ members: [TestJSON.Member], _ kind: Int) -> ToldValues {
    var result = ToldValues()
    let identity = sketch.identity(kind).map(\.name)
    for member in members {
      guard case .attribute(let name) = property(member.key, kind), !identity.contains(name),
        let attribute = sketch.attributes(kind).first(where: { $0.name == name })
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
    let identity = sketch.identity(kind).map(\.name)
    return sketch.attributes(kind).filter { attribute in
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
    object.kind = self.kind(of: key, toldAs: kind)
    object.values = self.values(of: key, object.kind, with: values)
    state.objects[key] = object
    if object.kind != before.kind { turn(key, from: before.kind, into: object.kind) }
    mark(key, object == before ? .unchanged : .updated)
  }

  /// "A default applies when an object is inserted."
  mutating func insert(_ key: NaiveKey, _ kind: Int, _ values: [String: String?]) {
    var object = NaiveObject(kind: kind)
    for attribute in sketch.attributes(kind) {
      object.values[attribute.name] = values[attribute.name] ?? NaiveValues.defaultValue(attribute)
    }
    for name in sketch.kinds[sketch.root(kind)].identity { object.values[name] = nil }
    state.objects[key] = object
    marks[key] = .inserted
  }

  /// New stays new, and changed stays changed.
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
    let hasRelatives = sketch.kinds.indices.contains { $0 != kind && sketch.root($0) == sketch.root(kind) }
    for member in members where property(member.key, kind) == nil && !(hasRelatives && member.key == "type") {
      report.unmatched[sketch.kinds[kind].name, default: [:]][member.key, default: 0] += 1
    }
  }

  // MARK: - Ends

  /// Whether a reference that waited for its target's row came to it before another began to wait: such
  /// others are reported under its name. FoundTests.aReferenceIsReportedUnderItsOwnName
  var namesOthers: Bool {
    said.contains { said in
      sketch.holds(sketch.ends[said.end].inverse) && !sketch.holds(said.end)
        && marks[said.target] == .inserted
    }
  }

  /// Whether stubs may be made.
  var hasStubs: Bool { said.contains { isStub($0.end) } }

  func isStub(_ end: Int) -> Bool { (sketch.ends[end].references ?? options.references) == .stub }

  /// Settles what waits for the end of the import, and counts.
  mutating func finish() {
    settleTakeovers()
    settleReleased()
    findContradictions()
    makeStubs()
    dropIncomplete()
    prune()
    for key in marks.keys { count(key) }
    // FoundTests.aListThatNamesAnObjectOfASiblingWaits
    let isOfSibling = said.contains { state.objects[$0.target] != nil && !state.isThere($0.end, $0.target) }
    if namesOthers || isOfSibling { pendingIsUnsure = true }
    for said in said where isPending(said) && !pendingIsUnsure {
      let name = state.isPart(said.owner) ? "#" : said.owner.text
      let target = sketch.kinds[sketch.ends[said.end].target].name
      report.pending.insert(
        "\(kindName(said.owner)) \(name) \(sketch.name(said.end)) -> \(target) \(said.target.text)")
    }
  }

  /// Counts an object by what became of it.
  mutating func count(_ key: NaiveKey) {
    guard let kind = state.objects[key]?.kind, let mark = marks[key] else { return }
    let name = sketch.kinds[kind].name
    switch mark {
    case .inserted: report.inserted[name, default: 0] += 1
    case .updated: report.updated[name, default: 0] += 1
    case .unchanged: report.unchanged[name, default: 0] += 1
    }
  }

  func isPending(_ said: Said) -> Bool {
    state.objects[said.owner] != nil && !state.isThere(said.end, said.target)
      && state.list(said.end, said.owner).contains(said.target)
  }
}

extension NaiveImport {
  /// The name of an object's own entity.
  func kindName(_ key: NaiveKey) -> String {
    sketch.kinds[state.objects[key]?.kind ?? key.root].name
  }
}
