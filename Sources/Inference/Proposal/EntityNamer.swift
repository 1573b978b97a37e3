import Mapping

/// Gives entities their names.
struct EntityNamer {
  private let shapes: Shapes
  private var taken: Set<String> = []
  /// The names that keys inside objects give.
  private var nestedNames: Set<String> = []
  /// The names that files give to objects at the top.
  /// The name where nothing names the objects.
  static let unnamed = "Record"
  private var fileNames: Set<String> = []
  /// Whether objects of several entities stand at the top of the JSON.
  private var hasSeveral = false
  private var owners: [ObjectIdentifier: [EntityDraft]] = [:]
  /// The entities of the store.
  private let known: [KnownEntity]

  /// How much speaks for a name that the objects say themselves, or that their addresses say.
  static let saidWeight = 1_000_000

  /// - Parameters:
  ///   - documentKeys: The keys of documents whose keys name entities, but for those that hold objects. No entity is called
  ///     like one of them, or an import would take what stands there for its objects.
  ///   - known: The entities of the store that the JSON is to go into. No objects are called like one that they are none of.
  init(_ shapes: Shapes, documentKeys: Set<String>, known: [KnownEntity]) {
    self.shapes = shapes
    self.known = known
    taken = Set(documentKeys.map { Words.entityName($0).lowercased() })
  }

  /// - Throws: What a store throws that is asked for objects.
  mutating func name(_ drafts: [EntityDraft]) throws {
    for draft in drafts {
      for relationship in draft.relationships {
        owners[ObjectIdentifier(relationship.target), default: []].append(draft)
      }
    }
    // What stands at the top of the JSON has the first choice.
    nestedNames = Set(
      drafts.filter { !$0.isRecord }.flatMap { $0.nameHints.map { Words.entityName($0.key) } })
    let records = drafts.filter { $0.isRecord && $0.parent == nil }
    hasSeveral = records.count > 1
    fileNames = Set(records.flatMap(\.wholeFileNames).map(Words.entityName))
    for draft in records { try name(draft) }
    for draft in drafts where draft.name.isEmpty && draft.parent == nil && !draft.isPart { try name(draft) }
    for draft in drafts where draft.name.isEmpty && draft.parent == nil { try name(draft) }
    for draft in drafts where draft.name.isEmpty { try name(draft) }
  }

  private mutating func name(_ draft: EntityDraft) throws {
    if let parent = draft.parent, let kind = parent.kinds.first(where: { $0.draft === draft }) {
      let plain = Words.entityName(kind.value)
      let isOther = known.contains { !$0.isKind && $0.name.lowercased() == plain.lowercased() }
      draft.name = free(isOther ? [plain + parent.name] : [plain, plain + parent.name])
      return
    }
    var weights: [String: Int] = [:]
    var order: [String] = []
    let arePeople = LinkName.arePeople(draft.attributes.map { shapes.key(of: $0.node) })
    for hint in draft.nameHints {
      let name = Words.entityName(isNumbered(hint.key, draft) ? Words.withoutNumber(hint.key) : hint.key)
      // Of several lists in a document, each has its key for a name.
      let isGeneric =
        GenericNames.isWrapper(hint.key) && ![RecordDrafts.bestWeight, Self.saidWeight].contains(hint.weight)
        && !(arePeople && name == "Member")
      if weights[name] == nil { order.append(name) }
      weights[name, default: 0] +=
        isGeneric ? 0 : name.count == 1 ? 1 : Words.words(hint.key).count == 1 ? hint.weight * 2 : hint.weight
    }
    if !draft.isRecord, !draft.isPart, order.count > 1,
      draft.nameHints.allSatisfy({ LinkName.isRole($0.key) || GenericNames.isWrapper($0.key) }),
      !order.contains(where: { $0 != "Member" && Words.words($0).contains("member") }), arePeople
    {
      order.insert("User", at: 0)
      weights["User"] = .max
    }
    let isSaid = draft.nameHints.contains { $0.weight == Self.saidWeight }
    if !isSaid, let word = saidKind(of: draft, among: order), weights[word] != .max {
      if weights[word] == nil { order.insert(word, at: 0) }
      weights[word] = .max
    }
    if !isSaid, let shared = sharedWord(order), !draft.isRecord {
      order.insert(shared, at: 0)
      weights[shared] = .max
    }
    order.sort { (weights[$0] ?? 0, $1.count) > (weights[$1] ?? 0, $0.count) }
    if weights.isEmpty || (weights[order[0]] ?? 0) == 0, draft.isRecord {
      order.insert(mainMember(of: draft).map { $0 + "Document" } ?? Self.unnamed, at: 0)
    }
    if order.isEmpty { order = [Self.unnamed] }
    // A file `categories.json` that holds groups of categories has what they are called in it for a name of theirs.
    if draft.isRecord, nestedNames.contains(order[0]), holds(order[0], draft),
      let other = order.firstIndex(where: {
        !nestedNames.contains($0) && (weights[$0] ?? 0) > 0 && !LinkName.isOfItsKind($0)
      })
    {
      order.insert(order.remove(at: other), at: 0)
    }
    // A file `bands.json` that holds one object with a list of bands is no band.
    if draft.isRecord, draft.documentKeys.isEmpty, draft.node >= 0, nestedNames.contains(order[0]),
      shapes[draft.node].objects == 1 || draft.identity.isEmpty && holds(order[0], draft)
    {
      order = [order[0] + "Document"]
    }
    // A file that is called exactly like an entity of the store, as those of an export are, has objects of it.
    if draft.isRecord, let known = known.first(where: { draft.wholeFileNames.contains($0.name) })?.name,
      !order.isEmpty
    {
      order.removeAll { $0 == known }
      order.insert(known, at: 0)
    }
    var names = order.prefix(1) + qualified(order[0], draft) + order.dropFirst()
    let strange = try known.filter { entity in
      try names.contains { $0.lowercased() == entity.name.lowercased() }
        && entity.isStranger(ReadObjects(draft, shapes))
    }.map { $0.name.lowercased() }
    names.removeAll { strange.contains($0.lowercased()) }
    draft.name = free(names.isEmpty ? ["Other" + order[0]] : Array(names))
  }

  /// The word with which objects inside of others say what they are, where the keys that they stand under only say what they are to
  /// these, or say several things: `{"acknowledger": {"type": "user_reference"}}` is a user.
  private func saidKind(of draft: EntityDraft, among names: [String]) -> String? {
    guard !draft.isRecord, !draft.isPart, draft.parent == nil, draft.kindKey == nil, draft.node >= 0,
      !shapes.isSplit(draft.node)
    else { return nil }
    let areRoles = draft.nameHints.allSatisfy { LinkName.isRole($0.key) || GenericNames.isWrapper($0.key) }
    guard areRoles || names.count > 1 else { return nil }
    for key in ShapeMatcher.kindKeys {
      guard let child = shapes.child(of: draft.node, named: key), shapes[child].strings > 1,
        shapes[child].strings == shapes[draft.node].objects, shapes[child].values.count == 1,
        let text = shapes.tree.samples[shapes.find(child)]?.first
      else { continue }
      let word = ShapeMatcher.withoutReference(text)
      let isReference = word != Words.words(text).joined(separator: "_")
      guard isReference || saysWhatObjectsAre(text, under: key, draft), Words.words(word).count <= 2,
        !LinkName.isRole(word), !GenericNames.isWrapper(word), !Self.emptyKinds.contains(word),
        word.contains(where: \.isLetter), case let name = Words.entityName(word),
        !taken.contains(name.lowercased()), !fileNames.contains(name)
      else { continue }
      return name
    }
    return nil
  }

  /// Whether a word under a key is what objects are. A kind may be that of what they belong to, as an owner of cats says `cat`, and a
  /// type one among several that they have, as an artist is a group; a type in capitals is a class.
  private func saysWhatObjectsAre(_ word: String, under key: String, _ draft: EntityDraft) -> Bool {
    switch key {
    case "kind": false
    case "type":
      (word.first?.isUppercase ?? false) && !draft.nameHints.contains { LinkName.isInWork($0.key) }
    default: true
    }
  }

  /// Words that any object may say of itself.
  private static let emptyKinds: Set<String> = [
    "object", "entity", "true", "false", "null", "none", "unknown",
  ]

  /// Whether keys that name an entity differ by a number at their end only.
  private func isNumbered(_ key: String, _ draft: EntityDraft) -> Bool {
    let name = Words.withoutNumber(key)
    return name != key && draft.nameHints.contains { $0.key != key && Words.withoutNumber($0.key) == name }
  }

  /// Whether an entity holds objects of another one with a name of its own.
  private func holds(_ name: String, _ draft: EntityDraft) -> Bool {
    ([draft] + draft.kinds.map(\.draft)).flatMap(\.relationships).contains { relationship in
      relationship.target !== draft
        && relationship.target.nameHints.contains { Words.entityName($0.key) == name }
    }
  }

  /// The name of what the fewest other entities hold, of all that an entity without a name holds.
  private func mainMember(of draft: EntityDraft) -> String? {
    let targets = draft.relationships.map(\.target).filter { !$0.isPart && $0 !== draft }
    let counts = targets.map { target in (target, owners[ObjectIdentifier(target)]?.count ?? 0) }
    guard hasSeveral, draft.identity.isEmpty, let fewest = counts.map(\.1).min(),
      counts.count(where: { $0.1 == fewest }) == 1
    else { return nil }
    let main = counts.first { $0.1 == fewest }?.0
    return main?.nameHints.max { $0.weight < $1.weight }.map { Words.entityName($0.key) }
  }

  /// The word that all names end in: `Team` of `HomeTeam` and `AwayTeam`.
  private func sharedWord(_ names: [String]) -> String? {
    guard names.count >= 2, let last = Names.words(names[0]).last else { return nil }
    let isShared = names.allSatisfy { Names.words($0).last == last }
    return isShared ? Names.capitalized(last) : nil
  }

  /// The name with that of an entity whose objects it stands in before it.
  private func qualified(_ name: String, _ draft: EntityDraft) -> [String] {
    (owners[ObjectIdentifier(draft)] ?? []).filter { !$0.name.isEmpty && $0.name != name }.map {
      $0.name + name
    }
  }

  private mutating func free(_ names: [String]) -> String {
    for name in names where taken.insert(name.lowercased()).inserted { return name }
    let last = names.first ?? Self.unnamed
    var number = 2
    while !taken.insert("\(last)\(number)".lowercased()).inserted { number += 1 }
    return "\(last)\(number)"
  }
}

/// Where the sources of one shape lie: the words of their files' names, and their folders.
struct SourcePlaces {
  /// The names of files as words, those that say something, with how many files have each.
  fileprivate var stems: [[String]: Int] = [:]
  fileprivate var folders: [String: Int] = [:]
  fileprivate var count = 0
  /// The names of files as they are, some of them, and how many sources are files.
  private(set) var fileNames: Set<String> = []
  private(set) var fileCount = 0
  private static let mostNames = 4_096
  /// The names of files behind those of their folders, some of them.
  private(set) var placeNames: Set<String> = []

  mutating func add(_ source: ImportSource) {
    count += 1
    if let whole = source.fileName, let name = source.entityHints.first {
      fileCount += 1
      if fileNames.count < Self.mostNames { fileNames.insert(name.isEmpty ? whole : name) }
    }
    if let place = source.placeName, placeNames.count < Self.mostNames { placeNames.insert(place) }
    let stem = FileNames.stem(source)
    if !stem.isEmpty { stems[Self.words(stem), default: 0] += 1 }
    if let folder = FileNames.folder(source) { folders[folder, default: 0] += 1 }
  }

  mutating func add(_ other: SourcePlaces) {
    count += other.count
    fileNames.formUnion(other.fileNames)
    placeNames.formUnion(other.placeNames)
    fileCount += other.fileCount
    stems.merge(other.stems, uniquingKeysWith: +)
    folders.merge(other.folders, uniquingKeysWith: +)
  }

  /// Whether files that are called like days or pages lie in several folders, whose names say whose they are.
  var areInFolders: Bool { stems.isEmpty && folders.count > 1 }

  /// Whether files of one name are among both.
  func shareNames(with other: SourcePlaces) -> Bool { stems.keys.contains { other.stems[$0] != nil } }

  /// Whether a file is called like one of some keys.
  func areNamed(likeOneOf keys: [String]) -> Bool { keys.contains { stems[Self.words($0)] != nil } }

  /// Whether a file, or the folder of one, is called like one of some keys.
  func arePlaced(likeOneOf keys: [String]) -> Bool {
    let names = Set(folders.keys.map(Self.words))
    return areNamed(likeOneOf: keys) || keys.contains { names.contains(Self.words($0)) }
  }

  /// The words of a name, the last one in the singular.
  private static func words(_ name: String) -> [String] {
    let words = Words.words(name)
    return words.dropLast() + words.suffix(1).map(Words.singular(ofWord:))
  }
}

/// Names for the objects of sources. What the names of all their files have in common is the best, or their folder, where
/// that holds nothing else.
struct SourceNames {
  /// In how many shapes sources of a folder are.
  private var shapes: [String: Int] = [:]
  /// The folders in which files of a name are.
  private var folders: [[String]: Set<String>] = [:]
  /// Of fewer folders it is not known whether each holds what it is called.
  private static let fewFolders = 4

  init(_ roots: [RootPlace]) {
    for root in roots {
      for folder in root.places.folders.keys {
        shapes[folder, default: 0] += 1
        for stem in root.places.stems.keys { folders[stem, default: []].insert(folder) }
      }
    }
  }

  /// The best name first; empty if nothing says what the objects are.
  func names(of places: SourcePlaces) -> [String] {
    let folder = places.folders.count == 1 ? places.folders.keys.first : nil
    let own = folder.flatMap { shapes[$0] == 1 ? $0 : nil }
    // Each kind of object has a folder of its own.
    if let own, shapes.count >= Self.fewFolders, places.stems.count > 1 || isInSeveral(places) {
      return [own]
    }
    if let stem = places.stems.keys.first, places.stems.count == 1 {
      let name = stem.joined(separator: "_")
      // The beginning of identities is short for the folder's name: `bookings/bk_09f8a1`.
      if let own, places.count > 1, stem.count == 1, Self.isShort(name, for: own) { return [own] }
      return isInSeveral(places) ? [folder ?? name] : [name]
    }
    if let shared = Self.sharedWord(places.stems) { return [shared] }
    if places.stems.isEmpty || own != nil, let folder { return [folder] }
    if let common = Self.common(places.stems, of: places.count) { return [common] }
    if let folder { return [folder] }
    return places.folders.filter { $0.value * 2 > places.count }.map(\.key)
  }

  /// Whether a word of a few letters has the first letter of a longer one and others of it, in their order.
  private static func isShort(_ word: String, for name: String) -> Bool {
    guard word.count <= 4, word.count * 2 <= name.count, word.first?.lowercased() == name.first?.lowercased()
    else { return false }
    var rest = word.lowercased()[...]
    for letter in name.lowercased() where letter == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }

  /// Whether files of the same name lie in several folders that say more, as `created.json` does.
  private func isInSeveral(_ places: SourcePlaces) -> Bool {
    places.stems.keys.allSatisfy { (folders[$0]?.count ?? 0) > 1 } && places.folders.count == 1
  }

  /// The only word that all names begin with, each with a name of its own behind it: `player` of `player-erik` and `player-hikaru`.
  private static func sharedWord(_ stems: [[String]: Int]) -> String? {
    guard stems.count > 1, let first = stems.keys.first?.first, first.count > 2,
      stems.keys.allSatisfy({ $0.count > 1 && $0[0] == first })
    else { return nil }
    return common(stems, of: stems.values.reduce(0, +)) == first ? first : nil
  }

  /// The words that most names begin with, as many as possible, or else the word that most of them have.
  private static func common(_ stems: [[String]: Int], of count: Int) -> String? {
    var beginnings: [[String]: Int] = [:]
    for (stem, number) in stems {
      for length in stem.indices { beginnings[Array(stem[...length]), default: 0] += number }
    }
    var words: [[String]: Int] = [:]
    for (stem, number) in stems { for word in Set(stem) { words[[word], default: 0] += number } }
    for candidates in [beginnings, words] {
      let likely = candidates.filter { $0.value * 3 >= count * 2 && $0.value > 1 }
      let best = likely.max { left, right in
        (left.key.count, left.value, right.key.joined()) < (right.key.count, right.value, left.key.joined())
      }
      if let best { return best.key.joined(separator: "_") }
    }
    return nil
  }
}

/// Names of files as names of entities.
enum FileNames {
  /// The names that say something: `1.json` in `bands` says `bands`, `albums-2.json` says `albums`.
  static func meaningful(_ source: ImportSource) -> [String] {
    let stem = stem(source)
    return stem.isEmpty ? [folder(source)].compactMap(\.self) : [stem]
  }

  /// The same source, if it has a name such as `index`, or a number, and lies in a folder that is called by a number, as one in the
  /// folder around it: `bands/7/index.json` and `bands/7/12.json`.
  static func withoutIndex(_ source: ImportSource) -> ImportSource {
    var source = source
    while source.entityHints.count > 2, isNumber(source.entityHints[1]),
      saysNothing(source.entityHints[0]) || isNumber(source.entityHints[0])
    {
      source.entityHints.remove(at: isNumber(source.entityHints[0]) ? 1 : 0)
    }
    return source
  }

  private static func isNumber(_ name: String) -> Bool { !name.isEmpty && name.allSatisfy(\.isNumber) }

  private static func saysNothing(_ name: String) -> Bool {
    name.lowercased() == "index" || GenericNames.isWrapper(name)
  }

  /// Whether a name, but for numbers and words for parts of a whole, says something of objects.
  static func saysSomething(_ name: String) -> Bool {
    let plain = withoutNumbers(name)
    return !plain.isEmpty && !GenericNames.isWrapper(plain)
  }

  /// Whether a name says which part of a whole is in a file, and nothing else: `page-2`, `2024-01-01`.
  static func isPart(_ name: String) -> Bool { withoutNumbers(name).isEmpty }

  /// The name of a file, if it says something of what is in it; else empty.
  static func stem(_ source: ImportSource) -> String {
    let hints = source.entityHints
    if hints.first?.isEmpty ?? true { return "" }
    if hints[0].lowercased() == "index" { return "" }
    // Of several words with dots between them, the last one that says something: `worldcup.teams` are teams.
    let parts = source.fileName?.split(separator: ".") ?? []
    guard hints.first.map({ $0 == parts.first.map(String.init) }) ?? true else {
      return hints.first.map(withoutNumbers) ?? ""
    }
    let last = parts.map { withoutNumbers(String($0)) }.last {
      !$0.isEmpty && !GenericNames.isWrapper($0) && $0.lowercased() != "geojson"
    }
    let stem = last ?? hints.first.map(withoutNumbers) ?? ""
    return GenericNames.isWrapper(stem) && !GenericNames.areObjects(stem) ? "" : withoutState(stem)
  }

  /// The name of the folder of a file, if it says something.
  static func folder(_ source: ImportSource) -> String? {
    source.entityHints.dropFirst().first.flatMap(saying(folder:))
  }

  /// The name of a folder without numbers; nil if it says nothing.
  static func saying(folder: String) -> String? {
    let name = withoutNumbers(folder)
    return name.isEmpty || GenericNames.isWrapper(name) ? nil : name
  }

  /// Words that say how many objects there are, or how a request ended, rather than what they are.
  private static let states: Set<String> = [
    "all", "list", "load", "single", "only", "success", "failure", "empty", "response", "result", "results",
  ]

  /// Words that a request for objects begins with.
  private static let requests: Set<String> = ["all", "list", "get", "fetch"]

  /// `coupons` for `coupons-all-without-data` and for `get-coupons`.
  private static func withoutState(_ name: String) -> String {
    let parts = name.split { "-_ ".contains($0) }
    if parts.first.map({ ["with", "without"].contains($0.lowercased()) }) ?? false { return "" }
    let end =
      parts.dropFirst().firstIndex { ["with", "without"].contains($0.lowercased()) } ?? parts.endIndex
    var words = parts[..<end]
    while words.count > 1, let first = words.first, requests.contains(first.lowercased()) {
      words.removeFirst()
    }
    while words.count > 1, let last = words.last, states.contains(last.lowercased()) { words.removeLast() }
    return words.count == parts.count ? name : words.joined(separator: "_")
  }

  private static func withoutNumbers(_ name: String) -> String {
    var parts = name.split { "-_. ".contains($0) }
    while parts.count > 1, let last = parts.last,
      last.allSatisfy(\.isNumber) || partWords.contains(withoutEndNumber(last).lowercased())
    {
      parts.removeLast()
    }
    // `1234_CloudTrail_20231114T2215Z_abc` says `CloudTrail`: the rest is made by a program.
    let words = parts.filter { !isMadeByProgram($0) }
    if parts.count > 1 { parts = isUUID(parts) ? [] : words.isEmpty ? parts : words }
    // `1_Customer` and `1Customer` are the first of several files.
    if let first = parts.first, let letter = first.firstIndex(where: { !$0.isNumber }),
      letter > first.startIndex,
      first[letter].isUppercase, first[letter...].allSatisfy(\.isLetter), first[letter...].count >= 3
    {
      parts[0] = first[letter...]
    }
    if parts.count == 1 {
      return partWords.contains(withoutEndNumber(parts[0]).lowercased()) ? "" : withoutEndNumber(parts[0])
    }
    // `order_lines2` goes on with `order_lines`; `net_ipv4` goes on with nothing.
    if let last = parts.last, case let word = withoutEndNumber(last), Words.singular(ofWord: word) != word {
      parts[parts.count - 1] = word[...]
    }
    return parts.joined(separator: "_")
  }

  /// Whether a name has the form of a UUID.
  private static func isUUID(_ parts: [Substring]) -> Bool { parts.map(\.count) == [8, 4, 4, 4, 12] }

  /// Whether a word is a number, or letters with many digits among them, as moments and identities have.
  private static func isMadeByProgram(_ word: Substring) -> Bool {
    let digits = word.count(where: \.isNumber)
    return digits == word.count || word.count >= 4 && digits * 3 >= word.count
  }

  /// Words, with a number behind them, for a part of what was split into several files.
  private static let partWords: Set<String> = [
    "p", "pg", "page", "part", "pt", "chunk", "batch", "sample", "example", "export", "response", "file",
  ]

  private static func withoutEndNumber(_ part: Substring) -> String {
    var text = part
    while text.last?.isNumber ?? false { text.removeLast() }
    return String(text)
  }
}
