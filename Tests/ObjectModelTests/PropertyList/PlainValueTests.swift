import CoreDataMaker
import Foundation
import ObjectModel
import Testing

@Suite("Plain values of archives")
struct PlainValueTests {
  private func form(_ bytes: [UInt8]) throws -> PlainValue.Form {
    try PlainValue.json(of: bytes) { "@\($0)" }
  }

  private func json(_ bytes: [UInt8]) throws -> String {
    switch try form(bytes) {
    case .json(let json): String(decoding: json, as: UTF8.self)
    case .notPlain(let className): "not plain: \(className)"
    }
  }

  private func json(_ build: (inout ArchiveWriter) -> PropertyListTree) throws -> String {
    var writer = ArchiveWriter()
    let root = build(&writer)
    return try json(BinaryPropertyListWriter.bytes(of: writer.archive(root: root)))
  }

  @Test("what Foundation archives")
  func foundation() throws {
    let objects: [(Any, String)] = [
      ("text", #""text""#), (NSMutableString(string: "ü\n"), #""ü\n""#), (NSNumber(value: 12), "12"),
      (NSNumber(value: 0.5), "0.5"), (NSNumber(value: true), "true"),
      (["a", 1, ["b"]] as NSArray, #"["a",1,["b"]]"#),
      (["k": [1, 2]] as NSDictionary, #"{"k":[1,2]}"#), (NSSet(object: "x"), #"["x"]"#),
      (Date(timeIntervalSinceReferenceDate: 12.5) as NSDate, #""@12.5""#),
      (Data([0, 1, 2]) as NSData, #""AAEC""#),
      (NSNull(), "null"), (NSURL(string: "https://example.com/a") as Any, #""https://example.com/a""#),
      (
        NSUUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8") as Any,
        #""6ba7b810-9dad-11d1-80b4-00c04fd430c8""#
      ),
      (NSOrderedSet(array: ["b", "a"]), #"["b","a"]"#),
    ]
    for (object, expected) in objects {
      let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
      #expect(try json([UInt8](data)) == expected)
    }
  }

  /// `NSKeyedArchiver` of Linux cannot write these.
  @Test(
    "decimals",
    arguments: [
      ([0x39, 0x30], 1, -2, false, "123.45"), ([12, 0], 1, 2, false, "1200"), ([], 0, 0, false, "0"),
      ([], 0, 0, true, "null"), ([1, 0, 0, 0, 1], 3, -1, true, "-429496729.7"),
      ([UInt8](repeating: 0xFF, count: 16), 8, 0, false, "340282366920938463463374607431768211455"),
    ] as [([UInt8], Int64, Int64, Bool, String)])
  func decimals(mantissa: [UInt8], length: Int64, exponent: Int64, isNegative: Bool, expected: String) throws
  {
    let bytes = mantissa + [UInt8](repeating: 0, count: 16 - mantissa.count)
    let result = try json { writer in
      .uid(
        writer.object(
          ["NSDecimalNumber", "NSNumber", "NSValue"],
          [
            ("NS.mantissa", .data(bytes)), ("NS.mantissa.bo", .integer(1)),
            ("NS.exponent", .integer(exponent)),
            ("NS.length", .integer(length)), ("NS.negative", .boolean(isNegative)),
            ("NS.compact", .boolean(true)),
          ]))
    }
    #expect(result == expected)
  }

  @Test("property lists without an archive")
  func propertyLists() throws {
    let tree: PropertyListTree = .dictionary([
      ("b", .array([.integer(1), .real(.nan), .date(3), .unsigned(.max)])), ("a", .set([.data([255])])),
    ])
    let expected = #"{"b":[1,null,"@3.0",18446744073709551615],"a":["/w=="]}"#
    #expect(try json(BinaryPropertyListWriter.bytes(of: tree)) == expected)
  }

  @Test("attributed strings are their text; relative addresses are whole; numbers are keys")
  func others() throws {
    #expect(
      try json { writer in
        let text = writer.text("styled")
        return .uid(writer.object(["NSMutableAttributedString", "NSAttributedString"], [("NSString", text)]))
      } == #""styled""#)
    #expect(
      try json { writer in
        let base = writer.object(
          ["NSURL"], [("NS.base", .uid(0)), ("NS.relative", writer.text("https://example.com/a/"))])
        return .uid(
          writer.object(["NSURL"], [("NS.base", .uid(base)), ("NS.relative", writer.text("b"))]))
      } == #""https://example.com/a/b""#)
    #expect(
      try json { writer in
        let (key, value) = (writer.add(.integer(5)), writer.add(.boolean(true)))
        return .uid(
          writer.object(
            ["NSDictionary"], [("NS.keys", .array([.uid(key)])), ("NS.objects", .array([.uid(value)]))]))
      } == #"{"5":true}"#)
    // Fields are in any order, and very many of them come before the class.
    #expect(
      try json { writer in
        let fields = (0..<2_000).reversed().map {
          ("NS.object.\($0)", PropertyListTree.uid(writer.add(.integer(Int64($0)))))
        }
        return .uid(writer.object(["NSOrderedSet"], fields))
      } == "[" + (0..<2_000).map(String.init).joined(separator: ",") + "]")
  }

  @Test("classes of an app are named")
  func notPlain() throws {
    #expect(
      try json { writer in
        let color = writer.object(["UIColor"], [("UIRed", .real(1))])
        return writer.array([.uid(color)])
      } == "not plain: UIColor")
    #expect(
      try json { writer in
        let key = writer.object(["App.Key"], [])
        return .uid(
          writer.object(
            ["NSDictionary"], [("NS.keys", .array([.uid(key)])), ("NS.objects", .array([.uid(key)]))]))
      } == "not plain: NSDictionary")
    // A subclass of what is plain is plain.
    #expect(
      try json { writer in .uid(writer.object(["App.Names", "NSArray"], [("NS.objects", .array([]))])) }
        == "[]")
    // Fields that are not as they should be.
    #expect(
      try json { writer in .uid(writer.object(["NSUUID"], [("NS.uuidbytes", .data([1]))])) }
        == "not plain: NSUUID")
    #expect(try json { writer in .uid(writer.object(["NSDate"], [])) } == "not plain: NSDate")
  }

  @Test("circles are errors")
  func circles() throws {
    #expect(
      failure {
        try json { writer in
          let number = writer.reserve()
          return .uid(writer.object(["NSArray"], [("NS.objects", .array([.uid(number)]))], at: number))
        }
      } == "a container is in itself")
    // An array of a property list that holds itself.
    let bytes =
      Array("bplist00".utf8) + [0xA1, 0, 8] + [0, 0, 0, 0, 0, 0, 1, 1]
      + [1, 0, 10].flatMap { [0, 0, 0, 0, 0, 0, 0, $0] }
    #expect(failure { try json(bytes) } == "a container is in itself")
  }

  @Test("a billion laughs end early")
  func laughs() throws {
    #expect(
      failure {
        try json { writer in
          var value = writer.text("ha")
          for _ in 0..<40 { value = writer.array([PropertyListTree](repeating: value, count: 10)) }
          return value
        }
      }.contains("longer than"))
  }

  @Test("an ordered set of many fields and no elements that many share ends early")
  func sharedOrderedSets() throws {
    #expect(
      failure {
        try json { writer in
          let fields = (0..<2_000).map { ("other\($0)", PropertyListTree.uid(0)) }
          let set = PropertyListTree.uid(writer.object(["NSOrderedSet"], fields))
          return writer.array([PropertyListTree](repeating: set, count: 2_000))
        }
      }.contains("ordered sets are shared so often"))
  }

  private func dictionary(_ writer: inout ArchiveWriter, _ keys: [PropertyListTree]) -> PropertyListTree {
    let values = keys.indices.map { PropertyListTree.uid(writer.add(.integer(Int64($0)))) }
    return .uid(
      writer.object(["NSDictionary"], [("NS.keys", .array(keys)), ("NS.objects", .array(values))]))
  }

  @Test("of equal keys the last one counts")
  func equalKeys() throws {
    #expect(
      try json { writer in
        let keys = ["k", "other", "k"].map { writer.text($0) }
        return dictionary(&writer, keys)
      } == #"{"other":1,"k":2}"#)
  }

  @Test("a dictionary of many equal keys that many share ends early")
  func sharedEqualKeys() throws {
    #expect(
      failure {
        try json { writer in
          let keys = [PropertyListTree](
            repeating: writer.text(String(repeating: "k", count: 100)), count: 1_000)
          let shared = dictionary(&writer, keys)
          return writer.array([PropertyListTree](repeating: shared, count: 1_000))
        }
      }.contains("its keys take more than"))
  }

  @Test("NaN and infinities are null, and told")
  func notFinite() throws {
    for (number, isLost) in [(Double.nan, true), (-.infinity, true), (1.5, false)] {
      var writer = ArchiveWriter()
      let root = writer.array([.uid(writer.add(.real(number)))])
      let reading = try PlainValue.read(BinaryPropertyListWriter.bytes(of: writer.archive(root: root))) {
        "@\($0)"
      }
      #expect(reading.hasNonFinite == isLost)
      #expect(reading.form == .json(Array((isLost ? "[null]" : "[1.5]").utf8)))
    }
  }

  @Test("what is shared but small is written as often as it is there")
  func shared() throws {
    #expect(
      try json { writer in
        let inner = writer.array([.uid(writer.add(.integer(1)))])
        return writer.array([inner, inner])
      } == "[[1],[1]]")
  }

  @Test("nesting has an end, and takes no stack")
  func depth() throws {
    func nested(_ depth: Int) throws -> String {
      try json { writer in
        var value = writer.array([])
        for _ in 1..<depth { value = writer.array([value]) }
        return value
      }
    }
    #expect(try nested(500).utf8.count == 1_000)
    #expect(failure { try nested(501) }.contains("more than 500 deep"))
    #expect(failure { try nested(50_000) }.contains("more than 500 deep"))
  }

  @Test("archives that are broken say what was expected")
  func broken() throws {
    func message(_ members: [(String, PropertyListTree)]) -> String {
      failure { try json(BinaryPropertyListWriter.bytes(of: .dictionary(members))) }
    }
    let archiver: (String, PropertyListTree) = ("$archiver", .string("NSKeyedArchiver"))
    let top: (String, PropertyListTree) = ("$top", .dictionary([("root", .uid(1))]))
    #expect(message([("$archiver", .string("Other"))]).contains("expected “NSKeyedArchiver”"))
    #expect(message([archiver]).contains("expected an array “$objects”, found none"))
    #expect(message([archiver, ("$objects", .array([]))]).contains("expected a dictionary “$top”"))
    #expect(
      message([archiver, top, ("$objects", .array([.string("$null")]))])
        .contains("expected the number of one of 1 archived objects, found 1"))
    #expect(
      message([archiver, top, ("$objects", .array([.string("$null"), .uid(1)]))])
        .contains("expected an object at number 1, found a reference to 1"))
    #expect(
      message([archiver, top, ("$objects", .array([.null, .dictionary([("$class", .uid(9))])]))])
        .contains("expected a description of the class of object 1"))
    #expect(
      message([
        archiver, ("$top", .dictionary([("a", .uid(0)), ("b", .uid(0))])), ("$objects", .array([.null])),
      ]).contains("expected “root”"))
    #expect(failure { try json(Array("{}".utf8)) }.contains("expected a tag"))
    #expect(failure { try json([]) }.contains("expected a value"))
    #expect(failure { try json([0xFF, 0xFE, 0]) }.contains("the binary form, or XML in UTF-8"))
  }
}
