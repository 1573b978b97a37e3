import Mapping
import ObjectModel
import ObjectStore

/// Links from the names of files: where each file is called by the identity of an object of another entity, as `events/3890001.json`
/// by that of a match, what it holds belongs to that object.
struct FileLinks {
  private let shapes: Shapes
  private let drafts: [EntityDraft]

  /// Of fewer files it is not known what their names are.
  private static let fewFiles = 3
  /// Smaller numbers are identities of anything, and so are those of years.
  private static let smallNumbers: Int64 = 1_000
  private static let years: ClosedRange<Int64> = 1_800...2_200

  init(_ shapes: Shapes, _ drafts: [EntityDraft]) {
    self.shapes = shapes
    self.drafts = drafts
  }

  /// Adds the links of objects at the top.
  func add(to records: [(place: RecordPlace, draft: EntityDraft)]) {
    for (place, draft) in records
    where place.documentKey == nil && draft.parent == nil && draft.kindKey == nil && draft.node >= 0 {
      let names = place.places.fileNames
      guard names.count >= Self.fewFiles, names.count == place.places.fileCount,
        records.count(where: { $0.draft === draft }) == 1, names.allSatisfy(Self.isTelling)
      else { continue }
      let targets = drafts.filter { $0 !== draft && $0.parent == nil && hasObjects($0, named: names) }
      guard targets.count == 1, !isKnown(targets[0], to: draft) else { continue }
      add(targets[0], to: draft, names.count)
    }
  }

  /// Whether a name is the identity of one object only, and not by chance.
  private static func isTelling(_ name: String) -> Bool {
    guard let number = Int64(name) else { return LinkFinder.isMadeByProgram(name) }
    return number > smallNumbers && !years.contains(number) && !name.hasPrefix("0")
  }

  /// Whether all names are identities of an entity's objects.
  private func hasObjects(_ draft: EntityDraft, named names: Set<String>) -> Bool {
    guard let identity = draft.identityAttribute, identity.node >= 0, !identity.path.isEmpty else {
      return false
    }
    return names.allSatisfy { name in
      var name = name
      return name.withUTF8 { shapes[identity.node].values.contains(Hashing.hash($0)) } == true
    }
  }

  /// Whether the objects have a link to those of an entity already.
  private func isKnown(_ target: EntityDraft, to draft: EntityDraft) -> Bool {
    draft.relationships.contains { $0.target === target && !$0.isToMany }
      || target.relationships.contains { $0.target === draft && $0.isToMany }
  }

  private func add(_ target: EntityDraft, to draft: EntityDraft, _ count: Int) {
    let key = draft.freeKey(SourceIdentity.file)
    let link = RelationshipDraft(
      name: draft.freeName([Words.property(ofEntity: target.name), "file"]), path: [.key(key)],
      target: target,
      isToMany: false)
    link.isReference = true
    link.certainty = .likely
    link.evidence = "the names of all \(count) files are identities of \(target.name)"
    draft.relationships.append(link)
    draft.added[key] = .fileName
  }
}
