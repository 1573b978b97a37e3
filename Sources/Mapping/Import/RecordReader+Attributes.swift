import Bytes
import JSONStream
import ObjectModel
import ObjectStore

extension RecordReader {
  /// Reads the value of an attribute's key.
  @inline(__always)
  mutating func readAttribute(
    _ attribute: AttributePlan, at key: KeyPlace
  ) throws(JSONError) {
    try readAttribute(json.next(), attribute, at: key)
  }

  /// Reads the value of an attribute, whose first token was just read.
  @inline(__always)
  mutating func readAttribute(
    _ token: JSONToken, _ attribute: AttributePlan, at key: KeyPlace
  ) throws(JSONError) {
    let before = cell(key.row, attribute.slot)
    let tag = key.tag
    if before.isPresent, before.keyTag != tag {
      guard isBetter(key, than: before.keyTag.rank) else {
        return try json.skip(from: token)
      }
    }
    guard attribute.isPlain else {
      return try readTransformedOrChecked(token, attribute, at: key)
    }
    var integer: Int64?
    switch token {
    case .beginObject, .beginArray:
      return try readJSON(token, attribute, at: key)
    case .null:
      return clear(attribute, at: key)
    case .number:
      if json.numberIsInteger { integer = json.integer }
    default: break
    }
    if var cell = attribute.conversion.cell(for: token, json.text, integer: integer, in: &batch.rows) {
      cell.keyTag = tag
      setCell(key.row, attribute.slot, to: cell)
    } else if isEmptyField(token) {
      clear(attribute, at: key)
    } else {
      reject(attribute, at: key, found: found(token))
    }
  }

  /// Whether the value just read is an empty text in quotes in a table. Where it is no value, it is null.
  func isEmptyField(_ token: JSONToken) -> Bool { isTable && token == .string && json.text.isEmpty }

  /// Reads a value that has to be transformed first, or checked after it was converted.
  @inline(never)
  private mutating func readTransformedOrChecked(
    _ token: JSONToken, _ attribute: AttributePlan, at key: KeyPlace
  ) throws(JSONError) {
    guard attribute.transformers == nil, token != .null, token != .beginObject, token != .beginArray else {
      return try readTransformed(token, attribute, at: key)
    }
    let integer = token == .number && json.numberIsInteger ? json.integer : nil
    let cell = attribute.conversion.cell(for: token, json.text, integer: integer, in: &batch.rows)
    if cell == nil, isEmptyField(token) { return clear(attribute, at: key) }
    if let expected = keep(cell, attribute, at: key) {
      reject(attribute, at: key, expected: expected, found: found(token))
    }
  }

  /// Fills an attribute with a converted value. If there is none, or if the model does not allow it, returns what it
  /// should have been.
  mutating func keep(
    _ cell: Cell?, _ attribute: AttributePlan, at key: KeyPlace
  ) -> String? {
    guard var cell else { return attribute.conversion.expectation }
    if let rules = attribute.rules {
      switch rules.verdict(on: cell, of: batch.rows, &plan.matchBudget) {
      case .allowed: break
      case .refused: return rules.expectation
      case .replaced(let value): cell = batch.rows.cell(of: value)
      case .unknown: reportUnchecked(attribute, rules, key.row)
      }
    }
    cell.keyTag = key.tag
    setCell(key.row, attribute.slot, to: cell)
    return nil
  }

  /// Reports, once for each attribute, that its regular expression takes too much work. Its values are kept, since it
  /// is not known that they are wrong.
  private mutating func reportUnchecked(_ attribute: AttributePlan, _ rules: AttributeRules, _ row: Int) {
    let entity = plan.entities[batch.rows.rows[row].entity]
    guard let index = entity.layout.attributeSlots.firstIndex(of: attribute.slot) else { return }
    let declared = entity.entity.attributes[index]
    guard plan.uncheckedAttributes.insert("\(declared.owner) \(declared.name)").inserted else { return }
    report(
      row, key: entity.keyName(ofAttribute: index), expected: rules.expectation,
      found: "more work than an import does to tell",
      action: "kept without that check, here and wherever else it is too much")
  }

  /// Sets an attribute to null, if it can be.
  ///
  /// - Parameter value: The value in the JSON, if it is another one than null.
  mutating func clear(
    _ attribute: AttributePlan, at key: KeyPlace, found value: JSONValue = .null
  ) {
    if attribute.isOptional || attribute.isIdentity {
      var cell = Cell.null
      cell.keyTag = key.tag
      setCell(key.row, attribute.slot, to: cell)
    } else {
      reject(attribute, at: key, found: found(value))
    }
  }

  /// Keeps a list or an object as JSON text, if the type allows that.
  mutating func readJSON(
    _ token: JSONToken, _ attribute: AttributePlan, at key: KeyPlace
  ) throws(JSONError) {
    guard attribute.conversion.keepsJSON else {
      try json.skip(from: token)
      return reject(attribute, at: key, found: found(token))
    }
    let cell = try json.bytes(from: token).withUnsafeBufferPointer { batch.rows.text($0) }
    if let expected = keep(cell, attribute, at: key) {
      return reject(attribute, at: key, expected: expected, found: found(token))
    }
    if token == .beginObject, attribute.conversion.kind == .string {
      report(
        key, expected: attribute.conversion.expectation,
        found: "an object", action: "kept as JSON text")
    }
  }

  /// Reports a value that the attribute cannot hold. If the attribute is required, the object is skipped.
  mutating func reject(
    _ attribute: AttributePlan, at key: KeyPlace,
    expected: String? = nil, found: String
  ) {
    let isNeeded = !attribute.isOptional || attribute.isIdentity
    if isNeeded { batch.rows.rows[key.row].state = .skipped }
    report(
      key, expected: expected ?? attribute.conversion.expectation, found: found,
      action: isNeeded ? "object skipped" : "value left out")
  }
}
