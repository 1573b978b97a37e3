import Mapping

/// Two places in one object, whose objects are of one entity by the names that they go by there.
extension ShapeMatcher {
  /// Whether objects stand in two lists of one object, of which one is called like the other and something more: `packages` and
  /// `packages-dev`.
  func areListsOfOne(_ first: Int32, _ second: Int32) -> Bool {
    let lists = [first, second].map { shapes.tree[$0].parent }
    guard isInList(first), isInList(second),
      lists.allSatisfy({ $0 >= 0 && shapes.tree[$0].key >= 0 && shapes.tree[$0].parent >= 0 }),
      shapes.find(shapes.tree[lists[0]].parent) == shapes.find(shapes.tree[lists[1]].parent)
    else { return false }
    let names = lists.map { Words.words(shapes.key(of: $0)) }
    return names[0].starts(with: names[1]) || names[1].starts(with: names[0])
  }

  /// Whether each object has one of both under names that end alike, as a match has a `homeTeam` and an `awayTeam`.
  func areSidesOfOne(_ first: Candidate, _ second: Candidate) -> Bool {
    guard let names = keysInOne(first, second)?.map(Words.words) else { return false }
    return names.allSatisfy { $0.count > 1 && Self.sides.contains($0[0]) } && names[0].last == names[1].last
  }

  /// Whether each object has one of both under names of what people do, such as `assignee` and `reporter`, and both say the same of accounts
  /// that a program numbered.
  func areRolesOfPeople(_ first: Candidate, _ second: Candidate) -> Bool {
    guard keysInOne(first, second)?.allSatisfy(LinkName.isRole) ?? false else { return false }
    return [first, second].allSatisfy { side in
      shapes.children(of: side.index).contains { child in
        IdentityNames.isOfSomebody(shapes.key(of: child)) && shapes.areMadeByProgram(child)
          && shapes[child].strings == shapes[side.index].objects
      }
    }
  }

  /// The keys under which one object has objects of both places; nil if none has.
  private func keysInOne(_ first: Candidate, _ second: Candidate) -> [String]? {
    let places = [first, second].map { shapes.tree[$0.index] }
    guard places.allSatisfy({ $0.key >= 0 && $0.parent >= 0 }),
      shapes.find(places[0].parent) == shapes.find(places[1].parent)
    else { return nil }
    return places.map { shapes.tree.text(ofKey: $0.key) }
  }

  /// Words for the two sides of something, such as a match, a way or a sale.
  static let sides: Set<String> = [
    "home", "away", "visitor", "visiting", "local", "source", "target", "origin", "destination", "departure",
    "arrival", "from", "to", "start", "end", "winning", "losing", "winner", "loser", "sending", "receiving",
    "sender", "receiver", "buying", "selling", "pickup", "dropoff",
  ]
}
