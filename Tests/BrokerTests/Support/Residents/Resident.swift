import Broker

/// A resident has every kind of relationship: to residents, one-to-one, ordered at both ends, one that denies deletion, one
/// that the other end requires, and parts.
@Entity struct Resident {
  @Identity var name: String
  var number: Int?
  var text = "x"
  var parent: ToOne<Resident>?
  @Relationship(inverse: "parent", ordered: true) var children: ToMany<Resident>
  @Relationship(inverse: "partner") var partner: ToOne<Resident>?
  @Relationship(inverse: "friends") var friends: ToMany<Resident>
  @Relationship(inverse: \Badge.residents, ordered: true) var badges: ToMany<Badge>
  @Relationship(inverse: \Pet.resident, deleteRule: .cascade) var pets: ToMany<Pet>
  @Relationship(inverse: \Loan.resident, deleteRule: .deny) var loans: ToMany<Loan>
  var remarks: ToMany<Remark>

  init(_ name: String) {
    self.name = name
    (children, friends, badges) = (ToMany(), ToMany(), ToMany())
    (pets, loans, remarks) = (ToMany(), ToMany(), ToMany())
  }
}

@Entity struct Badge {
  var id: Int
  var title: String?
  @Relationship(ordered: true) var residents: ToMany<Resident>
}

@Entity struct Pet {
  var id: Int
  var value: Int?
  var resident: ToOne<Resident>
}

@Entity struct Loan {
  var id: Int
  var resident: ToOne<Resident>?
}

@Entity(identified: false) struct Remark {
  var text: String
  var resident: ToOne<Resident>?
}

extension Resident {
  /// All residents with the objects of their relationships.
  static let everything = Resident.all.prefetching(\.parent).prefetching(\.children).prefetching(\.partner)
    .prefetching(\.friends).prefetching(\.badges).prefetching(\.pets).prefetching(\.loans)
    .prefetching(\.remarks)
}
