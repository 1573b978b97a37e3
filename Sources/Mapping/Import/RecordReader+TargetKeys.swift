import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// Scalars that stand for the objects of a relationship: their keys.
extension RecordReader {
  /// What a scalar is in place of a target.
  enum ScalarTarget {
    /// The key of the target, which was pushed.
    case key
    case null
    case refused(expected: String)
  }

  /// Pushes a scalar as the key of a target, after the transformers that each key of the relationship passes through.
  mutating func pushScalar(_ token: JSONToken, _ relationship: RelationshipPlan) -> ScalarTarget {
    if let transformers = relationship.elementTransformers {
      return pushTransformed(token, relationship, transformers)
    }
    if token == .null || isEmptyField(token) { return .null }
    return pushKey(token, relationship) ? .key : .refused(expected: keyExpectation(relationship))
  }

  /// Pushes a scalar as the key of a target. False if it cannot be one.
  private mutating func pushKey(_ token: JSONToken, _ relationship: RelationshipPlan) -> Bool {
    guard relationship.key.count == 1, let conversion = relationship.key.first else {
      return token == .string ? pushParts(String(decoding: json.text, as: UTF8.self), relationship) : false
    }
    let integer = token == .number && json.numberIsInteger ? json.integer : nil
    let cell =
      if let transformers = relationship.keyTransformers {
        keyCell(token, conversion, transformers)
      } else {
        conversion.cell(for: token, json.text, integer: integer, in: &batch.rows)
      }
    guard let cell else { return false }
    targets.append(stored([cell], relationship)[0])
    return true
  }

  /// Pushes a string as the key of a target whose identity has several attributes: its values, joined by commas.
  mutating func pushParts(_ text: String, _ relationship: RelationshipPlan) -> Bool {
    guard relationship.key.count > 1, let parts = KeyText.split(text, count: relationship.key.count) else {
      return false
    }
    var cells: [Cell] = []
    for (place, text) in parts.enumerated() {
      guard let cell = cell(for: .string(text), relationship.key[place]) else { return false }
      cells.append(cell)
    }
    for cell in stored(cells, relationship) { targets.append(cell) }
    return true
  }

  /// The cells of a target's key, from those of its identity.
  mutating func stored(_ identity: [Cell], _ relationship: RelationshipPlan) -> [Cell] {
    let target = plan.entities[relationship.destination].entity
    guard target.isIdentifiedBelowRoot else { return identity }
    return [batch.rows.key(of: identity, plan.layout.schema, target)]
  }

  func keyExpectation(_ relationship: RelationshipPlan) -> String {
    let name = plan.entities[relationship.destination].entity.name
    switch relationship.key.count {
    case 1: return "\(name), as an object or by its identity, \(relationship.key[0].expectation)"
    default: return "\(name), as an object"
    }
  }
}
