import Foundation
import Testing

/// `broker model diagram`
@Suite struct ModelDiagramTests {
  @Test func theOutputsNameTellsTheForm() throws {
    let folder = try Folder()
    let model = "\(Folder.bands)/Bands.xcdatamodeld"
    for (name, start) in [
      ("a.svg", "<svg "), ("a.mmd", "---\ntitle"), ("a.dot", "digraph"), ("a.dbml", "Project"),
    ] {
      #expect(try broker("model", "diagram", model, "--output", name, in: folder).status == 0)
      #expect(try folder.read(name).hasPrefix(start))
    }
    let outcome = try broker("model", "diagram", model, "--format", "mermaid", "--title", "Music", in: folder)
    #expect(outcome.output.hasPrefix("---\ntitle: \"Music\"\n"))
    #expect(try broker("model", "diagram", model, in: folder).output.hasPrefix("<svg "))
  }

  @Test("nothing that a model names is a directive, a tag or the end of a text to a renderer")
  func hostileNames() throws {
    let folder = try Folder()
    let names = [
      "%%{init: {'securityLevel': 'loose'}}%%", "<img src=x onerror=alert(1)>",
      "a\"\u{301}] click E0 href \"x\" \\",
      "'\u{301}}", "&lt;b&gt;", "`**x**`",
    ]
    let entities = names.map {
      ["name": $0, "attributes": [["name": $0, "type": "string"]]] as [String: Any]
    }
    try folder.write(try JSONSerialization.data(withJSONObject: ["entities": entities]), to: "model.json")
    func diagram(_ format: String) throws -> String {
      let outcome = try broker(
        "model", "diagram", "model.json", "--format", format, "--title", names.joined(separator: " "),
        in: folder)
      #expect(outcome.status == 0, "\(outcome.error)")
      return outcome.output
    }
    let mermaid = try diagram("mermaid")
    for mark in ["%%", "{init", "<img", "`", "&lt"] { #expect(!mermaid.contains(mark), "\(mark)") }
    #expect(mermaid.unicodeScalars.filter { $0 == "\"" }.count == 2 * (names.count + 1))
    // By scalars, as renderers read: an accent behind a quotation mark makes it no other.
    let svg = try diagram("svg").unicodeScalars
    #expect(!String(svg).contains("<img") && !String(svg).contains("<b>"))
    for format in ["dot", "dbml"] {
      var (quote, isEscaped): (Unicode.Scalar?, Bool) = (nil, false)
      for scalar in try diagram(format).unicodeScalars {
        if let open = quote {
          #expect(scalar != "\n", "\(format): a text goes on in the next line")
          if isEscaped {
            isEscaped = false
          } else if scalar == "\\" {
            isEscaped = true
          } else if scalar == open {
            quote = nil
          }
        } else if scalar == "\"" || scalar == "'" && format == "dbml" {
          quote = scalar
        }
      }
      #expect(quote == nil, "\(format)")
    }
  }

  @Test func mistakes() throws {
    let folder = try Folder()
    let model = "\(Folder.bands)/Bands.xcdatamodeld"
    #expect(try broker("model", "diagram", model, "--format", "png", in: folder).status == 64)
    #expect(try broker("model", "diagram", "none.json", in: folder).error.contains("no such file"))
  }
}
