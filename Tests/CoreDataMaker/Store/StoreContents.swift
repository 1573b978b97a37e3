package import Foundation
package import ObjectModel

/// What a store is to hold.
package struct StoreContents: Sendable {
  package var model: Model
  package var objects: [StoreObject]
  package var options: StoreMakingOptions

  package init(_ model: Model, _ objects: [StoreObject] = [], _ options: StoreMakingOptions = .init()) {
    self.model = model
    self.objects = objects
    self.options = options
  }
}

/// An object: its entity, its key in the table, and what it has.
package struct StoreObject: Sendable, Hashable {
  package var entity: String
  /// `Z_PK`, of its own in the table of the root entity.
  package var key: Int64
  /// Attributes that are not here are NULL. Those of a composite are under their own names.
  package var values: [String: StoreValue]
  /// What each relationship leads to, as this end has it: the other end may have something else.
  package var links: [String: [StoreLink]]

  package init(
    _ entity: String, _ key: Int64, _ values: [String: StoreValue] = [:], links: [String: [StoreLink]] = [:]
  ) {
    self.entity = entity
    self.key = key
    self.values = values
    self.links = links
  }
}

/// An object that a relationship leads to. It need not be there.
package struct StoreLink: Sendable, Hashable {
  package var entity: String
  package var key: Int64

  package init(_ entity: String, _ key: Int64) {
    self.entity = entity
    self.key = key
  }
}

/// A value, in the form that the store has for its type.
package enum StoreValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case text(String)
  /// Seconds since 2001-01-01T00:00:00Z.
  case date(Double)
  /// Digits, as text: the affinity of the column makes of it what it can.
  case decimal(String)
  case uuid(UUID)
  case data([UInt8])
  /// Data of an attribute that may have it in a file: kept in the row, behind a byte 1.
  case dataInRow([UInt8])
  /// Data in a file of its own, with this name.
  case dataInFile([UInt8], name: String)
  /// The bytes of a transformable's archive.
  case archive([UInt8])
}

/// How a store is made.
package struct StoreMakingOptions: Sendable {
  /// Whether `Z_MODELCACHE` has the model. It may be there and empty, or missing.
  package enum ModelCache: Sendable { case full, empty, missing }

  package var modelCache = ModelCache.full
  /// Whether the rows are in the `-wal` only.
  package var keepsRowsInWAL = false
  package var hasHistory = false
  /// Whether `Z_PLIST` is NULL.
  package var lacksMetadata = false
  /// Whether places in ordered lists are NULL.
  package var lacksOrder = false
  package var uuid = "1E2F6A2C-7A60-4B1B-9B11-0123456789AB"
  /// Indexes for uniqueness constraints.
  package var hasConstraints = true
  /// Triggers for derived attributes, which call a function that only Core Data has: who writes such a row elsewhere fails.
  package var hasDerivationTriggers = true
  /// A secret in the metadata, which nothing may print.
  package var secret = "token-nobody-may-see"

  package init() {}
}
