import JSONStream
import ObjectModel
import ObjectStore

/// Values from outside that the objects at the top of the JSON get.
extension RecordReader {
  /// Whether an object gets them: one at the top, or one that is imported into a relationship of an object of the store.
  func takesAdditions(_ isRoot: Bool, parent: Int) -> Bool {
    !additions.isEmpty && (isRoot || (bareRow >= 0 && parent == bareRow))
  }

  /// Gives an object the values whose keys it does not have itself.
  mutating func addValues(to row: Int, _ entity: EntityPlan, _ content: inout ObjectContent) {
    additions.beginObject()
    for place in additions.values.indices.reversed() {
      let addition = additions.values[place]
      let index = entity.keys.index(of: addition.key)
      let entry = entity.keys.entry(index)
      let key = KeyPlace(row: row, node: entity.keys, index: index, rank: entry.rank)
      switch entry.action {
      case .attribute:
        let attribute = entity.attributes[Int(entry.index)]
        if !attribute.isIdentity { content.hasProperty = true }
        if !cell(row, attribute.slot).isPresent { transform(addition.value, attribute, at: key) }
      case .relationship:
        let relationship = entity.relationships[Int(entry.index)]
        content.hasProperty = true
        if rankOfLinks(relationship, row) == nil { transform(addition.value, of: relationship, at: key) }
      case .ignore, .wrapper, .descend, .polymorphic, .linkKind: continue
      }
      entity.keys.use(index)
      additions.taken.insert(addition.key)
    }
  }
}
