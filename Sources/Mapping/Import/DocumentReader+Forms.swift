import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// Sources of several forms.
extension DocumentReader {
  /// Looks ahead, and takes the form that fits the source best: the one whose keys are the object's, else the one that
  /// leads to an object most of whose keys are known. Of forms that fit equally well, one of the entity that the name of
  /// the file names comes first, then the one of whose keys the object has most. Where none fits, the only one whose path
  /// leads to objects is taken, since the first object may be an odd one. A source that is of no form is an issue. A file that is known
  /// to be of a form is of this one, if that fits it at all.
  ///
  /// - Parameter appends: Whether what the source identifies is added beside what came of it before.
  mutating func chooseForm(among candidates: [FormCandidate], appends: Bool) throws {
    guard !candidates.isEmpty, records.isTable == false else { return }
    let candidates = (exportedForm(beside: candidates).map { [$0] } ?? []) + candidates
    let hinted = plan.entity(ofFile: source.entityHints)
    // The name of a folder may be that of one of many entities in it.
    let named = source.entityHints.first.flatMap { plan.entity(ofFilesNamed: $0) }
    var objects: [String: FirstObject] = [:]
    var best: (fit: FormFit, form: FormCandidate, entity: Int?)?
    var fitting: [RootPath] = []
    var leading: [(form: FormCandidate, entity: Int, known: Int)] = []
    for candidate in candidates {
      var object: FirstObject
      if let known = objects[candidate.root.text] {
        object = known
      } else {
        object = try firstObject(at: candidate.root)
        object.passedOver = try membersBeside(candidate.root)
        objects[candidate.root.text] = object
      }
      let entity = candidate.entity.flatMap { plan.layout.schema.index(of: $0) }
      var fit = fit(of: object, candidate, entity, isHinted: entity != nil && entity == hinted)
      // A document whose lists all name entities is whole, whatever its file is called.
      let isWhole = fit?.isWhole ?? false
      fit?.isNamed = isWhole || entity != nil && entity == named
      if candidate.isExported {
        // The entity that a file of an export is called like knows all keys in it.
        guard object.isInList || hasLines, let fit, fit.knowsAll else { continue }
        best = (fit, candidate, entity)
        break
      }
      if let fit, let place = source.placeName, candidate.files.contains(place) {
        best = (fit, candidate, entity)
        break
      }
      if let fit, best.map({ $0.fit < fit }) ?? true { best = (fit, candidate, entity) }
      if let fit, fit.known > 0 { fitting.append(candidate.root) }
      // Lines are a list.
      let isLed = !object.isRow && (object.isLed(to: candidate.root) || hasLines && object.isThere)
      if let entity, isLed {
        let count = known(object.names, plan.layout.schema.family(of: entity))
        leading.append((candidate, entity, count))
      }
    }
    let isHinted = leading.contains { $0.entity == hinted }
    let most = leading.map(\.known).max()
    let likely = leading.filter { isHinted ? $0.entity == hinted : $0.known == most }
    let only = likely.count == 1 ? likely.first : nil
    guard let form = best?.form ?? only?.form else {
      isPassedOver = true
      let paths = Set(
        candidates.filter { $0.entity != nil }.map { $0.root.text.isEmpty ? "$" : $0.root.text })
      return leaveOut(
        "$",
        expected: "objects with keys of the model"
          + (paths.isEmpty ? "" : ", at \(paths.sorted().joined(separator: " or "))"),
        found: leading.isEmpty ? "none there" : "objects that could be of several forms",
        action: "file left out")
    }
    let additions = try Additions(form.added, form.root, source, isNew: appends)
    use(form, entity: best == nil ? only?.entity : best?.entity, additions)
    knownKeys = form.keys
    isOfKnownKeys =
      best.map { $0.entity != nil && $0.fit.likeness > 0 && !$0.fit.isOfDictionaries } ?? false
    isDictionary = best.map { $0.entity != nil && $0.fit.isOfDictionaries } ?? false
    for root in Set(fitting.filter { $0.isApart(from: form.root) }.map(\.text)).sorted() {
      leaveOut(
        root, expected: "objects at one place, \(form.root.text)", found: "others besides",
        action: "objects left out")
    }
  }

  /// The form of a file that an export of all entities made for one of them: a list, or lines.
  private func exportedForm(beside candidates: [FormCandidate]) -> FormCandidate? {
    guard let entity = exportedEntity, let added = candidates.first(where: { $0.entity == nil })?.added
    else { return nil }
    return FormCandidate(
      root: .root, entity: plan.entities[entity].entity.name, added: added, isExported: true)
  }

  /// Whether one of several sources says nothing: an empty object, a null, or lists of such, or where documents stand around the objects,
  /// one that holds nothing else: `{"data": {}}`. A list without elements does say that there is no object, where the list is the whole of
  /// the source.
  ///
  /// - Parameter hasForms: Whether documents are of several forms.
  mutating func saysNothing(hasForms: Bool) throws -> Bool {
    guard isOneOfMany, records.isTable == false else { return false }
    let start = records.json.checkpoint()
    defer {
      records.json.rewind(to: start)
      records.json.release(start)
    }
    let limit = records.json.offset + Self.farthest
    let isList = rootPath.steps.isEmpty || exportedEntity != nil
    var tokens: [JSONToken] = []
    let mayHaveKeys = hasForms || !rootPath.steps.isEmpty
    while records.json.offset < limit, tokens.count < Self.mostOfNothing {
      let token = try records.json.next()
      switch token {
      // An object of nulls in a list is one that lacks its identity.
      case .key where mayHaveKeys && !tokens.contains(.beginArray): continue
      case .end: return !tokens.isEmpty && (tokens != [.beginArray, .endArray] || !isList)
      case .beginArray, .endArray, .beginObject, .endObject, .null: tokens.append(token)
      default: return false
      }
    }
    return false
  }

  /// Notes that a part of the source is left out, which may hold objects.
  mutating func leaveOut(_ path: String, expected: String, found: String, action: String) {
    records.batch.hasLeftOutObjects = true
    let prefix = records.batch.sourceName.amongSeveral.map { "\($0): " } ?? ""
    records.batch.issues.append(
      DraftIssue(
        row: -1,
        issue: ImportIssue(
          path: prefix + path, entity: "", expected: expected, found: found, action: action)))
  }

  /// An object in another one, or the first one of a list there.
  private struct Member {
    let key: String
    let isInList: Bool
    var keys: [String] = []
    /// The keys of the first object in it.
    var innerKeys: [String] = []
  }

  /// The first object that a path leads to.
  private struct FirstObject {
    var isThere = false
    var isInList = false
    /// Whether it is a list of values; the keys are the texts in it.
    var isRow = false
    /// Whether a value stands in its place, in a list.
    var isValue = false
    /// Whether it is a scalar under one of all keys that a path leads through.
    var isValueOfKey = false
    /// Whether it was not found in as much as is looked at.
    var isFarther = false
    /// How many objects and lists stand beside the way to it.
    var passedOver = 0
    /// The keys of the first object, each with whether it holds objects or lists.
    private(set) var keys: [(key: String, holds: Bool)] = []
    /// The same by themselves, and each once.
    private(set) var names: [String] = []
    private(set) var nameSet: Set<String> = []
    /// The texts under these keys.
    var texts: [String: String] = [:]
    /// The objects in it, or the first ones of lists.
    var members: [Member] = []

    mutating func add(_ key: String, holds: Bool) {
      keys.append((key, holds))
      names.append(key)
      nameSet.insert(key)
    }

    /// The keys of the first object in it.
    var innerKeys: [String] { members.first { !$0.isInList }?.keys ?? [] }

    /// Whether a path leads to it, and not to whatever stands at the root.
    func isLed(to path: RootPath) -> Bool {
      isFarther || isThere && (!path.steps.isEmpty || isInList) && (!keys.isEmpty || isInList)
    }
  }

  /// The least number of known keys among ten keys of an object.
  private static var fewestKnown: Int { 5 }

  /// A longer text tells no kind of object.
  private static var longestKind: Int { 64 }

  /// So many bytes are looked at to find the first object.
  static var farthest: Int { 1 << 20 }

  /// So many tokens are looked at to find out that a source says nothing.
  private static var mostOfNothing: Int { 1_000 }

  private mutating func firstObject(at path: RootPath) throws -> FirstObject {
    let start = records.json.checkpoint()
    defer {
      records.json.rewind(to: start)
      records.json.release(start)
    }
    var result = FirstObject()
    let limit = records.json.offset + Self.farthest
    var token = try records.json.next()
    var rest = path.steps[...]
    var (isInList, isElement) = (false, false)
    while true {
      if token == .beginArray {
        // Behind the path, one list may stand around the objects, which may be lists of values.
        guard !isInList || !rest.isEmpty else { return try firstRow(limit) }
        if case .position(let position)? = rest.first {
          rest.removeFirst()
          guard let element = try records.enter(token, .position(position)) else { return FirstObject() }
          // Rows of which there are none may be a null.
          result.isThere = element == .null && rest.isEmpty
          token = element
          continue
        }
        isInList = rest.isEmpty
        isElement = rest.first.map { !$0.isInObject } ?? false
        if isElement { rest.removeFirst() }
        token = try firstElement(limit)
        // A list without elements is there, and says nothing.
        result.isThere = rest.isEmpty
        result.isInList = isInList
        guard token != .endArray else { return result }
        continue
      }
      guard token == .beginObject else {
        result.isValue = isInList && rest.isEmpty
        result.isValueOfKey = !isInList && rest.isEmpty && path.endsAtAnyKey
        result.isThere = result.isThere || result.isValueOfKey
        return result
      }
      // An object where the form has a list is of another form.
      guard let step = rest.first else {
        if isElement { return FirstObject() }
        break
      }
      rest.removeFirst()
      guard step.isInObject else { return FirstObject() }
      isElement = false
      guard let found = try find(step, limit) else {
        result.isFarther = records.json.offset >= limit
        return result
      }
      token = found
    }
    result.isThere = true
    while records.json.offset < limit, try records.json.next() == .key {
      let key = String(decoding: records.json.text, as: UTF8.self)
      let value = try records.json.next()
      result.add(key, holds: value == .beginObject || value == .beginArray)
      if value == .string, records.json.text.count <= Self.longestKind {
        result.texts[key] = String(decoding: records.json.text, as: UTF8.self)
      }
      if let member = try member(value, key, limit) { result.members.append(member) }
    }
    return result
  }

  /// The first token of the first element of a list that says something: nulls and objects without keys before it do not.
  private mutating func firstElement(_ limit: Int) throws -> JSONToken {
    while true {
      let token = try records.json.next()
      guard records.json.offset < limit else { return token }
      switch token {
      case .null: continue
      case .beginObject:
        let start = records.json.checkpoint()
        defer { records.json.release(start) }
        if try records.json.next() == .endObject { continue }
        records.json.rewind(to: start)
        return token
      default: return token
      }
    }
  }

  /// The first object, which is a list of values that has just begun. Its texts may be the names of columns.
  private mutating func firstRow(_ limit: Int) throws -> FirstObject {
    var result = FirstObject()
    (result.isThere, result.isInList, result.isRow) = (true, true, true)
    while records.json.offset < limit, case let token = try records.json.next(), token != .endArray {
      guard token != .beginObject, token != .beginArray else { return FirstObject() }
      if token == .string { result.add(String(decoding: records.json.text, as: UTF8.self), holds: false) }
    }
    return result
  }

  /// How many objects and lists stand beside the way that a path of keys leads, in as much as is looked at.
  private mutating func membersBeside(_ path: RootPath) throws -> Int {
    guard path.steps.allSatisfy(\.isInObject), !path.steps.isEmpty else { return 0 }
    let start = records.json.checkpoint()
    defer {
      records.json.rewind(to: start)
      records.json.release(start)
    }
    let limit = records.json.offset + Self.farthest
    var (count, depth) = (0, 0)
    guard try records.json.next() == .beginObject else { return 0 }
    while records.json.offset < limit {
      guard try records.json.next() == .key else {
        depth -= 1
        if depth < 0 { break }
        continue
      }
      let isOnTheWay = path.steps[depth].matches(String(decoding: records.json.text, as: UTF8.self))
      let value = try records.json.next()
      guard value == .beginObject || value == .beginArray else { continue }
      if isOnTheWay, value == .beginObject, depth + 1 < path.steps.count {
        depth += 1
        continue
      }
      if !isOnTheWay { count += 1 }
      try skip(value, limit)
    }
    return count
  }

  /// The first token of the value under a key that a step means, in the object whose opening brace was just read.
  mutating func find(_ step: RootPath.Step, _ limit: Int) throws -> JSONToken? {
    while records.json.offset < limit, try records.json.next() == .key {
      let isMeant = step.matches(String(decoding: records.json.text, as: UTF8.self))
      let value = try records.json.next()
      if isMeant { return value }
      try skip(value, limit)
    }
    return nil
  }

  /// A member that is an object, or a list that begins with one. All of it is passed.
  private mutating func member(_ token: JSONToken, _ key: String, _ limit: Int) throws -> Member? {
    var member = Member(key: key, isInList: token == .beginArray)
    if token == .beginObject {
      try read(&member, limit)
      return member
    }
    guard token == .beginArray else { return nil }
    let outside = records.json.depth - 1
    var first = try records.json.next()
    while first == .null { first = try records.json.next() }
    let isObject = first == .beginObject
    if isObject { member.keys = try keys(limit) }
    while records.json.depth > outside, records.json.offset < limit { _ = try records.json.next() }
    return isObject ? member : nil
  }

  /// Reads the keys of the object whose opening brace was just read, and those of the first object in it.
  private mutating func read(_ member: inout Member, _ limit: Int) throws {
    while records.json.offset < limit, try records.json.next() == .key {
      member.keys.append(String(decoding: records.json.text, as: UTF8.self))
      let value = try records.json.next()
      if value == .beginObject, member.innerKeys.isEmpty {
        member.innerKeys = try keys(limit)
      } else {
        try skip(value, limit)
      }
    }
  }

  /// The keys of the object whose opening brace was just read, all of which is passed.
  private mutating func keys(_ limit: Int) throws -> [String] {
    var result: [String] = []
    while records.json.offset < limit, try records.json.next() == .key {
      result.append(String(decoding: records.json.text, as: UTF8.self))
      try skip(try records.json.next(), limit)
    }
    return result
  }

  /// Skips an object at the root by itself, whose opening brace was just read, if only its source would identify it and
  /// fewer than half of its keys are known: it is something else, such as a message in place of objects.
  mutating func skipStranger(_ entity: EntityPlan, _ step: String) throws -> Bool {
    guard entity.isIdentifiedBySource(records.additions.source?.key) else { return false }
    let start = records.json.checkpoint()
    let names = try keys(records.json.offset + Self.farthest)
    records.json.rewind(to: start)
    records.json.release(start)
    guard names.isEmpty || names.count(where: entity.takes) * 2 < names.count else { return false }
    try records.json.skip(from: .beginObject)
    leaveOut(
      step, expected: "an object with keys of \(entity.entity.name)",
      found: names.isEmpty
        ? "an object without keys" : "one with \(names.prefix(4).joined(separator: ", "))",
      action: "object skipped")
    return true
  }

  /// Whether an object, whose opening brace was just read, has keys, and none of an entity's, nor do the objects in it, as a dictionary
  /// holds them: the `links` of a page are no links of its objects, though they are called so.
  mutating func isOfNoKeys(of entity: Int) throws -> Bool {
    let family = plan.layout.schema.family(of: entity)
    let start = records.json.checkpoint()
    defer {
      records.json.rewind(to: start)
      records.json.release(start)
    }
    let limit = records.json.offset + Self.farthest
    var hasKeys = false
    while records.json.offset < limit, try records.json.next() == .key {
      hasKeys = true
      if takes(String(decoding: records.json.text, as: UTF8.self), family) { return false }
      let value = try records.json.next()
      if value == .beginObject {
        if try keys(limit).contains(where: { takes($0, family) }) { return false }
      } else {
        try skip(value, limit)
      }
    }
    return hasKeys && records.json.offset < limit
  }

  /// Whether a key means something to any of some entities, or tells of which of them an object is.
  private func takes(_ key: String, _ entities: [Int]) -> Bool {
    entities.contains { plan.entities[$0].takes(key) || plan.kindKeys[$0].contains(key) }
  }

  /// Leaves out a list, whose opening bracket was just read, in which no object is: nothing says of which entity it is. A list
  /// without elements is no issue. False, with nothing read, if there are objects, or no other source.
  mutating func leaveOutValues(_ step: String) throws -> Bool {
    guard isOneOfMany else { return false }
    let outside = records.json.depth - 1
    let start = records.json.checkpoint()
    let limit = records.json.offset + Self.farthest
    var isEmpty = true
    while records.json.offset < limit, case let token = try records.json.next(), token != .endArray {
      isEmpty = false
      guard token != .beginObject, token != .beginArray else {
        records.json.rewind(to: start)
        records.json.release(start)
        return false
      }
    }
    records.json.release(start)
    while records.json.depth > outside { _ = try records.json.next() }
    if !isEmpty {
      leaveOut(step, expected: "a list of objects", found: "a list of values", action: "file left out")
    }
    return true
  }

  mutating func skip(_ token: JSONToken, _ limit: Int) throws {
    guard token == .beginObject || token == .beginArray else { return }
    let outside = records.json.depth - 1
    while records.json.depth > outside, records.json.offset < limit { _ = try records.json.next() }
  }

  // MARK: - How well a form fits

  /// Nil if it does not fit.
  private func fit(
    of object: FirstObject, _ form: FormCandidate, _ entity: Int?, isHinted: Bool
  ) -> FormFit? {
    guard object.isThere else { return nil }
    if object.isRow {
      let readsPlaces = entity.map { plan.entities[$0].isReadFromLists } ?? false
      if readsPlaces { return FormFit(likeness: 1, known: 10, isHinted: isHinted, present: 0) }
      guard columnsPlace == .first else { return nil }
    } else if entity.map({ plan.entities[$0].isReadFromLists }) ?? false {
      return nil
    }
    if object.isValue, let entity, takesValues(plan.entities[entity]) {
      return FormFit(likeness: 1, known: 10, isHinted: isHinted, present: 0)
    }
    // Scalars under all keys may be the values of any object: the form of one that has these keys goes first.
    if object.isValueOfKey {
      guard let entity, takesValues(plan.entities[entity]) else { return nil }
      return FormFit(known: 1, isHinted: isHinted, present: 0)
    }
    // Of lists without elements, any that is there will do.
    guard !object.keys.isEmpty else { return FormFit(known: 0, isHinted: isHinted, present: 0) }
    let keys = object.names
    var likeness = form.likeness(to: object.nameSet)
    guard let entity else {
      let lists = object.keys.filter(\.holds)
      let named = lists.count { list in
        plan.entity(namedBy: list.key).map { entity in
          object.members.allSatisfy { $0.key != list.key || mayBe($0, of: entity) }
        } ?? false
      }
      guard named > 0, likeness > 0 || named * 2 >= lists.count else { return nil }
      let isWhole = named > 1 && object.members.allSatisfy { plan.entity(namedBy: $0.key) != nil }
      return FormFit(
        likeness: likeness, inside: likeness > 0 ? (isWhole ? 100 : named * 100 / lists.count) : 0,
        known: named * 10 / keys.count, isHinted: false, present: 0, isWhole: isWhole)
    }
    let family = plan.layout.schema.family(of: entity)
    if lacksKind(object.texts, entity) { return nil }
    let own = known(keys, family)
    // A dictionary of scalars has no keys but data.
    if form.keys.isEmpty, own == 0, plan.entities[entity].defaultValueProperty != nil, !object.isInList,
      object.keys.allSatisfy({ !$0.holds })
    {
      return FormFit(known: 1, isHinted: isHinted, present: 0)
    }
    // The keys of a dictionary are no keys of its objects.
    let inner = own == 0 ? known(object.innerKeys, family) : 0
    guard own + inner > 0 else { return nil }
    // Objects under keys that are data are known by their own keys.
    if form.keys.isEmpty, own == 0, inner == object.innerKeys.count { likeness = 1 }
    let share = own > 0 ? own * 10 / keys.count : inner * 10 / object.innerKeys.count
    guard likeness > 0 || share >= Self.fewestKnown,
      own == 0 || !plan.entities[entity].lacksRequired(keys + Array(form.added.keys))
    else { return nil }
    let count = max(1, plan.entities[entity].attributes.count + plan.entities[entity].relationships.count)
    return FormFit(
      likeness: likeness, inside: likeness > 0 ? knownInside(object, family) : 0, known: share,
      isHinted: isHinted, present: (own + inner) * 100 / count, passedOver: object.passedOver,
      isOfDictionaries: own == 0)
  }

  /// Whether objects under a key that names an entity may be of it: some of their keys are known, or of those in a dictionary of them, or the
  /// key holds a dictionary of values.
  private func mayBe(_ member: Member, of entity: Int) -> Bool {
    let family = plan.layout.schema.family(of: entity)
    return member.keys.isEmpty || plan.entities[entity].valueProperty[member.key] != nil
      || known(member.keys, family) > 0 || known(member.innerKeys, family) > 0
  }

  /// How many of a hundred keys of the objects in an object are known to the entities of these; -1 if one of them lacks
  /// an attribute without which it would be skipped.
  private func knownInside(_ object: FirstObject, _ entities: [Int]) -> Int {
    var (count, found) = (0, 0)
    for member in object.members {
      if let node = entities.lazy.compactMap({ [plan] in plan.entities[$0].node(of: member.key) }).first {
        count += member.keys.count
        found += member.keys.count { node.entry(node.index(of: $0)).action != .ignore }
        continue
      }
      let targets = entities.lazy.compactMap { [plan] in plan.entities[$0].target(of: member.key) }
      guard let target = targets.first else { continue }
      let family = plan.layout.schema.family(of: target)
      let canBe = family.contains {
        !plan.entities[$0].isAbstract && !plan.entities[$0].lacksRequired(member.keys)
      }
      guard canBe else { return -1 }
      count += member.keys.count
      found += known(member.keys, family)
    }
    return count == 0 ? 100 : found * 100 / count
  }

  /// Whether a text of an object that tells its kind tells none that the entity has.
  private func lacksKind(_ texts: [String: String], _ entity: Int) -> Bool {
    let annotations = plan.layout.schema.model.entities[entity].annotations
    guard plan.entities[entity].entity.isAbstract, let key = annotations.discriminatorKey,
      let text = texts[key]
    else { return false }
    return !plan.layout.schema.family(of: entity).contains { index in
      plan.layout.schema.model.entities[index].annotations.kinds.contains(text)
        || Names.folded(plan.entities[index].entity.name) == Names.folded(text)
    }
  }

  /// How many of the keys of objects of any of some entities fill a property, or tell of which entity an object is.
  private func known(_ keys: [String], _ entities: [Int]) -> Int {
    keys.count { [plan] key in
      entities.contains { plan.entities[$0].knows(key) || plan.kindKeys[$0].contains(key) }
    }
  }
}

/// How well a form of documents fits one: the better the greater.
private struct FormFit: Comparable {
  /// How much of a hundred the object's keys are those of the form; 0 if the form has others, or none are known.
  var likeness = 0
  /// How many of a hundred keys of the objects in it are known; -1 if one of these could not be used.
  var inside = 0
  /// How many of ten keys are known.
  let known: Int
  var knowsAll: Bool { known == 10 }
  let isHinted: Bool
  /// Whether the name of the file itself names the entity.
  var isNamed = false
  /// How many of a hundred keys that are known came.
  let present: Int
  /// How many objects and lists the form passes over.
  var passedOver = 0
  /// Whether the objects are known by the keys of what stands in them: they are dictionaries.
  var isOfDictionaries = false
  /// Whether it is a document of several lists, all of which name entities.
  var isWhole = false

  static func < (left: Self, right: Self) -> Bool {
    if (left.likeness > 0) != (right.likeness > 0) { return right.likeness > 0 }
    let first = (left.inside, left.isNamed ? 1 : 0, -left.passedOver, left.likeness, left.known)
    let second = (right.inside, right.isNamed ? 1 : 0, -right.passedOver, right.likeness, right.known)
    if first != second { return first < second }
    return (left.isHinted ? 1 : 0, left.present) < (right.isHinted ? 1 : 0, right.present)
  }
}

extension EntityPlan {
  /// The entity of the objects under a key; nil if the key leads to no relationship by itself.
  fileprivate func target(of key: String) -> Int? {
    let index = Array(key.utf8).withUnsafeBufferPointer { keys.find($0, after: -1) }
    defer { keys.unuse(index) }
    let entry = keys.entry(index)
    guard entry.action == .relationship, entry.node < 0 else { return nil }
    let relationship = relationships[Int(entry.index)]
    guard relationship.isInJSON else { return nil }
    return relationship.dictionary == nil && relationship.targetPaths == nil
      ? relationship.relationship.destination : nil
  }

  /// The keys of the object under a key that key paths lead through; nil if none do.
  fileprivate func node(of key: String) -> KeyNode? {
    let entry = keys.entry(keys.index(of: key))
    return entry.action == .descend && entry.node >= 0 ? nodes[Int(entry.node)] : nil
  }

  /// Whether a property takes lists: a to-many, or an attribute of any JSON.
  func isList(_ property: KeyNode.Entry) -> Bool {
    switch property.action {
    case .relationship: relationships[Int(property.index)].relationship.isToMany
    case .attribute:
      switch entity.attributes[Int(property.index)].type {
      case .transformable, .undefined: true
      default: false
      }
    case .descend: false
    default: true
    }
  }

  /// Whether a key means something to it: it fills a property, wraps the object, or is ignored on purpose.
  func takes(_ key: String) -> Bool {
    let entry = keys.entry(keys.index(of: key))
    return entry.action != .ignore || entry.rank != KeyMatch.Rank.none.rawValue
  }

  /// Whether a key fills one of its properties. The other end of a relationship that JSON tells of does not count.
  func knows(_ key: String) -> Bool {
    var key = key
    let index = key.withUTF8 { keys.find($0, after: -1) }
    defer { keys.unuse(index) }
    switch keys.entry(index).action {
    case .relationship:
      return relationships[Int(keys.entry(index).index)].isInJSON
    case .attribute, .descend, .polymorphic, .linkKind: return true
    case .ignore, .wrapper: return false
    }
  }

  /// Whether an object with these keys says which one it is, and something else.
  func isIdentified(by came: [String]) -> Bool {
    let found = came.map { keys.entry(keys.index(of: $0)) }.filter { $0.action == .attribute }
    return found.count >= 2
      && identitySlots.allSatisfy { slot in
        found.contains { layout.attributeSlots[Int($0.index)] == slot }
      }
  }

  /// Whether an object with these keys lacks an attribute without which it would be skipped.
  fileprivate func lacksRequired(_ came: [String]) -> Bool {
    var found: Set<Int> = []
    var hasPaths = false
    for key in came {
      let index = Array(key.utf8).withUnsafeBufferPointer { keys.find($0, after: -1) }
      defer { keys.unuse(index) }
      switch keys.entry(index).action {
      case .attribute: found.insert(Int(keys.entry(index).index))
      case .descend: hasPaths = true
      default: break
      }
      if keys.entry(index).node >= 0 { hasPaths = true }
    }
    // Members of other objects were not looked at.
    guard !hasPaths, !entity.isAbstract else { return false }
    return entity.attributes.indices.contains { index in
      !found.contains(index) && !attributes[index].isOptional
        && entity.attributes[index].attribute.defaultValue == nil
    }
  }
}
