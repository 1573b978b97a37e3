import JSONStream
public import Mapping
public import ObjectModel

/// A model that was taken from JSON, with what has to be known of the JSON beyond it.
///
/// ```swift
/// let inferred = try InferredModel(from: ImportSource.files("data"))
/// for guess in inferred.guesses where guess.certainty == .doubtful { print(guess.evidence) }
/// let store = try Store(path: "data.sqlite", model: inferred.model, mapping: inferred.mapping)
/// ```
public struct InferredModel: Sendable {
  public var model: Model
  /// The mapping that the JSON needs beyond the model's names: identities, keys, where the objects are.
  public var mapping: JSONMapping
  /// The guesses from the data with their reasons, the least sure first.
  public var guesses: [Guess]
  /// The entity of the objects, if neither keys nor names of files tell it: what an import has to be told.
  public var entity: String?
  /// How much was read.
  public var bytes = 0
  public var records = 0
  /// Whether all was read.
  public var isWhole = true
  /// For each entity, the attributes that objects came without, or with a null.
  var missing: [String: Set<String>] = [:]
  /// For each entity, the attributes with a path that objects on the way came without, or with a null.
  var missingInside: [String: Set<String>] = [:]
  /// Relationships whose objects are named by keys, as `Entity.relationship`, with the attribute that the keys are the values of.
  var references: [String: Attribute] = [:]
  /// Relationships that JSON does not tell of, the other ends of those that it does, as `Entity.relationship`.
  var derived: Set<String> = []
  /// The entities whose objects stand at the top of the JSON.
  var recordEntities: Set<String> = []
  /// The entities at the top whose objects stand in a dictionary, each under a key that tells it apart.
  var keyedEntities: Set<String> = []
  /// Lists of which several objects have the same elements, as `Entity.property`.
  var sharedLists: Set<String> = []
  /// Lists that have nulls and nothing else, as `Entity.attribute`.
  var listsOfNulls: Set<String> = []
  /// Attributes of which only objects without members came, as `Entity.attribute`.
  var emptyObjects: Set<String> = []
  /// How many values of what may be an identity came with different objects, by `Entity.attribute`.
  var ambiguous: [String: Int] = [:]
  /// The keys of documents and the names of files that the objects of an entity came under.
  var namesInData: [String: [String]] = [:]
  /// The keys of documents that hold the objects of each entity.
  var documentKeys: [String: [String]] = [:]
  /// The entities of which no two objects have one identity by chance: their identities are called so, and long.
  var surelyIdentified: Set<String> = []
  /// The entities of the model that was refined whose identities turned out to be none.
  package var lostIdentities: Set<String> = []
  /// The properties that may become parts of identities of the model that was refined.
  package var possibleParts: [PossiblePart] = []
  /// The entities of objects that stand alone at the root of the JSON, as messages do.
  var loneEntities: Set<String> = []
  /// Where the objects of each form of documents are, also where the mapping need not say it.
  var forms: [SourceForm] = []
  /// The files that a store's objects came of before.
  var knownFiles: [String] = []
  /// By entity, the form of documents that name it by a key, as a path.
  var formsUnderKeys: [String: SourceForm] = [:]
  /// The entities of lists of errors and messages, which may have come in place of objects.
  var messageEntities: Set<String> = []
  /// The types that the values of identities would have if they identified nothing, by `Entity.attribute`.
  var valueTypes: [String: AttributeType] = [:]
  /// The attributes of which no values came that tell a type, by `Entity.attribute`.
  var untyped: [String: Annotations.Untyped] = [:]
  /// The entities of the store whose objects have names or addresses of objects inside of others, by the inferred entity of these.
  var knownLabels: [String: [String]] = [:]
  /// The entities of the store whose objects have addresses of another kind than those of an inferred entity.
  var knownElsewhere: [String: [String]] = [:]
  /// The entities of the store whose objects have the same identities by chance, by the inferred entity.
  var knownOthers: [String: [String]] = [:]
  /// By entity, those of the store that are called like it and have other objects.
  var knownNamesakes: [String: [String]] = [:]
  /// The attributes of numbers of which some have an exponent, which a decimal may not hold.
  var exponents: Set<String> = []
  /// How many of the objects at the top have an identity that an object of an entity of the store has, and all of them another name than
  /// that one.
  var renamedObjects: [String: [String: Int]] = [:]
  /// The attributes of which nothing but empty texts came, nulls aside, as `Entity.attribute`.
  var emptyTexts: Set<String> = []
  /// The attributes of the store's objects whose values turn out to name objects of the JSON.
  var laterLinks: [LaterLink] = []
  /// Some keys of the dictionaries at the top, by the entities of the objects under them.
  var keysOfEntities: [String: [String]] = [:]
  /// The entities of which objects came with the identity of a stored one that are others.
  var entitiesWithRefutedIdentity: Set<String> = []
  /// The entities of the store whose objects say other texts than objects that came with their identities, by inferred entity.
  var changedObjects: [String: Set<String>] = [:]
  /// Texts that came, a few for each attribute, by `Entity.attribute`.
  var texts: [String: [String]] = [:]
  /// Attributes of which several objects have one value, all of them, as `Entity.attribute`.
  var constants: Set<String> = []
  /// The words with which objects of the store say what they are, by entity and attribute.
  var knownTypes: [String: [String: Set<String>]] = [:]
  /// The entities of the store that have objects with identities of inferred ones, by the name of these.
  var knownObjects: [String: [String]] = [:]
  /// The keys that are called like identities, and whose values came with different objects, by the inferred entity.
  var refutedKeys: [String: Set<String>] = [:]
  /// The properties, as `Entity.property`, that look like the identity of objects inside of others and came with several of these in one
  /// document.
  var repeatedIdentities: Set<String> = []
  /// The attributes by which objects inside of others name objects of the store that have another identity, by the inferred entity
  /// and that of the store.
  var otherIdentities: [String: [String: String]] = [:]
}

/// An attribute of a model that is refined whose values, or the elements of whose lists, are identities of an inferred entity.
struct LaterLink: Sendable {
  let entity: String
  let attribute: String
  /// The inferred entity.
  let target: String
  /// The name of the relationship that it is, and its key in JSON.
  let name: String
  let isToMany: Bool
  let key: String
  let certainty: Guess.Certainty
  let evidence: String
}

/// How much is read to infer a model, and how.
public struct InferenceOptions: Sendable {
  /// How the sources are read: their form, their limits, where the objects are.
  public var input = ImportOptions()
  /// The most records that are looked at in each source; nil for all.
  public var records: Int?
  /// The most bytes that are looked at in each source; nil for all.
  public var bytes: Int?
  /// The dialects that are looked for; see ``read(as:)``.
  public var dialects = Set(Dialect.allCases)
  /// The entities of the store that the JSON is to go into, for a model that is refined; see ``InferredModel/refining(_:mapping:)``.
  public var known: [KnownEntity] = []
  /// The paths to dictionaries whose keys are known to identify none of the objects under them; see ``read(as:)``.
  package private(set) var sharedKeys: Set<String> = []
  /// The paths to objects that a mapping has keys of, with these; see ``read(as:)``.
  private(set) var objectPaths: [String: Set<String>] = [:]
  /// The paths to dictionaries that objects are known to have; see ``read(as:)``.
  private(set) var dictionaryPaths: Set<String> = []
  /// Where lists of objects are known to be; see ``read(as:)``.
  private(set) var knownLists = KnownLists()
  /// The list of objects of several entities that documents are known to have; see ``read(as:)``.
  package private(set) var mixedList: MixedList?
  /// The files that a store's objects came of before, each by its name and that of its folder.
  package var knownFiles: [String] = []
  /// A person's words on the model.
  public var wishes = InferenceWishes()

  public init() {}

  /// Looks for no other dialect than that of a mapping, as JSON that widens a model is read with the mapping, for no objects that
  /// keys identify where the mapping has others under any key, and for objects of several entities where the mapping has these.
  public mutating func read(as mapping: JSONMapping) {
    dialects = Set([mapping.dialect].compactMap(\.self))
    let roots = [mapping.document.root] + mapping.document.forms.map(\.root)
    let underKeys = roots.compactMap(\.self).filter { $0 == Self.anyKey || $0.hasSuffix(".\(Self.anyKey)") }
    // The path to the dictionary at the root is empty.
    sharedKeys = Set(underKeys.map { String($0.dropLast(Self.anyKey.count + 1)) })
    mixedList = MixedList(mapping.document, mapping.dialect)
    knownLists = KnownLists(mapping)
    if mapping.document.forms.isEmpty { noteObjectPaths(in: mapping, at: mapping.document.root ?? "$") }
    for form in mapping.document.forms { noteObjectPaths(in: mapping, at: form.root ?? "$", of: form.entity) }
    noteDictionaries(in: mapping)
    noteDictionariesOfForms(in: mapping)
  }

  /// Notes the dictionaries that objects of each form have: what was a dictionary in one file is one in the next, however few keys it has.
  /// Where objects of another form have keys of their own at the same place, what came says anew what it is.
  private mutating func noteDictionariesOfForms(in mapping: JSONMapping) {
    var places: Set<String> = []
    for form in mapping.document.forms {
      guard let entity = form.entity, let rules = mapping.entities[entity],
        !(form.root ?? "").contains(Self.anyKey)
      else { continue }
      let start = form.root.map { "$.\($0)" } ?? "$"
      for link in rules.dictionaries.keys {
        let path = rules.keys[link]?.first ?? link
        places.formUnion(["\(start).\(path)", "\(start)[].\(path)"])
      }
    }
    dictionaryPaths.formUnion(places.filter { objectPaths[$0] == nil })
    for place in places { objectPaths[place] = nil }
  }

  /// Notes the dictionaries of documents that only their source identifies, where all are of one form: these are dictionaries whatever stands
  /// in them. A report with one file has this under its path, as one with many.
  private mutating func noteDictionaries(in mapping: JSONMapping) {
    let added = mapping.document.added.filter { $0.value == .position }.keys
    let forms = mapping.document.forms.filter { $0.entity != nil }
    guard forms.count < 2, forms.first?.root ?? mapping.document.root == nil else { return }
    let documents = mapping.entities.values.filter { rules in
      rules.keys.values.joined().contains { key in added.contains { SourceIdentity.isKey(key, $0) } }
    }
    guard documents.count == 1 else { return }
    for link in documents[0].dictionaries.keys {
      dictionaryPaths.insert("$.\(documents[0].keys[link]?.first ?? link)")
    }
  }

  /// Notes the objects that key paths of a mapping lead into, where a path leads to objects alone or in a list. An object that its
  /// source identifies is none of a dictionary itself.
  ///
  /// - Parameter entity: The only entity whose objects are there; nil for any.
  private mutating func noteObjectPaths(in mapping: JSONMapping, at root: String, of entity: String? = nil) {
    guard !root.contains(Self.anyKey), !root.contains("*") else { return }
    let start = root == "$" ? "$" : "$.\(root)"
    let isOfSource = mapping.document.forms.isEmpty && mapping.document.added.values.contains(.position)
    let names = entity.map { name in
      if case .key(_, let kinds)? = mapping[name].discriminator {
        [name] + kinds.pairs.map(\.entity)
      } else {
        [name]
      }
    }
    let rules = names.map { $0.compactMap { mapping.entities[$0] } } ?? Array(mapping.entities.values)
    for path in rules.flatMap({ $0.keys.values.joined() }) {
      guard let steps = try? JSONKeyPath(path).steps else { continue }
      var outer = ""
      for case .key(let key) in steps {
        if !outer.isEmpty || isOfSource { objectPaths[start + outer, default: []].insert(key) }
        if !outer.isEmpty { objectPaths["\(start)[]\(outer)", default: []].insert(key) }
        outer += ".\(key)"
      }
    }
  }

  private static let anyKey = "{key}"
}

/// Why no model can be inferred.
public struct InferenceError: Error, Sendable, Hashable, CustomStringConvertible {
  public var description: String
  /// Whether the JSON holds no object and no value, as a page that has none.
  package let lacksObjects: Bool

  package init(_ description: String, lacksObjects: Bool = false) {
    (self.description, self.lacksObjects) = (description, lacksObjects)
  }
}

extension Model {
  /// A model of what JSON has: the short form of ``InferredModel``.
  ///
  /// - Throws: ``InferenceError`` if the JSON has no objects, ``ImportError`` if it cannot be read.
  public init(inferredFrom sources: [ImportSource], options: InferenceOptions = InferenceOptions()) throws {
    self = try InferredModel(from: sources, options: options).model
  }
}

extension InferredModel {
  /// Reads JSON once and proposes a model of it.
  ///
  /// - Parameters:
  ///   - sources: The JSON, JSON Lines or tables.
  ///   - options: How much is read.
  ///   - isCancelled: Asked while sources are read, and while places are compared.
  /// - Throws: ``InferenceError`` if the JSON has no objects, ``ImportError`` if it cannot be read or the caller cancels.
  /// - Complexity: Takes time in proportion to the JSON, and memory in proportion to the number of its different keys.
  public init(
    from sources: [ImportSource], options: InferenceOptions = InferenceOptions(),
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws {
    let reading = try SourceReading(sources, options, isCancelled)
    self = try Proposal(reading, options).inferred
  }
}

/// The reading of all sources.
struct SourceReading {
  let shapes: Shapes
  private(set) var roots: [RootPlace] = []
  private(set) var bytes = 0
  private(set) var records = 0
  private(set) var isWhole = true
  private(set) var hasTables = false
  /// Which names of files and folders say what is in them.
  private(set) var names = SourceNames([])
  private var sourceCount = 0
  /// The path to the objects that the caller gave.
  let root: String?
  /// How many files each folder has.
  private let folders: [String: Int]
  /// How many files are called alike, but for numbers.
  private let files: [[String]: Int]

  init(
    _ sources: [ImportSource], _ options: InferenceOptions, _ isCancelled: @escaping @Sendable () -> Bool
  ) throws {
    shapes = Shapes(ShapeTree(), isCancelled: isCancelled)
    root = options.input.root == "$" ? nil : options.input.root
    shapes.tree.objectPaths = options.objectPaths
    shapes.tree.dictionaryPaths = options.dictionaryPaths
    var limits = SampleLimits()
    limits.records = options.records
    limits.bytes = options.bytes
    let sources = sources.map(FileNames.withoutIndex)
    folders = Dictionary(grouping: sources) { $0.entityHints.dropFirst().first ?? "" }.mapValues(\.count)
    files = Dictionary(grouping: sources, by: FileNames.meaningful).mapValues(\.count)
    for source in sources { try read(source, limits, options, isCancelled, isOneOfMany: sources.count > 1) }
    shapes.tree.complete()
    let failures = failures(options.dialects)
    for root in roots {
      guard let rows = root.shape.rows, !rows.hasNames, let place = shapes.element(of: root.node) else {
        continue
      }
      shapes.rowPlaces.insert(place)
    }
    names = SourceNames(roots)
    for index in roots.indices {
      roots[index].names = names.names(of: roots[index].places)
      // A file that has an error in place of an object is called like this, and names no error.
      if failures.contains(roots[index].node) { (roots[index].names, roots[index].files) = (["Error"], []) }
    }
    guard let path = options.input.root else { return }
    for index in roots.indices {
      guard let place = shapes.place(at: path, from: roots[index].node) else {
        throw InferenceError("There is nothing at \(path) in the JSON.")
      }
      roots[index].node = place
    }
  }

  /// The answers that are errors, if others are none. In a dialect, which has no place for them, they are left out.
  private mutating func failures(_ dialects: Set<Dialect>) -> Set<Int32> {
    let envelope = ResponseEnvelope(shapes: shapes)
    let answers = roots.filter { !envelope.isFailure($0.node) }
    guard !answers.isEmpty, answers.count < roots.count else { return [] }
    if let dialect = DialectFinder(shapes).dialect(of: answers), dialects.contains(dialect) {
      roots = answers
      return []
    }
    return Set(roots.map(\.node)).subtracting(answers.map(\.node))
  }

  /// A mapping lists the names of so many files.
  private static let mostFileNames = 8
  /// In a folder with more files than this, files of one shape are of one kind, whatever their names.
  private static let fewFiles = 12

  /// The place of the root of a source: that of the sources of its shape, or a new one.
  ///
  /// - Parameter add: Makes a new place.
  private mutating func place(
    for source: ImportSource, _ shape: SourceShape, _ add: () -> Int32
  ) throws -> Int32 {
    let stem = source.entityHints.first
    var source = source
    if let kind = shape.saidKind {
      source.entityHints = [kind]
    } else if let name = source.entityHints.first {
      if shape.says(name), FileNames.folder(source) != nil {
        source.entityHints[0] = ""
      } else if let kind = shape.kind(inFileCalled: name) {
        source.entityHints[0] = kind
      }
    }
    let names = FileNames.meaningful(source)
    let folder = source.entityHints.dropFirst().first
    let known = roots.firstIndex { isLike($0, shape, names: names, folder: folder) }
    guard let known else {
      let node = add()
      guard node >= 0 else { throw InferenceError("There are too many files of different forms.") }
      var root = RootPlace(
        node: node, names: names, files: [stem].compactMap(\.self), fileCount: 1, folder: folder,
        shape: shape)
      root.hasSourceNames = source.recordedName != nil
      root.places.add(source)
      roots.append(root)
      return node
    }
    roots[known].shape.add(shape)
    roots[known].places.add(source)
    roots[known].sourceCount += 1
    roots[known].hasSourceNames = roots[known].hasSourceNames || source.recordedName != nil
    if roots[known].names != names {
      roots[known].hasSeveralNames = true
      // Of files with several names, the folder's name says what is in them.
      let isNamed = roots[known].folder == folder && folder.flatMap(FileNames.saying(folder:)) != nil
      roots[known].names = isNamed ? [folder].compactMap(\.self) : []
      roots[known].files = roots[known].names
      roots[known].fileCount = isNamed ? 1 : .max / 2
      if roots[known].folder != folder { roots[known].folder = nil }
    } else if roots[known].files != [roots[known].folder].compactMap(\.self) {
      roots[known].fileCount += 1
      if let stem, roots[known].files.count < Self.mostFileNames { roots[known].files.append(stem) }
    }
    return roots[known].node
  }

  /// Whether a source is of the shape of those that were read at a root.
  private func isLike(_ root: RootPlace, _ shape: SourceShape, names: [String], folder: String?) -> Bool {
    guard root.shape.hasHead == shape.hasHead, root.shape.saidKind == shape.saidKind,
      root.shape.listOfKind == shape.listOfKind
    else { return false }
    // Documents of scalars and documents of objects have no more than keys in common.
    if !root.shape.isList, !shape.isList,
      root.shape.holdsObjects && shape.holdsScalars || root.shape.holdsScalars && shape.holdsObjects
    {
      return false
    }
    let likeness = root.shape.likeness(to: shape)
    let isSameFolder = root.folder == folder
    if root.names == names, isSameFolder, !root.shape.holdsOthers(than: shape) {
      return likeness.ofAll >= 0.4 || likeness.ofSmaller >= 0.8 || root.shape.hasMembersLike(shape)
        || root.shape.isEmpty || shape.isEmpty
    }
    // Folders of files that are called like days or pages are parts of one whole, as the channels of a chat are.
    if root.shape.isList, shape.isList, !isSameFolder, !root.shape.hasIdentity, !shape.hasIdentity,
      isCalled(root.names, like: root.folder) || root.places.areInFolders, isCalled(names, like: folder),
      !root.shape.isOfOtherKind(than: shape),
      likeness.shared >= 4, likeness.ofSmaller >= 0.7
    {
      return true
    }
    if root.shape.holdsOthers(than: shape) || root.shape.isOfOtherKind(than: shape) { return false }
    // Two objects of identities and files of their own may be of two kinds, however alike they are, and so may lists of any
    // number of files.
    let areNamedApart = !root.names.isEmpty && !names.isEmpty && root.names != names
    let areLists = root.shape.isList && shape.isList && !root.hasSeveralNames
    if areNamedApart, root.sourceCount < 2 || areLists, likeness.ofAll < 1, root.shape.hasIdentity,
      shape.hasIdentity
    {
      return false
    }
    // Of several files of one name each, with a number behind it, the name says what they are.
    if areNamedApart, root.shape.hasIdentity, shape.hasIdentity, !root.hasSeveralNames,
      files[root.names] ?? 0 > 1, files[names] ?? 0 > 1
    {
      return false
    }
    if areNamedApart, root.shape.isOfOtherCollection(than: shape, root.names, names) { return false }
    if areNamedApart, root.shape.isIdentified(byNames: root.names, otherwiseThan: shape, names) {
      return false
    }
    // Dictionaries by number are of what their files are called: the lamp 1 is not the room 1.
    if areNamedApart, root.shape.isNumbered, shape.isNumbered { return false }
    // Lists of names and addresses, `[{"name": …, "url": …}]`, are alike whatever they name.
    if areLists, !isSameFolder || areNamedApart && folders[folder ?? ""] ?? 0 <= Self.fewFiles,
      root.shape.saysNamesOnly, shape.saysNamesOnly
    {
      return false
    }
    if !root.shape.isList, !shape.isList {
      if root.shape.holdsObjects, shape.holdsObjects, likeness.ofAll == 1 { return true }
      if isSameFolder, likeness.shared >= 3, likeness.ofSmaller >= 0.8, likeness.ofAll >= 0.4 { return true }
      if likeness.shared >= 4, likeness.ofAll >= 0.8 { return true }
    }
    // Objects of one shape that no key identifies are of one entity: none can be taken for another one.
    if !root.shape.hasIdentity, !shape.hasIdentity,
      likeness.ofAll == 1 && likeness.shared >= 2 || likeness.ofAll >= 0.75 && likeness.shared >= 3
    {
      return true
    }
    guard isSameFolder, folders[folder ?? ""] ?? 0 > Self.fewFiles else { return false }
    return likeness.shared >= 3 && likeness.ofAll >= 0.6
  }

  /// Whether the names of files are nothing but that of their folder.
  private func isCalled(_ names: [String], like folder: String?) -> Bool {
    guard let name = folder.flatMap(FileNames.saying(folder:)) else { return false }
    return names == [name]
  }

  private mutating func read(
    _ source: ImportSource, _ limits: SampleLimits, _ options: InferenceOptions,
    _ isCancelled: @escaping @Sendable () -> Bool, isOneOfMany: Bool
  ) throws {
    let shapes = shapes
    let (bytes, records, isWhole, isTable) = try source.scan(options.input, isCancelled: isCancelled) {
      (input, isTable) -> (Int, Int, Bool, Bool) in
      var reader = ShapeReader(input, tree: shapes.takeTree(), limits: limits, number: sourceCount)
      do {
        let shape = try reader.shape(findsHead: options.input.root == nil)
        let root = try place(for: source, shape) { reader.addRoot() }
        let isWhole = try reader.run(at: root)
        let result = (reader.offset, reader.records, isWhole, isTable)
        shapes.tree = reader.finish()
        return result
      } catch let error as JSONError where error.kind == .empty && (source.hasLines || isOneOfMany) {
        shapes.tree = reader.finish()
        return (0, 0, true, isTable)
      }
    }
    sourceCount += 1
    self.bytes += bytes
    self.records += records
    self.isWhole = self.isWhole && isWhole
    hasTables = hasTables || isTable
  }
}

/// The words of a person on a model that is to be taken from JSON. They stand above what the data shows.
///
/// ```swift
/// var options = InferenceOptions()
/// options.wishes.entity = "Reading"
/// options.wishes.identities["Reading"] = ["sensor", "time"]
/// ```
public struct InferenceWishes: Sendable, Hashable {
  /// The name of the entity of the objects at the top of the JSON.
  public var entity: String?
  /// The keys that identify the objects of entities.
  public var identities: [String: [String]] = [:]
  /// Other names for entities, by the names that the inference gives them.
  public var renames: [String: String] = [:]
  /// The entities whose objects the values of keys name, by `Entity.key`.
  public var links: [String: String] = [:]
  /// Keys whose values name no objects, as `Entity.key`.
  public var notLinks: Set<String> = []

  public init() {}
}
