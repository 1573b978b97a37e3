import Bytes
package import ObjectModel

/// Keys as text: how reports name objects, and how the store remembers references to objects that are not
/// there. The values of a composite key are joined by commas; a comma or backslash in a value has a backslash
/// before it, if the key has several values.
package enum KeyText {
  package static func joined(_ parts: [String]) -> String {
    guard parts.count > 1 else { return parts.first ?? "" }
    return parts.map(escaped).joined(separator: ",")
  }

  private static func escaped(_ part: String) -> String {
    var bytes: [UInt8] = []
    for byte in part.utf8 {
      if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The values of a key of several parts.
  package static func split(_ text: String, count: Int) -> [String]? {
    guard count > 1 else { return [text] }
    let parts = parts(text)
    return parts.count == count ? parts : nil
  }

  /// The values of a key of several parts, however many they are.
  static func parts(_ text: String) -> [String] {
    // By bytes, since a combining character behind a comma would make one character of both.
    var parts: [[UInt8]] = [[]]
    var isEscaped = false
    for byte in text.utf8 {
      if isEscaped || (byte != UInt8(ascii: "\\") && byte != UInt8(ascii: ",")) {
        parts[parts.count - 1].append(byte)
        isEscaped = false
      } else if byte == UInt8(ascii: ",") {
        parts.append([])
      } else {
        isEscaped = true
      }
    }
    return parts.map { String(decoding: $0, as: UTF8.self) }
  }

  static func text(of cells: [Cell], _ batch: borrowing RowBatch) -> String {
    var parts: [String] = []
    for cell in cells { parts.append(text(of: cell, batch)) }
    return joined(parts)
  }

  package static func text(of cell: Cell, _ batch: borrowing RowBatch) -> String {
    switch cell.kind {
    case .integer: String(cell.integerValue)
    case .real: String(cell.realValue)
    case .text, .blob: String(decoding: batch.bytes(of: cell), as: UTF8.self)
    case .absent, .null, .row: ""
    }
  }

  /// A key as text, by its parts as the store keeps them.
  package static func text(of key: [SQLValue]) -> String {
    joined(
      key.map { part in
        switch part {
        case .null: ""
        case .integer(let value): String(value)
        case .real(let value): String(value)
        case .text(let text): text
        case .blob(let bytes): String(decoding: bytes, as: UTF8.self)
        }
      })
  }

  /// The key of the row with a row id.
  static func ofRow(_ row: Int64, in table: Table, _ transaction: SQLiteTransaction) throws -> String {
    let names = SQL.list(table.key.map { table.columns[$0].name })
    let statement = try transaction.cached(
      "SELECT \(names) FROM \(SQL.quoted(table.name)) WHERE rowid = ?1")
    statement.bind(row, at: 1)
    guard try statement.step() else { return "" }
    defer { statement.reset() }
    return ofColumns(0..<table.key.count, statement)
  }

  /// The key in columns of a statement's row.
  package static func ofColumns(_ columns: Range<Int>, _ statement: any Cursor) -> String {
    joined(columns.map { statement.string($0) })
  }
}

/// Keys of objects whose identity holds for a sub-entity only.
///
/// The table of a root without identity has one column for the keys of all its objects. An object that has an identity
/// all the same is known by the name of the entity that declares it and by the identity, joined as ``KeyText`` joins
/// the values of a composite one: `Photo,5`. What has none is known by its row id.
package enum KindKey {
  /// The key for an identity's values as text.
  package static func text(of identity: [String], _ schema: Schema, _ entity: SchemaEntity) -> String {
    KeyText.joined([schema.entities[entity.identityOwner].name] + identity)
  }

  /// A value, as text, of the identity that a key is made of.
  static func identityPart(_ part: Int, _ key: UnsafeBufferPointer<UInt8>) -> String? {
    let parts = KeyText.parts(String(decoding: key, as: UTF8.self))
    return parts.indices.contains(part + 1) ? parts[part + 1] : nil
  }

  /// The values, as text, of the identity that a key is made of.
  package static func identity(_ key: String, of entity: SchemaEntity) -> [String]? {
    KeyText.split(key, count: entity.identity.count + 1).map { Array($0.dropFirst()) }
  }
}

extension RowBatch {
  /// Gives a row the key that is made of its kind and its identity, if that is what its key is.
  package mutating func makeKey(of row: Int, _ schema: Schema, _ layout: EntityLayout) {
    guard layout.entity.isIdentifiedBelowRoot, let slot = layout.keySlots.first else { return }
    var identity: [Cell] = []
    for slot in layout.identitySlots { identity.append(self[row, slot]) }
    guard identity.allSatisfy({ $0.kind != .absent && $0.kind != .null }) else { return }
    let key = key(of: identity, schema, layout.entity)
    self[row, slot] = key
  }

  /// The cell of the key that is made of a kind and the values of an identity.
  package mutating func key(of identity: [Cell], _ schema: Schema, _ entity: SchemaEntity) -> Cell {
    var texts: [String] = []
    for cell in identity { texts.append(KeyText.text(of: cell, self)) }
    var key = KindKey.text(of: texts, schema, entity)
    return key.withUTF8 { text($0) }
  }
}

extension Layout {
  /// The key, as the store keeps it, of the object with an identity.
  package func key(ofIdentity identity: [SQLValue], of entity: SchemaEntity) -> [SQLValue] {
    guard entity.isIdentifiedBelowRoot else { return identity }
    return [.text(KindKey.text(of: identity.map { KeyText.text(of: [$0]) }, schema, entity))]
  }

  /// The key, as the store keeps it, that is given as text; nil if it is none of the entity.
  func key(ofText text: String, of entity: SchemaEntity) -> [SQLValue]? {
    entity.isIdentifiedBelowRoot ? [.text(text)] : identity(text, of: entity)
  }

  /// The entity of an entity's family whose identity a key is made of; nil if it is none of these.
  package func kind(ofKey key: String, below entity: SchemaEntity) -> SchemaEntity? {
    guard let name = KeyText.parts(key).first, let kind = schema.entity(name), kind.isIdentifiedBelowRoot,
      schema.family(of: entity.index).contains(kind.index)
    else { return nil }
    return kind
  }

  /// The identity of the object with a key; the key where it is none.
  package func identity(ofKey key: [SQLValue], of entity: SchemaEntity) -> [SQLValue] {
    guard entity.isIdentifiedBelowRoot, case .text(let text)? = key.first,
      let parts = KindKey.identity(text, of: entity)
    else { return key }
    return ComparedType.identity(KeyText.joined(parts), of: entity) ?? key
  }

  /// The values of an identity that a query names, as text.
  ///
  /// - Throws: ``StoreError`` if the entity has no identity, or one of other parts.
  package func identity(ofQuery text: String, of entity: SchemaEntity) throws -> [SQLValue] {
    guard entity.hasIdentity else {
      throw StoreError.invalid("\(entity.name) has no identity, so its objects cannot be named.")
    }
    guard let values = ComparedType.identity(text, of: entity) else {
      let names = entity.identity.map(\.name).joined(separator: ",")
      throw StoreError.invalid(
        "The identity of \(entity.name) has \(entity.identity.count) parts, \(names): give them joined by"
          + " commas.")
    }
    return values
  }

  /// The values of an identity that is given as text; nil if it is none of the entity.
  package func identity(_ text: String, of entity: SchemaEntity) -> [SQLValue]? {
    guard let values = ComparedType.identity(text, of: entity) else { return nil }
    let fit = zip(entity.identity, values).allSatisfy { part, value in
      switch (StorageType(part.type), value) {
      case (.integer, .integer), (.real, .real), (.text, .text), (.blob, .blob): true
      default: false
      }
    }
    return fit ? values : nil
  }

  /// SQL for the values of an identity, from SQL for the columns of the key.
  func identity(
    fromColumns key: [String], of entity: SchemaEntity, _ dialect: any SQLDialect
  ) -> [String] {
    guard entity.isIdentifiedBelowRoot, let key = key.first else { return key }
    return entity.identity.enumerated().map { index, part in
      dialect.identityPart(index, ofKey: key, StorageType(part.type))
    }
  }

  /// The name in reports of the object with a key that is given as text.
  package func identityText(ofKey key: String, of entity: SchemaEntity) -> String {
    guard entity.isIdentifiedBelowRoot, let parts = KindKey.identity(key, of: entity) else { return key }
    return KeyText.joined(parts)
  }

  /// The key as text of the object with an identity that is given as text.
  package func keyText(ofIdentity identity: String, of entity: SchemaEntity) -> String {
    guard entity.isIdentifiedBelowRoot, let parts = KeyText.split(identity, count: entity.identity.count)
    else {
      return identity
    }
    return KindKey.text(of: parts, schema, entity)
  }
}

/// A text that is equal to no other than the same bytes. To Swift, texts are equal that look alike, and two objects may have
/// such keys.
package struct ExactText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (first: ExactText, second: ExactText) -> Bool {
    first.text.utf8.elementsEqual(second.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(text.utf8.count)
  }
}
