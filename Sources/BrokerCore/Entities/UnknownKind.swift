/// What happens to objects of JSON whose kind is not known.
public struct UnknownKind: Sendable {
  private enum Form: Sendable {
    case issue
    case skip
    case entity(any Storable.Type)
  }

  private let form: Form

  /// They are skipped, and each is an issue.
  public static let issue = UnknownKind(form: .issue)

  /// They are skipped.
  public static let skip = UnknownKind(form: .skip)

  /// They become objects of one entity: the one whose objects they were expected to be, or one that inherits from it.
  public static func entity<Kind: Storable>(_ type: Kind.Type) -> UnknownKind {
    UnknownKind(form: .entity(type))
  }

  /// The type that they become objects of.
  var type: (any Storable.Type)? {
    if case .entity(let type) = form { type } else { nil }
  }

  /// The annotation for it; nil for none. It is made when it is needed, since a type that inherits describes itself
  /// by the type that this is an option of.
  var word: String? {
    switch form {
    case .issue: nil
    case .skip: "skip"
    case .entity(let type): type.entityName
    }
  }
}

/// What a type says about the kinds of its objects.
struct KindOptions: Sendable {
  var key: String?
  var unknown: UnknownKind?
  /// The values that stand for the entity itself.
  var values: [String] = []

  func annotate(_ userInfo: inout [String: String]) {
    userInfo["broker.discriminator"] = key
    userInfo["broker.unknown"] = unknown?.word
    if !values.isEmpty { userInfo["broker.kind"] = values.joined(separator: ",") }
  }
}
