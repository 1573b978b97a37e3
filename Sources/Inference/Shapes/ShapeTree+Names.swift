import Mapping

extension ShapeTree {
  /// The key that the objects of a place stand under: its own, or that of the list or the dictionary around it.
  func ownerName(of index: Int32) -> String {
    var index = index
    while index >= 0 {
      let node = self[index]
      if node.key >= 0, !node.flags.contains(.variant), !node.flags.contains(.position) {
        return text(ofKey: node.key)
      }
      index = node.parent
    }
    return ""
  }

  /// The nearest key above the objects of a place that says what they are; empty if none does.
  func meaningfulName(of index: Int32) -> String {
    var index = index
    var first = ""
    while index >= 0 {
      let node = self[index]
      if node.key >= 0, node.flags.isDisjoint(with: [.variant, .position]) {
        let key = text(ofKey: node.key)
        if !GenericNames.isWrapper(key) { return key }
        if first.isEmpty { first = key }
        // The members of a team are no team: what says something of itself is no wrapper.
        if node.parent >= 0, saysSomething(node.parent) { return first }
      }
      index = node.parent
    }
    return ""
  }

  /// Whether the objects of a place have scalars that are about them, and not about a list in them.
  private func saysSomething(_ index: Int32) -> Bool {
    guard self[index].flags.isDisjoint(with: [.dictionary, .split]) else { return false }
    return children(of: index).contains { child in
      self[child].scalars > 0 && !GenericNames.isMeta(text(ofKey: self[child].key), isStrict: true)
    }
  }

  /// The path to a place, for messages: `$.bands[].albums`.
  func path(of index: Int32) -> String {
    var steps: [String] = []
    var index = index
    while index >= 0 {
      let node = self[index]
      if node.flags.contains(.variant) || node.flags.contains(.position) {
        index = node.parent
        continue
      }
      if node.key >= 0 {
        steps.append(".\(text(ofKey: node.key))")
      } else if node.parent >= 0 {
        steps.append(self[node.parent].flags.contains(.dictionary) ? ".*" : "[]")
      }
      index = node.parent
    }
    return "$" + steps.reversed().joined()
  }
}
