/// Writes archives in the layout of `NSKeyedArchiver`.
package struct ArchiveWriter {
  private var objects: [PropertyListTree] = [.string("$null")]
  private var classes: [String: Int] = [:]
  private var texts: [String: Int] = [:]

  package init() {}

  /// A number for an object that is added later: objects may lead to each other.
  package mutating func reserve() -> Int {
    objects.append(.null)
    return objects.count - 1
  }

  package mutating func add(_ value: PropertyListTree) -> Int {
    objects.append(value)
    return objects.count - 1
  }

  package mutating func text(_ text: String) -> PropertyListTree {
    if let number = texts[text] { return .uid(number) }
    let number = add(.string(text))
    texts[text] = number
    return .uid(number)
  }

  /// A text, or nil as archives have it.
  package mutating func text(_ text: String?) -> PropertyListTree {
    guard let text else { return .uid(0) }
    return self.text(text)
  }

  /// Adds an object of a class with its fields, at a number that was reserved or a new one.
  @discardableResult
  package mutating func object(
    _ classNames: [String], _ fields: [(String, PropertyListTree)], at reserved: Int? = nil
  ) -> Int {
    let number = reserved ?? reserve()
    let kind = classNumber(classNames)
    objects[number] = .dictionary(fields + [("$class", .uid(kind))])
    return number
  }

  private mutating func classNumber(_ names: [String]) -> Int {
    let key = names.joined(separator: " ")
    if let number = classes[key] { return number }
    let number = add(
      .dictionary([
        ("$classname", .string(names.first ?? "NSObject")),
        ("$classes", .array((names + ["NSObject"]).map { .string($0) })),
      ]))
    classes[key] = number
    return number
  }

  package mutating func array(_ elements: [PropertyListTree], mutable: Bool = false) -> PropertyListTree {
    .uid(object(mutable ? ["NSMutableArray", "NSArray"] : ["NSArray"], [("NS.objects", .array(elements))]))
  }

  package mutating func set(_ elements: [PropertyListTree]) -> PropertyListTree {
    .uid(object(["NSSet"], [("NS.objects", .array(elements))]))
  }

  package mutating func dictionary(_ members: [(String, PropertyListTree)]) -> PropertyListTree {
    let keys = members.map { text($0.0) }
    return .uid(
      object(
        ["NSMutableDictionary", "NSDictionary"],
        [("NS.keys", .array(keys)), ("NS.objects", .array(members.map(\.1)))]))
  }

  /// The archive of an object.
  package func archive(root: PropertyListTree) -> PropertyListTree {
    .dictionary([
      ("$version", .integer(100_000)), ("$archiver", .string("NSKeyedArchiver")),
      ("$top", .dictionary([("root", root)])), ("$objects", .array(objects)),
    ])
  }
}
