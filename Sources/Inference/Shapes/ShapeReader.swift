import Bytes
import JSONStream
import Mapping

/// Reads JSON once and notes in a tree of places what it is like.
///
/// Where it is in the JSON is a stack of its own: nothing here calls itself, however deep the JSON nests.
struct ShapeReader: ~Copyable {
  var json: JSONReader
  var tree: ShapeTree
  /// The texts and whole numbers of the innermost list so far, as hashes.
  private var listed = PlainBuffer<UInt64>()
  /// So many of them are compared.
  private static let mostListed = 1_000
  private var frames = PlainBuffer<Frame>(capacity: 64)
  /// The place of what stands at the root.
  private var root: Int32 = -1
  /// The number of the object that was begun last, in all sources.
  private var serial: UInt64
  /// The number of the document that is read, a value at the root of a source.
  private var document: UInt64 = 0
  /// The number of the source.
  private let source: UInt64
  private(set) var records = 0
  private let limits: SampleLimits
  /// Whether an object about the rows stands before these, which are at the root then.
  private var hasHead = false
  /// Whether the list around a head and its rows has begun.
  private var isBehindHead = false
  /// The columns, if the objects are lists of values, and the places of their values.
  private var rows: ListRows?
  private var columns: [Int32] = []

  /// An object or a list around the cursor.
  struct Frame: BitwiseCopyable {
    /// The place of the object, or the one of the list.
    var node: Int32
    var kind: Kind
    /// The child that the next key is most likely for.
    var next: Int32 = -1
    /// Where the value of the key just read goes.
    var target: Int32 = -1
    var elements: Int32 = 0
    /// The number of the object.
    var serial: UInt64 = 0
    /// The hash of the object's identity; 0 if it is not known yet.
    var identity: UInt64 = 0
    /// The sums of the hashes of its addresses, of its names, of what names its space, and of all scalars but its
    /// identity.
    var addresses: UInt64 = 0
    var labels: UInt64 = 0
    var spaces: UInt64 = 0
    /// The sum of the hashes of its other values that are no dates.
    var values: UInt64 = 0
    var scalars: UInt64 = 0
    /// The part of that sum which objects and lists in it say.
    var inside: UInt64 = 0
    /// The bits of the keys that it has values under.
    var keys: UInt64 = 0
    /// Where its values go in the sample of objects; -1 if they do not.
    var row = -1
    /// Whether its values may be the targets of the object around it.
    var isInList = false
    /// Whether it is an object that is a list of values.
    var isRow = false
    /// Whether there were no more places for a key of it.
    var lacksPlaces = false

    enum Kind: UInt8 {
      case object, dictionary, list
    }

    /// The hash of the values that an identity determines. Others change while an object stays the same: a state, the
    /// moment of a change.
    var content: UInt64 {
      if addresses != 0 { return addresses &+ spaces }
      return labels != 0 ? labels &+ spaces : scalars
    }
  }

  init(_ source: any ByteSource, tree: consuming ShapeTree, limits: SampleLimits, number: Int) {
    json = JSONReader(source, options: JSONReader.Options(maximumDepth: 512))
    self.tree = tree
    self.limits = limits
    serial = UInt64(number) << 40
    self.source = Hashing.mix(UInt64(number) &+ 1)
  }

  /// The shape of the JSON at its beginning.
  ///
  /// - Parameter findsHead: Whether a head before the rows is looked for, and left out when the JSON is read.
  mutating func shape(findsHead: Bool) throws(JSONError) -> SourceShape {
    let shape = try SourceShape(&json, findsHead: findsHead)
    hasHead = shape.hasHead
    rows = shape.rows
    return shape
  }

  /// Makes a place for a root.
  mutating func addRoot() -> Int32 { tree.add(under: -1) }

  /// Gives the tree back.
  consuming func finish() -> ShapeTree { tree }

  /// How many bytes have been read.
  var offset: Int { json.offset }

  /// Reads all, or as much as is wanted of it.
  ///
  /// - Parameter root: The place of what stands at the root.
  /// - Returns: Whether all was read.
  mutating func run(at root: Int32) throws(JSONError) -> Bool {
    self.root = root
    let hasLimits = limits.records != nil || limits.bytes != nil
    while true {
      let token = try json.next()
      switch token {
      case .end: return true
      case .key: readKey()
      case .endObject: endObject()
      case .endArray where frames.count == 0: isBehindHead = false
      case .endArray: endList()
      case .beginObject: try beginObject(at: target())
      case .beginArray where hasHead && !isBehindHead && frames.count == 0: try skipHead()
      case .beginArray where rows != nil && frames.count == 1 && frames[0].kind == .list: try beginRow()
      case .beginArray: beginList(at: target())
      default: note(token, at: target())
      }
      if hasLimits, isBetweenRecords, limits.isReached(records: records, bytes: json.offset) { return false }
    }
  }

  /// Whether no object is cut in two if reading ends here, but for a wrapper around a list.
  private var isBetweenRecords: Bool {
    guard frames.count > 0 else { return true }
    guard frames[frames.count - 1].kind == .list else { return false }
    return frames.count == 1 || (frames.count == 2 && records == 1 && frames[0].kind == .object)
  }

  // MARK: - Places

  /// Where the value goes that comes next; -1 if there are too many places.
  @inline(__always)
  private mutating func target() -> Int32 {
    guard frames.count > 0 else {
      records += 1
      document = Hashing.mix(serial &+ UInt64(records))
      return root
    }
    let top = frames.base + (frames.count - 1)
    switch top.pointee.kind {
    case .object where top.pointee.isRow: return nextColumn()
    case .object: return top.pointee.target
    case .dictionary: return top.pointee.target
    case .list:
      top.pointee.elements += 1
      if frames.count == 1 { records += 1 }
      if top.pointee.target >= 0 { return top.pointee.target }
      guard top.pointee.node >= 0 else { return -1 }
      let element = tree.elements(of: top.pointee.node)
      top.pointee.target = element
      return element
    }
  }

  @inline(__always)
  private mutating func readKey() {
    let top = frames.base + (frames.count - 1)
    let node = top.pointee.node
    guard node >= 0 else { return }
    let text = json.text
    if top.pointee.kind == .dictionary { return readDictionaryKey(text, node) }
    let predicted = top.pointee.next
    if predicted >= 0, tree.isKey(tree.pointer(predicted).pointee.key, text) {
      top.pointee.target = predicted
      top.pointee.next = tree.pointer(predicted).pointee.nextSibling
      return
    }
    findChild(text, node)
  }

  private mutating func findChild(_ text: UnsafeBufferPointer<UInt8>, _ node: Int32) {
    let place = frames.count - 1
    guard text.count <= ShapeTree.longestKey else {
      becomeDictionary(place)
      return readDictionaryKey(text, node)
    }
    let key = tree.key(text)
    var child = tree.child(of: node, key: key)
    if child < 0 {
      if ChildLimits.isDictionary(node, in: tree) {
        becomeDictionary(place)
        return readDictionaryKey(text, node)
      }
      child = tree.addChild(of: node, key: key)
      if child >= 0 {
        tree.pointer(child).pointee.flags.formUnion(LabelNames.flags(of: tree.text(ofKey: key)))
        noteIdentityName(child, of: node)
      }
    }
    if child < 0 { frames.base[place].lacksPlaces = true }
    frames.base[place].target = child
    frames.base[place].next = child >= 0 ? tree.pointer(child).pointee.nextSibling : -1
  }

  /// Makes the object of a frame, and all at its place, a dictionary.
  private mutating func becomeDictionary(_ place: Int) {
    tree.collapse(frames[place].node)
    frames.base[place].kind = .dictionary
    frames.base[place].identity = 0
  }

  private mutating func readDictionaryKey(_ text: UnsafeBufferPointer<UInt8>, _ node: Int32) {
    let keys = tree.keyPlace(of: node)
    if keys >= 0 { _ = tree.note(text: text, at: keys) }
    frames.base[frames.count - 1].identity = Hashing.hash(text)
    frames.base[frames.count - 1].target = tree.elements(of: node)
  }

  /// Remembers a new child if its name is the likeliest one of an identity.
  private mutating func noteIdentityName(_ child: Int32, of node: Int32) {
    let key = tree.text(ofKey: tree[child].key)
    guard let rank = IdentityNames.rank(of: key, owner: tree.ownerName(of: node)) else { return }
    let owner = tree.pointer(node)
    guard rank < owner.pointee.identityRank else { return }
    // What was taken for the identity is a value like any other.
    let place = frames.count - 1
    if frames[place].identity != 0, owner.pointee.identity >= 0 {
      addValue(frames[place].identity, of: owner.pointee.identity, isText: true)
      frames.base[place].identity = 0
    }
    owner.pointee.identity = child
    owner.pointee.identityRank = rank
    tree.pointer(child).pointee.flags.insert(.identity)
    owner.pointee.contents.free(&tree.room)
    owner.pointee.within.free(&tree.room)
    owner.pointee.listed.free(&tree.room)
  }

  // MARK: - Objects

  /// The document that the objects read now belong to. Lines, and the documents of a pipe, are one list.
  private var scope: UInt64 { frames.count > 0 ? document : source }

  private mutating func beginObject(at index: Int32) throws(JSONError) {
    serial += 1
    var frame = Frame(node: index, kind: .object, serial: Hashing.mix(serial))
    if frames.count > 0 {
      let kind = frames.base[frames.count - 1].kind
      frame.isInList = kind != .object
    }
    if index >= 0 {
      tree.pointer(index).pointee.objects += 1
      if tree.pointer(index).pointee.flags.contains(.dictionary) {
        frame.kind = .dictionary
      } else if !tree.pointer(index).pointee.flags.contains(.unsplit) {
        frame.node = try variant(of: index)
      }
      frame.next = tree.pointer(frame.node).pointee.firstChild
      if frames.count <= RowSamples.deepest, frame.kind == .object {
        frame.row = tree.rows.row(of: tree.pointer(frame.node), in: scope)
      }
    }
    frames.append(frame)
  }

  private mutating func endObject() {
    let frame = frames[frames.count - 1]
    frames.truncate(to: frames.count - 1)
    guard frame.node >= 0 else { return }
    if frames.count == 0, frame.target < 0, !frame.lacksPlaces, frame.kind == .object { return forget(frame) }
    if frame.row >= 0, frame.inside != 0 { tree.rows.noteInside(frame.inside, in: frame.row) }
    noteUnderKey(frame.scalars)
    addToOwner(frame.scalars &+ ownIdentity(of: frame), as: frame.node)
    guard frame.identity != 0 else { return }
    let node = tree.pointer(frame.node)
    let isStrong = node.pointee.identityRank <= IdentityNames.strongest
    let content = isStrong ? frame.content : frame.scalars
    _ = node.pointee.contents.insert(
      Hashing.pair(frame.identity, content), &tree.room, largest: SetRoom.ofPairs)
    // A short form, which says less of an object, contradicts nothing.
    _ = node.pointee.within.insert(
      Hashing.pair(Hashing.mix(frame.identity ^ scope ^ frame.keys), frame.scalars), &tree.room,
      largest: SetRoom.ofPairs)
    // What the list of another object says of it may belong to that object, as the quantity in a line of an order does,
    // whatever the document. A document around a list has no identity.
    if frame.isInList, frames.count > 2 || hasOwner {
      _ = node.pointee.listed.insert(
        Hashing.pair(frame.identity, content &+ frame.values), &tree.room, largest: SetRoom.ofPairs)
    }
    noteOwner(frame.identity, at: frame.node)
    guard frame.isInList else { return }
    _ = node.pointee.owned.insert(
      Hashing.pair(frame.identity, ownerHash()), &tree.room, largest: SetRoom.ofPairs)
  }

  /// Has an object without a key, which is all that there is in a document, say nothing: it is no object.
  private mutating func forget(_ frame: Frame) {
    let node = tree.pointer(frame.node)
    if node.pointee.flags.contains(.variant), node.pointee.parent >= 0 {
      tree.pointer(node.pointee.parent).pointee.objects -= 1
      tree.pointer(node.pointee.parent).pointee.nulls += 1
    }
    node.pointee.objects -= 1
    node.pointee.nulls += 1
    if frame.row >= 0 { node.pointee.rowCount -= 1 }
  }

  /// Notes whether a value of the object that the frames end in, which is an element of a list, is the identity of the object around
  /// that list.
  @inline(__always)
  private mutating func noteOwner(_ hash: UInt64, at index: Int32) {
    guard frames.count >= 3 else { return }
    let top = frames.base + (frames.count - 1)
    let owner = top - 2
    guard top.pointee.isInList, top.pointee.kind == .object, owner.pointee.identity != 0,
      owner.pointee.kind == .object,
      tree.pointer(owner.pointee.node).pointee.identityRank <= IdentityNames.strongest
    else { return }
    tree.pointer(index).pointee.underOwners += 1
    if owner.pointee.identity == hash { tree.pointer(index).pointee.namingOwners += 1 }
  }

  /// Notes a value that stands in a dictionary, or what an object there says, by the key of it.
  @inline(__always)
  private mutating func noteUnderKey(_ content: UInt64) {
    guard frames.count > 0 else { return }
    let outer = frames[frames.count - 1]
    guard outer.kind == .dictionary, outer.node >= 0 else { return }
    let keys = tree.pointer(outer.node).pointee.keys
    guard keys >= 0 else { return }
    _ = tree.pointer(keys).pointee.contents.insert(
      Hashing.pair(outer.identity, content), &tree.room, largest: SetRoom.ofPairs)
  }

  /// The identity of an object as one of its values, as what it is for the object around it.
  private func ownIdentity(of frame: Frame) -> UInt64 {
    let child = tree.pointer(frame.node).pointee.identity
    guard frame.identity != 0, child >= 0 else { return 0 }
    return mixed(frame.identity, of: child)
  }

  /// The hash of a value under its key.
  @inline(__always)
  private func mixed(_ hash: UInt64, of index: Int32) -> UInt64 {
    let key = UInt64(truncatingIfNeeded: tree.pointer(index).pointee.key) &* 0x9E37_79B9_7F4A_7C15
    return Hashing.mix(hash ^ key)
  }

  /// The bit that stands for a key; several share one.
  @inline(__always)
  private func keyBit(of index: Int32) -> UInt64 { 1 &<< UInt64(tree.pointer(index).pointee.key & 63) }

  /// Whether the list that the frames end in is that of an object with an identity.
  private var hasOwner: Bool {
    var place = frames.count - 1
    while place >= 0 {
      if frames[place].kind == .object { return frames[place].identity != 0 }
      place -= 1
    }
    return false
  }

  /// Counts what stands in an object, or in a list, as said by the object around it.
  private func addToOwner(_ content: UInt64, as index: Int32) {
    var place = frames.count - 1
    while place >= 0 {
      if frames[place].kind == .object {
        frames.base[place].scalars &+= mixed(content, of: index)
        frames.base[place].inside &+= mixed(content, of: index)
        frames.base[place].keys |= keyBit(of: index)
        return
      }
      place -= 1
    }
  }

  /// A hash of the object whose list or dictionary the frames end in.
  private func ownerHash() -> UInt64 {
    var place = frames.count - 1
    while place >= 0 {
      let frame = frames[place]
      if frame.kind == .object {
        let isKnown =
          frame.identity != 0
          && tree.pointer(frame.node).pointee.identityRank <= IdentityNames.strongest
        return isKnown ? frame.identity : frame.serial
      }
      place -= 1
    }
    return 0
  }

  // MARK: - Lists

  /// Passes the head in the list whose opening bracket was just read.
  private mutating func skipHead() throws(JSONError) {
    isBehindHead = true
    try json.skip(from: json.next())
  }

  /// Begins an object that is a list of values, or passes the names of the columns.
  private mutating func beginRow() throws(JSONError) {
    let isFirst = frames[0].elements == 0
    let index = target()
    if isFirst, rows?.hasNames ?? false {
      records -= 1
      return try json.skip(from: .beginArray)
    }
    serial += 1
    var frame = Frame(node: index, kind: .object, serial: Hashing.mix(serial))
    (frame.isInList, frame.isRow) = (true, true)
    if index >= 0 {
      tree.pointer(index).pointee.objects += 1
      tree.pointer(index).pointee.flags.insert(.unsplit)
      frame.row = tree.rows.row(of: tree.pointer(index), in: scope)
    }
    frames.append(frame)
    guard columns.isEmpty, index >= 0 else { return }
    for name in rows?.columns ?? [] { addColumn(name) }
  }

  private mutating func addColumn(_ name: String) {
    let node = frames[frames.count - 1].node
    var name = name
    let key = name.withUTF8 { tree.key($0) }
    let known = tree.child(of: node, key: key)
    let child = known >= 0 ? known : tree.addChild(of: node, key: key)
    columns.append(child)
    guard known < 0, child >= 0 else { return }
    tree.pointer(child).pointee.flags.formUnion(LabelNames.flags(of: name))
    noteIdentityName(child, of: node)
  }

  /// The place of the next value in the row that the frames end in.
  private mutating func nextColumn() -> Int32 {
    let top = frames.base + (frames.count - 1)
    guard top.pointee.node >= 0 else { return -1 }
    let place = Int(top.pointee.elements)
    top.pointee.elements += 1
    // Values beyond the names of columns cannot be read.
    if place >= columns.count, rows?.hasNames ?? true { return -1 }
    while columns.count <= place { addColumn(ListRows.name(columns.count)) }
    return columns[place]
  }

  private mutating func beginList(at index: Int32) {
    // Of a list at the root, its elements count.
    if frames.count == 0 { records -= 1 }
    if index >= 0 { tree.pointer(index).pointee.lists += 1 }
    frames.append(Frame(node: index, kind: .list))
    listed.truncate(to: 0)
  }

  /// Notes whether the list that ends has a value twice.
  private mutating func noteRepetition(in list: Int32) {
    var values = UnsafeMutableBufferPointer(start: listed.base, count: listed.count)
    values.sort()
    let element = tree[list].element
    guard element >= 0, zip(values, values.dropFirst()).contains(where: ==) else { return }
    tree.pointer(tree.find(element)).pointee.flags.insert(.repeats)
  }

  private mutating func endList() {
    let frame = frames[frames.count - 1]
    if frame.isRow { return endObject() }
    frames.truncate(to: frames.count - 1)
    guard frame.node >= 0 else { return }
    let node = tree.pointer(frame.node)
    if frame.elements < node.pointee.fewestElements { node.pointee.fewestElements = frame.elements }
    if frame.elements > node.pointee.mostElements { node.pointee.mostElements = frame.elements }
    if listed.count > 1 { noteRepetition(in: frame.node) }
    listed.truncate(to: 0)
  }

  // MARK: - Scalars

  @inline(__always)
  private mutating func note(_ token: JSONToken, at index: Int32) {
    guard index >= 0 else { return }
    var hash: UInt64 = 0
    switch token {
    case .string: hash = tree.note(text: json.text, at: index)
    case .number:
      hash = tree.note(number: json.text, integer: json.numberIsInteger ? json.integer : nil, at: index)
    case .true:
      tree.pointer(index).pointee.trues += 1
      hash = 1
    case .false:
      tree.pointer(index).pointee.falses += 1
      hash = 2
    default:
      tree.pointer(index).pointee.nulls += 1
      return
    }
    guard frames.count > 0 else { return }
    noteInOwner(token, hash, index)
  }

  /// Notes in the object, or for the list, around a scalar what it says.
  @inline(__always)
  private mutating func noteInOwner(_ token: JSONToken, _ hash: UInt64, _ index: Int32) {
    let top = frames.base + (frames.count - 1)
    let isText = if case .string = token { true } else { false }
    let isInteger = if case .number = token { json.numberIsInteger } else { false }
    guard case .object = top.pointee.kind else {
      noteUnderKey(hash)
      // Lists of texts and whole numbers may hold the keys of objects.
      addToOwner(hash, as: index)
      guard isText || isInteger else { return }
      if listed.count < Self.mostListed { listed.append(hash) }
      _ = tree.pointer(index).pointee.owned.insert(
        Hashing.pair(hash, ownerHash()), &tree.room, largest: SetRoom.ofPairs)
      return
    }
    if tree.pointer(top.pointee.node).pointee.identity == index {
      if isText || isInteger { top.pointee.identity = hash }
      noteInRow(hash, of: index)
      return
    }
    if isText || isInteger { noteOwner(hash, at: index) }
    addValue(hash, of: index, isText: isText, isDate: isText && TextForms.beginsWithYear(json.text))
    noteInRow(hash, of: index)
  }

  /// Keeps a scalar of the object that the frames end in for the sample of objects.
  @inline(__always)
  private func noteInRow(_ hash: UInt64, of index: Int32) {
    let row = frames.base[frames.count - 1].row
    guard row >= 0 else { return }
    tree.rows.note(hash, in: row, column: Int(tree.pointer(index).pointee.ordinal))
  }

  /// Counts a scalar as said by the object that the frames end in.
  @inline(__always)
  private func addValue(_ hash: UInt64, of index: Int32, isText: Bool, isDate: Bool = false) {
    let top = frames.base + (frames.count - 1)
    let mixed = mixed(hash, of: index)
    top.pointee.scalars &+= mixed
    top.pointee.keys |= keyBit(of: index)
    let flags = tree.pointer(index).pointee.flags
    if !isDate, flags.isDisjoint(with: [.label, .address, .space]) { top.pointee.values &+= mixed }
    guard isText else { return }
    if flags.contains(.label) { top.pointee.labels &+= mixed }
    if flags.contains(.address) { top.pointee.addresses &+= mixed }
    if flags.contains(.space) { top.pointee.spaces &+= mixed }
  }
}

/// Objects that a key like `type` tells apart.
extension ShapeReader {
  /// The place for the object at a place whose opening brace was just read: where objects are told apart by a key, that
  /// of the objects with the same value.
  mutating func variant(of index: Int32) throws(JSONError) -> Int32 {
    let node = tree[index]
    if node.kindKey < 0 {
      guard node.childCount == 0, let (key, value) = try peekKind(nil) else {
        tree.pointer(index).pointee.flags.insert(.unsplit)
        return index
      }
      tree.pointer(index).pointee.flags.insert(.split)
      tree.pointer(index).pointee.kindKey = key
      return addVariant(of: index, value)
    }
    let value = try peekKind(node.kindKey)?.value ?? tree.key("")
    let known = tree.child(of: index, key: value)
    if known >= 0 {
      tree.pointer(known).pointee.objects += 1
      return known
    }
    guard node.childCount < Kinds.mostVariants else {
      tree.unsplit(index)
      return index
    }
    return addVariant(of: index, value)
  }

  private mutating func addVariant(of index: Int32, _ value: Int32) -> Int32 {
    let variant = tree.addChild(of: index, key: value)
    guard variant >= 0 else {
      tree.unsplit(index)
      return index
    }
    tree.pointer(variant).pointee.flags.formUnion([.variant, .unsplit])
    tree.pointer(variant).pointee.objects += 1
    return variant
  }

  /// Looks ahead for the key that tells what the object is, whose opening brace was just read, and for its value.
  private mutating func peekKind(_ wanted: Int32?) throws(JSONError) -> (key: Int32, value: Int32)? {
    let start = json.checkpoint()
    defer {
      json.rewind(to: start)
      json.release(start)
    }
    let limit = json.offset + Kinds.farthestLook
    var best: (key: Int32, value: Int32, rank: Int)?
    var hasPrimaryKey = false
    while json.offset < limit, try json.next() == .key {
      let rank: Int?
      hasPrimaryKey = hasPrimaryKey || Kinds.isPrimaryKey(json.text)
      if let wanted {
        rank = tree.isKey(wanted, json.text) ? 0 : nil
      } else {
        rank = json.text.count <= 16 ? Kinds.rank(of: String(decoding: json.text, as: UTF8.self)) : nil
      }
      let key = rank == nil ? -1 : wanted ?? tree.key(json.text)
      let token = try json.next()
      if let rank, token == .string, json.text.count <= Kinds.longestValue, rank < best?.rank ?? .max {
        best = (key, tree.key(json.text), rank)
        if rank == 0 { break }
      }
      guard token == .beginObject || token == .beginArray else { continue }
      let outside = json.depth - 1
      while json.depth > outside, json.offset < limit { _ = try json.next() }
    }
    if best?.rank == Kinds.rankOfModel, !hasPrimaryKey { return nil }
    return best.map { ($0.key, $0.value) }
  }
}

/// Keys whose values tell what an object is.
enum Kinds {
  private static let keys = [
    "type", "_type", "@type", "$type", "resourceType", "__typename", "kind", "objectType", "object_type",
    "object",
    "_class", "@class", "class", "event_type", "eventType", "event", "entity",
  ]

  /// Less is better; nil is not at all.
  static func rank(of key: String) -> Int? {
    switch key {
    case "resourceType": 0
    case "model": rankOfModel
    default: keys.firstIndex(of: key).map { $0 + 1 }
    }
  }

  /// The rank of `model`, which tells what an object is in fixtures of Django: `{"model": "shop.order", "pk": 7, "fields": {…}}`. A car
  /// has a model too, and no `pk`.
  static let rankOfModel = keys.count + 1

  static func isPrimaryKey(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    key.count == 2 && key[0] == UInt8(ascii: "p") && key[1] == UInt8(ascii: "k")
  }

  static let mostVariants: Int32 = 48
  static let longestValue = 48
  /// The bytes of an object that are looked at for the key.
  static let farthestLook = 1 << 14
}
