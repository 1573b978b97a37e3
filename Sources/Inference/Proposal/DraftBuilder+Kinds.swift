import Mapping
import ObjectModel

/// Objects of several kinds under one parent.
extension DraftBuilder {
  mutating func addKinds(to draft: EntityDraft) {
    let evidence = KindEvidence(draft.node, shapes)
    draft.kindKey = shapes.tree.text(ofKey: shapes[draft.node].kindKey)
    guard let first = evidence.variants.first else { return }
    defer { shareCommon(evidence) }
    if let choice = chooser.choice(of: first, isRecord: draft.isRecord),
      evidence.common.contains(shapes.keyNumber(of: choice.node)),
      evidence.variants.allSatisfy({ holds(choice, for: $0, isRecord: draft.isRecord) })
    {
      addIdentity(choice, to: draft)
    }
    for variant in evidence.variants {
      let kind = EntityDraft(node: shapes.find(variant))
      kind.parent = draft
      kind.isRecord = draft.isRecord
      drafts.append(kind)
      draftByNode[kind.node] = kind
      draft.kinds.append((shapes.key(of: variant), kind))
      waiting.append(kind)
    }
    let values = draft.kinds.map(\.value).joined(separator: ", ")
    guesses.append(
      (
        draft,
        Guess(
          .kinds, .likely, choice: "has a sub-entity for each value of “\(draft.kindKey ?? "")”",
          evidence: "objects with \(values) have \(evidence.common.count) keys in common, and"
            + " \(evidence.all.count - evidence.common.count) that not all have")
      ))
  }

  func holds(_ choice: IdentityChoice, for variant: Int32, isRecord: Bool) -> Bool {
    guard let other = chooser.choice(of: variant, isRecord: isRecord) else { return false }
    return shapes.keyNumber(of: other.node) == shapes.keyNumber(of: choice.node)
  }

  /// Makes one place of what the kinds have under the same key.
  func shareCommon(_ evidence: KindEvidence) {
    for key in evidence.common {
      let places = evidence.variants.compactMap { variant in
        shapes.children(of: variant).first { shapes.keyNumber(of: $0) == key }
      }
      for place in places.dropFirst() { shapes.tree.merge(places[0], place) }
    }
  }
}
