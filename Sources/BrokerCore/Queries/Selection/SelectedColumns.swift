import ObjectModel
import ObjectStore

/// What a statement selects of the objects of a query, value by value.
struct SelectedColumns<Root: Storable> {
  private(set) var expressions: [String] = []

  /// A value: its place among the columns, and how it is read.
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

    /// The value in the row that a statement stands on.
    ///
    /// - Throws: ``ReadError`` if the store holds what the type cannot.
    func read(_ statement: PreparedStatement) throws -> Result {
      if let value = reader.value(statement, columns.lowerBound) { return value }
      let found = ReadError.text(of: statement.value(columns.lowerBound))
      throw ReadError(entity: Root.entityName, property: name, expected: "\(Result.self)", found: found)
    }
  }

  /// Adds the value that a key path leads to.
  ///
  /// - Parameter type: The type that it is read as.
  /// - Throws: ``QueryError`` if it is none that a store has.
  mutating func add<Result>(
    _ path: PathKey, as type: Result.Type, to builder: inout QueryBuilder
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
    let resolved = try ResolvedPath(name, from: builder.entity, builder.layout)
    guard !resolved.isToMany else { throw QueryError("\(text) leads to many objects") }
    // What has not arrived reads as null, where the type has room for that.
    let columns =
      try reader.isOptional ? builder.columns(of: resolved) : builder.keyColumns(of: resolved)
    defer { expressions += columns }
    return Value(
      reader, expressions.count..<expressions.count + columns.count,
      resolved.types(builder.layout, from: builder.entity), name)
  }

  /// The expressions with names, by which a statement around can ask for them.
  var named: [String] { expressions.enumerated().map { "\($1) AS v\($0)" } }

  /// The names.
  var names: [String] { expressions.indices.map { "v\($0)" } }
}

// MARK: - Names

extension Properties {
  /// The name in the model of a value that a key path leads to: a property, or how many a list has.
  func valueName(of path: AnyKeyPath) -> String? { name(of: path) ?? countName(of: path) { $0 } }

  /// - Parameter place: Where a key path of a property of this type leads from the query's.
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
