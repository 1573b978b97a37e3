public import ObjectModel

/// What a type says of a relationship besides its name and its target.
public struct RelationshipOption<Target: Storable>: Sendable {
  let apply: @Sendable (inout RelationshipOptions) -> Void

  /// The object that the relationship leads to is a part of the identity. The relationship is to one object and not
  /// optional.
  public static var identity: Self { Self { $0.isIdentity = true } }

  /// The keys or key paths of the relationship in JSON, the preferred one first.
  public static func key(_ keys: String...) -> Self { Self { $0.keys = keys } }

  /// The transformers that the keys of target objects pass through when they are read.
  public static func transformers(_ calls: [TransformerCall]) -> Self { Self { $0.transformers = calls } }

  /// The relationship that leads back. It is enough to say it at one end. If only one relationship is possible,
  /// nothing needs to be said.
  public static func inverse(_ path: any PartialKeyPath<Target> & Sendable) -> Self {
    let key = PathKey(path)
    return Self { $0.inverse = key }
  }

  /// No relationship leads back.
  public static var noInverse: Self { Self { $0.hasNoInverse = true } }

  /// What happens to the target objects when the owner is deleted.
  public static func deleteRule(_ rule: DeleteRule) -> Self { Self { $0.deleteRule = rule } }

  /// The order of the objects is kept.
  public static var ordered: Self { Self { $0.isOrdered = true } }

  /// The least number of objects.
  public static func minimum(_ count: Int) -> Self { Self { $0.minimum = count } }

  /// What the relationship was called before: a store of an earlier version keeps its links.
  public static func renamedFrom(_ name: String) -> Self { Self { $0.formerName = name } }

  /// The greatest number of objects.
  public static func maximum(_ count: Int) -> Self { Self { $0.maximum = count } }
}

/// All options of a relationship.
struct RelationshipOptions: Sendable {
  var isIdentity = false
  var keys: [String] = []
  var transformers: [TransformerCall] = []
  var inverse: PathKey?
  var hasNoInverse = false
  var deleteRule = DeleteRule.nullify
  var isOrdered = false
  var minimum: Int?
  var maximum: Int?
  var formerName: String?

  init() {}

  init<Target: Storable>(_ options: [RelationshipOption<Target>]) {
    for option in options { option.apply(&self) }
  }
}
