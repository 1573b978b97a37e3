import Mapping
import ObjectModel

/// The attribute that says which object an object is.
struct IdentityChoice {
  /// The place of its values.
  var node: Int32
  /// The keys on the way to it, such as `$oid` behind `_id`.
  var path: [String] = []
  var certainty: Guess.Certainty
  var evidence: String
}

/// Finds the identities of objects: by the names of keys, and by whether their values tell the objects apart.
struct IdentityChooser {
  let shapes: Shapes
  /// Places whose values other places name.
  let referenced: Set<Int32>
  /// Places of numbers that others name; see ``ReferencedPlaces``.
  let referencedNumbers: Set<Int32>
  /// The keys of dictionaries at the top of the JSON, with the name of what stands in them.
  let recordKeys: [(name: String, keys: Int32)]
  /// The places of objects at the top of the JSON.
  let recordNodes: [Int32]

  /// - Parameters:
  ///   - isRecord: Whether the objects stand at the top of the JSON.
  ///   - names: What else the objects may be called: by the name of a file, for example.
  func choice(of index: Int32, isRecord: Bool, names: [String] = []) -> IdentityChoice? {
    if let choice = byAddress(index) { return choice }
    if !isRecord, FlatObject.isOfSeveralKinds(index, shapes) || FlatObject.isState(index, shapes) {
      return nil
    }
    if !isRecord, areRelations(index) || areExtensions(index) { return nil }
    var best: (rank: Int32, choice: IdentityChoice)?
    let owners = [shapes.tree.ownerName(of: index), shapes.tree.ownerName(of: shapes.find(index))] + names
    for member in shapes.children(of: index) {
      let ranks = owners.compactMap { IdentityNames.rank(of: shapes.key(of: member), owner: $0) }
      let child = inner(member) ?? member
      guard var rank = ranks.min(),
        var choice = check(child, of: index, rank: rank, isRecord: isRecord)
      else { continue }
      choice.path = [shapes.key(of: member)] + (child == member ? [] : [shapes.key(of: child)])
      let place = shapes.find(child)
      // An address under `@id` is the identity in JSON-LD, if several objects have one `id`.
      if shapes.key(of: member) == "@id", !shapes[place].forms.isDisjoint(with: [.address]),
        let other = shapes.child(of: index, named: "id"), !shapes[other].values.areUnique
      {
        rank = 0
      }
      // A key that others refer to is the identity, unless one is called so.
      if rank > IdentityNames.strongest, referenced.contains(place) || referencedNumbers.contains(place) {
        rank = IdentityNames.strongest
      }
      // An `id` comes before it, by which others name the objects.
      if isRecord, rank >= IdentityNames.ofFiles, namesFiles(place, of: index) {
        rank = IdentityNames.ofFiles
      }
      if rank < best?.rank ?? .max { best = (rank, choice) }
    }
    if let found = best, found.choice.path.count == 1, isHalfOfKey(found.choice.path[0], of: index, owners) {
      best = nil
    }
    if isRecord, best?.rank ?? .max > IdentityNames.ofFiles, let key = byFileName(index) { return key }
    // A name is an identity only where no key is one.
    if let best, best.rank >= IdentityNames.weakest, isRecord, let key = unnamed(index),
      LinkName(shapes.key(of: key.node)).hasEnding
    {
      return key
    }
    if let best, best.rank >= IdentityNames.weakest, isRecord, let key = ownKey(index) {
      return key
    }
    if let best, best.rank >= IdentityNames.weakest, isRecord,
      let key = amongIdentities(index) ?? namedByOthers(index, owners) ?? ownLink(of: index)
    {
      return key
    }
    // Two objects with one name may be two where a key that is like an identity, or called so, came twice.
    if let best, best.rank >= IdentityNames.weakest, isRecord,
      shapes.children(of: index).contains(where: { child in
        let ranks = owners.compactMap { IdentityNames.rank(of: shapes.key(of: child), owner: $0) }
        return !shapes[child].values.areUnique && isComplete(child, of: index)
          && (ranks.contains { $0 <= IdentityNames.ofFiles } || isLikeIdentity(child, of: index))
      })
    {
      return nil
    }
    if let best, !isRecord, let address = addressInOwner(of: index, besides: best.choice) { return address }
    if let best { return inAddress(best.choice, of: index) ?? best.choice }
    if shapes.dialect == .hal, let address = ownAddress(of: index) { return address }
    guard isRecord else {
      if let choice = amongIdentities(index) { return choice }
      // Objects in the lists of a document that says something itself may be what others name.
      guard shapes.tree[index].key < 0, let choice = inEnvelope(of: index), shapes.areLong(choice.node),
        shapes.areMadeByProgram(choice.node)
      else { return nil }
      return choice
    }
    return inEnvelope(of: index) ?? amongIdentities(index) ?? ownKey(index) ?? namedByOthers(index, owners)
      ?? ownLink(of: index)
      ?? repeatedInside(index) ?? unnamed(index) ?? inside(index)
  }

  /// So few numbers between 100 and 599 under `code` may be those of answers.
  private static let fewCodes = 5

  /// Whether objects are extensions of FHIR, whose address says what they mean, and which belong to what they extend.
  private func areExtensions(_ index: Int32) -> Bool {
    shapes.dialect == .fhir
      && [index, shapes.find(index)].contains {
        ["extension", "modifierExtension"].contains(shapes.tree.ownerName(of: $0))
      }
  }

  /// Whether each file has one of the objects and is called like a value of the object: `bands/japan.json` with `"slug": "japan"`.
  private func namesFiles(_ child: Int32, of index: Int32) -> Bool {
    guard let names = shapes.filesOfOneEach[shapes.find(index)], !names.isEmpty else { return false }
    let values = shapes[child].values
    return names.allSatisfy { name in
      var name = name
      return name.withUTF8 { values.contains(Hashing.hash($0)) == true }
    }
  }

  /// The key whose values the files are called like, however it is called itself: `bookings/bk_09f8.json` with `"reference":
  /// "bk_09f8"`. A word without a digit may say what happened, as `created.json` with `"action": "created"` does.
  private func byFileName(_ index: Int32) -> IdentityChoice? {
    let files = shapes.filesOfOneEach[shapes.find(index)]?.count ?? 0
    guard files > 0, !shapes.isSplit(index) else { return nil }
    let named = shapes.children(of: index).filter { child in
      shapes[child].strings > 0 && isComplete(child, of: index) && shapes[child].values.areUnique
        && shapes[child].values.count == files && areNames(child) && namesFiles(child, of: index)
    }
    guard named.count == 1 else { return nil }
    let key = shapes.key(of: named[0])
    return IdentityChoice(
      node: named[0], path: [key], certainty: .likely,
      evidence: files == 1
        ? "the file is called like “\(key)”" : "each of \(files) files is called like its “\(key)”")
  }

  /// Whether texts are words of letters and digits, so that they are no dates.
  private func areNames(_ child: Int32) -> Bool {
    shapes.tree.samples[shapes.find(child)]?.allSatisfy { text in
      text.count >= 5 && text.contains(where: \.isNumber) && text.contains(where: \.isLetter)
    } ?? false
  }

  /// The key that ends as identities do and names no other objects: `appid` in the first place of several objects, a `crowdanki_uuid`
  /// anywhere, and so a `geonameid` of many, if it is the only one.
  private func ownKey(_ index: Int32) -> IdentityChoice? {
    guard !shapes.isSplit(index) else { return nil }
    let objects = shapes[index].objects
    let children = shapes.children(of: index)
    // A key that all messages have may be missing in the next one.
    let fewest = haveMoments(index) ? 10 : 3
    let isOnly = children.count { LinkName.isKeyOfObjects(shapes.key(of: $0)) } == 1
    let child = children.first { child in
      let key = shapes.key(of: child)
      let isUUID = ["uuid", "guid"].contains(Words.words(key).last) && shapes[child].forms.contains(.uuid)
      let isFirst = child == children.first && objects >= fewest
      // Elsewhere it may name another object, unless there are many and no two have the same by chance.
      let isLong = isOnly && objects >= max(5, fewest) && shapes.areMadeByProgram(child)
      let isOfName = objects >= 3 && isBesideItsName(key, children)
      guard isUUID || isFirst || isLong || isOfName, LinkName.isKeyOfObjects(key),
        isComplete(child, of: index),
        // A file with one object may say more of it than a list, so that the object comes twice.
        tellsApart(child, index)
      else { return false }
      return isOfName || !namesOthers(child, of: index)
    }
    guard let child else { return nil }
    let key = shapes.key(of: child)
    return IdentityChoice(
      node: child, path: [key], certainty: .likely,
      evidence: "all \(objects) objects have “\(key)”, which ends as identities do, and "
        + (shapes[child].values.areUnique ? "all values differ" : "equal values came with the same object"))
  }

  /// Whether objects have a name that is called like a key, and no object that is: `ProductID` beside `ProductName`.
  private func isBesideItsName(_ key: String, _ children: [Int32]) -> Bool {
    let words = Words.words(key).dropLast()
    guard !words.isEmpty else { return false }
    let keys = children.map { Words.words(shapes.key(of: $0)) }
    return keys.contains { $0.dropLast() == words && ["name", "title"].contains($0.last) }
      && !keys.contains { $0[...] == words }
  }

  /// The key that ends as identities do and by which objects in lists inside name the ones around them: the answers to a question
  /// say its `question_id`. What a person does somewhere, `author_id`, both may have of another object.
  private func repeatedInside(_ index: Int32) -> IdentityChoice? {
    guard !shapes.isSplit(index), shapes[index].objects >= Self.fewestRepeated else { return nil }
    let children = shapes.children(of: index)
    let inner = children.compactMap { shapes.listedObjects($0) }.filter { !shapes.isSplit($0) }
    let child = children.first { child in
      let key = shapes.key(of: child)
      return isOwnKey(child, of: index) && !LinkName(key).isOfPeople
        && inner.contains { name(child, called: key, in: $0) }
    }
    guard let child else { return nil }
    let key = shapes.key(of: child)
    return IdentityChoice(
      node: child, path: [key], certainty: .doubtful,
      evidence: "all \(shapes[index].objects) objects have “\(key)”, by which those in their lists name them")
  }

  /// Of fewer objects, a key that names another one may differ in each by chance.
  private static let fewestRepeated = 3

  /// Whether a key ends as identities do, and differs in all objects.
  private func isOwnKey(_ child: Int32, of index: Int32) -> Bool {
    LinkName.isKeyOfObjects(shapes.key(of: child)) && isComplete(child, of: index)
      && shapes[child].values.areUnique
  }

  /// Whether objects in a list have the values of a key of those around them, beside a key of their own.
  private func name(_ child: Int32, called key: String, in list: Int32) -> Bool {
    guard let twin = shapes.child(of: list, named: key), isComplete(twin, of: list),
      shapes.children(of: list).contains(where: { $0 != twin && isOwnKey($0, of: list) })
    else { return false }
    let (found, compared) = shapes[twin].values.overlap(with: shapes[child].values)
    return compared >= 2 && found == compared
  }

  /// An identity in the only object that objects are made of, `{"like": {"tweetId": …}}`, or in one that says what they are:
  /// `{"identificationModule": {"nctId": …}}`, `{"metadata": {"matchId": …}}`.
  private func inside(_ index: Int32) -> IdentityChoice? {
    guard !shapes.isSplit(index), shapes[index].objects >= 3 else { return nil }
    let choices = places(inside: index, [], depth: 0).compactMap { place, path -> IdentityChoice? in
      let child = shapes.children(of: place).first { child in
        LinkName(shapes.key(of: child)).hasEnding && isComplete(child, of: place)
          && shapes[child].values.areUnique && shapes.areMadeByProgram(child)
      }
      guard let child else { return nil }
      let path = path + [shapes.key(of: child)]
      return IdentityChoice(
        node: child, path: path, certainty: .doubtful,
        evidence:
          "all \(shapes[index].objects) objects have “\(path.joined(separator: "."))”, and all values differ")
    }
    // Of several, the one that stands in what only describes the object: `metadata.matchId` beside `info.gameId`.
    let described = choices.filter { $0.path.first.map { $0.lowercased().hasPrefix("meta") } ?? false }
    return choices.count == 1 ? choices[0] : described.count == 1 ? described[0] : nil
  }

  /// The objects, one in each object, that may say what this is, with the keys on the way.
  private func places(inside index: Int32, _ path: [String], depth: Int) -> [(node: Int32, path: [String])] {
    guard depth < 3 else { return [] }
    let children = shapes.children(of: index)
    return children.flatMap { child -> [(node: Int32, path: [String])] in
      let key = shapes.key(of: child)
      guard shapes.isObject(child), !shapes.isSplit(child), !shapes.isDictionary(child),
        shapes[child].nulls == 0,
        shapes[child].objects == shapes[index].objects
      else { return [] }
      let inner = (node: child, path: path + [key])
      let says = children.count == 1 || FlatObject.isHeaderKey(key) || IdentityNames.sayIdentity(key)
      return (says ? [inner] : [])
        + places(inside: child, inner.path, depth: depth + 1).filter { found in
          says || found.path.contains(where: IdentityNames.sayIdentity)
        }
    }
  }

  /// The only value of an object that stands for a scalar: of `{"$oid": "5f43"}`.
  private func inner(_ member: Int32) -> Int32? {
    guard shapes.isObject(member), !shapes.isSplit(member) else { return nil }
    let children = shapes.children(of: member)
    guard children.count == 1, shapes.key(of: children[0]).hasPrefix("$") else { return nil }
    return children[0]
  }

  /// Whether each source has one of the objects, so that the name of the source tells them apart.
  private func isOneEach(_ index: Int32) -> Bool {
    let node = shapes.tree[index]
    let place = node.flags.contains(.variant) && node.parent >= 0 ? node.parent : index
    return shapes.oneEach.contains(shapes.find(place))
  }

  /// Whether all objects have a value that can be a key.
  func isComplete(_ child: Int32, of index: Int32) -> Bool {
    let node = shapes[child]
    return node.integers + node.strings == shapes[index].objects && node.total == node.integers + node.strings
      && node.emptyTexts == 0 && node.largeNumbers == 0 && !node.flags.contains(.longTexts)
  }

  private func check(_ child: Int32, of index: Int32, rank: Int32, isRecord: Bool) -> IdentityChoice? {
    guard isComplete(child, of: index) else { return nil }
    let node = shapes[child]
    let owner = shapes[index]
    let key = shapes.key(of: child)
    let isReferenced = referenced.contains(shapes.find(child))
    let isStrong = rank <= IdentityNames.strongest
    if isStrong, rank > 4, namesRecord(child, key) { return nil }
    if !isRecord, rank > 4, namesOtherPlace(child, key, index) { return nil }
    // The code of a status says which status it is.
    if !isRecord, saysStatus(key, of: index) { return nil }
    // Objects under two keys that differ each time are parts of their owners, unless others of them stand in a list.
    if !isRecord, owner.differentUnderKeys > 0, shapes.tree[index].key >= 0, !standsInLists(index) {
      return nil
    }
    // Numbers in the lists of one object begin anew in the next one, and an address beside them does not.
    if !isRecord, !isReferenced, Names.folded(key) == "number", standsInOneObject(index) || hasAddress(index)
    {
      return nil
    }
    // So do texts such as `0.1`, which say where in a whole each object is.
    if !isRecord, !isReferenced, isOutline(child) { return nil }
    // A request names what it asks for.
    if !isRecord, isAddress(child, of: index), shapes.child(of: index, named: "method") != nil { return nil }
    // The code of an error is that of the next one too.
    if isRecord, Names.folded(key) == "code", node.integers > 0, node.minimum >= 100, node.maximum < 600,
      owner.objects < Self.fewCodes
    {
      return nil
    }
    // Several currencies have one sign.
    if !isRecord, Names.folded(key) == "symbol", isInDictionary(index) { return nil }
    // Names with spaces are those of people, under whatever key.
    if IdentityNames.isOfAccount(key), haveSpaces(child) { return nil }
    // Objects in a list that say a value are about one that is defined elsewhere, and have it in one of their owners.
    if !isRecord, !isReferenced, shapes.tree[index].key < 0, haveValuesOfOwner(index) { return nil }
    // The pages of an archive of HTTP are counted anew in the next one.
    if isRecord, node.strings > 0, isPageOfArchive(index) { return nil }
    // Who did something does more of it.
    if isRecord, !isReferenced,
      IdentityNames.isOfSomebody(key) || IdentityNames.isOfAccount(key) || IdentityNames.isMail(key)
        || rank > 4 && LinkName(key).isOfPeople || Names.folded(key) == "uid",
      tellsOfEvents(index, besides: child)
    {
      return nil
    }
    // A hash of what an object says is short or a number where it is one of a few.
    if IdentityNames.isHash(key), node.integers > 0 || node.shortest < 7 { return nil }
    // The same person may have another address in the next order.
    if !isRecord, !isReferenced, IdentityNames.isMail(key), isPostal(index) { return nil }
    // An envelope is about its owner alone: its `ids` with a DOI, its `properties` with an address of mail.
    if !isRecord, rank > 4, isOfOwner(child, of: index) { return nil }
    // The number 0, where it is the only one, says that there is none: WooCommerce has it for attributes that no product shares.
    if !isRecord, node.integers > 0, node.maximum == 0, node.minimum == 0, node.strings == 0 { return nil }
    // `{"id": 75, "total": "0.45"}` in a list is an amount of the object around it, for something that is defined elsewhere.
    if !isRecord, isStrong, shapes.tree[index].key < 0, saysAmounts(index, besides: child) { return nil }
    // The only object that says whose it is may be one of many.
    if !isStrong, IdentityNames.isOfSomebody(key),
      owner.objects < 2 && !isReferenced || isRecord && hasOwnKey(beside: child, of: index)
    {
      return nil
    }
    // A number of what an object has, such as of wins in a row, is that of any other one.
    if !isRecord, isStrong, !isReferenced, node.integers > 0, node.maximum < 1_000,
      ["number", "no", "nr"].contains(Words.words(key).last), Words.words(key).count > 1,
      node.values.estimatedCount < 2
    {
      return nil
    }
    // A word that an answer went well is the same in the next one.
    if isRecord, node.strings > 0, Names.folded(key) == "code", saysSuccess(child) { return nil }
    if rank >= IdentityNames.unsure, !isReferenced, owner.objects < 2 || isOneEach(index) { return nil }
    if isRecord, rank > IdentityNames.strongest, saysWhoseListsAre(child, in: index) { return nil }
    if rank >= IdentityNames.weakest, !isReferenced, !isRecord { return nil }
    if rank >= IdentityNames.weakest, !isReferenced, owner.objects < 3 || key.lowercased() == "title" {
      return nil
    }
    // `{"key": "color", "value": "red"}` is what the object around it has under a key.
    if !isStrong, !isRecord, !isReferenced, saysValues(index) { return nil }
    let said = node.values.isExact ? "" : ", by a sample of the values"
    // A file with one object may say more of it than a list, so that the object comes twice.
    let isUniqueApart =
      isRecord && (!isStrong || owner.identity >= 0 && shapes.find(owner.identity) != shapes.find(child))
      && shapes.uniqueApart.contains(shapes.find(child))
    if node.values.areUnique || isUniqueApart {
      // An object inside another that comes once with each value may as well be a part of it.
      let isInList = shapes.tree[index].key < 0
      if !isStrong, !isRecord, !isReferenced, owner.objects < 3 || !isInList { return nil }
      // A short word of the only object says nothing: the properties of a page have such ones, the same in every page.
      if !isRecord, !isInList, !isReferenced, owner.objects == 1, node.strings > 0, node.longest < 6 {
        return nil
      }
      // Of what one object says in a list, `{"id": 7, "value": "x"}`, the value may be of that object alone.
      if !isRecord, isInList, owner.objects > 1, saysValues(index), standsInOneObject(index) { return nil }
      // `participantId: 1`, `2`, `3` in the only list of such objects is a place in it, and `teamId: 100`, `200` may be a side.
      if rank > 4, !isRecord, isInList, node.integers > 0, node.maximum < 1_000,
        countsObjects(node) || owner.objects < 3
      {
        return nil
      }
      return IdentityChoice(
        node: child, certainty: isStrong ? .certain : .likely,
        evidence: owner.objects == 1
          ? "the one object has “\(key)”"
          : "all \(owner.objects) objects have “\(key)”, and all values differ\(said)"
            + (node.values.areUnique ? "" : " at each place"))
    }
    // An address that came with each number as often as this is the identity in its place.
    if !isRecord, isAddress(child, of: index), owner.identity >= 0, case let number = shapes[owner.identity],
      Names.folded(shapes.key(of: owner.identity)) == "number", number.values.count == node.values.count,
      owner.knownRepetitions.conflicts == 0
    {
      return IdentityChoice(
        node: child, certainty: .likely,
        evidence:
          "\(owner.objects) objects have \(node.values.count) values of “\(key)”, each with a number of its own"
      )
    }
    let isMain = shapes.find(owner.identity < 0 ? child : owner.identity) == shapes.find(child)
    // An object that stands for a value, as `{"$oid": …}` does, was not seen to be an identity while the JSON was read.
    if isRecord, isStrong, !isMember(child, of: index), isOfOneObject(child) {
      return IdentityChoice(
        node: child, certainty: .likely,
        evidence:
          "\(owner.objects) objects have \(node.values.estimatedCount) values of “\(key)”, which no two have by chance"
      )
    }
    guard isMain, owner.contents.count > 0 else { return nil }
    return repeated(child, of: index, key, said, rank, isReferenced, isRecord)
  }

  /// Whether objects say where something is sent to.
  private func isPostal(_ index: Int32) -> Bool {
    shapes.children(of: index).contains { PostalNames.contain(shapes.key(of: $0)) }
  }

  private func haveSpaces(_ child: Int32) -> Bool {
    shapes.tree.samples[shapes.find(child)]?.contains { $0.contains(" ") } ?? false
  }

  /// Whether objects say what their owner has under a field that has a name: `{"gid": "7", "name": "Priority", "display_value": "High"}`.
  private func haveValuesOfOwner(_ index: Int32) -> Bool {
    let keys = shapes.children(of: index).map { Words.words(shapes.key(of: $0)) }
    return keys.contains(["name"]) && keys.contains { $0.count > 1 && $0.last == "value" }
  }

  /// Whether other objects of the document name the objects by their `pageref`.
  private func isPageOfArchive(_ index: Int32) -> Bool {
    let list = shapes.tree[index].parent
    guard list >= 0, shapes.tree[list].parent >= 0 else { return false }
    return shapes.children(of: shapes.tree[list].parent).contains { child in
      shapes.listedObjects(child).map { shapes.child(of: $0, named: "pageref") != nil } ?? false
    }
  }

  /// Whether objects are the envelopes or the identities of others, in no list, each of another one that has an identity itself, and have
  /// a value for each of these.
  private func isOfOwner(_ child: Int32, of index: Int32) -> Bool {
    let place = shapes.tree[index]
    guard place.key >= 0, case let key = shapes.key(of: index),
      FlatObject.isEnvelopeKey(key) || IdentityNames.areIdentities(key), place.parent >= 0,
      case let owner = shapes[place.parent], owner.identity >= 0,
      owner.identityRank <= 4, shapes.find(place.parent) != shapes.find(index)
    else { return false }
    let (inner, outer) = (shapes[child].values, shapes[owner.identity].values)
    return shapes[index].objects == owner.objects && inner.isExact && outer.isExact
      && inner.count == outer.count
      && owner.objects > outer.count
  }

  /// Whether objects stand under the keys of a dictionary.
  private func isInDictionary(_ index: Int32) -> Bool {
    let parent = shapes.tree[index].parent
    return parent >= 0 && shapes.isDictionary(parent)
  }

  /// Whether objects say nothing but amounts besides a key.
  private func saysAmounts(_ index: Int32, besides identity: Int32) -> Bool {
    let others = shapes.children(of: index).filter { $0 != identity }
    return !others.isEmpty
      && others.allSatisfy { shapes[$0].scalars > 0 && MoneyNames.contain(shapes.key(of: $0)) }
  }

  /// Whether objects are values of something that is defined elsewhere.
  private func saysValues(_ index: Int32) -> Bool {
    let keys = shapes.children(of: index).map { Names.folded(shapes.key(of: $0)) }
    return keys.count <= 4 && keys.contains { ["value", "values"].contains($0) }
  }

  /// Whether the only scalar of the only object, around lists of others, says whose these are: those of another page, or of the
  /// next day, may be the same one's.
  private func saysWhoseListsAre(_ child: Int32, in index: Int32) -> Bool {
    guard shapes[index].objects == 1, IdentityNames.isOfSomebody(shapes.key(of: child)) else { return false }
    return shapes.children(of: index).allSatisfy { other in
      other == child || shapes[other].scalars == 0
        || GenericNames.isMeta(shapes.key(of: other), isStrict: false)
    }
  }

  /// Whether the lists of the objects at a place were those of one object.
  private func standsInOneObject(_ index: Int32) -> Bool {
    shapes.tree.places(around: index).first { shapes[$0].objects > 0 }.map { shapes[$0].objects == 1 }
      ?? false
  }

  /// Whether all objects have an address of their own.
  private func hasAddress(_ index: Int32) -> Bool {
    shapes.children(of: index).contains { isAddress($0, of: index) }
  }

  func isAddress(_ child: Int32, of index: Int32) -> Bool {
    ["url", "href", "self"].contains(Names.folded(shapes.key(of: child))) && isComplete(child, of: index)
      && shapes[child].forms.contains(.address)
  }

  /// Whether a key such as `statusCode` of a `status` says in which state something is.
  private func saysStatus(_ key: String, of index: Int32) -> Bool {
    Words.words(key).last == "code"
      && ["status", "state"].contains(Names.folded(shapes.tree.meaningfulName(of: index)))
  }

  /// Whether the only text at a place says that all went well.
  private func saysSuccess(_ child: Int32) -> Bool {
    let words = shapes.tree.samples[shapes.find(child)] ?? []
    return words.count == 1 && ["ok", "success", "succeeded"].contains(words[0].lowercased())
      && shapes[child].values.estimatedCount == 1
  }

  /// Whether some of the objects of a place came in lists.
  private func standsInLists(_ index: Int32) -> Bool {
    (0..<Int32(shapes.tree.count)).contains { place in
      shapes.tree.pointer(place).pointee.key < 0 && shapes.tree.pointer(place).pointee.parent >= 0
        && shapes.find(place) == shapes.find(index)
    }
  }

  /// Decides about values that come several times: do they come with the same object?
  private func repeated(
    _ child: Int32, of index: Int32, _ key: String, _ said: String, _ rank: Int32, _ isReferenced: Bool,
    _ isRecord: Bool
  ) -> IdentityChoice? {
    let owner = shapes[index]
    let isStrong = rank <= IdentityNames.strongest
    let distinct = shapes[child].values.estimatedCount
    let counted = owner.knownRepetitions
    // One value that came several times, with nothing that contradicts, is that of one object if it is long.
    if !isStrong, distinct < 2 {
      let isSure = isRecord && rank < IdentityNames.unsure && isWide(shapes[child])
      guard isSure, counted.conflicts == 0 else { return nil }
    }
    // A short form, which says less of an object, contradicts nothing.
    let short =
      isStrong && isRecord ? shapes.tree.rows.shortForms(owner, by: Int(shapes.tree[child].ordinal)) ?? 0 : 0
    let conflicts = Double(max(0, counted.conflicts - short)) / Double(max(1, counted.repeats))
    let evidence = "\(owner.objects) objects have \(distinct) values of “\(key)”"
    if conflicts < 0.05 {
      return IdentityChoice(
        node: child, certainty: .certain,
        evidence: "\(evidence), and equal values always come with the same object\(said)")
    }
    let cameBack = rank < IdentityNames.unsure && cameBack(child, of: index, isSure: !isStrong)
    guard isStrong || isReferenced || cameBack else { return nil }
    // In one document an object does not change: what differs belongs to where it stands, as a role in a film does.
    let within = Double(min(counted.repeats, owner.conflictsWithin)) / Double(max(1, counted.repeats))
    // A short value that others do not name may be that of several, however few came again.
    guard within < (isReferenced || isRecord || isWide(shapes[child]) ? 0.1 : 0.001) else { return nil }
    // The game 7 in the lists of two players is one line in each, if most that came again say something else.
    if !isRecord, !isReferenced, conflicts >= 0.5, shapes[child].integers > 0, child >= 0,
      shapes.tree[shapes.tree[child].parent].key < 0
    {
      return nil
    }
    guard
      conflicts < 0.1 || (isReferenced && !isOrdinal(shapes[child])) || (!isRecord && isWide(shapes[child]))
        || isStrong && owner.conflictsWithin == 0 && isOfOneObject(child) || cameBack
    else {
      return nil
    }
    return IdentityChoice(
      node: child, certainty: .doubtful,
      evidence:
        "\(evidence); \(Int((conflicts * 100).rounded())) % of those that came again came with something else"
    )
  }

  /// A key without the name of an identity, whose values are all different and look like codes.
  private func unnamed(_ index: Int32) -> IdentityChoice? {
    let objects = shapes[index].objects
    guard objects >= 5, !isOneEach(index) else { return nil }
    let candidates = shapes.children(of: index).filter { child in
      guard isComplete(child, of: index), !IdentityNames.isVersion(shapes.key(of: child)) else {
        return false
      }
      let (node, key) = (shapes[child], shapes.key(of: child))
      guard !TextNames.contain(key) || referenced.contains(shapes.find(child)),
        !LinkName(key).hasEnding || !namesOthers(child, of: index)
      else { return false }
      let isNamed = referenced.contains(shapes.find(child)) || isNamedBeside(child, in: index)
      guard !MoneyNames.contain(key), LinkName(key).hasEnding || isNamed || !haveMoments(index) else {
        return false
      }
      // An object that came twice, as pages that overlap have it, says the same each time.
      guard
        node.values.areUnique || isSurely(child, of: index)
          || node.values.estimatedCount > 1 && hasNothingInside(index)
            && shapes.tree.rows.saysAll(shapes[index], by: Int(shapes.tree[child].ordinal))
      else { return false }
      if node.integers > 0 {
        // A number in the first place that is called like a key.
        return child == shapes.children(of: index).first && LinkName(shapes.key(of: child)).hasEnding
      }
      if node.strings > 0 {
        // A whole number in a text is an amount, unless its key is called like one of objects.
        if node.forms.contains(.integer), !LinkName(key).hasEnding, !isNamed, !isHash(child) { return false }
        // `183.59` and `36988.23313197` are amounts, `1512304501.000217` is a moment.
        let isAmount =
          node.forms.contains(.number) && !node.forms.contains(.integer)
          && !isNamed
        return node.forms.contains(.word) && node.longest <= 64 && node.forms.isDisjoint(with: .dates)
          && !isAmount && !areHexadecimalNumbers(child)
      }
      return false
    }
    let named =
      candidates.first { referenced.contains(shapes.find($0)) }
      ?? candidates.first { isHash($0) && shapes.areMadeByProgram($0) }
    guard let child = named ?? likeliest(candidates, of: index) else { return nil }
    let key = shapes.key(of: child)
    return IdentityChoice(
      node: child, certainty: .doubtful,
      evidence: "all \(objects) values of “\(key)” differ, though its name is not that of an identity")
  }
}

extension IdentityChooser {
  /// Whether objects hold no others and no lists, in which they may differ.
  private func hasNothingInside(_ index: Int32) -> Bool {
    shapes.children(of: index).allSatisfy { shapes[$0].objects == 0 && shapes[$0].lists == 0 }
  }

  /// Whether a key is called like one, in the first place, and its values are no two objects' by chance: only objects of several
  /// places came with the same.
  private func isSurely(_ child: Int32, of index: Int32) -> Bool {
    shapes.uniqueApart.contains(shapes.find(child)) && isLikeIdentity(child, of: index)
  }

  private func isLikeIdentity(_ child: Int32, of index: Int32) -> Bool {
    child == shapes.children(of: index).first && LinkName(shapes.key(of: child)).hasEnding
      && isComplete(child, of: index) && shapes.areMadeByProgram(child)
  }

  /// Whether objects have a moment each: then a word that differs in a few of them, such as a state, identifies none.
  private func haveMoments(_ index: Int32) -> Bool {
    shapes.children(of: index).contains { child in
      let node = shapes[child]
      guard node.total == shapes[index].objects else { return false }
      if node.strings == node.total {
        return node.forms.contains(.moment) && !node.forms.contains(.day)
          || shapes.key(of: child).hasSuffix("ts") && areSeconds(child)
      }
      return node.integers == node.total
        && DateNames.unit(of: shapes.key(of: child), from: node.minimum, to: node.maximum) != nil
    }
  }

  /// Whether texts are seconds since 1970 with a fraction, as those of messages are: `1701001524.974451`.
  private func areSeconds(_ child: Int32) -> Bool {
    shapes.tree.samples[shapes.find(child)]?.allSatisfy { text in
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      return parts.count == 2 && parts[0].count == 10 && parts[0].first == "1"
    } ?? false
  }

  /// Whether another key of the objects names one of them by the value: `thread_ts` beside `ts`.
  private func isNamedBeside(_ child: Int32, in index: Int32) -> Bool {
    let words = Words.words(shapes.key(of: child))
    guard words.contains(where: { $0.contains(where: \.isLetter) }),
      !shapes.rowPlaces.contains(shapes.find(index))
    else { return false }
    return shapes.children(of: index).contains { other in
      let longer = Words.words(shapes.key(of: other))
      return longer.count > words.count && Array(longer.suffix(words.count)) == words
        && shapes[other].values.overlap(with: shapes[child].values).found > 0
    }
  }

  /// Whether a key is called like a hash, as `transactionHash` is.
  private func isHash(_ child: Int32) -> Bool { Words.words(shapes.key(of: child)).last == "hash" }

  /// Whether texts are numbers in base 16, as amounts in blocks of a chain are: `0x5208`.
  private func areHexadecimalNumbers(_ child: Int32) -> Bool {
    shapes[child].longest <= 18
      && shapes.tree.samples[shapes.find(child)]?.allSatisfy { text in
        text.hasPrefix("0x") && text.dropFirst(2).allSatisfy(\.isHexDigit)
      } ?? false
  }

  /// The key that begins as most other keys do, as `eventID` beside `eventTime` and `eventName`, or else the first.
  private func likeliest(_ candidates: [Int32], of index: Int32) -> Int32? {
    let words = shapes.children(of: index).compactMap { Words.words(shapes.key(of: $0)).first }
    func likeness(_ child: Int32) -> Int { words.count { $0 == Words.words(shapes.key(of: child)).first } }
    // Years differ by chance where objects are few.
    let telling = candidates.filter { !Words.words(shapes.key(of: $0)).contains("year") }
    return (telling.isEmpty ? candidates : telling).reduce(nil) { best, child in
      best.map { likeness($0) < likeness(child) ? child : $0 } ?? child
    }
  }
}
