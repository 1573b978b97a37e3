/// The forms that the JSON of an import has.
extension NaiveImport {
  /// "A document whose keys name entities imports as all of them at once."
  mutating func importDocument(_ document: Told) {
    guard case .object(let lists) = document else { return }
    for list in lists {
      let kind = sketch.kinds.firstIndex { $0.name.lowercased() + "s" == list.key } ?? 0
      for element in elements(list.value) {
        record += 1
        guard case .object(let members) = element else {
          report.issueCount += 1
          continue
        }
        if sketch.isPart(kind) {
          takeTopPart(members, kind)
          continue
        }
        _ = take(members, kind, isNested: false)
      }
    }
    finish()
  }
}
