import JSONStream
import ObjectModel

/// What stands around the objects of an export, so that an import finds them where the mapping says.
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

  /// Nothing: the list stands alone.
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
