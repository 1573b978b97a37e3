import Mapping
import ObjectModel

/// Makes entities of what stands at the top of the JSON.
struct RecordDrafts {
  private let form: DocumentFinder
  /// The entity of each record.
  private(set) var drafts: [(place: RecordPlace, draft: EntityDraft)] = []

  init(_ form: DocumentFinder) {
    self.form = form
  }

  mutating func add(to builder: inout DraftBuilder) {
    var valueDrafts: [(place: RecordPlace, draft: EntityDraft)] = []
    let several = Set(form.records.filter { !$0.isOneEach }.map { builder.shapes.find($0.node) })
    builder.shapes.oneEach = Set(form.records.map { builder.shapes.find($0.node) }).subtracting(several)
    // Those that others may refer to are there before any is filled.
    for place in form.records where !place.hasScalars {
      let isKeyed = place.keys != nil && !place.isUnderKeys
      let draft = builder.draft(at: place.node, isRecord: !isKeyed, names: place.names, isKeyed: isKeyed)
      draft.isRecord = true
      note(place, draft)
      guard let keys = place.keys else { continue }
      if place.isUnderKeys {
        addOuterKey(keys, to: draft, &builder)
      } else if draft.identity.isEmpty {
        _ = builder.addKey(of: keys, to: draft, isIdentity: true)
      }
    }
    for place in form.records where place.hasScalars {
      if let owner = valueDrafts.first(where: { isAbout($0.place, place, builder.shapes) }) {
        addValues(of: place, to: owner.draft, &builder, named: rest(of: place, behind: owner.place))
        drafts.append((place, owner.draft))
        continue
      }
      let draft = builder.draftOfValues()
      draft.isRecord = true
      note(place, draft)
      if let keys = place.keys { _ = builder.addKey(of: keys, to: draft, isIdentity: true) }
      addValues(of: place, to: draft, &builder, named: valueName(place))
      valueDrafts.append((place, draft))
    }
  }

  /// How much speaks for the first of the names that a place at the top has.
  static let bestWeight = 200

  private mutating func note(_ place: RecordPlace, _ draft: EntityDraft) {
    drafts.append((place, draft))
    for (index, name) in place.names.enumerated() {
      draft.nameHints.append(
        (place.hasScalars ? Self.withoutValue(name) : name, Self.bestWeight - index * 100))
    }
    if let key = place.documentKey, !draft.documentKeys.contains(key) { draft.documentKeys.append(key) }
    guard place.documentKey == nil, !form.hasForms else { return }
    for file in place.files where !draft.fileNames.contains(file) { draft.fileNames.append(file) }
  }

  private func addOuterKey(_ keys: Int32, to draft: EntityDraft, _ builder: inout DraftBuilder) {
    guard !draft.hasProperty("key") else { return }
    let attribute = builder.addKey(of: keys, to: draft, isIdentity: false)
    attribute.path = [.key(attribute.name)]
  }

  // MARK: - Dictionaries of values

  private static let valueWords: Set<String> = [
    "names", "name", "titles", "title", "labels", "label", "descriptions", "description", "texts", "prices",
    "counts",
    "values",
  ]

  /// `area` for `areaNames`.
  private static func withoutValue(_ key: String) -> String {
    var words = Words.words(key)
    if words.count > 1, let last = words.last, valueWords.contains(last) { words.removeLast() }
    return words.joined(separator: "_")
  }

  /// The name that the objects of a place will most likely have.
  static func entityName(_ place: RecordPlace) -> String {
    Words.entityName(place.names.first.map { place.hasScalars ? withoutValue($0) : $0 } ?? "")
  }

  private func valueName(_ place: RecordPlace) -> String {
    let last = place.names.first.flatMap { Words.words($0).last } ?? ""
    return Self.valueWords.contains(last) ? Words.singular(ofWord: last) : "value"
  }

  /// Whether a second dictionary tells more of the objects of a first one: its keys are among theirs, and its name begins
  /// with theirs.
  private func isAbout(_ first: RecordPlace, _ second: RecordPlace, _ shapes: Shapes) -> Bool {
    guard let keys = first.keys, let others = second.keys, !rest(of: second, behind: first).isEmpty else {
      return false
    }
    let (found, compared) = shapes[others].values.overlap(with: shapes[keys].values)
    return compared > 0 && found == compared
  }

  /// `subTopics` for `topicSubTopics` behind `topicNames`; empty if the names have nothing in common.
  private func rest(of place: RecordPlace, behind first: RecordPlace) -> String {
    guard let own = first.names.first, let other = place.names.first else { return "" }
    let name = Words.words(Self.withoutValue(own))
    let words = Words.words(other)
    guard words.count > name.count, !name.isEmpty, Array(words.prefix(name.count)) == name else { return "" }
    return Words.camelCase(Array(words.dropFirst(name.count)))
  }

  private func addValues(
    of place: RecordPlace, to draft: EntityDraft, _ builder: inout DraftBuilder, named name: String
  ) {
    let attribute = AttributeDraft(
      name: draft.freeName([name]), path: [], node: builder.shapes.find(place.node),
      type: builder.types.choice(of: place.node), isOptional: true)
    draft.attributes.append(attribute)
    if let key = place.documentKey {
      draft.values[key] = attribute.name
      if !draft.documentKeys.contains(key) { draft.documentKeys.append(key) }
    } else {
      draft.values[""] = attribute.name
    }
  }
}
