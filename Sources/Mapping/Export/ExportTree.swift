import JSONStream
import ObjectModel
import ObjectStore

extension ExportPlan {
  /// Key paths, put together to a tree.
  struct Tree {
    /// Whether paths from here on begin with places in a list; nil until the first tells.
    private var isList: Bool?
    private var order: [JSONKeyPath.Step] = []
    private var children: [JSONKeyPath.Step: Tree] = [:]
    private var content: Content?
    private var gathered: [GatheredMember] = []

    init(isList: Bool? = nil) {
      self.isList = isList
    }

    mutating func add(_ path: ArraySlice<JSONKeyPath.Step>, _ content: Content) {
      guard let first = path.first else {
        if self.content == nil { self.content = content }
        return
      }
      if first == .elements {
        return gathered.append(
          GatheredMember(path: path.dropFirst(), member: Member(content: content.withoutKeys)))
      }
      if isList == nil { isList = first.isPosition }
      if children[first] == nil { order.append(first) }
      children[first, default: Tree()].add(path.dropFirst(), content)
    }

    /// Whether something can be put at the end of a path. An attribute that holds whole objects has room for the values
    /// of others.
    func isFree(_ path: ArraySlice<JSONKeyPath.Step>, for new: Content) -> Bool {
      guard let first = path.first else {
        return content == nil && gathered.isEmpty && (order.isEmpty || new.holdsObjects)
      }
      if let content, !content.holdsObjects { return false }
      if first == .elements { return order.isEmpty }
      guard gathered.isEmpty, isList == nil || isList == first.isPosition else { return false }
      return children[first]?.isFree(path.dropFirst(), for: new) ?? true
    }

    func has(_ path: ArraySlice<JSONKeyPath.Step>) -> Bool {
      guard let first = path.first else { return true }
      return children[first]?.has(path.dropFirst()) ?? false
    }

    /// The use of this place: a property that ends here, members below, or both.
    private var whole: Content? {
      if !gathered.isEmpty, order.isEmpty, content == nil { return .gathered(gathered) }
      if order.isEmpty { return content }
      guard case .value(let column, let form)? = content, content?.holdsObjects ?? false else {
        // Any other property that ends on the way gives way to the members below.
        return .object(members)
      }
      return .wholeObject(column: column, form: form, members)
    }

    var members: Members { isList == true ? elements : Members(order.compactMap(member)) }

    private func member(_ step: JSONKeyPath.Step) -> Member? {
      children[step]?.whole.map { Member(step, content: $0) }
    }

    /// The elements of a list: those counted from its begin, with what is between them, then those from its end.
    private var elements: Members {
      let places = order.compactMap { if case .position(let place) = $0 { place } else { nil } }.sorted()
      var list: [Member] = []
      for place in places.filter({ $0 >= 0 }) {
        while list.count < place { list.append(Member(content: .gap)) }
        if let member = member(.position(place)) { list.append(member) }
      }
      for place in places.filter({ $0 < 0 }) {
        if let member = member(.position(place)) { list.append(member) }
      }
      return Members(list, isList: true)
    }
  }
}

extension JSONKeyPath.Step {
  fileprivate var isPosition: Bool {
    if case .position = self { true } else { false }
  }
}

extension ExportPlan.Content {
  /// The same for an element of a list.
  var withoutKeys: Self {
    switch self {
    case .relationship(let index, _): .relationship(index, ObjectExporter.noKeys)
    case .polymorphic(let links): .polymorphic(links.withoutKeys)
    default: self
    }
  }
}

/// How far the writing of an object has come.
///
/// Frames are kept on a stack of the exporter's own, so that deep data does not use up the thread's stack.
final class ExportFrame {
  /// The row of the object, with the columns of ``ObjectRows``.
  private(set) var row: any Cursor
  private(set) var plan: ExportPlan
  private(set) var context: ObjectExporter.Context
  private(set) var place: ObjectExporter.Place
  /// The members that are being written, and the index of the next. They are the object's own, or those at a step of
  /// key paths.
  var members: ExportPlan.Members
  var next = 0
  /// The members around those, the innermost last.
  var outer: [(members: ExportPlan.Members, next: Int)] = []
  var list: ExportedList?
  /// Whether the row is the only one of its cursor.
  var isLone = false

  init(
    _ row: any Cursor, _ plan: ExportPlan, _ context: ObjectExporter.Context,
    _ place: ObjectExporter.Place
  ) {
    self.row = row
    self.plan = plan
    self.context = context
    self.place = place
    members = plan.members
  }

  /// Begins with another object.
  func reuse(
    for row: any Cursor, _ plan: ExportPlan, _ context: ObjectExporter.Context,
    _ place: ObjectExporter.Place
  ) {
    self.row = row
    self.plan = plan
    self.context = context
    self.place = place
    members = plan.members
    next = 0
    isLone = false
  }
}

/// How far the writing of a list has come. The list has targets that are in the store and keys that the store
/// remembers; these are written at their places between the targets.
final class ExportedList {
  let relationship: SchemaRelationship
  let targets: LinkedTargets
  let isNested: Bool
  let waiting: (any Cursor)?
  var isWaiting: Bool
  /// How the kind of the targets is told, where they could be one of several.
  let kind: LinkKind?
  /// Whether nothing else stands in the list.
  let isWhole: Bool

  init(
    _ relationship: SchemaRelationship, _ targets: LinkedTargets, isNested: Bool, waiting: (any Cursor)?,
    kind: LinkKind?, isWhole: Bool
  ) throws {
    self.kind = kind
    self.isWhole = isWhole
    self.relationship = relationship
    self.targets = targets
    self.isNested = isNested
    self.waiting = waiting
    isWaiting = try waiting?.step() ?? false
  }

  deinit {
    targets.rows.reset()
    waiting?.reset()
  }
}

/// The frame around the objects of an export, so that an import finds them where the mapping says.
struct DocumentFrame {
  /// The steps from the root to the list of objects.
  private let outer: [RootPath.Step]
  /// The steps from an element of the list to its object.
  private let inner: [RootPath.Step]
  private let constants: [(key: String, value: String)]
  /// Whether the path leads through all elements of the list.
  private let isListOfElements: Bool
  /// The names of the columns, if objects are written as lists of their values, and the key that they stand under; nil
  /// for the first element of the list.
  private var columns: (key: String?, names: [String])?

  /// No frame: the list stands alone.
  static let none = DocumentFrame()

  private init() {
    (outer, inner, constants, isListOfElements) = ([], [], [], false)
  }

  /// A path through any key cannot be written: which one it was is not known. Then the list stands alone.
  ///
  /// - Parameter columns: The names of the columns, if objects are written as lists of their values.
  init(_ document: DocumentMapping, columns: [String]? = nil) {
    let steps = document.root.flatMap { try? RootPath($0) }?.steps ?? []
    let isKnown = steps.allSatisfy { if case .anyKey = $0 { false } else { true } }
    guard isKnown else {
      self = .none
      return
    }
    let place = steps.lastIndex { if case .elements = $0 { true } else { false } }
    isListOfElements = place != nil
    outer = Array(steps[..<(place ?? steps.count)])
    inner = place.map { Array(steps[($0 + 1)...]) } ?? []
    constants = document.constants.sorted { $0.key < $1.key }
    self.columns = columns.map { (Self.columnsKey(document), $0) }
  }

  /// Whether objects are written as lists of their values: if the mapping says where the names of the columns are, and
  /// they can be written there.
  static func hasColumns(_ document: DocumentMapping) -> Bool {
    document.columns == "first" || columnsKey(document) != nil
  }

  /// The key of the names of columns beside the way to the objects.
  private static func columnsKey(_ document: DocumentMapping) -> String? {
    guard let text = document.columns, case .document(let path)? = AddedValue(text),
      let key = (try? JSONKeyPath(path))?.onlyKey,
      case .keys? = document.root.flatMap({ try? RootPath($0) })?.steps.first
    else { return nil }
    return key
  }

  /// Writes the names of the columns as the first element of the list.
  func beginRows(_ writer: inout JSONWriter) {
    if let columns, columns.key == nil { writeNames(columns.names, &writer) }
  }

  private func writeNames(_ names: [String], _ writer: inout JSONWriter) {
    writer.beginArray()
    for name in names { writer.string(name) }
    writer.endArray()
  }

  func begin(_ writer: inout JSONWriter) {
    for (index, step) in outer.enumerated() { begin(step, isFirst: index == 0, &writer) }
  }

  func end(_ writer: inout JSONWriter) {
    for step in outer.reversed() { end(step, &writer) }
  }

  func beginElement(_ writer: inout JSONWriter) {
    for step in inner { begin(step, isFirst: false, &writer) }
  }

  func endElement(_ writer: inout JSONWriter) {
    for step in inner.reversed() { end(step, &writer) }
  }

  /// Begins the list with one element, which holds a document.
  func beginList(_ writer: inout JSONWriter) {
    if isListOfElements { writer.beginArray() }
    beginElement(&writer)
  }

  func endList(_ writer: inout JSONWriter) {
    endElement(&writer)
    if isListOfElements { writer.endArray() }
  }

  private func begin(_ step: RootPath.Step, isFirst: Bool, _ writer: inout JSONWriter) {
    switch step {
    case .keys(let keys):
      writer.beginObject()
      for (key, value) in isFirst ? constants : [] {
        writer.key(key)
        writer.string(value)
      }
      if isFirst, let columns, let key = columns.key {
        writer.key(key)
        writeNames(columns.names, &writer)
      }
      writer.key(keys.first ?? "")
    case .position(let position):
      writer.beginArray()
      for _ in 0..<max(0, position) { writer.null() }
    case .elements: writer.beginArray()
    case .anyKey: break
    }
  }

  private func end(_ step: RootPath.Step, _ writer: inout JSONWriter) {
    switch step {
    case .keys: writer.endObject()
    case .position, .elements: writer.endArray()
    case .anyKey: break
    }
  }
}
