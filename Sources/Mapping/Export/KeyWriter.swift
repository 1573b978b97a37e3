import JSONStream
import ObjectModel
import ObjectStore

/// Writes the keys of objects. An identity of one value is written as that value, one of several as an object.
final class KeyWriter {
  private let layout: Layout
  private let forms: ValueForms
  private let options: ExportOptions
  private let values = ValueWriter()
  private var plans: [Int: ObjectForm] = [:]
  /// How keys of one value are written, by entity.
  private var singleForms: [ExportForm?]

  init(_ layout: Layout, _ forms: ValueForms, _ options: ExportOptions) {
    self.layout = layout
    self.forms = forms
    self.options = options
    singleForms = Array(repeating: nil, count: layout.schema.entities.count)
  }

  /// Writes a key that is in columns of a cursor's row.
  func write(
    _ target: SchemaEntity, _ row: any Cursor, from column: Int, as form: KeyForm,
    to writer: inout JSONWriter
  ) {
    if target.isIdentifiedBelowRoot {
      return write(target, text: row.string(column), as: form, to: &writer)
    }
    write(target, form, to: &writer) { part, write in write(StoredValue(row, column + part))
    }
  }

  /// Writes the key of an object whose row the cursor stands on; see ``ObjectRows``.
  func write(
    _ target: SchemaEntity, wholeRow row: any Cursor, as form: KeyForm, to writer: inout JSONWriter
  ) {
    let place = layout.entities[target.index]
    write(target, form, to: &writer) { part, write in
      write(StoredValue(row, ObjectRows.firstColumn + place.slots[place.identitySlots[part]]))
    }
  }

  /// Writes a key that the store remembers as text; see ``KeyText``. Writes nothing if the text is no key.
  func write(
    _ target: SchemaEntity, text: String, as form: KeyForm, to writer: inout JSONWriter
  ) {
    let text = layout.identityText(ofKey: text, of: target)
    guard let parts = KeyText.split(text, count: target.identity.count) else { return }
    write(target, form, to: &writer) { part, write in
      var text = parts[part]
      text.withUTF8 { write(StoredValue(key: $0, target.identity[part].type)) }
    }
  }

  /// Passes the value of a part of a key to a function. The value is valid while the function runs.
  private typealias Parts = (_ part: Int, _ write: (StoredValue) -> Void) -> Void

  private func write(
    _ target: SchemaEntity, _ keyForm: KeyForm, to writer: inout JSONWriter, parts: Parts
  ) {
    let transformers = keyForm.transformers
    if let kind = keyForm.kind, !kind.isBeside {
      return write(target, kind, transformers, to: &writer, parts: parts)
    }
    // If the entity has nothing but its identity, an import takes an object for the object itself, not for a reference.
    let isOnlyIdentity = target.hasOnlyIdentity
    if isOnlyIdentity, target.identity.count > 1 {
      let key = joined(target, parts)
      return writer.value(transformers?.written(key) ?? key)
    }
    let isObject = options.document.referencesAreObjects || keyForm.isObject && !isOnlyIdentity
    guard !isObject, target.identity.count == 1, let only = target.identity.first else {
      return writeObject(target, nil, parts, to: &writer)
    }
    let form = singleForm(of: only, target)
    guard let transformers else {
      return parts(0) { stored in values.write(stored, form, to: &writer) }
    }
    var key = JSONValue.null
    parts(0) { key = values.value(of: $0, form) }
    let written = transformers.written(key)
    guard transformers.leadsBack(from: written, to: key) else {
      return writeObject(target, nil, parts, to: &writer)
    }
    writer.value(written)
  }

  /// Writes a key that tells the kind of its object as well.
  private func write(
    _ target: SchemaEntity, _ kind: LinkKind, _ transformers: TransformerChain?, to writer: inout JSONWriter,
    parts: Parts
  ) {
    guard let text = kind.text else { return writeObject(target, kind, parts, to: &writer) }
    var key = joined(target, parts)
    if target.identity.count == 1, let only = target.identity.first {
      parts(0) { key = values.value(of: $0, singleForm(of: only, target)) }
    }
    let written = (transformers?.written(key) ?? key).scalarText ?? ""
    let link = text.text(kind: kind.value, key: written)
    // The form of the text may be in the key too.
    guard let found = text.parts(of: link[...]), found == (kind.value, written),
      transformers?.leadsBack(from: .string(written), to: key) ?? true
    else { return writeObject(target, kind, parts, to: &writer) }
    writer.string(link)
  }

  private func writeObject(
    _ target: SchemaEntity, _ kind: LinkKind?, _ parts: Parts, to writer: inout JSONWriter
  ) {
    let form = objectForm(of: target)
    writer.begin(form.members)
    if let kind, !form.members.hasKey(kind.key) { kind.write(to: &writer) }
    write(form.members.list, of: form, parts, to: &writer)
    writer.end(form.members)
  }

  private func joined(_ target: SchemaEntity, _ parts: Parts) -> JSONValue {
    var key = ""
    joined(Array(target.identity.indices), parts) { key = KeyText.joined($0) }
    return .string(key)
  }

  /// Passes the texts of parts of a key to a function.
  private func joined(_ places: [Int], _ parts: Parts, _ body: ([String]) -> Void) {
    var texts: [String] = []
    for part in places { parts(part) { texts.append($0.keyText) } }
    body(texts)
  }

  private func write(
    _ members: [ExportPlan.Member], of whole: ObjectForm, _ parts: Parts, to writer: inout JSONWriter
  ) {
    for member in members {
      member.key.withUnsafeBufferPointer { writer.quotedKey($0) }
      switch member.content {
      case .value(let part, _) where part >= whole.firstJoined:
        joined(whole.joined[part - whole.firstJoined], parts) { writer.string(KeyText.joined($0)) }
      case .value(let part, let form), .wholeObject(let part, let form, _):
        parts(part) { values.write($0, form, to: &writer) }
      case .object(let inner):
        writer.begin(inner)
        write(inner.list, of: whole, parts, to: &writer)
        writer.end(inner)
      case .kind(_, let value): writer.string(value)
      case .relationship, .links, .gap, .gathered, .polymorphic, .polymorphicList, .linkKind: writer.null()
      }
    }
  }

  private func singleForm(of part: IdentityPart, _ entity: SchemaEntity) -> ExportForm {
    if let known = singleForms[entity.index] { return known }
    let form = form(of: part)
    singleForms[entity.index] = form
    return form
  }

  private func form(of part: IdentityPart) -> ExportForm {
    let (schema, place) = (layout.schema, part.source)
    return ExportForm(
      schema.entities[place.entity].attributes[place.attribute], forms.form(of: part), options.habits, schema)
  }

  // MARK: - Keys as objects

  /// How keys of several values are written.
  private struct ObjectForm {
    /// The members, by the keys that they have in the object itself. Their columns are parts of the key; columns behind
    /// these are keys of objects, written as one text.
    var members = ExportPlan.Members([])
    /// The first of these columns.
    let firstJoined: Int
    /// The parts of each of these keys.
    var joined: [[Int]] = []
  }

  private func objectForm(of target: SchemaEntity) -> ObjectForm {
    if let known = plans[target.index] { return known }
    var tree = ExportPlan.Tree()
    var form = ObjectForm(firstJoined: target.identity.count)
    if options.document.referencesAreObjects, let path = options.document.kindPath {
      let value = ExportKind.documentValue(of: target, layout.schema)
      tree.add(path.steps[...], .kind(column: nil, value: value))
    }
    add(target, Array(target.identity.indices), below: [], to: &tree, &form)
    form.members = tree.members
    plans[target.index] = form
    return form
  }

  /// Adds the members of an entity's key, which are some parts of the whole key.
  private func add(
    _ entity: SchemaEntity, _ places: [Int], below path: [JSONKeyPath.Step], to tree: inout ExportPlan.Tree,
    _ form: inout ObjectForm
  ) {
    let names = ExportNames(entity, layout.schema, options)
    for (place, part) in zip(places, entity.identity) where part.place == 0 {
      if let attribute = part.attribute {
        let path = path + names.path(of: entity.attributes[attribute])
        tree.add(path[...], .value(column: place, form: self.form(of: part)))
        continue
      }
      guard let index = part.relationship else { continue }
      let relationship = layout.schema.relationships[index]
      let target = layout.schema.entities[relationship.destination]
      let own = zip(places, entity.identity).filter { $1.relationship == index }.map { $0.0 }
      let path = path + names.path(of: relationship.relationship) + names.targetPath(of: relationship)
      // As an object, a key needs no transformers, which might lead to another one.
      let isTransformed = forms.relationships[index].elements != nil
      if own.count == 1, !isTransformed {
        tree.add(path[...], .value(column: place, form: self.form(of: part)))
      } else if target.hasOnlyIdentity, !isTransformed {
        tree.add(path[...], .value(column: form.firstJoined + form.joined.count, form: ExportForm()))
        form.joined.append(own)
      } else {
        add(target, own, below: path, to: &tree, &form)
      }
    }
  }
}
