import JSONStream
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
  /// Entities whose documents have the same names, so that only what is in these tells them apart.
  private let rivals: Set<String>
  /// The keys that lists of several of them stand under: only what is in these, and the names of files and folders, tell them apart.
  private let rivalKeys: [String: Set<String>]

  init(
    _ model: Model, _ mapping: JSONMapping, _ inferred: InferredModel, _ names: EntityPairs,
    strangers: Set<String>, rivals: Set<String>, rivalKeys: [String: Set<String>]
  ) {
    document = mapping.document
    self.model = model
    self.mapping = mapping
    self.inferred = inferred
    self.names = names
    self.strangers = strangers
    self.rivals = rivals
    self.rivalKeys = rivalKeys
  }

  mutating func run() {
    let came = inferred.mapping.document
    document.columns = document.columns ?? came.columns
    for (key, value) in came.added where document.added[key] == nil && isTaken(key) {
      document.added[key] = value
    }
    guard mapping.dialect == nil, inferred.mapping.dialect == nil, document.kind == nil, came.kind == nil,
      came.root != document.root || !came.forms.isEmpty || !document.forms.isEmpty || hasOtherNames
        || !rivals.isEmpty
        || inferred.recordEntities.contains(where: { isCalledLikeAnother($0) || isCalledLikeAKey($0) })
    else { return }
    var forms = document.forms
    // One path is the form of all that is known.
    if forms.isEmpty {
      for entity in model.entities where entity.parent == nil && !cameOnly(entity.name) {
        forms.append(SourceForm(root: document.root, entity: entity.name, keys: keys(of: entity)))
      }
      // Keys named entities so far, one of which files are called like that have objects of another.
      if document.root == nil, inferred.recordEntities.contains(where: { isCalledLikeAnother($0) }) {
        forms.append(SourceForm())
      }
    }
    let known = forms
    let new = inferred.forms.filter { $0.entity.map { !strangers.contains($0) } ?? true }.map {
      // Files whose keys name entities may turn out to be of one of these.
      SourceForm(
        root: $0.root, entity: $0.entity.map(name), keys: $0.keys, files: $0.entity == nil ? [] : $0.files)
    }
    for form in new where form.entity.map({ model[entity: $0] != nil }) ?? true {
      forms.unite(with: form)
    }
    for (entity, form) in inferred.formsUnderKeys.sorted(by: { $0.key < $1.key })
    where isCalledLikeAnother(entity) && model[entity: name(of: entity)] != nil {
      forms.unite(with: SourceForm(root: form.root, entity: name(of: entity), keys: form.keys))
    }
    for (key, entities) in rivalKeys.sorted(by: { $0.key < $1.key }) {
      let came = inferred.formsUnderKeys.sorted { $0.key < $1.key }.first {
        $0.value.root == key && entities.contains(name(of: $0.key))
      }
      for entity in entities.sorted() {
        guard let rival = model[entity: entity] else { continue }
        // The keys of all are those of the one that came, if they are: where these say nothing, the name of a folder does.
        let own = keys(of: rival)
        let keys = came.map { Set($0.value.keys).isSubset(of: own) ? $0.value.keys : own } ?? own
        forms.unite(with: SourceForm(root: key, entity: entity, keys: keys))
      }
    }
    guard forms != known else { return }
    // A file that came of one form stays of it, whatever forms come later.
    if known.count == 1, forms.count > 1 {
      forms[0].files = Set(forms[0].files).union(inferred.knownFiles).sorted()
    }
    document.root = nil
    document.forms = forms.withFilesOfRivals
  }

  /// The keys of the objects of an entity, where only these tell that documents are of it.
  private func keys(of entity: Entity) -> [String] {
    guard rivals.contains(entity.name) else { return [] }
    let rules = mapping[entity.name]
    let links = entity.relationships.map(\.name).filter { !rules.notExported.contains($0) }
    let paths = (entity.attributes.map(\.name) + links).map { rules.keys[$0]?.first ?? $0 }
    let keys = paths.compactMap { path -> String? in
      // try?: a path that cannot be read is none of those that were taken from JSON.
      guard !isTaken(path), case .key(let key)? = (try? JSONKeyPath(path))?.steps.first else { return nil }
      return key
    }
    return Set(keys).sorted()
  }

  /// Whether the names of files or keys call the objects something else than the model does.
  private var hasOtherNames: Bool {
    inferred.forms.contains { form in form.entity.map { name(of: $0) != $0 } ?? false }
  }

  private func name(of entity: String) -> String { names.name(of: entity) }

  /// Whether files or keys call objects like another entity of the model than theirs.
  private func isCalledLikeAnother(_ entity: String) -> Bool {
    (inferred.namesInData[entity] ?? []).contains {
      model.hasEntity(calledLike: $0, besides: name(of: entity))
    }
  }

  /// Whether the model has the objects of a dictionary under a name that is one of its keys: this would be taken for the key of a
  /// document, and those beside it for nothing.
  private func isCalledLikeAKey(_ entity: String) -> Bool {
    let known = name(of: entity)
    let names = Set((mapping[known].names + [known]).map(Names.folded))
    return (inferred.keysOfEntities[entity] ?? []).contains { names.contains(Names.folded($0)) }
  }

  /// Whether an entity was not known before.
  private func cameOnly(_ entity: String) -> Bool {
    inferred.model.entities.contains { names.known[$0.name] == nil && name(of: $0.name) == entity }
  }

  /// Whether an entity of the model has a key that came with its objects from outside.
  private func isTaken(_ key: String) -> Bool {
    model.entities.contains { entity in
      mapping[entity.name].keys.values.joined().contains { SourceIdentity.isKey($0, key) }
    }
  }
}

extension Model {
  /// Whether a key or the name of a file, in the singular, is the name of another entity than one, and of none of its sub-entities.
  func hasEntity(calledLike key: String, besides entity: String) -> Bool {
    let singulars = Names.singulars(Names.folded(key))
    return entities.contains {
      $0.name != entity && $0.parent != entity && singulars.contains(Names.folded($0.name))
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
    self[known].files = Set(self[known].files).union(form.files).sorted()
  }

  /// The same forms, of which only those have files that another one would fit as well.
  var withFilesOfRivals: [SourceForm] {
    map { form in
      var form = form
      let isTold = allSatisfy {
        $0.root == form.root && $0.entity == form.entity || !$0.mayBeTaken(for: form)
      }
      if isTold || form.files.count > SourceForm.mostFiles { form.files = [] }
      return form
    }
  }
}

extension SourceForm {
  /// A mapping lists so many files of a form.
  fileprivate static let mostFiles = 256

  /// Whether the objects of the form have most keys that those of another one have, or what is around the objects of one looks like an object
  /// of the other, so that a file of the one may be taken for one of the other.
  fileprivate func mayBeTaken(for other: SourceForm) -> Bool {
    if looksLikeObject(around: other) || other.looksLikeObject(around: self) { return true }
    guard entity != other.entity else { return false }
    // The keys of a dictionary do not tell its form.
    if keys.isEmpty || other.keys.isEmpty { return true }
    let shared = Set(keys).intersection(other.keys).count
    return shared > 0 && shared * 5 >= Swift.min(keys.count, other.keys.count) * 4
  }

  /// Whether what stands around the objects of another form looks like an object of this one, which has the key that leads on to these.
  private func looksLikeObject(around other: SourceForm) -> Bool {
    guard entity != nil, let path = other.root else { return false }
    let rest = root.map { path.hasPrefix("\($0).") ? path.dropFirst($0.count + 1) : "" } ?? path[...]
    return rest.split(whereSeparator: { ".[".contains($0) }).first.map { keys.contains(String($0)) } ?? false
  }
}
