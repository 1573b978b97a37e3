package import ObjectModel

extension Store {
  /// What a store may do to take over another version of its model.
  ///
  /// What loses nothing just happens, when the store is opened for writing. What removes data asks for consent:
  ///
  /// ```swift
  /// var options = Store.Options()
  /// options.migration = .automatic.allowing(.removals).setting("1970", for: "Band.formed")
  /// let store = try Store(path: "bands.sqlite", model: model, options: options)
  /// ```
  public struct Migration: Sendable {
    /// What may be done beyond what loses nothing.
    public struct Consent: OptionSet, Sendable, Hashable {
      public let rawValue: Int

      public init(rawValue: Int) { self.rawValue = rawValue }

      /// Entities, properties, links and values that the new version has no place for go.
      public static let removals = Consent(rawValue: 1)
    }

    /// A change of a value on its way into the new version. Values are in the store's form.
    public typealias Conversion = @Sendable (SQLValue) throws -> SQLValue

    var isAutomatic: Bool
    var consent: Consent = []
    /// The texts of values by attributes, `Band.formed`.
    var values: [String: String] = [:]
    var conversions: [String: Conversion] = [:]
    /// Attributes whose objects go where they have no value.
    var dropped: Set<String> = []
    package var stages: [MigrationStage] = []
    /// The entities that lose an identity which was only a guess.
    package var lostGuesses: Set<String> = []
    /// Where a copy of the store is put before anything is removed. There must be no file. A store on a server refuses
    /// this: the server has means of its own.
    public var backupPath: String?
    /// Called now and then with the part that is done, from 0 to 1, on the thread that opens the store.
    public var onProgress: (@Sendable (Double) -> Void)?
    /// Whether the first transaction that writes migrates, rather than the opening.
    package var isDelayed = false

    private init(isAutomatic: Bool) { self.isAutomatic = isAutomatic }

    /// Does what loses nothing, and refuses the rest with a plan. That is what a store does unless told otherwise.
    public static let automatic = Migration(isAutomatic: true)

    /// Refuses every model that needs other tables.
    public static let refused = Migration(isAutomatic: false)

    /// The same, with consent to more.
    public func allowing(_ consent: Consent) -> Migration {
      changed { $0.consent.formUnion(consent) }
    }

    /// The same, with a value for the objects that have none of an attribute that needs one.
    ///
    /// - Parameters:
    ///   - value: The value as a text, as a default in a model is written.
    ///   - attribute: The attribute in the new version: `Band.formed`.
    public func setting(_ value: String, for attribute: String) -> Migration {
      changed { $0.values[attribute] = value }
    }

    /// The same, with a change of each value of an attribute.
    ///
    /// ```swift
    /// .automatic.converting("Album.seconds") { value in
    ///   guard case .text(let text) = value else { return .null }
    ///   return Int64(text.dropLast(2)).map { .integer($0) } ?? .null
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - attribute: The attribute in the new version.
    ///   - conversion: Is given the value of the old version, null too, in the store's form, and gives the new one, by
    ///     that value alone: for a store on a server it is called once for all objects with the same value. What it throws
    ///     ends the migration, and the store is as it was.
    public func converting(_ attribute: String, _ conversion: @escaping Conversion) -> Migration {
      changed { $0.conversions[attribute] = conversion }
    }

    /// The same, with the removal of the objects that have no value of an attribute that needs one.
    public func dropping(_ attribute: String) -> Migration {
      changed { $0.dropped.insert(attribute) }
    }

    func changed(_ change: (inout Migration) -> Void) -> Migration {
      var copy = self
      change(&copy)
      return copy
    }
  }
}

/// A step of a migration in stages: the next version of the model, and what is done beyond what follows from it.
package struct MigrationStage: Sendable {
  package let model: Model
  /// Reads the objects as they were, and writes them as they become.
  package let body: (@Sendable (_ old: any StoreTransaction, _ new: any StoreTransaction) throws -> Void)?

  package init(
    model: Model, body: (@Sendable (_ old: any StoreTransaction, _ new: any StoreTransaction) throws -> Void)?
  ) {
    self.model = model
    self.body = body
  }
}
