import Bytes
package import ObjectModel
package import ObjectStore

/// Puts values of a program into rows, as imports do with values of JSON. The demands of the model hold for both.
package final class ValueValidator: Sendable {
  private let layout: Layout
  private let forms: ValueForms

  /// - Throws: ``PlanError`` if the model's annotations cannot be followed.
  package init(_ store: any StoreEngine) throws {
    layout = store.layout
    let usable = try UsableLayout(store.layout, store.functions, includesAnnotations: false)
    forms = try ValueForms(usable.layout.schema, store.functions, store.checks)
  }

  /// Puts a value into a row's cell for an attribute. If the attribute cannot have it, returns what it should have
  /// been.
  package func set(
    _ value: SQLValue, of attribute: Int, in row: Int, entity: SchemaEntity, _ batch: inout RowBatch
  ) -> String? {
    let declared = entity.attributes[attribute]
    let slot = layout.entities[entity.index].attributeSlots[attribute]
    let conversion = Conversion(type: declared.type)
    guard let cell = Self.cell(value, declared.type, &batch) else { return conversion.expectation }
    if cell.kind != .null, let rules = forms.attributes[entity.index][attribute].rules {
      var budget = MatchBudget()
      switch rules.verdict(on: cell, of: batch, &budget) {
      case .allowed: break
      case .refused, .replaced: return rules.expectation
      case .unknown: return rules.expectation + ", which takes too many steps to tell"
      }
    }
    batch[row, slot] = cell
    return nil
  }

  /// The cell for a value in the form of the store; nil if the value is not of the attribute's type.
  private static func cell(_ value: SQLValue, _ type: AttributeType, _ batch: inout RowBatch) -> Cell? {
    switch (value, StorageType(type)) {
    case (.null, _): .null
    case (.integer(let integer), .integer): isInside(integer, type) ? .integer(integer) : nil
    case (.integer(let integer), .real): .real(Double(integer))
    case (.real(let number), .real):
      type == .float && number.magnitude > Double(Float.greatestFiniteMagnitude) ? nil : .real(number)
    case (.text(let text), .text): batch.text(text)
    case (.blob(let bytes), .blob):
      bytes.withUnsafeBufferPointer { bytes in
        let offset = batch.bytes.count
        batch.bytes.append(bytes)
        return .blob(at: offset, count: bytes.count)
      }
    default: nil
    }
  }

  private static func isInside(_ value: Int64, _ type: AttributeType) -> Bool {
    switch type {
    case .boolean: value == 0 || value == 1
    case .integer16: Int16(exactly: value) != nil
    case .integer32: Int32(exactly: value) != nil
    default: true
    }
  }
}
