package import Foundation

/// What a program has changed of an object and the server has not been told yet.
package struct JournalEntry: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, Codable {
    case inserted, updated, deleted
  }

  /// The entity that the object is of.
  package var entity: String
  /// Its key as text.
  package var key: String
  package var kind: Kind
  /// The properties that were changed, each with the revision of its last change. Of a new object, those that were
  /// changed since it was inserted.
  package var properties: [String: Int64] = [:]
  /// The number of the last change; it grows with each.
  package var revision: Int64
  /// Whether somebody was told of it, so that the server may know.
  package var isSent = false
  /// The key under which the server knows the object, as text; nil if that is ``key``. A rename is a change of the
  /// properties of the identity, so these are among ``properties``.
  package var former: String?

  package init(entity: String, key: String, kind: Kind, revision: Int64) {
    self.entity = entity
    self.key = key
    self.kind = kind
    self.revision = revision
  }
}

extension JournalEntry {
  /// Makes an entry of the columns of its row.
  ///
  /// - Parameter properties: JSON.
  /// - Throws: ``StoreError`` if a column holds what Broker does not write there: an entry that is taken for another would
  ///   keep a change from the server.
  package init(
    entity: String, key: String, kind: String, properties: Data, revision: Int64, isSent: Bool,
    former: String?
  ) throws {
    func unreadable(_ column: String) -> StoreError {
      StoreError.invalid(
        "The local change of \(entity) \(Excerpt.of(key)) cannot be read: \(column) in its row of the table \(StoreTable.journal)"
          + " is none that Broker writes. Nothing was changed. Correct the row, or delete it if the server has the change."
      )
    }
    guard let known = Kind(rawValue: kind) else { throw unreadable("the kind “\(Excerpt.of(kind))”") }
    self.init(entity: entity, key: key, kind: known, revision: revision)
    do {
      self.properties = try JSONDecoder().decode([String: Int64].self, from: properties)
    } catch {
      throw unreadable("the list of properties")
    }
    self.isSent = isSent
    self.former = former
  }

  /// Adds changes of an object that is there.
  mutating func add(_ names: some Sequence<String>, at revision: Int64) {
    if kind == .deleted {
      // It was deleted and is there again: for the server, everything may be another.
      kind = .updated
    }
    for name in names { properties[name] = revision }
    self.revision = revision
  }

  /// Adds what was changed of another object, which is this one as it turned out.
  mutating func add(_ other: JournalEntry) {
    guard kind != .deleted else { return }
    for (name, changed) in other.properties { properties[name] = max(changed, properties[name] ?? changed) }
    revision = max(revision, other.revision)
  }

  /// What is left of it once the server has what it was at a revision; nil if nothing is.
  ///
  /// - Parameters:
  ///   - told: What the server was told: of a deletion, that the object is gone.
  ///   - known: The key under which the server knows the object now.
  func remainder(after sent: Int64, told: Kind, as known: String) -> JournalEntry? {
    if revision <= sent { return nil }
    var rest = self
    guard kind != .deleted else {
      if told != .deleted { rest.key = known }
      return rest
    }
    rest.isSent = false
    rest.former = told == .deleted || known == key ? nil : known
    if told == .deleted {
      // What is there again is new to the server.
      rest.kind = .inserted
      rest.properties = [:]
      return rest
    }
    rest.kind = .updated
    rest.properties = properties.filter { $0.value > sent }
    return rest
  }
}
