import Broker

/// Every kind of relationship at once: to itself, one to one, ordered at both ends, denied, required, parts.
@Entity struct Knot {
  @Identity var name: String
  var number: Int?
  var text = "x"
  var parent: ToOne<Knot>?
  @Relationship(inverse: "parent", ordered: true) var children: ToMany<Knot>
  @Relationship(inverse: "partner") var partner: ToOne<Knot>?
  @Relationship(inverse: "friends") var friends: ToMany<Knot>
  @Relationship(inverse: \Badge.knots, ordered: true) var marks: ToMany<Badge>
  @Relationship(inverse: \Leaf.knot, deleteRule: .cascade) var leaves: ToMany<Leaf>
  @Relationship(inverse: \Lock.knot, deleteRule: .deny) var locks: ToMany<Lock>
  var scraps: ToMany<Scrap>

  init(_ name: String) {
    self.name = name
    (children, friends, marks) = (ToMany(), ToMany(), ToMany())
    (leaves, locks, scraps) = (ToMany(), ToMany(), ToMany())
  }
}

@Entity struct Badge {
  var id: Int
  var title: String?
  @Relationship(ordered: true) var knots: ToMany<Knot>
}

@Entity struct Leaf {
  var id: Int
  var value: Int?
  var knot: ToOne<Knot>
}

@Entity struct Lock {
  var id: Int
  var knot: ToOne<Knot>?
}

@Entity(identified: false) struct Scrap {
  var text: String
  var knot: ToOne<Knot>?
}

extension Knot {
  /// All, with what they lead to.
  static let everything = Knot.all.prefetching(\.parent).prefetching(\.children).prefetching(\.partner)
    .prefetching(\.friends).prefetching(\.marks).prefetching(\.leaves).prefetching(\.locks)
    .prefetching(\.scraps)
}
