import Mapping
import ObjectModel

/// Adds to the forms of documents that a mapping knows those of documents that came.
struct FormRefinement {
  private(set) var document: DocumentMapping
  private let model: Model
  private let mapping: JSONMapping
  private let inferred: InferredModel
  private let names: EntityPairs
  /// Entities of what came in place of objects.
  private let strangers: Set<String>

  init(
    _ model: Model, _ mapping: JSONMapping, _ inferred: InferredModel, _ names: EntityPairs,
    strangers: Set<String>
  ) {
    document = mapping.document
    self.model = model
    self.mapping = mapping
    self.inferred = inferred
    self.names = names
    self.strangers = strangers
  }

  mutating func run() {
    let came = inferred.mapping.document
    for (key, value) in came.added where document.added[key] == nil && isTaken(key) {
      document.added[key] = value
    }
    guard mapping.dialect == nil, inferred.mapping.dialect == nil, document.kind == nil, came.kind == nil,
      came.root != document.root || !came.forms.isEmpty || !document.forms.isEmpty || hasOtherNames
    else { return }
    var forms = document.forms
    // One path is the form of all that is known.
    if forms.isEmpty {
      for entity in model.entities where entity.parent == nil && !cameOnly(entity.name) {
        forms.append(SourceForm(root: document.root, entity: entity.name))
      }
    }
    let known = forms
    let new = inferred.forms.filter { $0.entity.map { !strangers.contains($0) } ?? true }.map {
      SourceForm(root: $0.root, entity: $0.entity.map(name), keys: $0.keys)
    }
    for form in new where form.entity.map({ model[entity: $0] != nil }) ?? true {
      forms.unite(with: form)
    }
    guard forms != known else { return }
    document.root = nil
    document.forms = forms
  }

  /// Whether the names of files or keys call the objects something else than the model does.
  private var hasOtherNames: Bool {
    inferred.forms.contains { form in form.entity.map { name(of: $0) != $0 } ?? false }
  }

  private func name(of entity: String) -> String { names.name(of: entity) }

  /// Whether an entity was not known before.
  private func cameOnly(_ entity: String) -> Bool {
    inferred.model[entity: entity] != nil && names.known[entity] == nil
  }

  /// Whether an entity of the model has a key that came with its objects from outside.
  private func isTaken(_ key: String) -> Bool {
    model.entities.contains { entity in
      mapping[entity.name].keys.values.joined().contains { SourceIdentity.isKey($0, key) }
    }
  }
}

extension [SourceForm] {
  /// Adds a form, or its keys to those of the form with its root and its entity.
  mutating func unite(with form: SourceForm) {
    guard let known = firstIndex(where: { $0.root == form.root && $0.entity == form.entity }) else {
      return append(form)
    }
    self[known].keys = Set(self[known].keys).union(form.keys).sorted()
  }
}
