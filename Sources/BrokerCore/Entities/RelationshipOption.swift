/// What is said of a relationship besides its name and the entity that it leads to.
public struct RelationshipOption<Target: Storable>: Sendable {
  let apply: @Sendable (inout RelationshipOptions) -> Void

  /// The keys, or key paths, of the relationship in JSON, the best first.
  public static func key(_ keys: String...) -> Self { Self { $0.keys = keys } }

  /// The relationship that leads back. To say it at one end is enough; where there is only one that it can be,
  /// at neither.
  public static func inverse(_ path: any PartialKeyPath<Target> & Sendable) -> Self {
    let key = PathKey(path)
    return Self { $0.inverse = key }
  }

  /// No relationship leads back.
  public static var noInverse: Self { Self { $0.hasNoInverse = true } }

  /// What happens to the objects that it leads to when its owner is deleted.
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

/// The options of a relationship, together.
struct RelationshipOptions: Sendable {
  var keys: [String] = []
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
