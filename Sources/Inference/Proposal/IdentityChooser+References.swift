import Mapping
import ObjectModel

/// Keys whose values are identities of other objects: they say which ones an object is about, and not which one it is.
extension IdentityChooser {
  /// Whether values are identities of objects that stand elsewhere.
  func namesOthers(_ child: Int32, of index: Int32) -> Bool {
    func areNamed(by identity: Int32) -> Bool {
      let (found, compared) = shapes[child].values.overlap(with: shapes[identity].values)
      return found > 0 && found * 2 >= compared
    }
    return shapes.objectPlaces().contains { other in
      let node = shapes[other]
      guard shapes.find(other) != shapes.find(index) else { return false }
      if node.identity >= 0, node.identityRank <= IdentityNames.strongest {
        return areNamed(by: node.identity)
      }
      return ownKey(namedIn: child, of: other).map(areNamed) ?? false
    }
  }

  /// The key of objects at the top that another one is called like, with more before it: `stop_id` for `from_stop_id`.
  private func ownKey(namedIn child: Int32, of other: Int32) -> Int32? {
    guard recordNodes.contains(where: { shapes.find($0) == shapes.find(other) }), !shapes.isSplit(other)
    else {
      return nil
    }
    let words = Words.words(shapes.key(of: child))
    return shapes.children(of: other).first { twin in
      let own = Words.words(shapes.key(of: twin))
      return own.count > 1 && own.count < words.count && Array(words.suffix(own.count)) == own
        && isComplete(twin, of: other) && shapes[twin].values.areUnique
    }
  }

  /// The key by which others name objects, behind what these are called: `vessel_imo` is the `imo` of a vessel.
  func namedByOthers(_ index: Int32, _ names: [String]) -> IdentityChoice? {
    guard !shapes.isSplit(index), shapes[index].objects >= 2 else { return nil }
    let entities = Set(names.map { EntityName($0).joined }).subtracting([""])
    let places = (0..<Int32(shapes.tree.count)).prefix(ShapeMatcher.mostPlaces)
    let child = shapes.children(of: index).first { child in
      let key = Names.folded(shapes.key(of: child))
      guard isComplete(child, of: index), shapes[child].values.areUnique,
        !LabelNames.flags(of: key).contains(.label)
      else { return false }
      return places.contains { other in
        let node = shapes.tree[other]
        guard node.key >= 0, node.parent >= 0, shapes.find(node.parent) != shapes.find(index),
          node.scalars > 0,
          entities.contains(where: { Names.folded(shapes.key(of: other)) == $0 + key })
        else { return false }
        let (found, compared) = shapes[other].values.overlap(with: shapes[child].values)
        return compared >= 2 && found * 10 >= compared * 9
      }
    }
    guard let child else { return nil }
    let key = shapes.key(of: child)
    return IdentityChoice(
      node: child, path: [key], certainty: .likely,
      evidence:
        "all \(shapes[index].objects) objects have “\(key)”, by which others name them, and all values differ"
    )
  }

  /// Whether objects have a key of their own beside that of a person: `service_id` beside `user_id`.
  func hasOwnKey(beside child: Int32, of index: Int32) -> Bool {
    shapes.children(of: index).contains { other in
      let key = shapes.key(of: other)
      return shapes.find(other) != shapes.find(child) && LinkName.isKeyOfObjects(key)
        && !IdentityNames.isOfSomebody(key) && isComplete(other, of: index) && shapes[other].values.areUnique
        && !namesOthers(other, of: index)
    }
  }

  /// Whether a key like `areaId` names an object that stands elsewhere, in a dictionary by its identity.
  func namesRecord(_ child: Int32, _ key: String) -> Bool {
    let name = LinkName(key)
    return recordKeys.contains { record in
      guard name.score(for: record.name, isSelf: false) >= 3 else { return false }
      let (found, compared) = shapes[child].values.overlap(with: shapes[record.keys].values)
      return compared > 0 && found * 20 >= compared * 19
    }
  }

  /// Whether a key like `segmentId` names objects of another place, which are called so and have all its values for identities.
  func namesOtherPlace(_ child: Int32, _ key: String, _ index: Int32) -> Bool {
    let name = LinkName(key)
    func isCalled(_ place: Int32) -> Bool {
      let other = shapes.tree.meaningfulName(of: place)
      return !other.isEmpty && name.score(for: Words.entityName(other), isSelf: false) >= 3
    }
    guard name.hasEnding, !isCalled(index) else { return false }
    return shapes.objectPlaces().contains { other in
      let node = shapes[other]
      // Objects that both have a `message_id` are of one kind.
      guard node.identity >= 0, node.identityRank <= IdentityNames.strongest,
        shapes.keyNumber(of: node.identity) != shapes.keyNumber(of: child),
        shapes.find(other) != shapes.find(index), isCalled(other)
      else { return false }
      let (found, compared) = shapes[child].values.overlap(with: shapes[node.identity].values)
      return compared > 0 && found == compared
    }
  }

  /// Whether objects in the lists of others say, with few words, what others are to these: `{"type": "child", "id": "https://ror.org/03we"}`,
  /// or where in a text of these they are named: `{"start": 0, "end": 9, "id": "2244994945"}`. All values of a key of theirs are those of
  /// objects at the top, under the same key, and no two objects have one by chance.
  func areRelations(_ index: Int32) -> Bool {
    let children = shapes.children(of: index)
    guard shapes.tree[index].key < 0, children.count <= Self.mostOfRelation, !shapes.isSplit(index) else {
      return false
    }
    let keys = Set(children.map { Names.folded(shapes.key(of: $0)) })
    guard !keys.isDisjoint(with: Self.relationKeys) || Self.ranges.contains(where: keys.isSuperset) else {
      return false
    }
    return children.contains { child in
      let rank = IdentityNames.rank(of: shapes.key(of: child), owner: "") ?? .max
      return rank < IdentityNames.weakest && isKeyOfRecords(child, of: index)
    }
  }

  private static let mostOfRelation = 5
  private static let relationKeys: Set<String> = [
    "type", "kind", "role", "rel", "relation", "relationship", "relationtype", "relationshiptype", "linktype",
  ]

  /// Keys of a part of a text.
  private static let ranges: [Set<String>] = [["start", "end"], ["offset", "length"], ["indices"]]

  private func isKeyOfRecords(_ child: Int32, of index: Int32) -> Bool {
    guard shapes[child].strings > 0, isComplete(child, of: index) else { return false }
    let isLong = shapes.areLong(child)
    let name = LinkName(shapes.tree.meaningfulName(of: index))
    return placesAtTop.contains { record in
      // Short identities are the same by chance, unless the list is called like the objects.
      guard shapes.find(record) != shapes.find(index),
        isLong || name.score(for: Words.entityName(shapes.rootName(of: record)), isSelf: false) >= 3,
        let twin = shapes.child(of: record, named: shapes.key(of: child)),
        shapes.find(twin) != shapes.find(child), shapes[twin].strings == shapes[record].objects,
        shapes[twin].values.areUnique
      else { return false }
      let (found, compared) = shapes[child].values.overlap(with: shapes[twin].values)
      return (compared >= 2 || isLong && shapes[twin].values.count >= 2) && found == compared
    }
  }

  /// The places of objects at the top of the JSON, and in the lists of documents that are objects themselves.
  private var placesAtTop: [Int32] {
    recordNodes
      + shapes.objectPlaces().filter { place in
        guard shapes.tree[place].key < 0, case let list = shapes.tree[place].parent, list >= 0 else {
          return false
        }
        let outer = ([list] + shapes.tree.places(around: list)).first {
          shapes.tree[$0].key < 0 || shapes.tree[$0].parent < 0
        }
        guard let outer else { return false }
        return shapes.tree[outer].parent < 0 && outer != list && shapes.oneEach.contains(shapes.find(outer))
      }
  }

  /// Whether objects are of two others at once, both of which their name has: `image_id` beside `member_id`, of members of images.
  func isHalfOfKey(_ key: String, of index: Int32, _ owners: [String]) -> Bool {
    func isOfOwner(_ key: String) -> Bool {
      let words = Words.words(key)
      return LinkName(key).hasEnding && words.count > 1
        && owners.contains { owner in
          Words.words(owner).map(Words.singular(ofWord:)).contains(Words.singular(ofWord: words[0]))
        }
    }
    return isOfOwner(key)
      && shapes.children(of: index).contains { child in
        shapes.key(of: child) != key && isOfOwner(shapes.key(of: child)) && isComplete(child, of: index)
          && Words.words(shapes.key(of: child))[0] != Words.words(key)[0]
      }
  }
}
