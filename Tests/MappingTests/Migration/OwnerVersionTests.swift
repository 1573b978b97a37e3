import Foundation
import Mapping
import ObjectModel
import ObjectStore
import Testing

@Suite("Versions: identities that name others") struct OwnerVersionTests {
  private func model(_ identity: String, crate: String = "id", _ more: String = "") -> String {
    """
    Crate | unique=\(crate)
      id: string
      code: integer64
      versions: [Version] <- crate | ordered
    Version | identityAttributes=\(identity)
      num: string
      serial: integer64
      size: integer64
      crate: Crate <- versions
      downloads: [Download] <- version
    Download | identityAttributes=version,day
      day: integer16
      version: Version <- downloads
      count: integer64
    User | unique=id
      id: integer64
      favourite: Version
      uses: [Version]\(more)
    """
  }

  private let json = #"""
    {"Crate": [{"id": "a", "code": 7, "versions": [{"num": "2", "serial": 12, "size": 1}, {"num": "1", "serial": 11, "size": 2, "downloads": [{"day": 3, "count": 1}]}]},
      {"id": "b", "code": 8, "versions": [{"num": "9", "serial": 19, "size": 3}]}],
     "User": [{"id": 1, "favourite": "a,1", "uses": ["b,9", "a,2"]}]}
    """#

  @Test("an identity gains a relationship, and loses it") func gainedAndLost() throws {
    let plain = json.replacing(#""a,1""#, with: "11").replacing(#"["b,9", "a,2"]"#, with: "[19, 12]")
    let versions = try Versions(model("serial"), plain)
    try versions.migrate(to: model("crate,num"))
    #expect(
      try versions.rows("SELECT version_crate, version_num, day FROM Download") == ["a 1 3"])
    #expect(try versions.rows("SELECT favourite_crate, favourite_num FROM User") == ["a 1"])
    #expect(try versions.rows("SELECT uses_crate, uses_num FROM User_uses ORDER BY 1") == ["a 2", "b 9"])
    #expect(
      try versions.rows("SELECT crate, num, crate_order FROM Version ORDER BY 1, 3") == [
        "a 2 0", "a 1 1", "b 9 0",
      ])
    try versions.migrate(to: model("serial"))
    #expect(try versions.rows("SELECT favourite FROM User") == ["11"])
    #expect(try versions.rows("SELECT version, day FROM Download") == ["11 3"])
  }

  @Test("another identity of the owner changes those that name it") func ownersIdentity() throws {
    let versions = try Versions(model("crate,num"), json)
    try versions.migrate(to: model("crate,num", crate: "code"))
    #expect(try versions.rows("SELECT crate, num FROM Version ORDER BY 1, 2") == ["7 1", "7 2", "8 9"])
    #expect(try versions.rows("SELECT * FROM Download") == ["7 1 3 1"])
    #expect(try versions.rows("SELECT favourite_crate, favourite_num FROM User") == ["7 1"])
    #expect(try versions.rows("SELECT uses_crate, uses_num FROM User_uses ORDER BY 1") == ["7 2", "8 9"])
  }

  @Test("an owner that has an attribute of the same name as the relationship to it") func sameName() throws {
    let old = model("crate,num").replacing("code: integer64", with: "code: integer64\n  crate: string")
    let versions = try Versions(
      old, json, #"{"Crate": [{"id": "a", "crate": "b"}, {"id": "b", "crate": "a"}]}"#)
    try versions.migrate(to: old.replacing("unique=id\n  id: string", with: "unique=code\n  id: string"))
    #expect(try versions.rows("SELECT * FROM Download") == ["7 1 3 1"])
    #expect(try versions.rows("SELECT favourite_crate, favourite_num FROM User") == ["7 1"])
  }

  @Test("an owner's key of another type, with what waits") func otherType() throws {
    let old = model("crate,num").replacing("unique=id\n  id: string", with: "unique=code\n  id: string")
    let text = json.replacing(#""a,1""#, with: #""7,1""#).replacing(
      #"["b,9", "a,2"]"#, with: #"["8,9", "7,2", "5,5"]"#)
    let versions = try Versions(
      old, text, #"{"Crate": [{"code": 8, "versions": [{"num": "9", "size": 3}, "4"]}]}"#)
    try versions.migrate(to: old.replacing("code: integer64", with: "code: string"))
    #expect(
      try versions.rows("SELECT typeof(crate), crate FROM Version ORDER BY 2") == [
        "text 7", "text 7", "text 8",
      ])
    #expect(try versions.rows("SELECT owner, target FROM broker_pending") == ["8 8,4"])
    #expect(try versions.rows("SELECT uses_crate FROM User_uses ORDER BY 1") == ["5", "7", "8"])
  }

  @Test("renamed relationships and entities keep their keys") func renamed() throws {
    let versions = try Versions(model("crate,num"), json)
    try versions.migrate(
      to: model("package,num").replacing(
        "crate: Crate <- versions", with: "package: Crate <- versions | was=crate"
      )
      .replacing("<- crate | ordered", with: "<- package | ordered"))
    #expect(
      try versions.rows("SELECT package, num, package_order FROM Version ORDER BY 1, 3") == [
        "a 2 0", "a 1 1", "b 9 0",
      ])
    #expect(try versions.rows("SELECT version_package, version_num FROM Download") == ["a 1"])
  }

  @Test("what stands against it is said") func refusals() throws {
    let missing = try Versions(
      model("serial"), #"{"Version": [{"serial": 1, "num": "1"}, {"serial": 2, "num": "1", "crate": "x"}]}"#)
    #expect(try missing.refusal(of: model("crate,num")).contains("1 object would have no crate, num"))
    let same = try Versions(
      model("crate,num"),
      #"{"Version": [{"crate": "a", "num": "1", "size": 1}, {"crate": "b", "num": "1", "size": 1}]}"#)
    #expect(try same.refusal(of: model("num")).contains("several objects have the same num: 1"))
    // Without its owner, the owner's other identity is not known.
    #expect(
      try same.refusal(of: model("crate,num", crate: "code")).contains(
        "is identified by crate.code, num, was crate.id, num"))
  }
}
