import ObjectModel

/// Where a value is in JSON that the store keeps: an attribute, a member of one, or an element of a list.
///
/// Its type differs from object to object, so it is compared as what the other side of a comparison is, and is null where
/// it is of another type.
struct JSONPlace {
  /// The value: a text, a number, 0 or 1 for truth, the JSON of lists and objects.
  let value: String
  /// What `json_type` calls it; null where there is nothing.
  let type: String
  /// The JSON that members are looked for in, with their names so far.
  private let document: String
  private let names: [String]

  /// The JSON in a column.
  init(column: String) {
    document = "CASE WHEN json_valid(\(column)) THEN \(column) END"
    names = []
    value = column
    type = "json_type(\(document))"
  }

  /// An element, of the rows that `json_each` gives.
  init(element alias: String) {
    document = "CASE WHEN \(alias).type IN ('object', 'array') THEN \(alias).value END"
    names = []
    value = "\(alias).value"
    type = "\(alias).type"
  }

  private init(document: String, names: [String]) {
    self.document = document
    self.names = names
    let path = SQL.literal("$" + names.map { ".\"\($0)\"" }.joined())
    value = names.isEmpty ? document : "json_extract(\(document), \(path))"
    type = "json_type(\(document), \(path))"
  }

  /// The member at the end of keys, from here on.
  func member(_ keys: [String]) -> JSONPlace { JSONPlace(document: document, names: names + keys) }

  /// The same of an object at the end of a path, from a sub-select for a value of it.
  func selected(_ select: (String) -> String) -> JSONPlace {
    JSONPlace(document: select(document), names: names)
  }

  /// The elements, if it is a list: the table that they are in.
  func elements(_ alias: String) -> String {
    "json_each(CASE WHEN \(type) = 'array' THEN \(value) END) \(alias)"
  }

  /// How many elements it has; null if it is no list.
  var elementCount: String { "json_array_length(CASE WHEN \(type) = 'array' THEN \(value) END)" }

  /// The condition that it is of a type.
  func isOf(_ compared: ComparedType?) -> String {
    switch compared {
    case nil: "\(type) = 'null'"
    case .boolean: "\(type) IN ('true', 'false')"
    case .integer, .real: "\(type) IN ('integer', 'real')"
    case .date: "\(type) IN ('text', 'integer', 'real')"
    default: "\(type) = 'text'"
    }
  }

  /// The value as one of a type, null if it is of another.
  func part(as compared: ComparedType) -> SQLPart {
    let sql =
      switch compared {
      case .uuid: "lower(\(value))"
      case .date: "\(StoreFunctions.date)(\(value))"
      default: value
      }
    return SQLPart(sql: "CASE WHEN \(isOf(compared)) THEN \(sql) END", type: compared)
  }
}
