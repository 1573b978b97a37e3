import Mapping
import ObjectModel

/// Relationships whose targets stand in dictionaries.
extension DraftBuilder {
  mutating func addDictionary(_ member: Member, to draft: EntityDraft) {
    guard let target = dictionaryTarget(member) else { return addAttribute(member, to: draft) }
    let name = draft.freeName(names(for: member.path, draft))
    let relationship = RelationshipDraft(name: name, path: member.path, target: target.draft, isToMany: true)
    relationship.isOrdered = true
    relationship.dictionary = target.rule
    relationship.deleteRule = target.draft.isPart ? .cascade : .nullify
    relationship.certainty = .likely
    relationship.evidence =
      "its keys are data: \(shapes[shapes[member.node].keys].values.estimatedCount) different ones"
    draft.relationships.append(relationship)
    target.draft.nameHints.append((member.key, 10))
  }

  /// The entity of what stands in a dictionary, or in dictionaries in one another.
  mutating func dictionaryTarget(_ member: Member) -> (draft: EntityDraft, rule: DictionaryRule)? {
    var keys = [shapes[member.node].keys]
    guard var values = shapes.element(of: member.node) else { return nil }
    while shapes.isDictionary(values), keys.count < 4, shapes[values].objects == shapes[values].present {
      keys.append(shapes[values].keys)
      guard let inner = shapes.element(of: values) else { return nil }
      values = inner
    }
    guard keys.allSatisfy({ $0 >= 0 && shapes[$0].emptyTexts == 0 }) else { return nil }
    let node = shapes[values]
    let objects = shapes.isObject(values) ? values : shapes.listedObjects(values)
    if let objects, node.nulls == 0, !shapes.isSplit(objects) {
      let target = draft(at: objects)
      if let identity = target.identityAttribute, keys.count == 1, identity.node != shapes.find(keys[0]),
        shapes[keys[0]].values.overlap(with: shapes[identity.node].values).found > 0
      {
        return (target, DictionaryRule(target.identity[0]))
      }
      guard !target.attributes.contains(where: { $0.path.isEmpty }) else {
        return (target, rule(target.attributes.filter(\.path.isEmpty).map(\.name), nil))
      }
      let names = keys.reversed().map { addKey(of: $0, to: target, isIdentity: false).name }
      return (target, rule(names.reversed(), nil))
    }
    guard node.objects == 0, node.nulls == 0, node.present > 0 else { return nil }
    let target = draftOfValues()
    let names = keys.reversed().map { addKey(of: $0, to: target, isIdentity: false).name }
    target.attributes.append(
      AttributeDraft(name: "value", path: [], node: values, type: types.choice(of: values), isOptional: true))
    return (target, rule(names.reversed(), "value"))
  }

  func rule(_ keys: [String], _ value: String?) -> DictionaryRule {
    var rule = DictionaryRule("key", value: value)
    rule.keys = keys
    return rule
  }
}
