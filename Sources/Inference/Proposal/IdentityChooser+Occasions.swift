/// Keys whose values say who did something, or where in a whole something is, and not which object it is.
extension IdentityChooser {
  /// Whether texts are numbers of places in an outline, some of which stand in others: `1`, `1.2`.
  func isOutline(_ child: Int32) -> Bool {
    guard shapes[child].integers == 0, shapes[child].longest < 8,
      let texts = shapes.tree.samples[shapes.find(child)], texts.contains(where: { $0.contains(".") })
    else { return false }
    return texts.allSatisfy { text in
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      return parts.allSatisfy { (1...2).contains($0.count) && $0.allSatisfy(\.isNumber) }
    }
  }

  /// Words for what happened, or was paid, and for when; an object that is there longer says when it was made or changed.
  private static let ofEvents: Set<String> = [
    "event", "action", "activity", "amount", "timestamp", "ts", "time", "at", "when", "datetime", "occurred",
    "happened",
  ]

  /// Whether objects say what somebody did, and when.
  func tellsOfEvents(_ index: Int32, besides identity: Int32) -> Bool {
    shapes.children(of: index).contains { child in
      guard child != identity, shapes[child].total == shapes[index].objects else { return false }
      var words = Words.words(shapes.key(of: child))
      if words.first == "event", words.count > 1 { words.removeFirst() }
      return !words.isEmpty && words.allSatisfy(Self.ofEvents.contains)
    }
  }
}
