/// The types of a GraphQL schema, whichever form they were read from.
struct GraphQLSchema {
  enum Kind {
    case object
    case interface
    case union
    case enumeration
    case scalar
    case input
  }

  /// A type as fields say it, without the lists around it.
  struct TypeReference: Equatable {
    var name: String
    var isList = false
    var isRequired = false
  }

  struct Field {
    var name: String
    var type: TypeReference
    var documentation: String?
  }

  struct TypeDefinition {
    var kind: Kind
    var name: String
    var documentation: String?
    var interfaces: [String] = []
    var fields: [Field] = []
    /// The members of a union, or the values of an enumeration.
    var members: [String] = []
  }

  var types: [TypeDefinition] = []
  /// The types of queries, mutations and subscriptions: they are no objects of the store.
  var roots: Set<String> = ["Query", "Mutation", "Subscription"]
}
