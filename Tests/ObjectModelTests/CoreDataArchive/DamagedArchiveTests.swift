import CoreDataMaker
import Foundation
import ObjectModel
import TestSettings
import Testing

@Suite("Archives that are damaged, or made to do harm")
struct DamagedArchiveTests {
  @Test(
    "random damages, 10,000 in a long run: an error or a model, never more",
    arguments: Seeds.first(1, long: 10))
  func damages(seed: UInt64) throws {
    var random = Seeded(state: seed)
    let model = RandomCoreDataModel.model(seed: seed)
    let tree = ModelArchiver.archive(model)
    let forms = [
      BinaryPropertyListWriter.bytes(of: tree), ModelArchiver.cached(model),
      XMLPropertyListText.bytes(of: tree),
    ]
    for round in 0..<1_000 {
      // Most damages of compressed bytes are noticed at once, and XML takes long to read.
      let form = round % 20 == 0 ? 2 : round % 10 == 1 ? 1 : 0
      let bytes = damaged(forms[form], &random)
      do throws(ModelError) {
        let archived = try ArchivedModel(bytes)
        // A damage of a name or a number may make another model.
        #expect(archived.model.entities.count <= 2_000)
        _ = try? PlainValue.json(of: bytes) { _ in "date" }
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }

  private func damaged(_ bytes: [UInt8], _ random: inout Seeded) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<(1 + random.below(4)) {
      let place = random.below(bytes.count)
      switch random.below(6) {
      case 0: bytes[place] = UInt8(random.below(256))
      case 1: bytes[place] ^= 1 << UInt8(random.below(8))
      case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(8)))
      case 3: bytes.insert(UInt8(random.below(256)), at: place)
      // The trailer, on which all depends.
      case 4: bytes[max(0, bytes.count - 1 - random.below(32))] = UInt8(random.below(256))
      default: bytes = Array(bytes[..<max(1, place)])
      }
    }
    return bytes
  }

  // MARK: - Made to do harm

  private func archive(
    _ build: (inout ArchiveWriter) -> [(String, PropertyListTree)]
  ) throws(ModelError) -> ArchivedModel {
    var writer = ArchiveWriter()
    let entities = writer.dictionary(build(&writer))
    let root = writer.object(["NSManagedObjectModel"], [("NSEntities", entities)])
    return try ArchivedModel(BinaryPropertyListWriter.bytes(of: writer.archive(root: .uid(root))))
  }

  @Test("properties that thousands of entities share do not multiply")
  func sharedProperties() {
    let message = failure {
      try archive { writer in
        let attributes = (0..<5_000).map { number in
          let name = "a\(number)"
          let fields = [("NSPropertyName", writer.text(name)), ("NSAttributeType", .integer(700))]
          return (name, PropertyListTree.uid(writer.object(["NSAttributeDescription"], fields)))
        }
        let properties = writer.dictionary(attributes)
        return (0..<5_000).map { number in
          ("E\(number)", .uid(writer.object(["NSEntityDescription"], [("NSProperties", properties)])))
        }
      }
    }
    #expect(message.contains("shared so often"))
  }

  @Test("a long text that many properties share does not multiply")
  func sharedTexts() {
    let message = failure {
      try archive { writer in
        let name = writer.text(String(repeating: "x", count: 1 << 20))
        let properties = (0..<1_000).map { number in
          let fields = [
            ("NSPropertyName", writer.text("a\(number)")), ("NSAttributeType", .integer(700)),
            ("NSDefaultValue", name),
          ]
          return ("a\(number)", PropertyListTree.uid(writer.object(["NSAttributeDescription"], fields)))
        }
        return [
          (
            "E",
            .uid(writer.object(["NSEntityDescription"], [("NSProperties", writer.dictionary(properties))]))
          )
        ]
      }
    }
    #expect(message.contains("shared so often"))
  }

  @Test("circles of entities and composites")
  func circles() throws {
    let archived = try archive { writer in
      let (first, second) = (writer.reserve(), writer.reserve())
      for (name, number, parent) in [("A", first, second), ("B", second, first)] {
        let fields = [("NSEntityName", writer.text(name)), ("NSSuperentity", PropertyListTree.uid(parent))]
        writer.object(["NSEntityDescription"], fields, at: number)
      }
      return [("A", .uid(first)), ("B", .uid(second))]
    }
    #expect(archived.model.problems().contains { $0.severity == .error })
    let message = failure {
      try archive { writer in
        let number = writer.reserve()
        let fields = [
          ("NSPropertyName", writer.text("a")), ("NSAttributeType", .integer(2100)),
          ("NSElements", writer.array([.uid(number)])),
        ]
        writer.object(["NSCompositeAttributeDescription", "NSAttributeDescription"], fields, at: number)
        let properties = writer.dictionary([("a", .uid(number))])
        return [("E", .uid(writer.object(["NSEntityDescription"], [("NSProperties", properties)])))]
      }
    }
    #expect(message.contains("E.a: composites are nested more than 16 deep"))
  }

  @Test("compressed bytes that become far too many, end early or are broken")
  func inflation() {
    let bomb = Deflate.compress([UInt8](repeating: 0, count: 64 << 20))
    #expect(bomb.count < 100_000)
    #expect(failure { try ArchivedModel(bomb) }.contains("becomes more than"))
    let whole = ModelArchiver.cached(RandomCoreDataModel.model(seed: 1))
    #expect(failure { try ArchivedModel(Array(whole.dropLast(20))) }.contains("ends too early"))
    #expect(failure { try ArchivedModel([0xFF, 0xFF, 0xFF]) }.contains("broken at byte"))
    #expect(failure { try ArchivedModel([]) }.contains("empty"))
  }

  // MARK: - What is not known

  @Test("unknown classes, types and rules are left out with remarks")
  func remarks() throws {
    let archived = try archive { writer in
      func property(_ classes: [String], _ fields: [(String, PropertyListTree)]) -> PropertyListTree {
        .uid(writer.object(classes, fields))
      }
      let color = PropertyListTree.uid(writer.object(["App.Color"], []))
      let date = PropertyListTree.uid(writer.object(["NSDate"], [("NS.time", .real(60))]))
      let odd = PropertyListTree.uid(writer.object(["NSCompoundPredicate", "NSPredicate"], []))
      let properties = writer.dictionary([
        ("future", property(["NSFutureDescription"], [])),
        ("objectID", property(["NSAttributeDescription"], [("NSAttributeType", .integer(2000))])),
        (
          "color",
          property(
            ["NSAttributeDescription"], [("NSAttributeType", .integer(1800)), ("NSDefaultValue", color)])
        ),
        (
          "list",
          property(
            ["NSAttributeDescription"],
            [("NSAttributeType", .integer(1800)), ("NSDefaultValue", writer.array([writer.text("a")]))])
        ),
        (
          "when",
          property(
            ["NSAttributeDescription"], [("NSAttributeType", .integer(900)), ("NSDefaultValue", date)])
        ),
        (
          "odd",
          property(
            ["NSAttributeDescription"],
            [("NSAttributeType", .integer(300)), ("NSValidationPredicates", writer.array([odd]))])
        ),
        ("nowhere", property(["NSRelationshipDescription"], [])),
        (
          "rule",
          property(
            ["NSRelationshipDescription"],
            [
              ("_NSDestinationEntityName", writer.text("E")), ("NSDeleteRule", .integer(9)),
              ("NSMaxCount", .integer(1)),
            ])
        ),
      ])
      let info = writer.dictionary([
        ("n", .uid(writer.add(.integer(5)))), ("c", color), ("t", writer.text("v")),
      ])
      return [
        (
          "E",
          .uid(writer.object(["NSEntityDescription"], [("NSProperties", properties), ("NSUserInfo", info)]))
        ),
        ("F", color),
      ]
    }
    let entity = try #require(archived.model.entities.first)
    #expect(archived.model.entities.count == 1)
    #expect(entity.attributes.map(\.name) == ["color", "list", "odd", "when"])
    #expect(entity.relationships.map(\.name) == ["rule"])
    #expect(entity[attribute: "list"]?.defaultValue == #"["a"]"#)
    #expect(entity[attribute: "when"]?.defaultDate == 60)
    #expect(entity.userInfo == ["n": "5", "t": "v"])
    #expect(
      archived.remarks.map(\.description) == [
        "warning: F: it is an object of App.Color, and is left out",
        "warning: E: “c” in its userInfo is an object of App.Color, and is left out",
        "warning: E.color: its default, an object of App.Color, is left out",
        "warning: E.future: it is an object of NSFutureDescription, which is not known, and is left out",
        "warning: E.nowhere: it leads to no entity, and is left out",
        "warning: E.objectID: its type 2000 is not known, and it is left out",
        "warning: E.odd: a condition on its values is left out",
        "warning: E.rule: its delete rule 9 is not known; it is taken for Nullify",
      ])
  }

  @Test("a dictionary of Core Data's own, whose keys are elsewhere")
  func knownKeys() throws {
    let archived = try archive { writer in
      let attribute = writer.object(
        ["NSAttributeDescription"],
        [("NSPropertyName", writer.text("a")), ("NSAttributeType", .integer(700))])
      let strategy = writer.object(
        ["NSKnownKeysMappingStrategy1"], [("NSKeys", writer.array([writer.text("a")]))])
      let properties = writer.object(
        ["NSKnownKeysDictionary1", "NSMutableDictionary", "NSDictionary"],
        [("NSStrategy", .uid(strategy)), ("NSValues", .array([.uid(attribute)]))])
      return [("E", .uid(writer.object(["NSEntityDescription"], [("NSProperties", .uid(properties))])))]
    }
    #expect(archived.model.entities.first?.attributes.map(\.name) == ["a"])
  }

  @Test("archives of something else")
  func others() {
    var writer = ArchiveWriter()
    let other = writer.object(["NSArray"], [("NS.objects", .array([]))])
    let bytes = BinaryPropertyListWriter.bytes(of: writer.archive(root: .uid(other)))
    let words = "no archive of a Core Data model: expected a model, an object of NSManagedObjectModel"
    #expect(failure { try ArchivedModel(bytes) } == words + ", found an object of NSArray")
    let list = BinaryPropertyListWriter.bytes(of: .array([]))
    #expect(
      failure { try ArchivedModel(list) }.contains("a keyed archive, which is a dictionary, found an array"))
    #expect(failure { try ArchivedModel(Array("<true/>".utf8)) }.contains("found a Boolean"))
  }
}
