/// An archive of objects in the layout of `NSKeyedArchiver`, as values.
///
/// Nothing is instantiated: an object is the name of its class and its fields. Each reference is looked up when it is
/// followed, so that circles and objects that are shared by many cost nothing here.
package struct KeyedArchive: Sendable {
  private let objects: PropertyListArray
  /// Where the class of an object with very many fields is, by the object's node: that of an ordered set.
  private let distantClasses: [Int: Int]
  /// What the archive names: `root` in most.
  package let top: PropertyListDictionary

  /// - Throws: ``PropertyListError`` if the property list is no keyed archive.
  package init(_ list: PropertyList) throws(PropertyListError) {
    guard let members = list.root.dictionary else {
      throw .expected("a keyed archive, which is a dictionary", found: list.root.kindName)
    }
    guard let archiver = members["$archiver"] else {
      throw .expected("a keyed archive", found: "a dictionary without “$archiver”")
    }
    guard archiver.text == "NSKeyedArchiver" else {
      throw .expected(
        "“NSKeyedArchiver” for “$archiver”",
        found: archiver.text.map(PropertyListError.shown) ?? archiver.kindName)
    }
    guard let objects = members["$objects"]?.array else {
      throw .expected("an array “$objects”", found: members["$objects"]?.kindName ?? "none")
    }
    guard let top = members["$top"]?.dictionary else {
      throw .expected("a dictionary “$top”", found: members["$top"]?.kindName ?? "none")
    }
    self.objects = objects
    self.top = top
    distantClasses = Self.distantClasses(in: objects)
  }

  /// Looks for the classes of objects whose fields are too many to be searched each time.
  private static func distantClasses(in objects: PropertyListArray) -> [Int: Int] {
    var result: [Int: Int] = [:]
    for index in objects.indices {
      guard let fields = objects.largeDictionary(at: index), result[fields.node] == nil else { continue }
      let keys = fields.keys
      result[fields.node] = keys.indices.first { keys.shortText(at: $0) == "$class" } ?? -1
    }
    return result
  }

  private func classReference(in fields: PropertyListDictionary) -> PropertyListValue? {
    guard let index = distantClasses[fields.node] else { return fields["$class"] }
    return index < 0 ? nil : fields.values[index]
  }

  /// Whether a property list says that it is a keyed archive.
  package static func isArchive(_ list: PropertyList) -> Bool { list.root.dictionary?["$archiver"] != nil }

  /// How many objects there are.
  package var count: Int { objects.count }

  /// What the archive is of: the value `root`, or the only one.
  package func root() throws(PropertyListError) -> ArchivedValue {
    guard let root = top["root"] ?? (top.count == 1 ? top.values[0] : nil) else {
      throw .expected("“root” in “$top”", found: "\(top.count) other names")
    }
    return try resolved(root)
  }

  /// The object, or the value, at a number.
  ///
  /// - Throws: ``PropertyListError`` if there is none, or if it is no object.
  package func object(at reference: Int) throws(PropertyListError) -> ArchivedValue {
    guard reference >= 0, reference < objects.count else {
      throw .expected("the number of one of \(objects.count) archived objects", found: "\(reference)")
    }
    let value = objects[reference]
    switch value {
    case .uid(let other):
      throw .expected("an object at number \(reference)", found: "a reference to \(other)")
    case .string("$null") where reference == 0, .null: return .null
    case .dictionary(let fields):
      guard let isa = classReference(in: fields) else { return .value(value) }
      guard case .uid(let number) = isa, number < objects.count,
        case .dictionary(let description) = objects[number]
      else {
        throw .expected("a description of the class of object \(reference)", found: isa.kindName)
      }
      let kind = ArchivedClass(description)
      return .object(ArchivedObject(number: reference, kind: kind, fields: fields, archive: self))
    default: return .value(value)
    }
  }

  /// What a value stands for: what it refers to, or itself.
  package func resolved(_ value: PropertyListValue) throws(PropertyListError) -> ArchivedValue {
    switch value {
    case .uid(let number): try object(at: number)
    case .null: .null
    default: .value(value)
    }
  }
}

/// What a field of an archived object holds.
package enum ArchivedValue: Sendable {
  /// `nil`.
  case null
  /// A text, a number, data: what a property list has by itself.
  case value(PropertyListValue)
  case object(ArchivedObject)

  package var object: ArchivedObject? { if case .object(let object) = self { object } else { nil } }

  package var value: PropertyListValue? { if case .value(let value) = self { value } else { nil } }

  /// What a message calls it.
  package var kindName: String {
    switch self {
    case .null: "nil"
    case .value(let value): value.kindName
    case .object(let object): "an object of \(object.className)"
    }
  }
}
