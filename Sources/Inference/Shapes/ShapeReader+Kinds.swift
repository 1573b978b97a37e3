import JSONStream

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
    while json.offset < limit, try json.next() == .key {
      let rank: Int?
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
    key == "resourceType" ? 0 : keys.firstIndex(of: key).map { $0 + 1 }
  }

  static let mostVariants: Int32 = 48
  static let longestValue = 48
  /// The bytes of an object that are looked at for the key.
  static let farthestLook = 1 << 14
}
