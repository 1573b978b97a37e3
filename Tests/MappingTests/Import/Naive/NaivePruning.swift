import Mapping
import ObjectModel

/// Deleting what the JSON no longer has.
extension NaiveImport {
  /// "Deletes the objects of an entity that the import has not come across, where the JSON has a list of them
  /// at its top. Sub-entities are included." And: "Nothing is pruned if any object was skipped or any element
  /// left out."
  mutating func prune() {
    guard options.prunes else { return }
    let gone = state.objects.filter { key, object in
      scopes.contains { model.isKind(object.kind, of: $0) } && !seen.contains(key)
    }
    if !report.skipped.isEmpty || leftOut {
      report.issueCount += gone.isEmpty ? 0 : 1
      return
    }
    if references.contains(where: { gone.keys.contains($0.target) }) {
      reasonNotToCompare = "whether a key alone keeps an object"
    }
    if gone.keys.contains(where: takesListed) {
      reasonNotToCompare = "a cascade that reaches an object of the JSON"
    }
    for key in gone.keys.sorted(by: { $0.text < $1.text }) where state.objects[key] != nil { remove(key) }
  }

  /// Whether cascades from an object reach one that the import has come across:
  /// see SparingPruneTests.aCascadeDoesNotTakeWhatIsInTheJSON.
  private func takesListed(_ key: NaiveKey) -> Bool {
    var reached: Set<NaiveKey> = []
    var waiting = [key]
    while let next = waiting.popLast() {
      guard reached.insert(next).inserted, let kind = state.objects[next]?.kind else { continue }
      for end in model.ends(of: kind) where model.ends[end].rule == .cascade {
        waiting += state.list(end, next)
      }
    }
    return reached.contains { $0 != key && seen.contains($0) }
  }

  /// Applies the delete rules: a cascade deletes the objects at its other end, and all others lose their link.
  private mutating func remove(_ key: NaiveKey) {
    guard let kind = state.objects[key]?.kind else { return }
    // What the import did with it before still counts.
    count(key)
    state.objects[key] = nil
    marks[key] = nil
    report.deleted[model.kinds[kind].name, default: 0] += 1
    for end in model.ends(of: kind) {
      let one = model.ends[end]
      for target in state.list(end, key) {
        state.disconnect(end, key, target)
        let isPart = model.isPart(one.target) && one.name != nil
        if isPart || (one.rule == .cascade && one.name != nil) { remove(target) }
      }
    }
  }
}
