import Mapping
import ObjectModel

/// Lists, and the relationships that they become.
extension DraftBuilder {
  mutating func addList(_ member: Member, to draft: EntityDraft) {
    let index = shapes.find(member.node)
    let node = shapes[index]
    guard node.scalars == 0, node.objects == 0, let element = shapes.element(of: index),
      shapes[element].lists == 0, shapes[element].objects > 0,
      !shapes.isDictionary(element),
      !shapes.keys(of: element).isEmpty
    else { return addAttribute(member, to: draft) }
    if shapes[element].scalars > 0 {
      guard chooser.choice(of: element, isRecord: false) != nil, areKeys(element, of: element) else {
        return addAttribute(member, to: draft)
      }
    }
    addRelationship(member, to: self.draft(at: element), of: draft, isToMany: true)
  }

  mutating func addRelationship(
    _ member: Member, to target: EntityDraft, of draft: EntityDraft, isToMany: Bool
  ) {
    let key = meaningfulKey(member)
    let name = draft.freeName([Words.propertyName(key)] + names(for: member.path, draft))
    let relationship = RelationshipDraft(name: name, path: member.path, target: target, isToMany: isToMany)
    relationship.isOrdered = isToMany
    relationship.node = isToMany ? member.connected ?? shapes[member.node].element : member.node
    relationship.deleteRule = target.isPart ? .cascade : .nullify
    relationship.isShared = isToMany && !target.isPart && listOwners.haveSeveral(list(of: member))
    relationship.evidence = Self.evidence(relationship, shapes[member.node])
    draft.relationships.append(relationship)
    let count = max(1, shapes.tree[member.node].objects + shapes.tree[member.node].lists)
    // What an object of the same entity calls it is a role.
    let isRole = target === draft || LinkName.isRole(key)
    target.nameHints.append((key, isRole ? 1 : isToMany ? 10 + count : 3 + count))
  }

  /// The last key of a path that says something: of `refunds.data`, the first.
  func meaningfulKey(_ member: Member) -> String {
    for step in member.path.reversed() {
      if case .key(let key) = step, !GenericNames.isWrapper(key) { return key }
    }
    return member.key
  }

  static func evidence(_ relationship: RelationshipDraft, _ node: ShapeNode) -> String {
    guard relationship.isToMany else { return "\(node.objects) objects stand in it" }
    let shared =
      relationship.isShared ? "objects stand in several of them" : "no object stands in two of them"
    return relationship.target.isPart
      ? "\(node.lists) lists of objects without identity" : "\(node.lists) lists of objects; \(shared)"
  }

  /// The place of the list that holds the objects of a member.
  private func list(of member: Member) -> Int32 {
    guard let connected = member.connected else { return member.node }
    let place = shapes.tree[connected]
    // `edges[].node` stands in an element of the list.
    return place.key >= 0 ? shapes.tree[place.parent].parent : place.parent
  }
}

/// The links of JSON:API, which name a type and an identity.
extension DraftBuilder {
  mutating func addLinkObjects(_ member: Member, to draft: EntityDraft) {
    let node = shapes[member.node]
    let isToMany = node.lists > 0
    guard let objects = isToMany ? shapes.element(of: member.node) : shapes.find(member.node),
      let target = linked(objects)
    else { return }
    addRelationship(member, to: target, of: draft, isToMany: isToMany)
    draft.relationships.last?.isReference = true
  }

  /// The entity that link objects name by their type.
  func linked(_ objects: Int32) -> EntityDraft? {
    let typeName: String?
    if shapes.isSplit(objects) {
      let variants = shapes.children(of: objects)
      typeName = variants.count == 1 ? shapes.key(of: variants[0]) : nil
    } else {
      let texts = shapes.child(of: objects, named: "type").flatMap { shapes.tree.samples[$0] }
      typeName = texts?.count == 1 ? texts?[0] : nil
    }
    guard let typeName else { return nil }
    return drafts.first { $0.documentKeys.contains(typeName) }
  }
}
