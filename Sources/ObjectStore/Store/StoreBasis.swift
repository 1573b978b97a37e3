/// What a store has to remember of itself still, for a model that was made of that to fit it.
///
/// Who takes a model from JSON looks at the store first, and changes it later, in a transaction. What other programs do to
/// the store in between is found inside that transaction, before anything is changed.
package enum StoreBasis: Sendable {
  /// There was no store.
  case nothing
  /// There was one of this model and mapping.
  case description(StoreDescription)

  /// - Throws: ``StoreError`` if the store remembers something else by now.
  package func check(_ remembered: StoreDescription?, path: String) throws {
    let isSame =
      switch (self, remembered) {
      case (.nothing, nil): true
      case (.description(let before), let now?): try before.isSame(as: now)
      default: false
      }
    guard isSame else { throw StoreError(.basisChanged(path: path)) }
  }
}

extension Store {
  /// What the store remembers, for a model that is made of that.
  package var basis: StoreBasis { .description(backend.description) }
}
