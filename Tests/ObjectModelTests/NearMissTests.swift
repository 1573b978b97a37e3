import ObjectModel
import Testing

@Suite("Suggesting the name that was meant")
struct NearMissTests {
  @Test(
    arguments: [
      ("albms", "albums"), ("Albums", "albums"), ("integer64", "Integer 64"), ("mebmers", "members"),
      ("remote_id", "remoteID"), ("nam", "name"),
    ])
  func near(name: String, expected: String) {
    let names = ["albums", "members", "name", "Integer 64", "remoteID"]
    #expect(nearestName(to: name, in: names) == expected)
  }

  @Test("nothing is suggested that is far, or the name itself", arguments: ["label", "x", "", "name"])
  func far(name: String) {
    #expect(nearestName(to: name, in: ["albums", "members", "name"]) == nil)
  }

  @Test("of several equally near, the first")
  func ties() {
    #expect(nearestName(to: "cat", in: ["car", "bat"]) == "car")
  }
}
