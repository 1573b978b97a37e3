import ObjectModel

/// A place inside an object, and the way to it.
struct Member {
  var path: [JSONKeyPath.Step]
  /// The key that the dialect looks behind by itself. Only key paths of several steps have to say it.
  var outer: [JSONKeyPath.Step] = []
  var node: Int32
  /// How many objects could have had it.
  var owners: Int
  /// Whether objects lack it because they lack what it stands in.
  var isMissing = false
  /// Whether it holds objects of a type and an identity, which stand for others.
  var areLinkObjects = false
  /// The place of the objects of a connection, which stand behind `edges` and `node`.
  var connected: Int32?
  /// Whether it is the list of a connection of GraphQL.
  var isConnection = false
  /// Whether it is one of which a page was asked for: it says where the next one begins.
  var isPage = false

  var key: String {
    for step in path.reversed() {
      if case .key(let key) = step { return key }
    }
    return ""
  }
}

/// Lists what the objects of a place have, as the dialect of the JSON arranges it.
struct MemberFinder {
  let shapes: Shapes

  func members(of index: Int32, isRecord: Bool) -> [Member] {
    let owners = shapes[index].objects
    let own = shapes.children(of: index)
    switch shapes.dialect {
    case .jsonapi where isRecord: return ofJSONAPI(own, owners)
    case .geojson where isRecord:
      return plain(own.filter { !["type", "properties"].contains(shapes.key(of: $0)) }, owners)
        + inside("properties", own, owners).map { ofFeature($0, hasIdentity: hasIdentity(own, owners)) }
    case .hal:
      return plain(own.filter { !["_links", "_embedded"].contains(shapes.key(of: $0)) }, owners)
        + inside("_embedded", own, owners) + addresses(own, owners, isIdentified: isIdentified(index))
    case .odata: return plain(own.filter { !shapes.key(of: $0).contains("@odata.") }, owners)
    case .graphql:
      let ignored = ["__typename", "pageInfo", "totalCount"]
      return plain(own.filter { !ignored.contains(shapes.key(of: $0)) }, owners)
        .flatMap { member in
          let list = connection(member)
          return list.isConnection ? [list] + besideList(of: member) : [member]
        }
    default:
      return own.map { child in
        let path = shapes.linkPaths[shapes.keyNumber(of: child)]?.map(JSONKeyPath.Step.key)
        return Member(path: path ?? [shapes.step(to: child, in: index)], node: child, owners: owners)
      }
    }
  }

  private func plain(_ children: [Int32], _ owners: Int) -> [Member] {
    children.map { Member(path: [.key(shapes.key(of: $0))], node: $0, owners: owners) }
  }

  /// A feature has a few keys of its own, which its properties may have too.
  private func ofFeature(_ member: Member, hasIdentity: Bool) -> Member {
    guard !hasIdentity || ["type", "id", "geometry", "bbox"].contains(member.key) else { return member }
    return Self.named(member, in: "properties")
  }

  /// A member of an object that the dialect looks into by itself, by its whole path.
  private static func named(_ member: Member, in key: String) -> Member {
    var inner = member
    inner.path.insert(.key(key), at: 0)
    inner.outer = []
    return inner
  }

  /// Whether all features have an identity of their own. Only then the dialect looks into their properties by itself.
  private func hasIdentity(_ own: [Int32], _ owners: Int) -> Bool {
    own.contains { shapes.key(of: $0) == "id" && shapes[$0].scalars == owners && shapes[$0].values.areUnique }
  }

  private func inside(_ key: String, _ children: [Int32], _ owners: Int) -> [Member] {
    guard let inner = children.first(where: { shapes.key(of: $0) == key }) else { return [] }
    return plain(shapes.children(of: inner), owners).map { member in
      var member = member
      member.outer = [.key(key)]
      return member
    }
  }

  private func isIdentified(_ index: Int32) -> Bool {
    shapes[index].identityRank <= IdentityNames.strongest
  }

  /// The addresses that objects have in `_links`, unless these are all that all objects have: their own, where something else
  /// identifies them, and those of pages.
  private func addresses(_ children: [Int32], _ owners: Int, isIdentified: Bool) -> [Member] {
    let links = inside("_links", children, owners)
    let isTelling = links.contains { member in
      member.key == "self"
        ? !isIdentified
        : !GenericNames.isMeta(member.key, isStrict: true)
          && shapes.child(of: member.node, named: "href") != nil
    }
    guard isTelling else { return [] }
    return links.map { member in
      var inner = member
      inner.path = [.key("_links")] + member.path
      inner.outer = []
      guard shapes.isObject(member.node), let address = shapes.child(of: member.node, named: "href") else {
        return inner
      }
      inner.path.append(.key("href"))
      inner.node = address
      inner.isMissing = shapes.tree[member.node].objectsOfItsOwn < owners
      return inner
    }
  }

  private func ofJSONAPI(_ children: [Int32], _ owners: Int) -> [Member] {
    var result = plain(children.filter { shapes.key(of: $0) == "id" }, owners)
    result += inside("attributes", children, owners).map { member in
      // A resource has these keys itself.
      ["type", "id"].contains(member.key) ? Self.named(member, in: "attributes") : member
    }
    for member in inside("relationships", children, owners) {
      guard let data = shapes.child(of: member.node, named: "data") else { continue }
      // Nulls and empty lists do not say of what the relationship is: the first object does.
      if shapes[data].objects == 0, shapes[data].mostElements == 0 {
        let path = [JSONKeyPath.Step.key("relationships")] + member.path + [.key("data")]
        result.append(Member(path: path, node: data, owners: owners))
        continue
      }
      result.append(
        Member(path: member.path, node: data, owners: owners, areLinkObjects: true))
    }
    return result
  }

  /// The list behind a connection of GraphQL.
  private func connection(_ member: Member) -> Member {
    if let edges = shapes.child(of: member.node, named: "edges"), let edge = shapes.element(of: edges),
      let node = shapes.child(of: edge, named: "node"), shapes.isObject(node)
    {
      var list = member
      list.connected = node
      list.isConnection = true
      list.isPage = saysPage(member) || shapes.child(of: edge, named: "cursor") != nil
      return list
    }
    if let nodes = shapes.child(of: member.node, named: "nodes"), shapes.listedObjects(nodes) != nil {
      var list = member
      list.node = nodes
      list.isConnection = true
      list.isPage = saysPage(member)
      return list
    }
    return member
  }

  /// The values beside the list of a connection: how many objects there are, and how many of each kind.
  private func besideList(of member: Member) -> [Member] {
    shapes.children(of: member.node).compactMap { child in
      let key = shapes.key(of: child)
      guard !["edges", "nodes", "pageInfo", "__typename"].contains(key) else { return nil }
      return Member(path: member.path + [.key(key)], node: child, owners: member.owners)
    }
  }

  private func saysPage(_ connection: Member) -> Bool {
    shapes.child(of: connection.node, named: "pageInfo") != nil
  }
}
