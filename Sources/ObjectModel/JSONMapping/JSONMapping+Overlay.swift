/// Mappings of which one stands above the other.
extension JSONMapping {
  /// This mapping with another one above it, such as a caller's above the one that was taken from data. The other one
  /// decides wherever it says something; of tables, key by key.
  package func overlaid(by other: JSONMapping) -> JSONMapping {
    var result = self
    for (name, rules) in other.entities { result[name] = self[name].overlaid(by: rules) }
    result.dialect = other.dialect ?? dialect
    result.document = document.overlaid(by: other.document)
    result.functions = other.functions
    result.places = other.places
    return result
  }
}

extension DocumentMapping {
  fileprivate func overlaid(by other: DocumentMapping) -> DocumentMapping {
    var result = self
    result.root = other.root ?? root
    result.columns = other.columns ?? columns
    result.kind = other.kind ?? kind
    result.skipsOthers = other.skipsOthers || skipsOthers
    result.added.merge(other.added) { _, other in other }
    if !other.forms.isEmpty { result.forms = other.forms }
    result.ignored += other.ignored.filter { !ignored.contains($0) }
    result.constants.merge(other.constants) { _, other in other }
    result.referencesAreObjects = other.referencesAreObjects || referencesAreObjects
    result.namesLists = other.namesLists || namesLists
    return result
  }
}

extension EntityMapping {
  fileprivate func overlaid(by other: EntityMapping) -> EntityMapping {
    var result = self
    result.identity = other.identity ?? identity
    result.names += other.names.filter { !names.contains($0) }
    result.keys.merge(other.keys) { _, other in other }
    result.dates.merge(other.dates) { _, other in other }
    result.transformers.merge(other.transformers) { _, other in other }
    result.ignored += other.ignored.filter { !ignored.contains($0) }
    result.notExported += other.notExported.filter { !notExported.contains($0) }
    result.discriminator = other.discriminator ?? discriminator
    result.unknownKind = other.unknownKind ?? unknownKind
    result.defaultKind = other.defaultKind ?? defaultKind
    result.unknownValues = (unknownValues ?? [:]).merging(other.unknownValues ?? [:]) { _, other in other }
    if result.unknownValues?.isEmpty == true { result.unknownValues = nil }
    result.toMany.merge(other.toMany) { _, other in other }
    result.references.merge(other.references) { _, other in other }
    result.only = only.merging(other.only) { _, other in other }
    result.exportedKeys = exportedKeys.merging(other.exportedKeys) { _, other in other }
    result.dictionaries = dictionaries.merging(other.dictionaries) { _, other in other }
    result.inside = other.inside ?? inside
    result.constants = constants.merging(other.constants) { _, other in other }
    result.polymorphic = polymorphic.merging(other.polymorphic) { _, other in other }
    result.version = other.version ?? version
    result.values.merge(other.values) { _, other in other }
    return result
  }
}
