import ObjectModel

/// Takes what the server was not told of from one version of a model to another: under the new names and keys. What
/// concerned only what is gone goes.
package struct JournalMigration {
  let sources: MigrationSources

  package init(_ sources: MigrationSources) { self.sources = sources }

  /// An entry as it is in the new version; nil if it is nothing to tell any more. The old tables have to be there.
  package func migrated(_ entry: JournalEntry) throws -> JournalEntry? {
    guard let former = sources.old.entity(entry.entity), let successor = sources.successor(of: former.index)
    else {
      return nil
    }
    let entity = sources.new.entities[successor]
    guard let key = try KeyMigration(sources: sources).key(entry.key, of: former.index, in: successor) else {
      return nil
    }
    var result = entry
    result.entity = entity.name
    result.key = key
    let names = sources.pairs.names(former, entity)
    result.properties = [:]
    for (name, revision) in entry.properties {
      if let name = names[name] { result.properties[name] = revision }
    }
    // An update of nothing that is still there is nothing to tell.
    if entry.kind == .updated, result.properties.isEmpty, !entry.properties.isEmpty { return nil }
    return result
  }
}
