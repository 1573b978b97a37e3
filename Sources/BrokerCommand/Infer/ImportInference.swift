import Foundation
import Inference
import JSONStream
import Mapping
import ObjectModel
import ObjectStore
import Stores
import Synchronization

/// The model of an import that was given none: taken from the JSON for a new store, and for a store whose model was taken
/// from JSON before, widened if the JSON has more.
struct ImportInference {
  let document: DocumentOptions
  let store: String
  /// How the store is opened for a look.
  let options: Store.Options
  /// The caller's words on the JSON.
  let mapping: JSONMapping?
  /// The evidence against the model of former attempts to import the JSON by it.
  let doubts: [ImportDoubt]
  /// The caller's words on a model that is taken from the JSON.
  let wishes: InferenceWishes

  /// A model that is to be used, and what has to be told about it.
  struct Outcome {
    var model: Model
    var mapping: JSONMapping
    /// The entity of the objects, if the JSON does not tell it.
    var entity: String?
    var lines: [String]
    /// The doubts of a model that was just taken, for the end of the import.
    var doubts: [String] = []
    /// The entities whose identities were guesses that turned out to be wrong.
    var lostIdentities: Set<String> = []
    /// The properties that may become parts of identities.
    var possibleParts: [PossiblePart] = []
    /// Whether the JSON holds objects.
    var hasObjects = true
    /// The description that the store has to have still when the model is used.
    var basis: ExpectedDescription
  }

  /// The doubts that the model gives way to. The caller's mapping may leave out values on purpose.
  private var heeded: [ImportDoubt] { mapping == nil ? doubts : doubts.filter { !$0.isOfValues } }

  /// The mark of an inferred model: a model that somebody gave is not widened.
  private static let mark = "broker.inferred"

  /// - Parameters:
  ///   - wouldChangeNothing: Whether an import by the store's model would change nothing.
  ///   - sources: Gives the sources, readable twice. It is called only if they are needed.
  /// - Returns: Nil if the store has a model that is to stay as it is.
  /// - Throws: ``StoreError`` if the store cannot be looked at. A look that fails says nothing of what is there.
  func outcome(
    wouldChangeNothing: ([ImportSource]) throws -> Bool, _ sources: () throws -> [ImportSource]
  ) throws -> Outcome? {
    guard let known = try Known(at: store, options) else { return try first(sources()) }
    defer { known.close() }
    guard !wishes.concernModel else {
      throw CleanError(
        "\(StorePlace(store).shown) has a model, of which --identity, --rename, --link and --not-a-link say nothing: they are for a model"
          + " that is taken from JSON for a new store. To change it, see broker migrate.")
    }
    guard Self.isInferred(known.model) else { return nil }
    let sources = try sources()
    // The same files again, and an export of the store, have nothing new, unless a mapping says something else of them.
    if mapping == nil, try wouldChangeNothing(sources) { return nil }
    return try widened(known, sources)
  }

  /// The memory of a store that is there, which stays open for questions about its objects.
  struct Known {
    private let store: Store
    let model: Model
    let mapping: JSONMapping
    let basis: ExpectedDescription
    /// The Core Data stores whose objects it has.
    let sources: [String]
    /// The files that its objects came of, some of them, each by its name and that of its folder.
    let files: [String]
    /// How the JSON was written that it imported.
    private let style: ObservedJSONStyle

    /// Nil if there is no store, or a file that nothing was ever written to, as one whose first import was killed.
    init?(at place: String, _ options: Store.Options) throws {
      do {
        store = try Store(readingAt: place, options)
      } catch let error as StoreError where error.isMissing {
        return nil
      }
      (model, mapping) = store.declared
      basis = store.basis
      do {
        let names: [String]
        (sources, style, names) = try store.read {
          (try TakenSources.all($0), try ObservedJSONStyle($0), try $0.importHistory().flatMap(\.sources))
        }
        files = Set(names.compactMap { ImportSource.file($0).placeName }).sorted()
      } catch {
        try? store.close()
        throw error
      }
    }

    func close() {
      // try?: nothing was written, so that nothing can be lost.
      try? store.close()
    }

    /// Whether an entity is there whose objects have an identity.
    func identifies(_ entity: String) -> Bool { store.layout.schema.entity(entity)?.hasIdentity ?? false }

    /// The model, in which attributes that another one makes relationships, or gives a type, are open no more where the store
    /// has values of them: a program may have written these, or they are objects whose members became attributes.
    func model(beside wider: Model) throws -> Model {
      var result = model
      for (index, entity) in model.entities.enumerated() {
        for (place, attribute) in entity.attributes.enumerated()
        where wider[entity: entity.name]?[attribute: attribute.name]?.type != attribute.type {
          guard let untyped = attribute.untyped,
            try hasValues(entity.name, attribute.name, besideLists: untyped == .emptyLists)
          else { continue }
          result.entities[index].attributes[place].untyped = nil
        }
      }
      return result
    }

    /// Whether objects have a value of an attribute.
    ///
    /// - Parameter besideLists: Whether empty lists are none.
    private func hasValues(_ entity: String, _ attribute: String, besideLists: Bool) throws -> Bool {
      var hasValues = false
      try Self.forEachValue(of: attribute, entity, in: store) { value in
        hasValues = !besideLists || value != "[]"
        return !hasValues
      }
      return hasValues
    }

    /// The entities, to be asked for objects, and for values that may name objects of the JSON.
    var entities: [KnownEntity] {
      model.entities.map { [store] entity in
        let name = entity.name
        let identity = store.layout.schema.entity(name)?.identity ?? []
        let (objects, values, texts) = (
          Answers<String, Bool>(), Answers<String, [String]>(), Answers<[String], String?>()
        )
        let stored: @Sendable ([String]) throws -> Set<String> = { identities in
          let unknown = identities.filter { objects[$0] == nil }
          if !unknown.isEmpty {
            try store.read { transaction in
              for identity in unknown {
                objects[identity] = try transaction.find(name, identity: identity) != nil
              }
            }
          }
          return Set(identities.filter { objects[$0] ?? false })
        }
        var known = KnownEntity(
          entity, mapping: mapping[name], isSnakeCase: style.isSnakeCase(name),
          stored: identity.count == 1 ? stored : nil
        ) { attribute in
          try values.answer(to: attribute) {
            let isJSON = entity.attributes.first { $0.name == attribute }?.type == .transformable
            return isJSON
              ? try Self.lists(of: attribute, name, in: store)
              : try Self.values(of: attribute, name, in: store)
          }
        }
        if identity.count == 1 {
          known.value = { identity, attribute in
            try texts.answer(to: [identity, attribute]) {
              try Self.value(of: attribute, name, identity: identity, in: store)
            }
          }
        }
        known.areAllDifferent = { try Self.areAllDifferent($0, of: name, in: store) }
        return known
      }
    }

    /// Some values of an attribute, as texts.
    private static func values(of attribute: String, _ entity: String, in store: Store) throws -> [String] {
      var values: [String] = []
      try forEachValue(of: attribute, entity, in: store) { value in
        values.append(value)
        return values.count < mostValues
      }
      return values
    }

    /// The value of an attribute of the object with an identity, as a text; nil if there is none.
    private static func value(
      of attribute: String, _ entity: String, identity: String, in store: Store
    ) throws -> String? {
      var query = Query(entity)
      query.identity = identity
      return try store.read { transaction in
        let layout = transaction.layout
        let path = try ResolvedPath(attribute, from: layout.entity(named: entity), layout)
        let values = try transaction.cursor(query, [.value(path)])
        return try values.step() && !values.isNull(0) ? values.string(0) : nil
      }
    }

    /// Whether all objects have a value of an attribute, and no two the same; false if there are too many to be looked at.
    private static func areAllDifferent(
      _ attribute: String, of entity: String, in store: Store
    ) throws -> Bool {
      let count = try store.read { try $0.count(Query(entity)) }
      guard count <= mostDifferent else { return false }
      var values: Set<String> = []
      try forEachValue(of: attribute, entity, in: store) { values.insert($0).inserted }
      return values.count == count
    }

    /// So many values are looked at to learn whether they are all different.
    private static let mostDifferent = 1_000_000

    /// So many values of an attribute tell whether they name objects.
    private static let mostValues = 1_000

    /// The lists of an attribute, of which only those with elements that none before had are kept, until there are enough
    /// elements. All are looked at: a value that is no list, or an element that is no key, ends the look and is kept.
    private static func lists(of attribute: String, _ entity: String, in store: Store) throws -> [String] {
      var values: [String] = []
      var known: Set<JSONValue> = []
      try forEachValue(of: attribute, entity, in: store) { value in
        guard case .array(let elements)? = JSONValue(text: value), elements.allSatisfy(\.mayBeKey),
          Set(elements).count == elements.count
        else {
          values.append(value)
          return false
        }
        let count = known.count
        if count < mostValues { known.formUnion(elements) }
        if known.count > count { values.append(value) }
        return true
      }
      return values
    }

    /// Calls `body` with the values of an attribute, as texts, until it says that it needs no more.
    private static func forEachValue(
      of attribute: String, _ entity: String, in store: Store, _ body: (String) -> Bool
    ) throws {
      var query = Query(entity)
      query.predicates = [try ObjectPredicate(format: "%K != nil", [.init(attribute)])]
      try store.read { transaction in
        let layout = transaction.layout
        let path = try ResolvedPath(attribute, from: layout.entity(named: entity), layout)
        let values = try transaction.cursor(query, [.value(path)])
        while try values.step(), body(values.string(0)) {}
      }
    }
  }

  /// Whether a model was taken from JSON.
  static func isInferred(_ model: Model) -> Bool { model.other[mark] != nil }

  /// The model without the mark, for who saves it to work on it.
  static func unmarked(_ model: Model) -> Model {
    var model = model
    model.other[mark] = nil
    return model
  }

  // MARK: - A new store

  private func first(_ sources: [ImportSource]) throws -> Outcome {
    let inferred = try infer(sources).heeding(heeded)
    var model = inferred.model
    model.other[Self.mark] = "true"
    let entities = model.entities.map(\.name)
    let line =
      "Took a model from the JSON: " + entities.prefix(12).joined(separator: ", ")
      + (entities.count > 12 ? ", …" : "")
    return Outcome(
      model: model, mapping: said(above: inferred.mapping), entity: inferred.entity, lines: [line],
      doubts: InferenceText.doubts(inferred), possibleParts: inferred.ownPossibleParts, basis: .nothing)
  }

  /// The caller's words above those that were taken from the data.
  private func said(above inferred: JSONMapping) -> JSONMapping {
    mapping.map { inferred.overlaid(by: $0) } ?? inferred
  }

  /// - Parameter known: What is known of a store that is there. JSON is read in its dialect, or in none.
  private func infer(_ sources: [ImportSource], into known: Known? = nil) throws -> InferredModel {
    var options = InferenceOptions()
    options.input = document.options
    options.wishes = wishes
    if let known {
      options.read(as: known.mapping)
      options.known = known.entities
      options.knownFiles = known.files
    }
    return try InferredModel(from: sources, options: options, isCancelled: { Interruption.isRequested })
  }

  // MARK: - A store that is there

  private func widened(_ known: Known, _ sources: [ImportSource]) throws -> Outcome? {
    let inferred: InferredModel
    do {
      let came = try infer(sources, into: known)
      let wider = came.refining(known.model, mapping: known.mapping)
      let kept = try known.model(beside: wider.model)
      let widened = kept == known.model ? wider : came.refining(kept, mapping: known.mapping)
      inferred = widened.heeding(heeded)
    } catch let error as InferenceError {
      // What cannot be inferred from adds nothing to the model. The import says what it finds, but of a page that has no objects.
      guard error.lacksObjects, document.options.root == nil else { return nil }
      return Outcome(
        model: known.model, mapping: said(above: known.mapping), lines: [], hasObjects: false,
        basis: known.basis)
    }
    let lines = inferred.guesses.map { guess in
      let words = InferenceText.words(guess)
      return guess.subject == .identity ? "Note: \(words)" : "Widened the model: \(words)"
    }
    return Outcome(
      model: inferred.model, mapping: said(above: inferred.mapping), entity: inferred.entity, lines: lines,
      lostIdentities: inferred.lostIdentities, possibleParts: inferred.possibleParts, basis: known.basis)
  }
}

/// Answers of a store, so that it is asked once.
private final class Answers<Question: Hashable & Sendable, Answer: Sendable>: Sendable {
  private let known = Mutex<[Question: Answer]>([:])

  subscript(question: Question) -> Answer? {
    get { known.withLock { $0[question] } }
    set { known.withLock { $0[question] = newValue } }
  }

  /// - Parameter ask: Asks the store, whose errors are the caller's.
  func answer(to question: Question, _ ask: () throws -> Answer) rethrows -> Answer {
    if let answer = self[question] { return answer }
    let answer = try ask()
    self[question] = answer
    return answer
  }
}

extension JSONValue {
  /// Whether it is a text or a number, as the keys of objects are.
  fileprivate var mayBeKey: Bool {
    switch self {
    case .string, .number: true
    default: false
    }
  }
}
