import Mapping
import ObjectModel

/// Identities that stand in an object in each object.
extension IdentityChooser {
  /// An identity in what each object has under a key such as `metadata`, or `id`: `{"kind": "video", "videoId": "x7"}`.
  func inEnvelope(of index: Int32) -> IdentityChoice? {
    guard !shapes.isSplit(index) else { return nil }
    for member in shapes.children(of: index) {
      let isIdentity = ["id", "_id"].contains(shapes.key(of: member))
      guard isIdentity || FlatObject.isHeaderKey(shapes.key(of: member)) else { continue }
      guard shapes.isObject(member), !shapes.isSplit(member), shapes[member].nulls == 0,
        isInEach(member, of: index)
      else { continue }
      let names = shapes.children(of: member).compactMap { child -> (rank: Int32, node: Int32)? in
        let key = shapes.key(of: child)
        let rank = isIdentity && LinkName(key).hasEnding ? 1 : IdentityNames.rank(of: key, owner: "")
        // Each value under `id` is one: `{"id": {"bioguide": "B000944", "govtrack": 400050}}`.
        let isOne = shapes.key(of: member) == "id" && shapes[index].objects >= 3 && !TextNames.contain(key)
        return (rank ?? (isOne ? IdentityNames.strongest : nil)).map { ($0, child) }
      }.filter { isComplete($0.node, of: member) && isUnique($0.node) }
      guard let best = names.min(by: { $0.rank < $1.rank }), best.rank <= IdentityNames.strongest else {
        continue
      }
      let path = [shapes.key(of: member), shapes.key(of: best.node)]
      return IdentityChoice(
        node: best.node, path: path, certainty: .likely,
        evidence:
          "all \(shapes[index].objects) objects have “\(path.joined(separator: "."))”, and all values differ")
    }
    return nil
  }

  /// Whether each object has one under a key, where it stands as at the places that became one with this.
  private func isInEach(_ member: Int32, of index: Int32) -> Bool {
    let (inner, outer) = (shapes.tree[member], shapes[index])
    return inner.objectsOfItsOwn == outer.objects
      || inner.objectsOfItsOwn == outer.objectsOfItsOwn && inner.objects == outer.objects
  }

  /// Whether no two objects have a value, but for one that came in a list and by itself.
  private func isUnique(_ child: Int32) -> Bool {
    shapes[child].values.areUnique || shapes.uniqueApart.contains(shapes.find(child))
  }

  /// The first of the identities that each object has under a key such as `ids`: `{"ids": {"trakt": 28, "slug": "dune-2021"}}`.
  func amongIdentities(_ index: Int32) -> IdentityChoice? {
    guard shapes[index].objects >= 3, let child = shapes.identityAmong(identitiesOf: index) else {
      return nil
    }
    let path = [shapes.key(of: shapes.tree[child].parent), shapes.key(of: child)]
    let isUnique = shapes[child].values.areUnique
    return IdentityChoice(
      node: child, path: path, certainty: .likely,
      evidence: "all \(shapes[index].objects) objects have “\(path.joined(separator: "."))”, and "
        + (isUnique ? "all values differ" : "there are as many of its values as of other identities"))
  }
}
