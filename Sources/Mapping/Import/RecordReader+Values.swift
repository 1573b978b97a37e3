import Bytes
import JSONStream
import ObjectModel
import ObjectStore

extension RecordReader {
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
      batch.issues[batch.issues.count - 1].isOfAttribute = !attribute.isIdentity
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
    batch.issues[batch.issues.count - 1].isOfAttribute = !attribute.isIdentity
  }
}

extension RecordReader {
  // MARK: - Attributes

  /// Reads the value of an attribute through its transformers; its first token was just read.
  mutating func readTransformed(
    _ token: JSONToken, _ attribute: AttributePlan, at key: KeyPlace
  ) throws(JSONError) {
    let value = try json.value(from: token)
    transform(value, attribute, at: key)
  }

  /// Fills an attribute with what its transformers make of a value.
  mutating func transform(
    _ value: JSONValue, _ attribute: AttributePlan, at key: KeyPlace
  ) {
    switch transformed(value, by: attribute.transformers) {
    case .failure(let error):
      reject(attribute, at: key, expected: error.expected, found: found(value))
    case .success(.null):
      clear(attribute, at: key, found: value)
    case .success(let result) where result.isStructure:
      let isRead = reading(result) { (reader, token) throws(JSONError) in
        try reader.readJSON(token, attribute, at: key)
      }
      if !isRead { reject(attribute, at: key, found: found(value)) }
    case .success(let result):
      let cell = cell(for: result, attribute.conversion)
      if let expected = keep(cell, attribute, at: key) {
        reject(attribute, at: key, expected: expected, found: found(value))
      }
    }
  }

  /// Sets an attribute to null because of a null on the way to it. Transformers may make something else of that null.
  mutating func clearBelow(
    _ attribute: AttributePlan, at key: KeyPlace
  ) {
    if attribute.transformers == nil {
      clear(attribute, at: key)
    } else {
      transform(.null, attribute, at: key)
    }
  }

  // MARK: - Identities

  /// Converts a key of an object, a scalar whose token was just read, to the identity of that object.
  mutating func keyCell(
    _ token: JSONToken, _ conversion: Conversion, _ transformers: TransformerChain
  ) -> Cell? {
    scalar(token).flatMap { keyCell($0, conversion, transformers) }
  }

  /// The scalar whose token was just read; nil for the first token of a list or an object.
  func scalar(_ token: JSONToken) -> JSONValue? {
    switch token {
    case .null: .null
    case .true: true
    case .false: false
    case .number: .number(String(decoding: json.text, as: UTF8.self))
    case .string: .string(String(decoding: json.text, as: UTF8.self))
    default: nil
    }
  }

  /// Converts a key of an object to the identity of that object.
  mutating func keyCell(
    _ value: JSONValue, _ conversion: Conversion, _ transformers: TransformerChain
  ) -> Cell? {
    guard case .success(let result) = transformed(value, by: transformers), result != .null else {
      return nil
    }
    return cell(for: result, conversion)
  }

  /// Pushes what transformers make of a scalar, whose token was just read, as the key of a target.
  mutating func pushTransformed(
    _ token: JSONToken, _ relationship: RelationshipPlan, _ transformers: TransformerChain
  ) -> ScalarTarget {
    guard let value = scalar(token) else { return .refused(expected: keyExpectation(relationship)) }
    switch transformed(value, by: transformers) {
    case .failure(let error): return .refused(expected: error.expected)
    case .success(.null): return .null
    case .success(let result):
      return push(result, relationship) ? .key : .refused(expected: keyExpectation(relationship))
    }
  }

  /// Pushes a value as the key of a target. False if it cannot be one.
  private mutating func push(_ value: JSONValue, _ relationship: RelationshipPlan) -> Bool {
    guard relationship.key.count == 1, let conversion = relationship.key.first else {
      return value.stringValue.map { pushParts($0, relationship) } ?? false
    }
    let cell =
      if let transformers = relationship.keyTransformers {
        keyCell(value, conversion, transformers)
      } else {
        cell(for: value, conversion)
      }
    guard let cell else { return false }
    targets.append(stored([cell], relationship)[0])
    return true
  }

  // MARK: - Relationships

  /// Reads the value of a relationship through its transformers; its first token was just read.
  mutating func readTransformed(
    _ token: JSONToken, of relationship: RelationshipPlan, at key: KeyPlace
  ) throws(JSONError) {
    let value = try json.value(from: token)
    transform(value, of: relationship, at: key)
  }

  /// Links what the transformers of a relationship make of a value.
  mutating func transform(
    _ value: JSONValue, of relationship: RelationshipPlan, at key: KeyPlace
  ) {
    var expected = "JSON that nests less deep"
    switch transformed(value, by: relationship.transformers) {
    case .failure(let error): expected = error.expected
    case .success(let result):
      let isRead = reading(result) { (reader, token) throws(JSONError) in
        try reader.readLinks(token, of: relationship, at: key)
      }
      if isRead { return }
    }
    if value != .null { batch.hasLeftOutObjects = true }
    report(
      key, expected: expected, found: found(value),
      action: "value left out")
  }

  /// Removes a relationship's links because of a null on the way to it. Transformers may make links of that null.
  mutating func clearBelow(
    _ relationship: RelationshipPlan, at key: KeyPlace
  ) {
    if relationship.transformers == nil, relationship.elementTransformers == nil {
      clear(relationship, at: key)
    } else {
      transform(.null, of: relationship, at: key)
    }
  }

  // MARK: - Values

  private func transformed(
    _ value: JSONValue, by transformers: TransformerChain?
  ) -> Result<JSONValue, TransformerError> {
    do {
      return .success(try transformers?.read(value) ?? value)
    } catch let error as TransformerError {
      return .failure(error)
    } catch {
      return .failure(TransformerError(expected: "\(error)"))
    }
  }

  /// Converts a scalar that is not in the JSON; nil if the type does not take it.
  mutating func cell(for value: JSONValue, _ conversion: Conversion) -> Cell? {
    conversion.cell(for: value, in: &batch.rows)
  }

  /// Reads a value in place of the JSON: `body` gets its first token. False if the value nests deeper than JSON may.
  mutating func reading(
    _ value: JSONValue, _ body: (inout RecordReader, JSONToken) throws(JSONError) -> Void
  ) -> Bool {
    let bytes = value.bytes
    // The depth is counted on from here, so that a transformer whose results nest cannot exhaust the stack.
    var other = JSONReader(
      MemorySource(bytes),
      options: JSONReader.Options(
        maximumDepth: max(0, json.options.maximumDepth - json.depth - 1), windowSize: bytes.count))
    swap(&json, &other)
    defer { swap(&json, &other) }
    do throws(JSONError) {
      try body(&self, try json.next())
      return true
    } catch {
      return false
    }
  }

  /// How messages show a value that was found, shortened.
  func found(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let isTrue): isTrue ? "true" : "false"
    case .number(let digits): shortened(digits, isString: false)
    case .string(let text): shortened(text, isString: true)
    case .array: "a list"
    case .object: "an object"
    }
  }

  private func shortened(_ text: String, isString: Bool) -> String {
    var text = text
    return text.withUTF8 { shortened($0, isString: isString) }
  }
}

extension JSONValue {
  fileprivate var isStructure: Bool {
    switch self {
    case .array, .object: true
    case .null, .bool, .number, .string: false
    }
  }
}

extension Conversion {
  /// The cell of a scalar; nil if the type does not take it.
  func cell(for value: JSONValue, in batch: inout RowBatch) -> Cell? {
    var text = ""
    let token: JSONToken
    switch value {
    case .null: token = .null
    case .bool(let isTrue): token = isTrue ? .true : .false
    case .number(let digits): (token, text) = (.number, digits)
    case .string(let string): (token, text) = (.string, string)
    case .array, .object: return nil
    }
    return text.withUTF8 { cell(for: token, $0, integer: nil, in: &batch) }
  }
}
