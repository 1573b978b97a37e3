import Mapping
import ObjectModel

/// The form of documents as a whole: where their objects are, in which dialect, and what tells their entities.
struct DocumentFinder {
  private(set) var records: [RecordPlace] = []
  /// Keys around the objects whose values say more than which part of a list came.
  private(set) var leftOut: Set<LeftOutKeys> = []
  /// The path to the objects that all documents share.
  private(set) var root: String?
  /// The key whose value names the entity of each object.
  private(set) var kind: String?
  private(set) var dialect: Dialect?
  /// Whether documents are of several forms, each of which says where its objects are.
  private(set) var hasForms = false

  /// - Throws: ``InferenceError`` if there are no objects.
  init(
    _ shapes: Shapes, _ roots: [RootPlace], _ names: SourceNames, dialects: Set<Dialect>,
    mixedList: MixedList? = nil
  ) throws {
    let found = DialectFinder(shapes).dialect(of: roots).flatMap { dialects.contains($0) ? $0 : nil }
    // A store reads all documents in its dialect, of which those of some are objects by themselves.
    let known = dialects.count == 1 ? dialects.first : nil
    dialect = found ?? (known == .hal || known == .odata ? known : nil)
    shapes.dialect = dialect
    if dialect == .jsonapi { Self.joinIncluded(shapes, roots) }
    if dialect == .fhir { Self.keepResources(shapes, roots) }
    if dialect == nil {
      Self.joinElements(shapes, roots)
      Self.joinKinds(shapes, roots)
    }
    let mixedList = mixedList ?? (dialect == nil ? MixedList(ofFormatOf: roots.map(\.node), shapes) : nil)
    let mixed = mixedList?.elements(in: roots.map(\.node), shapes) ?? []
    shapes.keptApart.formUnion(mixed)
    for root in roots { shapes.rootNames[root.node] = root.names.first }
    var matcher = ShapeMatcher(shapes)
    try matcher.run()
    switch dialect {
    case .jsonapi, .fhir: records = Self.keptApart(shapes)
    case .geojson, .odata, .hal, .graphql: records = Self.records(shapes, roots, dialect)
    case nil:
      let finder = RecordFinder(shapes, Self.joined(roots, shapes, names))
      (records, leftOut) = (finder.places, Set(finder.leftOut))
    }
    guard !records.isEmpty else { throw Self.noRecords(shapes, roots) }
    if dialect == nil {
      separateStrangers(shapes, known: mixed)
      if let mixedList { nameKind(by: mixedList, of: mixed, shapes) }
      chooseRoot()
      chooseForms(shapes)
    }
    shapes.documentKind = dialect == .fhir ? "resourceType" : kind
  }

  private static func noRecords(_ shapes: Shapes, _ roots: [RootPlace]) -> InferenceError {
    let isListOfLists = roots.contains { root in
      shapes.element(of: root.node).map { shapes[$0].lists > 0 || shapes[$0].scalars > 0 } ?? false
    }
    let haveTooManyKeys = roots.contains { root in
      shapes.element(of: root.node).map { shapes.isDictionary($0) } ?? false
    }
    if haveTooManyKeys {
      return InferenceError(
        "The objects of the JSON have hardly any keys in common, or more than \(ChildLimits.most): their keys are taken for data,"
          + " and nothing says what they are."
      )
    }
    return InferenceError(
      isListOfLists
        ? "The JSON has lists of values without names. A model can only be inferred from objects, or from a table"
          + " with names in its first row."
        : "There is nothing to infer a model from: the JSON has no objects.", lacksObjects: !isListOfLists)
  }

  // MARK: - Dialects

  /// Makes one place of the objects in `data` and in `included`, which their types keep apart.
  private static func joinIncluded(_ shapes: Shapes, _ roots: [RootPlace]) {
    for root in roots {
      var found: [Int32] = []
      for key in ["data", "included"] {
        guard let member = shapes.child(of: root.node, named: key) else { continue }
        // One object is a list of one.
        if shapes[member].objects > 0 {
          let element = shapes.tree.elements(of: shapes.find(member))
          if element >= 0 { shapes.tree.moveObjects(of: shapes.find(member), to: shapes.find(element)) }
        }
        if let element = shapes.element(of: member) { found.append(element) }
      }
      guard let first = found.first else { continue }
      for other in found.dropFirst() { shapes.tree.merge(first, other) }
      shapes.keptApart.insert(shapes.find(first))
    }
    let all = shapes.keptApart.sorted()
    for other in all.dropFirst() { shapes.tree.merge(all[0], other) }
    shapes.keptApart = Set(all.prefix(1).map(shapes.find))
  }

  /// Makes one place of the elements of maps, as Overpass answers with them, or of the objects in bundles of STIX, whatever their files
  /// are called.
  private static func joinElements(_ shapes: Shapes, _ roots: [RootPlace]) {
    let places = roots.compactMap { root -> Int32? in
      if shapes.isMap(root.node) {
        return shapes.child(of: root.node, named: "elements").flatMap { shapes.listedObjects($0) }
      }
      guard shapes.isBundle(root.node) else { return nil }
      if shapes.isSplit(root.node) { shapes.tree.unsplit(root.node) }
      return shapes.child(of: root.node, named: "objects").flatMap { shapes.element(of: $0) }
    }
    guard let first = places.first else { return }
    for other in places.dropFirst() where shapes.find(other) != shapes.find(first) {
      shapes.tree.merge(first, other)
    }
    shapes.mapElements = shapes.find(first)
  }

  /// Makes one place of the objects that services say to be of one kind, those in lists and those by themselves.
  private static func joinKinds(_ shapes: Shapes, _ roots: [RootPlace]) {
    var known: [String: Int32] = [:]
    for root in roots {
      guard let kind = root.shape.saidKind else { continue }
      if shapes.isSplit(root.node) { shapes.tree.unsplit(root.node) }
      guard let list = root.shape.listOfKind else {
        join(shapes.find(root.node), kind)
        continue
      }
      if let items = shapes.child(of: root.node, named: list).flatMap({ shapes.listedObjects($0) }) {
        if shapes.isSplit(items) { shapes.tree.unsplit(items) }
        join(items, kind)
      }
    }
    func join(_ place: Int32, _ kind: String) {
      shapes.saidKinds[place] = kind
      guard let other = known[kind] else { return known[kind] = place }
      guard shapes.find(other) != shapes.find(place) else { return }
      let unique = uniqueInHeaders(of: other, place, shapes)
      shapes.tree.merge(other, place)
      shapes.uniqueApart.formUnion(unique.map(shapes.find))
    }
  }

  /// The places of values in a header such as `metadata` that no two objects have at either of two places.
  private static func uniqueInHeaders(of first: Int32, _ second: Int32, _ shapes: Shapes) -> [Int32] {
    shapes.children(of: first).filter { FlatObject.isHeader(shapes.key(of: $0)) }.flatMap {
      header -> [Int32] in
      guard let twin = shapes.child(of: second, named: shapes.key(of: header)) else { return [] }
      return shapes.children(of: header).filter { child in
        let other = shapes.child(of: twin, named: shapes.key(of: child))
        return [child, other ?? child].allSatisfy {
          shapes[$0].values.areUnique || shapes.uniqueApart.contains(shapes.find($0))
        }
      }
    }
  }

  private static func keepResources(_ shapes: Shapes, _ roots: [RootPlace]) {
    for root in roots {
      let isBundle = shapes.keys(of: root.node).contains { shapes.tree.text(ofKey: $0) == "entry" }
      if isBundle, shapes.isSplit(root.node) { shapes.tree.unsplit(root.node) }
      guard isBundle, let entry = shapes.child(of: root.node, named: "entry"),
        let element = shapes.element(of: entry)
      else {
        if !isBundle, DialectFinder(shapes).isResource(root.node) {
          shapes.keptApart.insert(shapes.find(shapes.element(of: root.node) ?? root.node))
        }
        continue
      }
      if shapes.isSplit(element) { shapes.tree.unsplit(element) }
      guard let resource = shapes.child(of: element, named: "resource") else { continue }
      shapes.keptApart.insert(shapes.find(resource))
    }
    let all = shapes.keptApart.sorted()
    for other in all.dropFirst() { shapes.tree.merge(all[0], other) }
    shapes.keptApart = Set(all.prefix(1).map(shapes.find))
  }

  /// The objects of each type.
  private static func keptApart(_ shapes: Shapes) -> [RecordPlace] {
    shapes.keptApart.flatMap { index in
      guard shapes.isSplit(index) else { return [RecordPlace(node: shapes.find(index))] }
      return shapes.children(of: index).map { variant in
        let name = shapes.key(of: variant)
        return RecordPlace(node: variant, names: [name], documentKey: name)
      }
    }
  }

  private static func records(_ shapes: Shapes, _ roots: [RootPlace], _ dialect: Dialect?) -> [RecordPlace] {
    let key = dialect?.wrapper ?? "data"
    func isDocument(_ root: RootPlace) -> Bool {
      shapes.keys(of: root.node).contains { shapes.tree.text(ofKey: $0) == key }
    }
    // The name of a list says more than that of an object.
    let places = (roots.filter(isDocument) + roots.filter { !isDocument($0) }).flatMap {
      root -> [RecordPlace] in
      if shapes.isSplit(root.node) { shapes.tree.unsplit(root.node) }
      let isLone = dialect == .hal && shapes[root.node].identityRank <= IdentityNames.strongest
      let inside = isLone ? nil : shapes.child(of: root.node, named: key)
      if inside == nil, DialectFinder.isEmptyPage(root.node, shapes) { return [] }
      // An object by itself, or a list of objects, has no wrapper.
      guard let inside = inside ?? (dialect?.wrapper == nil ? nil : shapes.find(root.node)) else { return [] }
      var place = RecordPlace(node: inside, names: root.names)
      place.files = root.files
      place.hasFileNames = root.fileCount <= root.files.count
      place.rootNode = root.node
      place.hasSourceNames = root.hasSourceNames
      if let element = shapes.element(of: inside), shapes[element].objects > 0 {
        if shapes.isSplit(element) { shapes.tree.unsplit(element) }
        place.node = element
        return [place]
      }
      if inside == shapes.find(root.node) { return [place] }
      return ofDocument(shapes, inside, place)
    }
    joinLoneObjects(places, shapes)
    return places
  }

  /// An object by itself is of the entity of the list that has it too.
  private static func joinLoneObjects(_ places: [RecordPlace], _ shapes: Shapes) {
    for lone in places where lone.rootNode >= 0 && shapes.find(lone.node) == shapes.find(lone.rootNode) {
      let list = places.first { other in
        other.rootNode != lone.rootNode && shapes.find(other.node) != shapes.find(lone.node)
          && haveOneObject(other.node, lone.node, shapes)
      }
      if let list { shapes.tree.join(list.node, lone.node) }
    }
  }

  /// Whether an object came at both of two places, by an identity that no two have by chance.
  private static func haveOneObject(_ first: Int32, _ second: Int32, _ shapes: Shapes) -> Bool {
    let (one, other) = (shapes[first], shapes[second])
    guard max(one.identityRank, other.identityRank) <= IdentityNames.strongest, one.identity >= 0,
      other.identity >= 0, shapes.key(of: one.identity) == shapes.key(of: other.identity),
      shapes.areLong(one.identity)
    else { return false }
    return shapes[one.identity].values.overlap(with: shapes[other.identity].values).found > 0
  }

  /// The objects under each key of a document.
  ///
  /// - Parameter document: The place of the document.
  private static func ofDocument(
    _ shapes: Shapes, _ index: Int32, _ document: RecordPlace
  ) -> [RecordPlace] {
    MemberFinder(shapes: shapes).members(of: index, isRecord: false).compactMap { member in
      let objects = member.connected ?? shapes.listedObjects(member.node)
      guard let objects = objects ?? (shapes.isObject(member.node) ? member.node : nil) else { return nil }
      var place = RecordPlace(node: objects, names: [member.key], documentKey: member.key)
      place.hasSourceNames = document.hasSourceNames
      return place
    }
  }

  // MARK: - Without a dialect

  /// Files whose objects turned out to be alike are named by their folder.
  private static func joined(_ roots: [RootPlace], _ shapes: Shapes, _ names: SourceNames) -> [RootPlace] {
    var groups: [Int32: [RootPlace]] = [:]
    var order: [Int32] = []
    for root in roots {
      let node = shapes.element(of: root.node) ?? shapes.find(root.node)
      if groups[node] == nil { order.append(node) }
      groups[node, default: []].append(root)
    }
    return order.flatMap { node -> [RootPlace] in
      let group = groups[node] ?? []
      guard group.count > 1, var joined = group.first, let folder = joined.folder,
        group.allSatisfy({ $0.folder == folder })
      else { return group }
      let isNamed = FileNames.saying(folder: folder) != nil
      guard isNamed || group.count > 2 else { return group }
      for other in group.dropFirst() {
        joined.shape.add(other.shape)
        joined.places.add(other.places)
      }
      joined.names = names.names(of: joined.places)
      joined.files = isNamed ? [folder] : []
      joined.fileCount = joined.files.count
      return [joined]
    }
  }

  /// Whether a kind is the name of a model after that of an application, `shop.order`.
  private static func isModelName(_ kind: String) -> Bool {
    let parts = kind.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { $0.contains(where: \.isLetter) }
  }

  /// Objects of one list that have little in common besides the key that tells them apart are of several entities.
  private mutating func separateStrangers(_ shapes: Shapes, known: Set<Int32>) {
    guard let place = records.first, shapes.isSplit(place.node), place.keys == nil,
      records.allSatisfy({ shapes.find($0.node) == shapes.find(place.node) && $0.path == place.path })
    else { return }
    guard
      known.contains(shapes.find(place.node)) || KindEvidence(place.node, shapes).areStrangers
        || haveOwnNumbers(place.node, shapes)
        || shapes.mapElements >= 0 && shapes.find(shapes.mapElements) == shapes.find(place.node)
    else { return }
    kind = shapes.tree.text(ofKey: shapes[place.node].kindKey)
    let kinds = shapes.children(of: place.node).map { shapes.key(of: $0) }
    // Models of several applications may have one name.
    let plain = kinds.map { String($0.split(separator: ".").last ?? $0[...]) }
    let arePlain = kinds.allSatisfy(Self.isModelName) && Set(plain.map(Words.entityName)).count == kinds.count
    records = shapes.children(of: place.node).enumerated().map { index, variant in
      var inner = place
      inner.path = place.wholePath
      inner.node = variant
      let name = kinds[index]
      inner.names = [arePlain ? plain[index] : name]
      inner.documentKey = name
      inner.files = []
      return inner
    }
  }

  /// Tells the objects of a list by their kind, though all are of one, where documents are known to have objects of several.
  private mutating func nameKind(by list: MixedList, of known: Set<Int32>, _ shapes: Shapes) {
    guard kind == nil, records.count == 1, let place = records.first, known.contains(shapes.find(place.node)),
      let word = list.onlyKind(of: place.node, shapes)
    else { return }
    kind = list.kindKey
    records[0].path = place.wholePath
    records[0].names = [word]
    records[0].documentKey = word
    records[0].files = []
  }

  /// Whether each kind of objects has identities of its own, some of which another kind has too for other objects: the node 1 of
  /// a map is not its way 1.
  private func haveOwnNumbers(_ index: Int32, _ shapes: Shapes) -> Bool {
    let kinds = shapes.children(of: index)
    guard kinds.count >= 2,
      kinds.allSatisfy({ kind in
        let node = shapes[kind]
        return node.identity >= 0 && node.identityRank <= IdentityNames.strongest
          && shapes[node.identity].values.areUnique && shapes[node.identity].scalars == node.objects
      })
    else { return false }
    return kinds.indices.contains { place in
      kinds[..<place].contains { other in
        let (one, two) = (shapes[kinds[place]], shapes[other])
        return shapes[one.identity].values.overlap(with: shapes[two.identity].values).found > 0
          && one.contents.overlap(with: two.contents).found == 0
      }
    }
  }

  /// Takes the path that all objects share for the root. Others are found by the key that they stand under.
  private mutating func chooseRoot() {
    if records.count == 1, records[0].documentKey != nil, records[0].holdsItsKey {
      (records[0].path, records[0].documentKey) = (records[0].wholePath, nil)
    }
    let paths = Set(records.map { $0.isUnderKeys ? $0.path + ["{key}"] : $0.path })
    let needsPath = records.contains { ($0.documentKey == nil && !$0.path.isEmpty) || $0.isUnderKeys }
    guard needsPath || kind != nil || records.contains(where: { !$0.path.isEmpty }) else { return }
    if paths.count == 1, let path = paths.first {
      if path.isEmpty { return }
      let only = records.count == 1 && !records[0].isUnderKeys && kind == nil ? records[0] : nil
      // A key that names the entity needs no path.
      if let only, only.documentKey == nil, only.path.count == 1, !GenericNames.isWrapper(only.path[0]),
        !SourceShape.isList(only.path[0]), !only.isLikeItsDocument, !only.holdsItsKey
      {
        records[0].documentKey = only.path[0]
        return
      }
      root = RecordPlace.text(of: path)
      return
    }
    for index in records.indices
    where records[index].documentKey == nil && records[index].path.count == 1
      && !SourceShape.isList(records[index].path[0])
    {
      records[index].documentKey = records[index].path[0]
    }
  }

  /// Finds out whether one path, and the names of keys and files, tell where all objects are and of which entities.
  private mutating func chooseForms(_ shapes: Shapes) {
    guard kind == nil else { return }
    // Keys around a list, as in `{"status": "ok", "artists": […]}`, would make the document look like one of its objects.
    let around = records.indices.filter { records[$0].documentKey != nil && records[$0].isLikeWhatIsAround }
    if root != nil, !around.isEmpty {
      for index in around {
        (records[index].path, records[index].documentKey) = (records[index].wholePath, nil)
      }
      if records.count == 1 {
        root = RecordPlace.text(of: records[0].path)
        return
      }
      (root, hasForms) = (nil, true)
      return leaveKeys(shapes)
    }
    guard root == nil else {
      // One path leads to the objects of several entities, and the names of their files are the same, or their keys.
      guard
        haveSameNames(shapes) || haveSameKeys(shapes) || lackNames(shapes) || areCalledLikeTheirLists(shapes)
      else { return }
      (root, hasForms) = (nil, true)
      return leaveKeys(shapes)
    }
    joinDocuments(shapes)
    // The name of a file would be taken for that of the object around the list.
    if records.contains(where: { $0.documentKey == nil }), records.contains(where: \.isLikeItsDocument) {
      hasForms = true
    }
    for (index, record) in records.enumerated() {
      let isLost = record.documentKey == nil && (!record.path.isEmpty || record.isUnderKeys)
      let others = records.enumerated().filter { place, other in
        place != index && shapes.find(other.node) != shapes.find(record.node)
      }.map(\.element)
      if record.isOneEach, record.holdsOthers { hasForms = true }
      // The name of a file would be taken for that of the objects in it.
      if record.documentKey == nil, record.path.isEmpty,
        record.places.areNamed(likeOneOf: record.shape?.innerKeys ?? [])
      {
        hasForms = true
      }
      // A file may be called like what stands inside of the only object in it: `sighting.json` with `{"Event": {"Sighting": […]}}`.
      if let key = record.documentKey, record.wholePath == [key], let shape = record.shape,
        record.places.areNamed(likeOneOf: shape.innerKeys.filter { $0 != key })
      {
        hasForms = true
      }
      guard !others.isEmpty || isLost else { continue }
      // Where files tell the entities, each has names that no other has.
      let isUnnamed = record.documentKey == nil && (!record.hasFileNames || record.files.isEmpty)
      // The name of a file or a folder would say that the document is an object with these lists.
      let isOfSeveral = record.documentKey != nil && isOfSeveral(record)
      if isOfSeveral, record.places.arePlaced(likeOneOf: keys(ofDocumentOf: record)) { hasForms = true }
      let hasRival = others.contains { other in
        other.documentKey != nil && other.documentKey == record.documentKey
          || other.documentKey == nil && record.documentKey == nil
            && (record.places.shareNames(with: other.places) || record.sharesFiles(with: other))
          || record.documentKey.map { other.documentKey == nil && other.places.areNamed(likeOneOf: [$0]) }
            ?? false
          // The name of their folder would say that the document is an object of the other entity.
          || record.documentKey != nil && other.documentKey == nil
            && record.places.arePlaced(likeOneOf: other.files)
      }
      if isLost || isUnnamed || hasRival { hasForms = true }
    }
    if records.contains(where: isOnTheWay) || records.contains(where: { isInside($0) }) { hasForms = true }
    if hasForms { leaveKeys(shapes) }
  }

  /// Whether objects of several entities stand in files of the same names, in other folders.
  private func haveSameNames(_ shapes: Shapes) -> Bool {
    records.allSatisfy { $0.documentKey == nil }
      && records.enumerated().contains { place, record in
        records[..<place].contains { other in
          shapes.find(other.node) != shapes.find(record.node) && record.sharesFiles(with: other)
        }
      }
  }

  /// Whether there are objects of several entities, and more files of one than have names in a mapping, or files with several names.
  private func lackNames(_ shapes: Shapes) -> Bool {
    records.contains { record in
      record.documentKey == nil && !record.hasFileNames && (!record.files.isEmpty || record.hasSourceNames)
        && records.contains { shapes.find($0.node) != shapes.find(record.node) }
    }
  }

  /// Whether one of several files that hold an object each is called like a list of that object, whose objects it would be taken for.
  private func areCalledLikeTheirLists(_ shapes: Shapes) -> Bool {
    records.contains { record in
      guard shapes.tree[record.node].key >= 0, shapes[record.node].objects > 1, record.documentKey == nil,
        let shape = record.shape
      else { return false }
      return record.places.areNamed(likeOneOf: shape.keys(at: record.path))
    }
  }

  /// Whether objects of several entities stand under one key, in other files.
  private func haveSameKeys(_ shapes: Shapes) -> Bool {
    records.contains { hasRival($0, shapes) }
  }

  /// Whether the key of a record stands around objects of another entity too.
  private func hasRival(_ record: RecordPlace, _ shapes: Shapes) -> Bool {
    guard let key = record.documentKey else { return false }
    return records.contains { $0.documentKey == key && shapes.find($0.node) != shapes.find(record.node) }
  }

  /// Whether the key that names the objects of a record stands inside of others, where no path that all share leads.
  private func isInside(_ record: RecordPlace) -> Bool {
    guard let key = record.documentKey else { return false }
    return !record.path.isEmpty && record.path != [key]
  }

  /// Whether other documents have the key of a record on the way to objects that stand deeper: `message` of one work, and
  /// `message.items` of a list of them.
  private func isOnTheWay(_ record: RecordPlace) -> Bool {
    guard let key = record.documentKey else { return false }
    return records.contains { $0.rootNode != record.rootNode && $0.path.count > 1 && $0.path[0] == key }
  }

  /// A key that stands around objects of several entities, or that says nothing and stands alone, names none of them.
  private mutating func leaveKeys(_ shapes: Shapes) {
    let left = records.map { record in
      // A document of several lists is read as a whole, by their keys, or else by one form.
      let saysNothing = record.documentKey.map(GenericNames.isWrapper) ?? false && !isOfSeveral(record)
      return record.documentKey != nil && (saysNothing || hasRival(record, shapes) || isOnTheWay(record))
    }
    for (index, record) in records.enumerated() where left[index] {
      guard let key = record.documentKey else { continue }
      if record.path != [key] { records[index].path.append(key) }
      records[index].documentKey = nil
    }
  }

  /// The lists under one key of documents of several lists are of one entity: a document is read by one form.
  private func joinDocuments(_ shapes: Shapes) {
    var known: [String: Int32] = [:]
    for record in records where !record.hasScalars && record.documentKey != nil && isOfSeveral(record) {
      let key = RecordPlace.text(of: record.path) + "/" + (record.documentKey ?? "")
      if let other = known[key] { shapes.tree.join(other, record.node) } else { known[key] = record.node }
    }
  }

  /// Whether the document of a record has other lists too.
  private func isOfSeveral(_ record: RecordPlace) -> Bool {
    records.count { $0.rootNode == record.rootNode && $0.documentKey != nil } > 1
  }

  /// The keys of the document of a record that hold objects.
  private func keys(ofDocumentOf record: RecordPlace) -> [String] {
    records.filter { $0.rootNode == record.rootNode }.compactMap(\.documentKey)
  }

  // MARK: - The mapping

  /// The keys of documents of forms whose keys name entities, but for those that hold objects: the import tells of these.
  var otherKeys: Set<String> {
    let named = records.filter { $0.documentKey != nil }
    let keys = named.flatMap { record -> [String] in
      let path = record.path.last == record.documentKey ? record.path.dropLast() : record.path
      return (record.shape?.keys(at: Array(path)) ?? []).filter { key in
        GenericNames.isMeta(key, isStrict: false) || record.shape?.keys(at: path + [key]).isEmpty ?? true
      }
    }
    return Set(keys).subtracting(named.compactMap(\.documentKey))
  }

  /// Whether a document in a file or a folder that is called like an entity has a key like a name on the way to its objects. Where the
  /// entity had a relationship of that name, the document would look like an object of it.
  func isOnTheWay(_ name: String, inFilesCalled entity: String) -> Bool {
    let name = Names.folded(name)
    return records.contains { record in
      (record.path + [record.documentKey].compactMap(\.self)).contains { Names.folded($0) == name }
        && record.places.arePlaced(likeOneOf: [entity])
    }
  }

  /// Says in a mapping what documents are like.
  func describe(_ mapping: inout JSONMapping, _ drafts: [EntityDraft]) {
    mapping.dialect = dialect
    mapping.document.root = root
    mapping.document.kind = kind
  }

  /// Says where the objects of each form of documents are, where nothing else says it.
  ///
  /// - Parameter drafts: The entity of each record.
  func describeForms(_ mapping: inout JSONMapping, _ drafts: [(place: RecordPlace, draft: EntityDraft)]) {
    for (_, draft) in drafts { mapping.document.added.merge(draft.root.added) { own, _ in own } }
    guard hasForms || !otherKeys.isEmpty, dialect == nil, kind == nil, root == nil else { return }
    mapping.document.forms = forms(of: drafts).withFilesOfRivals
  }

  /// The form of the documents of each record.
  func forms(of drafts: [(place: RecordPlace, draft: EntityDraft)]) -> [SourceForm] {
    var forms: [SourceForm] = []
    var files: [[String]: Set<String>] = [:]
    for (place, draft) in drafts {
      var path = place.path + (place.isUnderKeys ? ["{key}"] : [])
      var entity: String? = draft.root.name
      // Objects under the keys of a dictionary are found by these, not by the name of the dictionary.
      if let key = place.documentKey, !place.isUnderKeys {
        if path == [key] { path = [] }
        entity = nil
      }
      let root = path.isEmpty ? nil : RecordPlace.text(of: path)
      // The keys of a dictionary are data, those of the objects under them are not.
      let keys =
        path.last == "{key}"
        ? draft.firstKeys
        : entity == nil || place.keys == nil ? place.shape?.keys(at: path) ?? [] : []
      forms.unite(with: SourceForm(root: root, entity: entity, keys: keys))
      files[[root ?? "$", entity ?? ""], default: []].formUnion(place.places.placeNames)
    }
    for (index, form) in forms.enumerated() {
      let others = forms.filter { $0 != form }.map { files[[$0.root ?? "$", $0.entity ?? ""]] ?? [] }
      // A file of several forms is told by its objects.
      forms[index].files = (files[[form.root ?? "$", form.entity ?? ""]] ?? []).subtracting(others.joined())
        .sorted()
    }
    return forms
  }

  /// The forms of documents whose keys name entities, with the paths to the objects in place of the keys, by these entities.
  func forms(underKeysOf drafts: [(place: RecordPlace, draft: EntityDraft)]) -> [String: SourceForm] {
    var forms: [String: SourceForm] = [:]
    for (place, draft) in drafts where !place.isUnderKeys && place.keys == nil {
      guard place.documentKey != nil else { continue }
      let path = place.wholePath
      forms[draft.root.name] = SourceForm(
        root: RecordPlace.text(of: path), entity: draft.root.name, keys: place.shape?.keys(at: path) ?? [])
    }
    return forms
  }

  /// The entity that an import has to be told; nil if it finds it by itself.
  func entity(_ drafts: [EntityDraft]) -> String? {
    guard kind == nil, !hasForms, dialect != .jsonapi, dialect != .fhir else { return nil }
    let concrete = drafts.filter { $0.kindKey == nil }
    guard concrete.count > 1 || concrete.count != drafts.count else { return nil }
    guard records.count == 1, records[0].documentKey == nil else { return nil }
    if records[0].hasFileNames, !records[0].files.isEmpty { return nil }
    return drafts.first { $0.isRecord && $0.parent == nil }?.name
  }
}
