import Mapping
import ObjectModel

/// The end of an import, and its report.
extension NaiveImport {
  /// Whether a reference to a new object is kept in its target's row, so that the reports may name it differently;
  /// see FoundTests.aReferenceIsReportedUnderItsOwnName.
  var namesOthers: Bool {
    references.contains { reference in
      model.holds(model.ends[reference.end].inverse) && !model.holds(reference.end)
        && marks[reference.target] == .inserted
    }
  }

  func isStub(_ end: Int) -> Bool { (model.ends[end].references ?? options.references) == .stub }

  /// Does what waits for the end of the import, and counts the objects.
  mutating func finish() {
    settleTakeovers()
    settleReleased()
    findContradictions()
    makeStubs()
    dropIncomplete()
    prune()
    for key in marks.keys { count(key) }
    // See FoundTests.aListThatNamesAnObjectOfASiblingWaits.
    let isOfSibling = references.contains {
      state.objects[$0.target] != nil && !state.isThere($0.end, $0.target)
    }
    if namesOthers || isOfSibling { pendingIsUnsure = true }
    for reference in references where isPending(reference) && !pendingIsUnsure {
      let name = state.isPart(reference.owner) ? "#" : reference.owner.text
      let target = model.kinds[model.ends[reference.end].target].name
      report.pending.insert(
        "\(kindName(reference.owner)) \(name) \(model.name(reference.end)) -> \(target) \(reference.target.text)"
      )
    }
  }

  /// Whether the import has nothing to write: no object changes or comes twice.
  var writesNothing: Bool {
    report.inserted.isEmpty && report.updated.isEmpty && report.deleted.isEmpty && report.duplicates == 0
      && report.issueCount == 0
  }

  /// Counts an object under what the import did with it.
  mutating func count(_ key: NaiveKey) {
    guard let kind = state.objects[key]?.kind, let mark = marks[key] else { return }
    let name = model.kinds[kind].name
    switch mark {
    case .inserted: report.inserted[name, default: 0] += 1
    case .updated: report.updated[name, default: 0] += 1
    case .unchanged: report.unchanged[name, default: 0] += 1
    }
  }

  func isPending(_ reference: Reference) -> Bool {
    state.objects[reference.owner] != nil && !state.isThere(reference.end, reference.target)
      && state.list(reference.end, reference.owner).contains(reference.target)
  }

  /// The name of an object's own entity.
  func kindName(_ key: NaiveKey) -> String {
    model.kinds[state.objects[key]?.kind ?? key.root].name
  }
}
