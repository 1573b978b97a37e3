import ObjectModel
import ObjectStore

/// The values that are selected of the objects of a query.
struct SelectedColumns<Root: Storable> {
  private(set) var selected: [SelectedColumn] = []
  /// How many columns that is.
  private(set) var width = 0

  /// A value: its place among the columns, and its reader.
  struct Value<Result> {
    let reader: ValueReader<Result>
    let columns: Range<Int>
    let types: [AttributeType]
    private let name: String

    fileprivate init(
      _ reader: ValueReader<Result>, _ columns: Range<Int>, _ types: [AttributeType], _ name: String
    ) {
      self.reader = reader
      self.columns = columns
      self.types = types
      self.name = name
    }

    /// The value in the row that a cursor stands on.
    ///
    /// - Throws: ``ReadError`` if the store holds what the type cannot.
    func read(_ row: any Cursor) throws -> Result {
      if let value = reader.value(row, columns.lowerBound) { return value }
      let found = ReadError.text(of: row.value(columns.lowerBound))
      throw ReadError(entity: Root.entityName, property: name, expected: "\(Result.self)", found: found)
    }
  }

  /// Adds the value that a key path leads to.
  ///
  /// - Parameter type: The type that it is read as.
  /// - Throws: ``QueryError`` if it is none that a store has.
  mutating func add<Result>(
    _ path: PathKey, as type: Result.Type, _ layout: Layout
  ) throws -> Value<Result> {
    let text = path.path.debugDescription
    guard let name = Root.properties.valueName(of: path.path) else {
      throw QueryError(
        "\(text) is no stored property of \(Root.self), or of an object that one leads to, nor the count of a list"
      )
    }
    guard let reader = ValueReader<Result>.make() else {
      throw QueryError("\(text) is a \(Result.self), which is no value of a property")
    }
    let entity = try layout.entity(named: Root.entityName)
    let resolved = try ResolvedPath(name, from: entity, layout)
    guard !resolved.isToMany else { throw QueryError("\(text) leads to many objects") }
    // A value that has not arrived reads as null, if the type has room for that.
    selected.append(reader.isOptional ? .value(resolved) : .reference(resolved))
    let types = resolved.types(layout, from: entity)
    defer { width += types.count }
    return Value(reader, width..<width + types.count, types, name)
  }
}

// MARK: - Names

extension Properties {
  /// The name in the model of the value at a key path: a property, or the count of a list.
  func valueName(of path: AnyKeyPath) -> String? { name(of: path) ?? countName(of: path) { $0 } }

  /// - Parameter place: The key path from the query's type to this one.
  fileprivate func countName(of path: AnyKeyPath, _ place: (AnyKeyPath) -> AnyKeyPath?) -> String? {
    for property in all {
      guard let there = place(property.path.path) else { continue }
      switch property.form {
      case .attribute: continue
      case .relationship(let form):
        guard form.isToMany, there.appending(path: form.target.listPaths.count) == path else { continue }
        return "\(property.name).@count"
      case .inherited(let parent):
        if let name = parent.countName(of: path, { there.appending(path: $0) }) { return name }
      }
    }
    return nil
  }
}

extension Storable {
  fileprivate static func countName(
    of path: AnyKeyPath, _ place: (AnyKeyPath) -> AnyKeyPath?
  ) -> String? {
    properties.countName(of: path, place)
  }
}
