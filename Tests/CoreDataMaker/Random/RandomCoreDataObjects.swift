package import ObjectModel
import Foundation
import TestSettings

/// Random objects of a model, as a store of Core Data could have them: also with references to nothing, and with ends
/// that disagree.
package struct RandomCoreDataObjects {
  private var random: Seeded
  private let model: Model
  private let layout: StoreLayout
  private var objects: [StoreObject] = []

  /// - Parameter isConsistent: Whether all links lead to objects that are there, and both ends agree.
  package static func objects(of model: Model, seed: UInt64, isConsistent: Bool = false) -> [StoreObject] {
    var maker = RandomCoreDataObjects(random: Seeded(state: seed), model: model, layout: StoreLayout(model))
    maker.makeObjects()
    maker.link()
    if !isConsistent { maker.damage() }
    return maker.objects
  }

  private mutating func makeObjects() {
    for root in model.entities where root.parent == nil {
      let entities = layout.family(of: root.name).filter { !$0.isAbstract }
      guard !entities.isEmpty else { continue }
      var key: Int64 = 0
      for _ in 0..<(3 + random.below(12)) {
        // Keys of deleted objects are gone.
        key += 1 + Int64(random.below(3))
        let entity = random.pick(entities)
        var object = StoreObject(entity.name, key)
        for above in layout.line(of: entity.name) {
          for attribute in above.attributes where !attribute.isTransient {
            object.values[attribute.name] = value(of: attribute)
          }
        }
        objects.append(object)
      }
    }
  }

  // MARK: - Values

  private mutating func value(of attribute: Attribute) -> StoreValue {
    if attribute.isOptional, random.one(in: 5) { return .null }
    switch attribute.type {
    case .boolean: return .boolean(random.one(in: 2))
    case .integer16: return .integer(Int64(random.below(60_001) - 30_000))
    case .integer32: return .integer(Int64(random.below(60_001) - 30_000))
    case .integer64: return .integer(random.pick([0, 1, -1, .max, .min, 1 << 53 + 1]))
    case .float: return .real(Double(Float(random.below(1000)) / 8))
    case .double: return .real(Double(random.below(1000)) / 7)
    case .decimal: return .decimal(random.pick(["0", "12.5", "-0.001", "123456789012345", "1e3"]))
    case .string: return .text(random.pick(["", "a", "smörgås", "\u{1F41F}", "line\nline", "O'Hara \"x\""]))
    case .date: return .date(Double(random.below(2_000_000_000)) / random.pick([1, 2, 8]))
    case .uuid: return .uuid(uuid())
    case .uri: return .text(random.pick(["https://example.com/a?b=c#d", "x-coredata://x/Band/p1"]))
    case .transformable, .undefined: return .archive(transformable())
    case .composite: return .null
    case .binary:
      let bytes = (0..<random.below(40)).map { UInt8($0 * 7 & 0xFF) }
      guard attribute.other["allowsExternalBinaryDataStorage"] == "YES" else { return .data(bytes) }
      return random.one(in: 2) ? .dataInRow(bytes) : .dataInFile(bytes, name: uuid().uuidString)
    }
  }

  private mutating func uuid() -> UUID {
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &bytes) { buffer in
      for index in buffer.indices { buffer[index] = UInt8(truncatingIfNeeded: random.next()) }
    }
    return UUID(uuid: bytes)
  }

  /// Archives that are plain, and ones with a class of the app's.
  private mutating func transformable() -> [UInt8] {
    var writer = ArchiveWriter()
    let root: PropertyListTree
    switch random.below(3) {
    case 0: root = writer.array([writer.text("a"), writer.text("b")])
    case 1: root = writer.dictionary([("key", .uid(writer.add(.integer(5))))])
    default: root = .uid(writer.object(["App.Color"], [("red", .real(0.5))]))
    }
    return BinaryPropertyListWriter.bytes(of: writer.archive(root: root))
  }

  // MARK: - Links

  private func indices(of entity: String) -> [Int] {
    objects.indices.filter { index in layout.line(of: objects[index].entity).contains { $0.name == entity } }
  }

  private func reference(_ index: Int) -> StoreLink { StoreLink(objects[index].entity, objects[index].key) }

  private mutating func link() {
    var done: Set<String> = []
    for entity in model.entities {
      for relationship in entity.relationships
      where done.insert("\(entity.name).\(relationship.name)").inserted {
        let inverse = relationship.inverse.flatMap {
          layout.relationship($0, of: relationship.destination)
        }
        if let inverse { done.insert("\(inverse.owner.name).\(inverse.relationship.name)") }
        for index in indices(of: entity.name) {
          link(index, relationship, inverse?.relationship)
        }
      }
    }
  }

  private mutating func link(_ index: Int, _ relationship: Relationship, _ inverse: Relationship?) {
    let targets = indices(of: relationship.destination)
    guard !targets.isEmpty, !random.one(in: 4) else { return }
    let count = relationship.isToMany ? random.below(4) : 1
    for _ in 0..<count {
      let target = random.pick(targets)
      guard !relationship.isToMany || !has(index, relationship.name, target) else { continue }
      // An end that leads to one object has room for one.
      guard relationship.isToMany || objects[index].links[relationship.name] == nil else { continue }
      if let inverse {
        guard inverse.isToMany || objects[target].links[inverse.name] == nil else { continue }
        let isSameEnd = inverse.name == relationship.name
        objects[index].links[relationship.name, default: []].append(reference(target))
        if !(isSameEnd && index == target) {
          objects[target].links[inverse.name, default: []].append(reference(index))
        }
      } else {
        objects[index].links[relationship.name, default: []].append(reference(target))
      }
    }
  }

  private func has(_ index: Int, _ relationship: String, _ target: Int) -> Bool {
    objects[index].links[relationship]?.contains(reference(target)) == true
  }

  /// References to nothing, and ends of one-to-one relationships that disagree.
  private mutating func damage() {
    for index in objects.indices where random.one(in: 6) {
      let toOnes = layout.line(of: objects[index].entity).flatMap(\.relationships).filter { !$0.isToMany }
      guard let relationship = toOnes.randomElement(using: &random) else { continue }
      let targets = indices(of: relationship.destination)
      if random.one(in: 2) || targets.isEmpty {
        objects[index].links[relationship.name] = [StoreLink(relationship.destination, 9_999)]
      } else {
        objects[index].links[relationship.name] = [reference(random.pick(targets))]
      }
    }
  }
}
