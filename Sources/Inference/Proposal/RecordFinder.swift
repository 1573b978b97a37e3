import Mapping
import ObjectModel

/// Finds the objects that the JSON is about: behind wrappers, in documents of several lists, in dictionaries.
struct RecordFinder {
  private let shapes: Shapes
  private let envelope: ResponseEnvelope
  private(set) var places: [RecordPlace] = []
  /// Keys around the objects whose values say more than which part of a list came: no object gets these.
  private(set) var leftOut: [LeftOutKeys] = []

  /// The keys of all dictionaries that hold the objects of a place.
  private let keysOfDictionaries: [Int32: [Int32]]

  /// More wrappers in one another than anybody sends.
  private static let deepest = 6

  init(_ shapes: Shapes, _ roots: [RootPlace]) {
    self.shapes = shapes
    envelope = ResponseEnvelope(shapes: shapes)
    let dictionaries = (0..<Int32(shapes.tree.count)).filter {
      shapes.tree[$0].keys >= 0 && shapes.tree[$0].flags.contains(.dictionary)
    }
    keysOfDictionaries = Dictionary(grouping: dictionaries) { shapes.element(of: $0) ?? -1 }
      .mapValues { $0.map { shapes.tree[$0].keys } }
    for root in roots {
      let before = places.count
      // A page without objects says nothing beside others.
      let isAlone = roots.count == 1 && !shapes.knownLists.areKnown
      if isAlone || shapes[root.node].objects == 0 || saysSomething(root.node) { find(root) }
      guard places.count == before, shapes[root.node].objects > 0, !shapes.isDictionary(root.node),
        isAlone || saysSomething(root.node), !envelope.lacksObjects(root.node)
      else {
        leftOut += envelope.leftOut(around: places[before...].map(\.wholePath), root.node)
        continue
      }
      // Nothing in it is a list of objects: it is an object itself.
      add(place(of: root))
    }
  }

  /// Whether objects have more than nulls, lists without elements and objects of which the same holds.
  private func saysSomething(_ node: Int32, depth: Int = 0) -> Bool {
    shapes.isSplit(node) || shapes.isDictionary(node) || depth > Self.deepest
      || shapes.children(of: node).contains { child in
        let node = shapes[child]
        return node.scalars > 0 || node.mostElements > 0
          || node.objects > 0 && saysSomething(child, depth: depth + 1)
      }
  }

  private func place(of root: RootPlace) -> RecordPlace {
    var place = RecordPlace(node: shapes.find(root.node), names: root.names)
    place.rootNode = root.node
    place.shape = root.shape
    if root.shape.hasHead { place.path.append(SourceShape.rowsStep) }
    place.places = root.places
    place.files = root.files
    place.hasFileNames = root.fileCount <= root.files.count
    place.hasSourceNames = root.hasSourceNames
    let node = shapes[root.node]
    place.isOneEach = node.lists == 0 && node.objects == node.total && node.objects == root.sourceCount
    return place
  }

  private mutating func find(_ root: RootPlace) {
    var place = self.place(of: root)
    if let list = root.shape.listOfKind {
      if shapes.isSplit(place.node) { shapes.tree.unsplit(place.node) }
      if let items = shapes.child(of: place.node, named: list) { place = step(into: items, from: place) }
    } else if root.shape.saidKind != nil {
      return add(place)
    }
    for _ in 0..<Self.deepest {
      let node = place.node
      if let element = shapes.listedObjects(node) {
        place.node = element
        if let inner = wrapped(element), !isKnownObject(around: inner, at: place.path) {
          place.path += ["[]", shapes.key(of: inner)]
          place.node = inner
          if holdsListsOnly(inner), shapes[node].mostElements == 1 { continue }
        }
        return add(place)
      }
      if let inner = listOfLists(node) {
        place.path.append("[]")
        place.node = inner
        continue
      }
      if place.path.isEmpty, let values = listedValues(node) {
        place.node = values
        place.hasScalars = true
        return add(place)
      }
      guard shapes[node].objects > 0, shapes[node].scalars == 0 else { return }
      if shapes.isDictionary(node) { return findInDictionary(place) }
      if shapes.isSplit(node) {
        guard isPlainWrapper(node) else { return add(place) }
        shapes.tree.unsplit(node)
      }
      guard let inner = findInObject(&place) else { return }
      place = inner
    }
    add(place)
  }

  /// The place of the values in a list at the root, `[39000, 39001]`, if there are no objects or lists among them. Each is an
  /// object with this value.
  private func listedValues(_ node: Int32) -> Int32? {
    guard shapes[node].lists > 0, shapes[node].lists == shapes[node].present,
      let element = shapes.element(of: node), shapes[element].scalars > 0,
      shapes[element].scalars == shapes[element].present
    else { return nil }
    return element
  }

  /// The place of the lists in a list, if these hold objects.
  private func listOfLists(_ node: Int32) -> Int32? {
    guard shapes[node].lists > 0, shapes[node].lists == shapes[node].present,
      let element = shapes.element(of: node), shapes[element].lists == shapes[element].present,
      shapes.listedObjects(element) != nil
    else { return nil }
    return element
  }

  /// A root that has a key like `type` is one object with it, unless it is a wrapper around a list.
  private func isPlainWrapper(_ node: Int32) -> Bool {
    let variants = shapes.children(of: node)
    return variants.count == 1 || variants.allSatisfy { isWrapperOfList($0) }
  }

  private func isWrapperOfList(_ node: Int32) -> Bool {
    shapes.children(of: node).contains {
      GenericNames.isWrapper(shapes.key(of: $0)) && shapes.listedObjects($0) != nil
    }
  }

  private mutating func add(_ place: RecordPlace) {
    guard place.hasScalars || !shapes.keys(of: place.node).isEmpty else { return }
    var place = place
    if place.node != shapes.find(place.rootNode) { place.isOneEach = false }
    places.append(place)
  }

  /// The object that each element of a list stands around, with nothing of its own but what kind it is.
  private func wrapped(_ element: Int32) -> Int32? {
    guard !shapes.isSplit(element), shapes[element].identityRank > IdentityNames.strongest else { return nil }
    let members = shapes.children(of: element)
    let objects = members.filter { shapes[$0].objects > 0 || shapes[$0].lists > 0 }
    guard members.count <= 3, objects.count == 1, let inner = objects.first, shapes.isObject(inner),
      GenericNames.isWrapper(shapes.key(of: inner)) || members.count == 1,
      shapes[inner].objects == shapes[element].objects,
      shapes[inner].identityRank <= IdentityNames.strongest || holdsListsOnly(inner),
      members.allSatisfy({ $0 == inner || GenericNames.isMeta(shapes.key(of: $0), isStrict: false) })
    else { return nil }
    return inner
  }

  /// Whether a store has the objects of a list at the top with keys of what stands in them.
  private func isKnownObject(around inner: Int32, at path: [String]) -> Bool {
    path.isEmpty && shapes.tree.objectPaths["$[].\(shapes.key(of: inner))"] != nil
  }

  /// Whether objects have lists of objects and nothing else, as an export of several entities has at the place of the objects.
  private func holdsListsOnly(_ node: Int32) -> Bool {
    !shapes.isSplit(node) && shapes.children(of: node).allSatisfy { shapes.listedObjects($0) != nil }
  }

  // MARK: - Dictionaries

  private mutating func findInDictionary(_ place: RecordPlace) {
    guard let values = shapes.element(of: place.node) else { return }
    var place = place
    place.keys = shapes[place.node].keys
    leaveFilesOfMembers(&place)
    if shapes.isObject(values) {
      place.node = values
      place.isUnderKeys =
        shapes.sharedKeys.contains(RecordPlace.text(of: place.wholePath))
        || haveAmbiguousKeys(values)
    } else if let listed = shapes.listedObjects(values) {
      place.node = listed
      place.isUnderKeys = true
    } else if shapes[values].objects == 0 {
      place.node = values
      place.hasScalars = true
      place.isUnderKeys = haveContradictoryKeys(values)
    } else {
      return
    }
    if place.isUnderKeys, let key = place.documentKey {
      // Objects that a path leads to through all keys are not found by one of them.
      place.path.append(key)
      place.documentKey = nil
    }
    add(place)
  }

  /// Leaves out names of files that are keys of the dictionary, `champion/Aatrox.json` with `{"Aatrox": {…}}`: such a key names an object,
  /// and not the entity.
  private func leaveFilesOfMembers(_ place: inout RecordPlace) {
    guard let keys = place.keys else { return }
    place.files.removeAll { file in
      var file = file
      return file.withUTF8 { shapes[keys].values.contains(Hashing.hash($0)) == true }
    }
  }

  /// Whether the keys of one of the dictionaries that hold the objects of a place are ambiguous.
  private func haveAmbiguousKeys(_ values: Int32) -> Bool {
    (keysOfDictionaries[values] ?? []).contains(where: areAmbiguous)
  }

  /// Whether the keys of one of the dictionaries that hold the values of a place came again with others.
  private func haveContradictoryKeys(_ values: Int32) -> Bool {
    (keysOfDictionaries[values] ?? []).contains(where: areContradictory)
  }

  /// Whether the keys of dictionaries came again with other objects, or may do so: then they tell apart those of one dictionary only,
  /// as dates do in a file for each sensor.
  private func areAmbiguous(_ keys: Int32) -> Bool {
    let node = shapes[keys]
    // An empty key says that there is only one, in the next file as well.
    if node.emptyTexts > 0 { return true }
    // Days of which none came again may be those of another series in the next file.
    if node.strings > 0, !node.forms.isDisjoint(with: [.day, .moment]), node.values.areUnique { return true }
    return areContradictory(keys)
  }

  /// Whether the keys of dictionaries came again with something else. Long keys with digits are the same only where they mean the same.
  private func areContradictory(_ keys: Int32) -> Bool {
    let node = shapes[keys]
    let conflicts = node.conflicts + node.ambiguousIdentities
    let distinct = node.values.estimatedCount
    guard conflicts > 0, conflicts * 10 >= max(1, min(distinct, node.strings - distinct)) else {
      return false
    }
    return !shapes.areMadeByProgram(keys)
  }

  // MARK: - Objects

  /// The uses of the members of an object around lists.
  private struct Members {
    /// Lists and dictionaries that hold records.
    var lists: [Int32] = []
    var objects: [Int32] = []
    /// Scalars that say something of an object rather than of a list.
    var scalars = 0
  }

  /// Looks into an object at the root. Gives the place to look at next, or nil if all is found.
  private mutating func findInObject(_ place: inout RecordPlace) -> RecordPlace? {
    let node = place.node
    if envelope.lacksObjects(node) || isEmptyPage(node, at: place.path) { return nil }
    // The `id` of JSON-RPC is that of the question.
    if !shapes.isSplit(node), envelope.isRemoteCall(node),
      let answer = shapes.child(of: node, named: "result"), shapes.isObject(answer)
    {
      return step(into: answer, from: place)
    }
    if shapes.isBundle(node), let list = shapes.child(of: node, named: "objects") {
      return step(into: list, from: place)
    }
    // A document with other lists may have been an object, so that this is one too.
    if isKnownDocument(node, at: place.path) {
      add(place)
      return nil
    }
    // A notebook is more than the list of its cells.
    if shapes.child(of: node, named: "nbformat") != nil {
      add(place)
      return nil
    }
    let identity = shapes[node].identityRank
    let strict = members(of: node, isStrict: true)
    let loose = members(of: node, isStrict: false)
    // An answer with an identity of its own, which the next one has not: `{"Id": …, "Status": "OK", "Items": […]}`.
    if saysOK(node), loose.lists.count == 1, hasScalarsOnly(node, beside: loose.lists[0]),
      let element = shapes.listedObjects(loose.lists[0]), isIdentified(element)
    {
      return step(into: loose.lists[0], from: place)
    }
    if place.isInPage, identity > IdentityNames.strongest, loose.lists.count == 1, loose.objects.isEmpty {
      return step(into: loose.lists[0], from: place)
    }
    if identity > IdentityNames.strongest, loose.lists.isEmpty, let inner = pageInside(node, loose.objects) {
      var inner = step(into: inner, from: place)
      inner.isInPage = true
      return inner
    }
    if !loose.lists.isEmpty, strict.lists.count == loose.lists.count,
      loose.lists.allSatisfy({ isOwned($0, by: node) })
    {
      add(place)
      return nil
    }
    if identity > IdentityNames.strongest, loose.lists.count == 1, loose.scalars == 0, loose.objects.isEmpty,
      GenericNames.isWrapper(shapes.key(of: loose.lists[0]))
    {
      return step(into: loose.lists[0], from: place)
    }
    if identity > IdentityNames.strongest, strict.lists.count == 1, strict.objects.isEmpty,
      strict.scalars > 0, isPage(node, around: strict.lists[0], at: place.path)
    {
      return step(into: strict.lists[0], from: place)
    }
    if identity > IdentityNames.strongest, strict.lists.count >= 1, strict.scalars == 0,
      strict.objects.isEmpty || strict.lists.count >= 2
    {
      // An import finds the objects of a document by its keys, or by one path, and not by both.
      guard strict.lists.count + strict.objects.count == 1 || strict.lists.allSatisfy(isFoundByKey) else {
        add(place)
        return nil
      }
      for list in strict.lists { addDocumentList(list, place) }
      for object in strict.objects { addDocumentObject(object, place) }
      return nil
    }
    // A document with a name of its own, `{"name": "main", "commit": {…}}`, is an object, unless it is around one that is called by nothing.
    if identity > IdentityNames.strongest, loose.lists.isEmpty, loose.scalars == 0, loose.objects.count == 1,
      strict.scalars == 0
        || GenericNames.isWrapper(shapes.key(of: loose.objects[0]))
          && place.path.allSatisfy(GenericNames.isWrapper),
      !hasHeader(node, beside: loose.objects[0])
    {
      return step(into: loose.objects[0], from: place)
    }
    if identity > IdentityNames.strongest, loose.lists.isEmpty, loose.scalars == 0, loose.objects.isEmpty,
      let inner = onlyHolder(node), !hasHeader(node, beside: inner)
    {
      return step(into: inner, from: place)
    }
    add(place)
    return nil
  }

  /// Whether scalars stand beside an empty object in which other documents have the objects: `{"QueryResponse": {}, "time": …}`.
  private func isEmptyPage(_ node: Int32, at path: [String]) -> Bool {
    guard !shapes.isSplit(node) else { return false }
    let children = shapes.children(of: node)
    let empty = children.filter(envelope.isEmpty)
    return empty.contains { shapes.knownLists.areInside(path + [shapes.key(of: $0)]) }
      && children.allSatisfy { empty.contains($0) || shapes[$0].scalars == shapes[$0].present }
  }

  /// Whether a store has documents as objects that have all lists of one. A single list, if its objects have identities of their own, may be
  /// one of other objects.
  private func isKnownDocument(_ node: Int32, at path: [String]) -> Bool {
    let lists = lists(in: node)
    let keys = shapes.children(of: node).map(shapes.key)
    guard shapes.knownLists.hold(lists.map(\.path), at: path, besides: keys) else { return false }
    return lists.count > 1 || !isIdentified(lists[0].element)
  }

  /// The lists of objects in an object, and in those inside of it, with the paths to them.
  private func lists(in node: Int32, depth: Int = 0) -> [(path: String, element: Int32)] {
    guard depth < 3, shapes.isObject(node), !shapes.isSplit(node), !shapes.isDictionary(node) else {
      return []
    }
    return shapes.children(of: node).flatMap { child -> [(path: String, element: Int32)] in
      let key = shapes.key(of: child)
      if let element = shapes.listedObjects(child) {
        return GenericNames.isMeta(key, isStrict: true) && !envelope.holdsData(child) ? [] : [(key, element)]
      }
      return lists(in: child, depth: depth + 1).map { ("\(key).\($0.path)", $0.element) }
    }
  }

  /// Whether nothing but scalars stands beside a list.
  private func hasScalarsOnly(_ node: Int32, beside list: Int32) -> Bool {
    shapes.children(of: node).allSatisfy { $0 == list || shapes[$0].scalars == shapes[$0].present }
  }

  /// Whether an object says `OK` of itself, as an answer does. A `success` may be that of a job.
  private func saysOK(_ node: Int32) -> Bool {
    guard !shapes.isSplit(node) else { return false }
    return shapes.children(of: node).contains { child in
      let value = shapes[child]
      return Names.folded(shapes.key(of: child)) == "status" && value.strings == shapes[node].objects
        && value.values.count == 1
        && Self.wordsOfSuccess.contains { value.values.contains($0) == true }
    }
  }

  private static let wordsOfSuccess = ["OK", "ok", "Ok"].map { word in
    var word = word
    return word.withUTF8(Hashing.hash)
  }

  /// The only object inside of one that says which part of how many objects came, if it holds a list of these: `{"limit": "30", "offset":
  /// "0", "total": "3", "RaceTable": {"season": "2023", "Races": […]}}`.
  private func pageInside(_ node: Int32, _ objects: [Int32]) -> Int32? {
    guard objects.count == 1, !shapes.isSplit(node), !shapes.isSplit(objects[0]),
      GenericNames.sayPart(shapes.children(of: node).map(shapes.key)),
      shapes.children(of: objects[0]).count(where: { shapes.listedObjects($0) != nil }) == 1
    else { return nil }
    return objects[0]
  }

  /// Whether the key of a document alone leads to the objects of a list or a dictionary.
  private func isFoundByKey(_ list: Int32) -> Bool {
    guard shapes.listedObjects(list) == nil, let values = shapes.element(of: list) else { return true }
    if shapes.isObject(values) { return !haveAmbiguousKeys(values) }
    return !haveContradictoryKeys(values) && shapes[values].objects == 0
      && shapes.listedObjects(values) == nil
  }

  /// Whether an object such as `metadata` stands beside another one and says which object both are of: `{"metadata": {"matchId": …},
  /// "info": {…}}`.
  private func hasHeader(_ node: Int32, beside inner: Int32) -> Bool {
    shapes.children(of: node).contains { child in
      shapes.find(child) != shapes.find(inner) && FlatObject.isHeaderKey(shapes.key(of: child))
        && shapes.isObject(child) && !shapes.isSplit(child)
        && shapes.children(of: child).contains { member in
          let key = shapes.key(of: member)
          return shapes[member].scalars > 0
            && (GenericNames.namesOwner(key)
              || LinkName.isKeyOfObjects(key) && !GenericNames.isMeta(key, isStrict: false)
              || (IdentityNames.rank(of: key, owner: "") ?? .max) < IdentityNames.unsure
                && !isStatus(member, key))
        }
    }
  }

  /// Whether a number under `code` says how an answer went.
  private func isStatus(_ member: Int32, _ key: String) -> Bool {
    Names.folded(key) == "code" && shapes[member].integers > 0
  }

  /// Whether the objects of a list, or under the keys of a dictionary, have no identity, and an object such as `metadata` beside it
  /// says whose they are.
  private func isOwned(_ list: Int32, by node: Int32) -> Bool {
    if let element = shapes.listedObjects(list) {
      return !isIdentified(element) && wrapped(element) == nil && hasHeader(node, beside: list)
    }
    return !isFoundByKey(list) && hasHeader(node, beside: list)
  }

  /// The only object under a key that says nothing of objects, such as `query`, that has an identity, or holds lists of objects
  /// or dictionaries.
  private func onlyHolder(_ node: Int32) -> Int32? {
    let holders = shapes.children(of: node).filter { child in
      shapes.isObject(child) && !shapes.isSplit(child)
        && (shapes[child].identityRank < IdentityNames.weakest
          || shapes.children(of: child).contains { shapes.listedObjects($0) != nil || isRecordDictionary($0) })
    }
    return holders.count == 1 ? holders[0] : nil
  }

  /// Whether an object is nothing but what is around a list: it has no name, or says which part of how many objects the list
  /// is, and the list holds objects of their own. The only object of a list may be one of those that the object around it has, unless
  /// a store knows such lists.
  private func isPage(_ node: Int32, around list: Int32, at path: [String]) -> Bool {
    guard let element = shapes.listedObjects(list),
      shapes[element].objects >= 2 || shapes.knownLists.contains(path + [shapes.key(of: list)])
    else { return false }
    let keys = shapes.children(of: node).map(shapes.key)
    // The state of a device is no word about its list.
    if shapes.children(of: node).contains(where: {
      shapes[$0].scalars > 0 && GenericNames.isState(shapes.key(of: $0))
    }) {
      return false
    }
    if shapes.children(of: node).contains(where: {
      shapes[$0].scalars > 0 && GenericNames.namesOwner(shapes.key(of: $0))
    }) {
      return false
    }
    if GenericNames.sayPart(keys), shapes[element].identityRank < IdentityNames.unsure { return true }
    return !keys.contains(where: GenericNames.describesObject)
      && (shapes[element].identityRank <= IdentityNames.strongest || wrapped(element) != nil
        || hasIdentityInHeader(element))
  }

  /// Whether all objects have an identity under a key such as `metadata`.
  private func hasIdentityInHeader(_ element: Int32) -> Bool {
    !shapes.isSplit(element)
      && shapes.children(of: element).contains { child in
        FlatObject.isHeader(shapes.key(of: child)) && isIdentified(child)
          && shapes[child].objects == shapes[element].objects
      }
  }

  private func members(of node: Int32, isStrict: Bool) -> Members {
    var result = Members()
    let children = shapes.children(of: node)
    let isPage = GenericNames.sayMore(children.map(shapes.key))
    // The keys of a dictionary may come again in the next document, with what its totals say of other objects.
    let isBesideDictionary =
      children.contains(where: isRecordDictionary) && !children.contains { shapes.listedObjects($0) != nil }
    for child in children {
      let key = shapes.key(of: child)
      let isMeta =
        GenericNames.isMeta(key, isStrict: isStrict) || envelope.isPageInfo(child)
        || envelope.isAboutSibling(child, of: node)
        || envelope.isAboutAnswer(child)
        || isPage && shapes[child].scalars > 0 && Words.words(key).last == "status"
      if shapes.listedObjects(child) != nil {
        if !isMeta || key == "pages" || envelope.holdsData(child) { result.lists.append(child) }
      } else if isRecordDictionary(child) {
        if !isMeta || key == "pages" || envelope.holdsData(child) { result.lists.append(child) }
      } else if shapes[child].objects > 0 {
        // Several objects under a key such as `time`, which may be a moment elsewhere, are data.
        if !isMeta || envelope.holdsObjects(child) || envelope.holdsRecords(child)
          || isBesideDictionary && envelope.holdsFacts(child),
          !envelope.isEmpty(child)
        {
          result.objects.append(child)
        }
      } else if shapes[child].present > 0, !isMeta, !GenericNames.isAnswer(key),
        shapes[child].lists == 0 || shapes[child].mostElements > 0
      {
        result.scalars += 1
      }
    }
    if result.lists.isEmpty {
      result.objects += children.filter {
        !result.objects.contains($0) && envelope.saysMore($0, than: result.objects)
      }
    }
    return result
  }

  private func isRecordDictionary(_ child: Int32) -> Bool {
    shapes.isDictionary(child) && shapes.element(of: child) != nil
  }

  private func step(into child: Int32, from place: RecordPlace) -> RecordPlace {
    var inner = place
    let key = shapes.key(of: child)
    inner.node = child
    inner.path.append(key)
    let saysNothing = GenericNames.isWrapper(key) || isAround(child, key)
    if !saysNothing, !isAnswer(child, key) || inner.names.isEmpty { inner.addName(key) }
    return inner
  }

  /// Whether an object is what stands around a list in an answer, `{"message": {"items": […]}}`, so that its key names nothing.
  private func isAround(_ child: Int32, _ key: String) -> Bool {
    GenericNames.isMeta(key, isStrict: false) && shapes.isObject(child) && !shapes.isSplit(child)
      && shapes.children(of: child).contains {
        GenericNames.isWrapper(shapes.key(of: $0)) && shapes.listedObjects($0) != nil
      }
  }

  /// Whether the name of an object around lists says nothing but that it is an answer: `QueryResponse`.
  private func isAnswer(_ child: Int32, _ key: String) -> Bool {
    shapes.isObject(child) && (Words.words(key).last.map { ["response", "result"].contains($0) } ?? false)
  }

  private func isIdentified(_ object: Int32) -> Bool {
    shapes.isObject(object) && shapes[object].identityRank <= IdentityNames.strongest
  }

  /// Adds an object that a key of a document holds beside lists.
  private mutating func addDocumentObject(_ object: Int32, _ place: RecordPlace) {
    var inner = place
    inner.node = shapes.find(object)
    inner.documentKey = shapes.key(of: object)
    inner.addName(shapes.key(of: object))
    add(inner)
  }

  /// Adds a list that a key of a document holds.
  private mutating func addDocumentList(_ list: Int32, _ place: RecordPlace) {
    let key = shapes.key(of: list)
    var inner = place
    inner.node = list
    inner.documentKey = key
    inner.addName(key)
    if let element = shapes.listedObjects(list) {
      inner.node = element
      add(inner)
    } else {
      findInDictionary(inner)
    }
  }
}
