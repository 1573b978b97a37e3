/// The description that a store has to have still, for a model that was made of that to fit it.
///
/// Who takes a model from JSON looks at the store first, and changes it later, in a transaction. What other programs do to
/// the store in between is found inside that transaction, before anything is changed.
///
/// It is a class since it is a part of the public ``Store/Options``: modules that do not see the types in it must know how
/// much room the options take.
package final class ExpectedDescription: Sendable {
  /// The description that the store had; nil if there was no store.
  private let before: StoreDescription?

  private init(_ before: StoreDescription?) { self.before = before }

  /// There was no store.
  package static let nothing = ExpectedDescription(nil)

  /// There was one of this model and mapping.
  package static func description(_ description: StoreDescription) -> ExpectedDescription {
    ExpectedDescription(description)
  }

  /// - Throws: ``StoreError`` if the store remembers something else by now.
  package func check(_ remembered: StoreDescription?, path: String) throws {
    let isSame =
      switch (before, remembered) {
      case (nil, nil): true
      case (let before?, let now?): try before.isSame(as: now)
      default: false
      }
    guard isSame else { throw StoreError(.basisChanged(path: path)) }
  }
}

extension Store {
  /// The description of the store, for a model that is made of that.
  package var basis: ExpectedDescription { .description(backend.description) }
}
