/// Folders of which one file shows that what another one seems to say of identities is wrong.
extension SampleFolder {
  private static func chat(_ number: Int64, _ texts: [String]) -> String {
    let messages = texts.enumerated().map {
      #"{"id": \#($0.offset + 1), "date": "2024-03-0\#($0.offset + 1)T10:00:00", "text": "\#($0.element)"}"#
    }
    return #"{"id": \#(number), "name": "c\#(number)", "messages": [\#(messages.joined(separator: ", "))]}"#
  }

  private static func result(_ target: String, _ packages: [String]) -> String {
    let findings = packages.enumerated().map {
      #"{"FindingID": "CVE-2023-4400\#($0.offset)", "PkgName": "\#($0.element)"}"#
    }
    return #"{"Target": "\#(target)", "Findings": [\#(findings.joined(separator: ", "))]}"#
  }

  private static let service =
    #"{"id": 4011227930, "messages": [{"id": 5, "type": "message", "date": "2024-03-04T12:19:45"}, {"id": 7, "type": "service", "date": "2024-03-09T10:00:00", "message_id": 5, "entities": []}]}"#

  static let refuted = [
    SampleFolder(
      testDescription: "messages that each chat numbers anew",
      files: [
        "chats-1.json": #"{"chats": [\#(chat(4_011_220_011, ["a", "b", "c"]))]}"#,
        "chats-2.json":
          #"{"chats": [\#(chat(4_011_220_011, ["a", "b", "c"])), \#(chat(4_011_227_930, ["x", "y", "z"]))]}"#,
      ], together: [6, 2]),
    SampleFolder(
      testDescription: "findings that are others in each place",
      files: [
        "scan-1.json": #"{"ArtifactName": "x", "Results": [\#(result("a", ["openssl", "openssl"]))]}"#,
        "scan-2.json":
          #"{"ArtifactName": "x", "Results": [\#(result("a", ["openssl", "openssl"])), \#(result("b", ["zlib", "curl"]))]}"#,
      ], together: [6, 3, 2]),
    SampleFolder(
      testDescription: "keys that named messages before these lost their identity",
      files: [
        "r-1.json": #"{"chats": {"list": [\#(service)]}}"#,
        "r-2.json":
          #"{"chats": {"list": [\#(service), {"id": 4011235849, "messages": [{"id": 7, "type": "message", "date": "2024-03-04T13:17:54"}]}]}}"#,
      ], together: [2, 2, 1]),
  ]
}
