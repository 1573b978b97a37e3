import JSONStream

/// The beginning of a source: where its first object is, and which keys that has. Sources of one shape are
/// read as one.
struct SourceShape {
  /// The keys of the wrappers around the first object.
  private(set) var path: [String] = []
  /// Whether lists stand around the object.
  private(set) var isList = false
  /// Whether an object about the list stands before it, both in a list: `[{"page": 1}, [{…}]]`.
  private(set) var hasHead = false
  /// The columns, if the objects are lists of values.
  private(set) var rows: ListRows?
  private(set) var keys: Set<String> = []
  /// The keys among these that have several words, which may name what they identify.
  private var compoundKeys: Set<String> = []
  /// Whether a key is the identity of an object by its very name.
  private(set) var hasIdentity = false
  /// Whether each key holds an object, as in a document of parts or a dictionary.
  private(set) var holdsObjects = false
  /// Whether each key holds a scalar.
  private(set) var holdsScalars = false
  /// The values of the first object that may say which object it is, and what stands behind the last slash of those that have some.
  private var values: Set<String> = []
  /// The words with which the first object says what it is, by their keys.
  private var kinds: [String: String] = [:]
  /// The name that a service gives the objects, in every document: `Node` of `{"kind": "NodeList", "items": […]}` as of `{"kind": "Node",
  /// "apiVersion": "v1"}`, and `network` of `compute#network`.
  private(set) var saidKind: String?
  /// The key of the list of these objects; nil if the document is one of them.
  private(set) var listOfKind: String?
  /// The word before the end of the first object's address.
  private var collection: String?
  /// The keys of the first of these objects.
  private(set) var memberKeys: Set<String> = []
  /// The keys of the first object at each place, by the keys on the way to it.
  private var keysByPath: [[String]: Set<String>] = [:]
  /// The keys of objects under a key that says nothing of them, where there are any.
  private var keysUnderWrappers: [[String]: Set<String>] = [:]

  /// So many bytes are looked at, as an import looks at that chooses the form of a source.
  private static let farthest = 1 << 20
  private static let deepest = 4
  /// The longest value that may be the name of a file.
  private static let longestName = 128
  /// The step to the rows behind a head.
  static let rowsStep = "[1]"

  /// Looks ahead in JSON that is at its beginning.
  ///
  /// - Parameter findsHead: Whether a head before the rows is looked for.
  init(_ json: inout JSONReader, findsHead: Bool) throws(JSONError) {
    let start = json.checkpoint()
    defer {
      json.rewind(to: start)
      json.release(start)
    }
    let limit = json.offset + Self.farthest
    if findsHead, let rows = try ListRows(&json) {
      (self.rows, isList, keys) = (rows, true, Set(rows.columns))
      noteCompoundKeys()
      keysByPath[[]] = keys
      hasIdentity = Self.haveIdentity(keys)
      return
    }
    hasHead = findsHead ? try Self.hasHead(&json, limit) : false
    var token = try json.next()
    if hasHead {
      path.append(Self.rowsStep)
      try json.skip(from: json.next())
      token = try json.next()
    }
    while token == .beginArray {
      // Lists in a list are another shape than a list.
      if isList { path.append("[]") }
      isList = true
      token = try json.next()
      while token == .null { token = try json.next() }
    }
    guard token == .beginObject else { return }
    var level = try Self.level(&json, limit)
    if json.offset < limit {
      level.list(in: &keysByPath)
      keysUnderWrappers = keysByPath.filter { path, keys in
        !keys.isEmpty
          && path.last.map { GenericNames.isWrapper($0) || GenericNames.isMeta($0, isStrict: false) } ?? false
      }
    }
    if !isList { sayKind(level) }
    if let list = listOfKind, let items = level.list {
      path.append(list)
      isList = items.isList
      level = items.inner
    }
    // Wrappers: nothing but one list or object under a key that says nothing, and what is about it.
    while path.count < Self.deepest, level.others.isEmpty, let wrapper = level.wrapper, wrapper.wasObject {
      path.append(wrapper.key)
      isList = isList || wrapper.isList
      level = wrapper.inner
    }
    keys = level.keys
    values = level.values.union(level.valuesInHeaders)
    collection = level.collection
    kinds = level.kinds
    kinds.merge(level.kindsInHeaders) { own, _ in own }
    holdsObjects = level.scalars == 0 && !keys.isEmpty
    holdsScalars = level.scalars > 0 && level.scalars == keys.count
    for (member, inner) in level.parts where holdsObjects && isList || GenericNames.isWrapper(member) {
      keys.formUnion(inner)
    }
    memberKeys = holdsObjects ? level.firstKeys : []
    noteCompoundKeys()
    hasIdentity = Self.haveIdentity(keys)
  }

  /// Notes the kind that a document says its objects to be of.
  private mutating func sayKind(_ level: Level) {
    let word = level.kinds["kind"].map(Self.kindName)
    let isCalledList = word?.hasSuffix("List") ?? false
    if let items = level.list, items.wasObject, isCalledList || GenericNames.isWrapper(items.key) {
      let inner = items.inner.kinds["kind"].flatMap { $0.contains("#") ? Self.kindName($0) : nil }
      let kind =
        word.flatMap(Self.kind(ofListCalled:)) ?? (level.keys.isSubset(of: Self.keysOfPages) ? inner : nil)
      (saidKind, listOfKind) = (kind, kind == nil ? nil : items.key)
    } else if isCalledList {
      return
    } else if level.kinds["kind"]?.contains("#") ?? false || level.keys.contains("apiVersion") {
      saidKind = word
    }
  }

  /// The keys of a page of objects that say their kind.
  private static let keysOfPages: Set<String> = ["kind", "id", "selfLink", "etag", "items", "nextPageToken"]

  /// The name of a kind without that of its service.
  private static func kindName(_ word: String) -> String {
    word.split(separator: "#").last.map(String.init) ?? word
  }

  /// The kind of the objects in a list called by it: `Node` of `NodeList`, `address` of `addressAggregatedList`.
  private static func kind(ofListCalled name: String) -> String? {
    guard name.hasSuffix("List") else { return nil }
    let kind = name.dropLast("List".count)
    let plain = kind.hasSuffix("Aggregated") ? kind.dropLast("Aggregated".count) : kind
    return plain.isEmpty ? nil : String(plain)
  }

  private mutating func noteCompoundKeys() { compoundKeys = keys.filter { Words.words($0).count > 1 } }

  private static func haveIdentity(_ keys: Set<String>) -> Bool {
    keys.contains { (IdentityNames.rank(of: $0, owner: "") ?? .max) <= IdentityNames.strongest }
  }

  // MARK: - Reading

  /// Whether the JSON is a list of two: an object of scalars most of which are about a list, and a list of objects, or a
  /// null in its place. The reader stays where it is.
  private static func hasHead(_ json: inout JSONReader, _ limit: Int) throws(JSONError) -> Bool {
    let start = json.checkpoint()
    defer {
      json.rewind(to: start)
      json.release(start)
    }
    guard try json.next() == .beginArray, try json.next() == .beginObject else { return false }
    var (keys, metaKeys) = (0, 0)
    while try json.next() == .key {
      keys += 1
      if GenericNames.isMeta(String(decoding: json.text, as: UTF8.self), isStrict: true) { metaKeys += 1 }
      let value = try json.next()
      guard value != .beginObject, value != .beginArray, json.offset < limit else { return false }
    }
    guard keys > 0, metaKeys * 2 >= keys else { return false }
    let rows = try json.next()
    if rows == .null { return try json.next() == .endArray }
    guard rows == .beginArray else { return false }
    let outside = json.depth - 1
    var first = try json.next()
    while first == .null { first = try json.next() }
    guard first == .beginObject || first == .endArray else { return false }
    while json.depth > outside, json.offset < limit { _ = try json.next() }
    if json.depth > outside { return true }
    return try json.next() == .endArray
  }

  /// An object as its keys tell it.
  private struct Level {
    var keys: Set<String> = []
    /// The keys that are not about a list.
    var others: Set<String> = []
    var scalars = 0
    var values: Set<String> = []
    var kinds: [String: String] = [:]
    var collection: String?
    var firstKeys: Set<String> = []
    /// Objects and lists.
    private var members: [Member] = []

    /// The only value under a key that says nothing of objects.
    var wrapper: Member? {
      let wrappers = members.filter { GenericNames.isWrapper($0.key) }
      return wrappers.count == 1 ? wrappers[0] : nil
    }

    /// The value under a key that says nothing of objects, or else the only list of objects.
    var list: Member? {
      let lists = members.filter { $0.isList && $0.wasObject }
      return wrapper ?? (lists.count == 1 ? lists[0] : nil)
    }

    /// The keys of the objects in it, by their own.
    var parts: [(key: String, keys: Set<String>)] {
      members.filter { $0.wasObject && !$0.isList }.map { ($0.key, $0.inner.keys) }
    }

    /// The words in an object such as `attributes` with which its object says what it is.
    var kindsInHeaders: [String: String] {
      members.filter { $0.wasObject && !$0.isList && FlatObject.isHeaderKey($0.key) }.reduce(into: [:]) {
        kinds, member in
        for (key, word) in member.inner.kinds { kinds["\(member.key).\(key)"] = word }
      }
    }

    /// The values in an object such as `metadata` that may say which object this is.
    var valuesInHeaders: Set<String> {
      members.filter { $0.wasObject && !$0.isList && FlatObject.isHeader($0.key) }.reduce(into: []) {
        $0.formUnion($1.inner.values)
      }
    }

    mutating func add(_ member: Member) { members.append(member) }

    /// Lists the keys of its object and of the first objects in it.
    func list(in keysByPath: inout [[String]: Set<String>], path: [String] = []) {
      keysByPath[path] = keys
      for member in members where member.wasObject {
        member.inner.list(in: &keysByPath, path: path + [member.key])
      }
    }
  }

  /// An object, or a list, under a key.
  private struct Member {
    var key: String
    var isList: Bool
    /// Whether there was an object in it.
    var wasObject: Bool
    private var levels: [Level]

    init(key: String, isList: Bool, inner: Level?) {
      self.key = key
      self.isList = isList
      wasObject = inner != nil
      levels = inner.map { [$0] } ?? []
    }

    var inner: Level { levels.first ?? Level() }
  }

  /// Reads the object whose opening brace was just read.
  private static func level(
    _ json: inout JSONReader, _ limit: Int, depth: Int = 0
  ) throws(JSONError) -> Level {
    var level = Level()
    while json.offset < limit, try json.next() == .key {
      let key = String(decoding: json.text, as: UTF8.self)
      level.keys.insert(key)
      let outside = json.depth
      var token = try json.next()
      var isList = false
      while token == .beginArray {
        isList = true
        token = try json.next()
        while token == .null { token = try json.next() }
      }
      let holds = isList || token == .beginObject
      if !holds, token != .null { level.scalars += 1 }
      if depth <= 1, token == .string || token == .number, json.text.count <= Self.longestName,
        IdentityNames.rank(of: key, owner: "") != nil || LinkName(key).hasEnding
      {
        let text = String(decoding: json.text, as: UTF8.self)
        level.values.insert(text)
        if let slash = text.lastIndex(of: "/") {
          level.values.insert(String(text[text.index(after: slash)...]))
          if LabelNames.flags(of: key) == .address {
            level.collection = AddressCollection.word(of: text[..<slash])
          }
        }
      }
      if token == .string, ShapeMatcher.kindKeys.contains(key), json.text.count <= Kinds.longestValue {
        level.kinds[key] = String(decoding: json.text, as: UTF8.self)
      }
      let isWrapper = holds && GenericNames.isWrapper(key)
      // `"results": 3` beside the list of these says how many there are.
      let isCount = token == .number && GenericNames.isWrapper(key)
      if !isWrapper, !isCount, !GenericNames.isMeta(key, isStrict: false) { level.others.insert(key) }
      if token == .beginObject, depth < deepest {
        let inner = try self.level(&json, limit, depth: depth + 1)
        if level.firstKeys.isEmpty { level.firstKeys = inner.keys }
        level.add(Member(key: key, isList: isList, inner: inner))
      } else if isWrapper {
        level.add(Member(key: key, isList: isList, inner: nil))
      }
      if isList { level.scalars += isWrapper ? 0 : 1 }
      while json.depth > outside, json.offset < limit { _ = try json.next() }
    }
    return level
  }

  // MARK: - Comparing

  /// Whether its first object has names and addresses, and nothing else.
  var saysNamesOnly: Bool {
    !keys.isEmpty && keys.allSatisfy { !LabelNames.flags(of: $0).isDisjoint(with: [.label, .address]) }
  }

  /// Whether its first object holds others under whole numbers, as a dictionary does.
  var isNumbered: Bool { holdsObjects && keys.allSatisfy { Int64($0) != nil } }

  /// Whether a file of the only object is called like what this says of itself, or like its only key: then the name tells which
  /// object it is, and not of what kind.
  func says(_ name: String) -> Bool {
    guard !isList else { return false }
    if values.contains(name) { return true }
    let isOneOfMany = name.contains(where: \.isNumber) || holdsObjects && name.first?.isUppercase ?? false
    return keys == [name] && isOneOfMany
  }

  /// The kind of the only object in the name of its file, `user` of `user-ann.json`, if what follows is what this says of itself.
  func kind(inFileCalled name: String) -> String? {
    guard !isList else { return nil }
    let said = Set(values.map { $0.lowercased() })
    return name.indices.first { place in
      ["-", "_", "."].contains(name[place]) && said.contains(name[name.index(after: place)...].lowercased())
    }.flatMap { place in
      let kind = name[..<place]
      return kind.count > 2 && kind.allSatisfy(\.isLetter) ? String(kind) : nil
    }
  }

  /// Whether its first object holds others.
  var hasMembers: Bool { keysByPath.keys.contains { $0.count == 1 } }

  /// Whether nothing is known of its objects.
  var isEmpty: Bool { keys.isEmpty }

  /// How many keys it shares with another one, the part of all keys of both that these are, and the part of the smaller
  /// one's keys.
  func likeness(to other: SourceShape) -> (shared: Int, ofAll: Double, ofSmaller: Double) {
    guard path == other.path, !isEmpty, !other.isEmpty else { return (0, 0, 0) }
    let shared = keys.intersection(other.keys).count
    return (
      shared, Double(shared) / Double(keys.union(other.keys).count),
      Double(shared) / Double(min(keys.count, other.keys.count))
    )
  }

  /// Whether the first objects of both say that they are different things.
  func isOfOtherKind(than other: SourceShape) -> Bool {
    kinds.contains { key, word in other.kinds[key].map { $0 != word } ?? false }
  }

  /// Whether the first objects of both have addresses that say what their files are called like, which is not the same.
  func isOfOtherCollection(than other: SourceShape, _ names: [String], _ otherNames: [String]) -> Bool {
    guard let collection, let word = other.collection, collection != word else { return false }
    return names.contains { AddressCollection.isEnding(collection, of: $0) }
      && otherNames.contains { AddressCollection.isEnding(word, of: $0) }
  }

  /// Whether one of two sources has a key that identifies what its files are called like, which the other one lacks: `review_id` in
  /// `review.json`, beside `tip.json`.
  func isIdentified(byNames names: [String], otherwiseThan other: SourceShape, _ otherNames: [String]) -> Bool
  {
    func ownKeys(_ shape: SourceShape, _ names: [String]) -> Set<String> {
      shape.compoundKeys.filter { key in
        names.contains { IdentityNames.rank(of: key, owner: $0) ?? .max <= IdentityNames.strongest }
      }
    }
    return !ownKeys(self, names).isSubset(of: other.keys) || !ownKeys(other, otherNames).isSubset(of: keys)
  }

  /// Whether the first parts of both have most of their keys in common, whatever keys they stand under.
  func hasMembersLike(_ other: SourceShape) -> Bool {
    guard path == other.path, !memberKeys.isEmpty, !other.memberKeys.isEmpty else { return false }
    let shared = memberKeys.intersection(other.memberKeys).count
    return shared * 2 >= memberKeys.union(other.memberKeys).count
  }

  /// Whether documents hold objects of different kinds under the same key that says nothing of them.
  func holdsOthers(than other: SourceShape) -> Bool {
    !other.keysUnderWrappers.isEmpty
      && keysUnderWrappers.contains { path, keys in
        guard let others = other.keysUnderWrappers[path] else { return false }
        let shared = keys.intersection(others).count
        return shared * 5 < (keys.count + others.count - shared) * 2
      }
  }

  /// The keys of the first object that a path leads to, in the order of the alphabet; empty if they are not known.
  func keys(at path: [String]) -> [String] {
    keysByPath[path.filter { !Self.isList($0) }, default: []].sorted()
  }

  /// The keys of its first object, and of the objects in that.
  var innerKeys: [String] { Set(keysByPath.values.joined()).sorted() }

  /// Whether a step of a path leads into a list, not to a key.
  static func isList(_ step: String) -> Bool { step == "[]" || step == rowsStep }

  /// Takes the keys of another source that was read as one with this.
  mutating func add(_ other: SourceShape) {
    if isEmpty { path = other.path }
    isList = isList || other.isList
    hasHead = hasHead || other.hasHead
    rows = rows ?? other.rows
    keys.formUnion(other.keys)
    compoundKeys.formUnion(other.compoundKeys)
    memberKeys.formUnion(other.memberKeys)
    keysByPath.merge(other.keysByPath) { $0.union($1) }
    keysUnderWrappers.merge(other.keysUnderWrappers) { $0.union($1) }
  }
}
