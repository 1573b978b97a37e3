import Mapping

/// Objects that name others by their addresses: `{"name": "cut", "url": "https://pokeapi.co/api/v2/move/15/"}`. The word before the
/// end of an address says what it leads to.
extension ShapeMatcher {
  /// A place of objects that have an address, and nothing else but a name and one more text.
  private struct AddressedPlace {
    var index: Int32
    var address: Int32
    /// The place of the names; nil where objects have nothing but the address.
    var label: Int32?
    /// Whether the addresses end with numbers, with what a program made, or with another value of the objects: then they name one
    /// of many, wherever that came.
    var isSure: Bool
  }

  /// The most keys of objects that only name others.
  private static let mostKeys = 3
  /// So many places whose addresses are of any form are compared with where others came.
  private static let mostDoubtful = 16

  /// Makes one place of all objects that name others of one collection, and of these where they came.
  ///
  /// - Throws: ``ImportError`` if the caller cancels.
  func joinAddressed() throws {
    var places: [String: [AddressedPlace]] = [:]
    var order: [String] = []
    var named: Set<Int32> = []
    for index in shapes.objectPlaces().prefix(Self.mostPlaces) where shapes.find(index) == index {
      guard let place = addressedPlace(index), let prefix = prefix(of: place.address) else { continue }
      if places[prefix] == nil { order.append(prefix) }
      places[prefix, default: []].append(place)
      named.insert(index)
    }
    guard !order.isEmpty else { return }
    let others = shapes.objectPlaces().prefix(Self.mostPlaces).filter {
      shapes.find($0) == $0 && !named.contains($0) && !shapes.isSplit($0)
    }.map(candidate).filter { !isVariant($0) && !isPart($0) }
    let links = linkNames()
    for prefix in order {
      try shapes.checkCancellation()
      guard let word = AddressCollection.word(of: prefix[...]) else { continue }
      // A key such as `move_id` names objects by an identity of their own, which they have to keep.
      let isLinked = links.contains { $0.score(for: Words.entityName(word), isSelf: false) >= 2 }
      join(places[prefix] ?? [], of: prefix, word, among: others, isLinked: isLinked)
    }
  }

  /// The keys that end as keys of objects do.
  private func linkNames() -> [LinkName] {
    let keys = (0..<Int32(shapes.tree.count)).compactMap { index in
      let node = shapes.tree[index]
      return node.scalars > 0 && node.key >= 0 ? node.key : nil
    }
    return Set(keys).map { LinkName(shapes.tree.text(ofKey: $0)) }.filter(\.hasEnding)
  }

  private func join(
    _ places: [AddressedPlace], of prefix: String, _ word: String, among others: [Candidate], isLinked: Bool
  ) {
    for place in places where place.label == nil {
      let isKnown = others.contains {
        hasEnds(of: place.address, $0) && AddressCollection.isCalled($0.name, word)
      }
      if isKnown { shapes.bareAddresses.append(place.index) }
    }
    func whole(_ place: AddressedPlace) -> (place: Candidate, identity: Int32)? {
      guard !isLinked, let whole = self.whole(of: place, word, among: others) else { return nil }
      // As one with objects that nothing identifies, they would lose their own identity.
      return identityKey(of: place, whole.index).map { (whole, $0) }
    }
    let named = places.filter { place in
      guard let label = place.label, let first = places.first(where: { $0.label != nil }) else {
        return false
      }
      return shapes.key(of: label) == first.label.map(shapes.key)
        && shapes.key(of: place.address) == shapes.key(of: first.address)
    }
    guard let first = named.first,
      named.contains(where: \.isSure) || named.prefix(Self.mostDoubtful).contains(where: { whole($0) != nil })
    else { return }
    for place in named.dropFirst() { shapes.tree.join(first.index, place.index) }
    let known = whole(first)
    if let known { shapes.tree.join(known.place.index, references: first.index) }
    shapes.collections.append(
      AddressCollection(
        place: shapes.find(first.index), prefix: prefix, word: word,
        identity: known?.identity ?? identityKey(of: first, nil)))
  }

  // MARK: - Places

  /// The parts of objects that only name others; nil if these say more.
  private func addressedPlace(_ index: Int32) -> AddressedPlace? {
    guard shapes.isObject(index), !shapes.isSplit(index), !shapes[index].flags.contains(.truncated) else {
      return nil
    }
    let children = shapes.children(of: index)
    let objects = shapes[index].objects
    guard (1...Self.mostKeys).contains(children.count),
      children.allSatisfy({ shapes[$0].strings == shapes[$0].present })
    else { return nil }
    let addresses = children.filter { LabelNames.flags(of: shapes.key(of: $0)) == .address }
    guard addresses.count == 1, let isSure = areAddresses(addresses[0], of: objects, beside: children),
      strongIdentity(of: index).map({ $0 == shapes.find(addresses[0]) }) ?? true
    else { return nil }
    let label = children.first { child in
      LabelNames.flags(of: shapes.key(of: child)) == .label && shapes[child].strings == objects
        && shapes[child].emptyTexts == 0
    }
    guard label != nil || children.count == 1, !isVariant(candidate(index)), !isPart(candidate(index)) else {
      return nil
    }
    return AddressedPlace(index: index, address: addresses[0], label: label, isSure: isSure)
  }

  /// Nil unless all objects have an address and all of these begin alike; then whether they surely name one object of many.
  private func areAddresses(_ child: Int32, of objects: Int, beside children: [Int32]) -> Bool? {
    let node = shapes[child]
    guard node.strings == objects, node.total == objects, node.emptyTexts == 0, node.flags.contains(.slashes),
      node.flags.isDisjoint(with: [.mixedPrefixes, .longTexts]),
      let samples = shapes.tree.samples[shapes.find(child)]
    else { return nil }
    let isOwnKey = children.contains { other in
      let (found, compared) = node.tails.overlap(with: shapes[other].values)
      return other != child && compared > 0 && found == compared
    }
    return isOwnKey
      || samples.allSatisfy { text in
        guard let end = text.split(separator: "/").last.map(String.init) else { return false }
        return Int64(end) != nil || LinkFinder.isMadeByProgram(end)
      }
  }

  private func prefix(of address: Int32) -> String? {
    shapes.tree.prefixes[shapes.find(address)].flatMap {
      AddressCollection.word(of: $0[...]) == nil ? nil : $0
    }
  }

  // MARK: - What addresses lead to

  /// The objects that addresses lead to: they are called like the collection, or nothing else is like them.
  private func whole(
    of place: AddressedPlace, _ word: String, among others: [Candidate]
  ) -> Candidate? {
    func sharedAddresses(_ other: Candidate) -> Int {
      shapes.child(of: other.index, named: shapes.key(of: place.address)).map {
        shapes[$0].values.overlap(with: shapes[place.address].values).found
      } ?? 0
    }
    let same = others.filter { sharedAddresses($0) > 0 }
    if let best = same.max(by: { sharedAddresses($0) < sharedAddresses($1) }) { return best }
    guard place.isSure else { return nil }
    let fitting = others.filter { isNamed($0, by: place, word) }
    let called = fitting.filter { AddressCollection.isCalled($0.name, word) }
    if let best = called.max(by: { shapes[$0.index].objects < shapes[$1.index].objects }) { return best }
    // An object that each has once, under its own name, is no other one of its kind.
    let sure = fitting.filter {
      shapes[place.address].tails.overlap(with: identityValues($0)).found >= 5 && !isOneInEach(place, $0)
    }
    return sure.count == 1 ? sure[0] : nil
  }

  /// Whether objects stand in those of another place, as many as these are, and most have a name of these.
  private func isOneInEach(_ place: AddressedPlace, _ whole: Candidate) -> Bool {
    guard isNested(whole.index, place.index), shapes[place.index].objects == shapes[whole.index].objects,
      let label = place.label, let names = shapes.child(of: whole.index, named: shapes.key(of: label))
    else { return false }
    let (found, compared) = shapes[label].values.overlap(with: shapes[names].values)
    return found * 2 >= compared
  }

  private func identityValues(_ whole: Candidate) -> DistinctValues {
    whole.identity.map { shapes[$0].values } ?? DistinctValues()
  }

  /// Whether addresses end with identities of objects.
  private func hasEnds(of address: Int32, _ whole: Candidate) -> Bool {
    let (found, compared) = shapes[address].tails.overlap(with: identityValues(whole))
    return found > 0 && found * 2 >= compared
  }

  /// Whether as many ends of addresses are identities of objects as names beside the addresses are names of these, which no two
  /// of them share. None are where one object came that names others of its kind; then it is called like these.
  private func isNamed(_ whole: Candidate, by place: AddressedPlace, _ word: String) -> Bool {
    guard let key = place.label.map(shapes.key), let label = shapes.child(of: whole.index, named: key),
      whole.identity != label
    else { return false }
    let names = shapes[label]
    guard names.strings == shapes[whole.index].objects, names.values.areDistinct(of: names.strings) else {
      return false
    }
    let byEnd = shapes[place.address].tails.overlap(with: identityValues(whole)).found
    let byName = shapes[place.label ?? label].values.overlap(with: names.values).found
    guard byEnd > 0 || byName > 0 else {
      return AddressCollection.isCalled(whole.name, word)
        && whole.identity.map { shapes[$0].integers == shapes[whole.index].objects } ?? false
    }
    return abs(byEnd - byName) * 10 <= max(byEnd, byName)
  }

  /// Whether a name is one for programs, such as `special-attack`.
  static func isSlug(_ name: String) -> Bool {
    name.utf8.allSatisfy { byte in
      byte &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
        || [UInt8(ascii: "-"), UInt8(ascii: "_")].contains(byte)
    }
  }

  /// The key that identifies both the objects and those that name them: the address where both have it, or else the name, if
  /// each name has one address and is made for programs. Nil if that is not known.
  private func identityKey(of place: AddressedPlace, _ whole: Int32?) -> Int32? {
    let address = shapes.keyNumber(of: place.address)
    if let whole, let own = shapes.child(of: whole, named: shapes.key(of: place.address)) {
      return shapes[own].values.overlap(with: shapes[place.address].values).found > 0 ? address : nil
    }
    guard let label = place.label else { return nil }
    let (names, addresses) = (shapes[label], shapes[place.address].values)
    let samples = shapes.tree.samples[shapes.find(label)] ?? []
    guard names.forms.contains(.word), samples.allSatisfy(Self.isSlug), names.values.isExact,
      addresses.isExact, names.values.count == addresses.count
    else { return whole == nil ? address : nil }
    return shapes.keyNumber(of: label)
  }
}

/// Objects that others name by addresses which begin alike.
struct AddressCollection {
  let place: Int32
  /// The beginning of all addresses.
  let prefix: String
  /// The word before the end of the addresses, which says what the objects are.
  let word: String
  /// The key that identifies them; nil if that is not known.
  let identity: Int32?

  /// The word that says what addresses with a beginning lead to; nil if that is the name of a server or of a version.
  static func word(of prefix: Substring) -> String? {
    guard let word = prefix.split(separator: "/").last.map(String.init),
      word.allSatisfy({ $0.isLetter || $0.isNumber || "-_".contains($0) }),
      word.count(where: \.isLetter) > 2
    else { return nil }
    return word
  }

  /// Whether a name is a word, in the plural or not.
  static func isCalled(_ name: String, _ word: String) -> Bool {
    !Set(Names.singulars(Names.folded(name))).isDisjoint(with: Names.singulars(Names.folded(word)))
  }

  /// Whether a name ends like a word: `5e-SRD-Magic-Schools` like `magic-schools`.
  static func isEnding(_ word: String, of name: String) -> Bool {
    let (words, ending) = (Words.words(name), Words.words(word))
    return !ending.isEmpty
      && words.suffix(ending.count).map(Words.singular(ofWord:)) == ending.map(Words.singular(ofWord:))
  }

  /// The ends of the first addresses, behind their last slash; nil if a draft's objects have none.
  func ends(of draft: EntityDraft, _ shapes: Shapes) -> [String]? {
    let samples = draft.attributes.compactMap { attribute in
      attribute.node < 0 ? nil : shapes.tree.samples[shapes.find(attribute.node)]
    }
    let addresses = samples.first { $0.allSatisfy { $0.hasPrefix(prefix) } }
    return addresses?.compactMap { $0.split(separator: "/").last.map(String.init) }
  }
}
