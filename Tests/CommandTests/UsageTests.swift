import Foundation
import Testing

@Suite("Usage")
struct UsageTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
  }

  @Test(
    "wrong usage has status 64, says what is wrong, and shows the usage on standard error",
    arguments: [
      (["import"], "Missing expected argument '--store <store>'"),
      (["import", "a.json", "--store"], "Missing value for '--store <store>'"),
      (
        ["import", "--store", "s", "--keys", "kebab"],
        "Please provide one of 'auto', 'snake', 'camel' or 'exact'."
      ),
      (["import", "--store", "s", "--to-many", "x"], "Please provide one of 'replace', 'merge' or 'prune'."),
      (
        ["import", "--store", "s", "--references", "x"], "Please provide one of 'pending', 'stub' or 'error'."
      ),
      (["import", "--store", "s", "--format", "xml"], "Please provide one of 'text' and 'json'."),
      (["import", "-", "-", "--store", "s"], "Standard input can be read only once: give - only once."),
      (["import", "--store", "s", "--stirct"], "Unknown option '--stirct'. Did you mean '--strict'?"),
      (["frobnicate"], "Unexpected argument 'frobnicate'"),
      (["model", "show"], "Missing expected argument '<path>'"),
      (["model", "convert", "a.json"], "Missing expected argument '<output>'"),
      (["query", "--store", "s"], "Missing expected argument '<entity>'"),
      (["export", "Band"], "Missing expected argument '--store <store>'"),
    ])
  func wrongUsage(_ arguments: [String], _ message: String) throws {
    let outcome = try broker(arguments, in: folder)
    #expect(outcome.status == 64)
    #expect(outcome.output == "")
    #expect(outcome.error.contains(message), "\(outcome.error)")
    #expect(outcome.error.contains("Usage: broker"))
  }

  @Test(
    "--help of each command has an example, its own name in it",
    arguments: [
      [], ["import"], ["export"], ["query"], ["model"], ["model", "show"], ["model", "check"],
      ["model", "convert"], ["distribute"], ["doctor"],
    ])
  func help(_ command: [String]) throws {
    let outcome = try broker(command + ["--help"], in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.error == "")
    let examples = outcome.output.components(separatedBy: "Example:")
    #expect(examples.count == 2, "\(outcome.output)")
    let name = (["broker"] + command).joined(separator: " ")
    #expect(examples.last?.prefix(200).contains(name) == true, "\(outcome.output)")
    #expect(outcome.output.contains("USAGE: \(name)"))
  }

  @Test("no command at all shows the help")
  func nothing() throws {
    let outcome = try broker(in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("SUBCOMMANDS:"))
  }

  @Test("--version")
  func version() throws {
    let outcome = try broker("--version", in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
  }

  @Test("help about import tells what the statuses mean")
  func statuses() throws {
    let help = try broker("import", "--help", in: folder).output.replacing("\n", with: " ")
    #expect(
      help.contains(
        "Exit status: 0 all imported; 3 imported, with issues; 1 failed, nothing changed; 64 wrong usage; "
          + "130 interrupted, nothing changed; 4 with --chunk: failed or interrupted, and what was committed before "
          + "stays; or the disk or the server failed in the commit itself, and it is not known whether all or nothing "
          + "is there."))
  }
}
