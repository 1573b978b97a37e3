import Mapping
import ObjectModel

/// Addresses as identities, and the keys that stand in them.
extension IdentityChooser {
  /// The address of objects in a list that all begin with a word which the object around the list is called, `…/job/main/12/` in
  /// `{"name": "main"}`: short identities, as `12`, hold in that object only.
  func addressInOwner(of index: Int32, besides identity: IdentityChoice) -> IdentityChoice? {
    guard shapes.tree[index].key < 0, identity.path.count == 1, !shapes.areLong(identity.node),
      let list = shapes.tree[index].parent >= 0 ? shapes.tree[index].parent : nil,
      case let owner = shapes.tree[list].parent, owner >= 0, !shapes.isSplit(owner),
      let address = shapes.children(of: index).first(where: { isAddress($0, of: index) }),
      shapes[address].values.areUnique, let prefix = shapes.tree.prefixes[shapes.find(address)]
    else { return nil }
    let words = Set(prefix.split(separator: "/").map(String.init))
    let isCalledSo = shapes.children(of: owner).contains { child in
      LabelNames.flags(of: shapes.key(of: child)) == .label
        && shapes.tree.samples[shapes.find(child)]?.contains(where: words.contains) ?? false
    }
    guard isCalledSo else { return nil }
    let key = shapes.key(of: address)
    return IdentityChoice(
      node: address, path: [key], certainty: .likely,
      evidence:
        "“\(key)” begins with what the object around is called, so that “\(identity.path[0])” holds in it alone"
    )
  }

  /// The key that those have too which name the objects by an address.
  func byAddress(_ index: Int32) -> IdentityChoice? {
    guard let collection = shapes.collection(of: index), let key = collection.identity,
      let child = shapes.children(of: index).first(where: { shapes.keyNumber(of: $0) == key }),
      isComplete(child, of: index)
    else { return nil }
    return IdentityChoice(
      node: child, path: [shapes.key(of: child)], certainty: .likely,
      evidence: "others name the objects by it and by addresses that begin with “\(collection.prefix)”")
  }

  /// The address that objects of HAL say to be their own.
  func ownAddress(of index: Int32) -> IdentityChoice? { address(at: ["_links", "self", "href"], of: index) }

  /// The address that objects without a key say to be their own: `{"name": "Ann", "links": {"self": "/appointments/e8b9"}}`.
  func ownLink(of index: Int32) -> IdentityChoice? {
    guard !shapes.isSplit(index), shapes[index].objects >= 2 else { return nil }
    return address(at: ["links", "self"], of: index)
  }

  private func address(at path: [String], of index: Int32) -> IdentityChoice? {
    var (place, count) = (index, 0)
    for key in path {
      guard let inner = shapes.child(of: place, named: key) else { return nil }
      count += 1
      if count < path.count, !shapes.isObject(inner) { return nil }
      place = inner
    }
    guard isComplete(place, of: index), shapes[place].strings > 0, shapes[place].values.areUnique else {
      return nil
    }
    return IdentityChoice(
      node: place, path: path, certainty: .certain,
      evidence: "all \(shapes[index].objects) objects have an address of their own, and all differ")
  }

  /// The key that is called like one and whose values are the ends of the addresses that would be the identity: `paperId` beside
  /// `url`.
  func inAddress(_ address: IdentityChoice, of index: Int32) -> IdentityChoice? {
    let node = shapes[address.node]
    guard node.forms.contains(.address), node.flags.contains(.slashes) else { return nil }
    for child in shapes.children(of: index) where LinkName(shapes.key(of: child)).hasEnding {
      let (found, compared) = node.tails.overlap(with: shapes[child].values)
      // The number in an address may be another one than that of the object: film 1 is episode 4.
      guard compared > 0, found == compared, isComplete(child, of: index), shapes.areLong(child),
        shapes[child].values.count == node.values.count
      else { continue }
      let key = shapes.key(of: child)
      return IdentityChoice(
        node: child, path: [key], certainty: .likely,
        evidence: "“\(shapes.key(of: address.node))” ends with “\(key)”")
    }
    return nil
  }
}
