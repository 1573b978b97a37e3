import JSONStream
import ObjectModel
import ObjectStore

/// Writes the keys of objects. An identity of one value is written as that value, one of several as an object.
final class KeyWriter {
  private let layout: Layout
  private let forms: ValueForms
  private let options: ExportOptions
  private let values = ValueWriter()
  private var plans: [Int: ExportPlan.Members] = [:]
  /// How keys of one value are written, by entity.
  private var singleForms: [ExportForm?]

  init(_ layout: Layout, _ forms: ValueForms, _ options: ExportOptions) {
    self.layout = layout
    self.forms = forms
    self.options = options
    singleForms = Array(repeating: nil, count: layout.schema.entities.count)
  }

  /// Writes a key that is in columns of a cursor's row.
  ///
  /// - Parameters:
  ///   - transformers: The transformers that a key which is one value passes through last.
  ///   - asObject: Whether a key of one value is written as an object too.
  func write(
    _ target: SchemaEntity, _ row: any Cursor, from column: Int, through transformers: TransformerChain?,
    asObject: Bool = false, to writer: inout JSONWriter
  ) {
    if target.isIdentifiedBelowRoot {
      return write(target, text: row.string(column), through: transformers, asObject: asObject, to: &writer)
    }
    write(target, transformers, asObject, to: &writer) { part, write in write(StoredValue(row, column + part))
    }
  }

  /// Writes the key of an object whose row the cursor stands on; see ``ObjectRows``.
  func write(
    _ target: SchemaEntity, wholeRow row: any Cursor, through transformers: TransformerChain?,
    asObject: Bool = false, to writer: inout JSONWriter
  ) {
    let place = layout.entities[target.index]
    write(target, transformers, asObject, to: &writer) { part, write in
      write(StoredValue(row, ObjectRows.firstColumn + place.slots[place.identitySlots[part]]))
    }
  }

  /// Writes a key that the store remembers as text; see ``KeyText``. Writes nothing if the text is no key.
  func write(
    _ target: SchemaEntity, text: String, through transformers: TransformerChain?, asObject: Bool = false,
    to writer: inout JSONWriter
  ) {
    let text = layout.identityText(ofKey: text, of: target)
    guard let parts = KeyText.split(text, count: target.identity.count) else { return }
    write(target, transformers, asObject, to: &writer) { part, write in
      var text = parts[part]
      text.withUTF8 { write(StoredValue(key: $0, target.attributes[target.identity[part]].type)) }
    }
  }

  /// Passes the value of a part of a key to a function. The value is valid while the function runs.
  private typealias Parts = (_ part: Int, _ write: (StoredValue) -> Void) -> Void

  private func write(
    _ target: SchemaEntity, _ transformers: TransformerChain?, _ asObject: Bool, to writer: inout JSONWriter,
    parts: Parts
  ) {
    // If the entity has nothing but its identity, an import takes an object for the object itself, not for a reference.
    let isOnlyIdentity = target.attributes.count == target.identity.count
    if isOnlyIdentity, target.identity.count > 1 {
      var texts: [String] = []
      for part in target.identity.indices { parts(part) { texts.append($0.keyText) } }
      let key = JSONValue.string(KeyText.joined(texts))
      return writer.value(transformers?.written(key) ?? key)
    }
    let asObject = (asObject || options.document.referencesAreObjects) && !isOnlyIdentity
    guard !asObject, target.identity.count == 1, let only = target.identity.first else {
      let members = members(of: target)
      writer.begin(members)
      write(members.list, parts, to: &writer)
      return writer.end(members)
    }
    let form = singleForm(of: only, target)
    parts(0) { stored in
      if let transformers {
        writer.value(transformers.written(values.value(of: stored, form)))
      } else {
        values.write(stored, form, to: &writer)
      }
    }
  }

  private func write(_ members: [ExportPlan.Member], _ parts: Parts, to writer: inout JSONWriter) {
    for member in members {
      member.key.withUnsafeBufferPointer { writer.quotedKey($0) }
      switch member.content {
      case .value(let part, let form), .wholeObject(let part, let form, _):
        parts(part) { values.write($0, form, to: &writer) }
      case .object(let inner):
        writer.begin(inner)
        write(inner.list, parts, to: &writer)
        writer.end(inner)
      case .kind(_, let value): writer.string(value)
      case .relationship, .links, .gap, .gathered: writer.null()
      }
    }
  }

  private func singleForm(of attribute: Int, _ entity: SchemaEntity) -> ExportForm {
    if let known = singleForms[entity.index] { return known }
    let form = form(of: attribute, entity)
    singleForms[entity.index] = form
    return form
  }

  private func form(of attribute: Int, _ entity: SchemaEntity) -> ExportForm {
    ExportForm(
      entity.attributes[attribute], forms.attributes[entity.index][attribute], options.habits, layout.schema)
  }

  /// The members of a key of several values, by the keys that they have in the object itself.
  private func members(of target: SchemaEntity) -> ExportPlan.Members {
    if let known = plans[target.index] { return known }
    let names = ExportNames(target, layout.schema, options)
    var tree = ExportPlan.Tree()
    if options.document.referencesAreObjects, let path = options.document.kindPath {
      let value = ExportKind.documentValue(of: target, layout.schema)
      tree.add(path.steps[...], .kind(column: nil, value: value))
    }
    for (part, index) in target.identity.enumerated() {
      let form = form(of: index, target)
      tree.add(names.path(of: target.attributes[index])[...], .value(column: part, form: form))
    }
    let members = tree.members
    plans[target.index] = members
    return members
  }
}
