import Foundation
import Testing

@Suite("objects whose identity names their owner")
struct OwnerTests {
  private let folder: Folder

  private let model = """
    {"entities": [
      {"name": "Crate", "attributes": [{"name": "id", "type": "string"}, {"name": "title", "type": "string"}],
       "relationships": [{"name": "versions", "destination": "Version", "inverse": "crate", "toMany": true}]},
      {"name": "Version",
       "attributes": [{"name": "num", "type": "string"}, {"name": "size", "type": "integer64"}],
       "relationships": [{"name": "crate", "destination": "Crate", "inverse": "versions"}]}
    ]}
    """

  init() throws {
    folder = try Folder()
    try folder.write(model, to: "model.json")
    try folder.write("Version:\n  identity: [crate, num]\n", to: "mapping.yaml")
    let outcome = try broker(
      "import", "--entity", "Crate", "--store", "store.sqlite", "--model", "model.json", "--mapping",
      "mapping.yaml",
      input: """
        [{"id": "serde", "title": "S", "versions": [{"num": "1.0", "size": 5}, {"num": "1.1", "size": 6}]}]
        """, in: folder)
    #expect(outcome.status == 0, "\(outcome.error)")
  }

  private func run(_ arguments: String..., input: String = "") throws -> String {
    let outcome = try broker(arguments + ["--store", "store.sqlite"], input: input, in: folder)
    #expect(outcome.status == 0, "\(outcome.error)")
    return outcome.output
  }

  @Test("query shows the identity first, and conditions go through it") func queries() throws {
    #expect(
      try run("query", "Version", "--format", "lines") == """
        {"crate":"serde","num":"1.0","size":5}
        {"crate":"serde","num":"1.1","size":6}

        """)
    #expect(
      try run(
        "query", "Version", "--where", "crate.id == 'serde' AND size > 5", "--select",
        "crate,crate.title,num",
        "--format", "lines") == #"{"crate":"serde","crate.title":"S","num":"1.1"}"# + "\n")
    #expect(try run("query", "Version", "--where", "crate == 'serde'", "--count") == "2\n")
    #expect(
      try run("query", "Crate", "--select", "id,versions", "--format", "lines")
        == #"{"id":"serde","versions":["serde,1.0","serde,1.1"]}"# + "\n")
    #expect(
      try run("query", "Version", "--sort", "crate,-num", "--select", "num", "--format", "lines")
        == "{\"num\":\"1.1\"}\n{\"num\":\"1.0\"}\n")
  }

  @Test("objects are named by all values") func names() throws {
    #expect(
      try run("export", "Version", "--id", "serde,1.0") == #"{"num":"1.0","size":5,"crate":"serde"}"# + "\n")
    _ = try run("import", "--onto", "Version/serde,1.0", "--quiet", input: #"{"size": 9}"#)
    _ = try run(
      "import", "--into", "Crate/serde/versions", "--to-many", "merge", "--quiet",
      input: #"[{"num": "2", "size": 1}]"#)
    _ = try run("import", "--onto", "Crate/serde", "--quiet", input: #"{"id": "serde2"}"#)
    #expect(
      try run("query", "Version", "--select", "crate,num,size", "--format", "csv").replacing(
        "\r\n", with: "\n")
        == "crate,num,size\nserde2,1.0,9\nserde2,1.1,6\nserde2,2,1\n")
    let wrong = try broker("export", "Version", "--id", "serde", "--store", "store.sqlite", in: folder)
    #expect(wrong.error.contains("The identity of Version has 2 parts, crate.id,num"))
  }

  @Test("explain, model show and model check name it as the model says it") func words() throws {
    let explained = try broker(
      "explain", "-", "--store", "store.sqlite", "--entity", "Version",
      input: #"[{"num": "1", "crate_id": "x", "size": 1}]"#, in: folder)
    #expect(explained.output.hasPrefix("Version (identity crate, num)\n"))
    #expect(explained.output.contains("crate_id  → crate"))
    try folder.write(
      model.replacing(
        #""name": "Version","#, with: #""name": "Version", "userInfo": {"broker.identity": "crate,num"},"#),
      to: "annotated.json")
    let shown = try broker("model", "show", "annotated.json", in: folder)
    #expect(shown.output.contains("Version  identity: crate, num (annotation)"))
    #expect(shown.output.contains("* crate"))
    #expect(try broker("model", "check", "annotated.json", in: folder).output == "No problems.\n")
  }

  @Test("a backup comes back") func backup() throws {
    let text = try run("export")
    let outcome = try broker(
      "import", "--store", "copy.sqlite", "--model", "model.json", "--mapping", "mapping.yaml", input: text,
      in: folder)
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(try broker("export", "--store", "copy.sqlite", in: folder).output == text)
  }
}
