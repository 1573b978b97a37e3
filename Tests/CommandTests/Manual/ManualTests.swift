import Foundation
import Testing

@Suite("completions, the manual page and the script that installs them")
struct ManualTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private static let commands = [
    "import", "export", "explain", "query", "info", "migrate", "distribute", "doctor", "model show",
    "model check",
    "model convert",
    "model diff",
    "model infer", "model swift", "model diagram",
  ]

  @Test("the manual page has all commands and their options")
  func manual() throws {
    let page = try broker("manual", in: folder)
    #expect(page.status == 0)
    #expect(page.output.hasPrefix(".TH BROKER 1"))
    for command in Self.commands { #expect(page.output.contains("\n.SS broker \(command)\n"), "\(command)") }
    #expect(page.output.contains(#"\fB\-\-prune\-where\fR \fIpredicate\fR"#))
    #expect(page.output.contains("One of pending, stub, error."))
    #expect(!page.output.contains("broker manual"))
    #expect(try !broker("--help", in: folder).output.contains("manual"))
  }

  @Test("groff takes the manual page without a word", .enabled(if: Tool.find("groff") != nil))
  func groff() throws {
    let page = try broker("manual", in: folder).output
    try folder.write(page, to: "broker.1")
    let outcome = try Tool.run("groff", ["-man", "-Tutf8", "-ww", "broker.1"], in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.error == "")
    #expect(outcome.output.hasPrefix("BROKER(1)"))
  }

  @Test("shells can read the completions", arguments: ["bash", "zsh", "fish"])
  func completions(_ shell: String) throws {
    let script = try broker("--generate-completion-script", shell, in: folder)
    #expect(script.status == 0)
    try folder.write(script.output, to: "script")
    guard Tool.find(shell) != nil else { return }
    let outcome = try Tool.run(shell, ["-n", "script"], in: folder)
    #expect(outcome.status == 0 && outcome.error == "")
  }

  @Test(
    "bash completes commands, options, words, files and entities", .enabled(if: Tool.find("bash") != nil),
    .onSQLite("about names of files"))
  func completing() throws {
    try folder.makeStore()
    try folder.write(try broker("--generate-completion-script", "bash", in: folder).output, to: "script")
    let bin = RunningBroker.executable.deletingLastPathComponent().path
    func complete(_ words: String) throws -> Set<String> {
      let program = """
        PATH=\(bin):$PATH
        compopt() { :; }
        . ./script
        COMP_WORDS=(\(words)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
        _broker broker "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s\\n' "${COMPREPLY[@]}"
        """
      let outcome = try Tool.run("bash", ["-c", program], in: folder)
      return Set(outcome.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
    }
    #expect(try complete("broker inf").contains("info"))
    #expect(try complete("broker import --sto").contains("--store"))
    #expect(try complete("broker import --keys ''").isSuperset(of: ["auto", "snake", "camel", "exact"]))
    #expect(try complete("broker import --store st").contains("store.sqlite"))
    #expect(try complete("broker import mod").contains("model.json"))
    #expect(try complete("broker query --store store.sqlite R").contains("Record"))
  }

  /// A model and a store with names that a shell would run, and two that it would not.
  private func makeHostileStore() throws {
    let names = [
      "$(touch ran)", "`touch ran`", "<(touch ran)", "';touch ran;'", "(touch ran)", "${x:=$(touch ran)}",
      "~",
      "-R", "{Ra,Rb}", "R*", "Record", "R\u{E9}sum\u{E9}",
    ]
    let entities = names.map {
      ["name": $0, "attributes": [["name": "id", "type": "integer64"]]] as [String: Any]
    }
    try folder.write(try JSONSerialization.data(withJSONObject: ["entities": entities]), to: "model.json")
    let outcome = try broker(
      "import", "-", "--model", "model.json", "--store", "store.sqlite", input: #"{"Record": [{"id": 1}]}"#,
      in: folder)
    #expect(outcome.status == 0, "\(outcome.error)")
  }

  /// What a shell offers behind some words of a command line, the last of which is begun.
  private func completions(of shell: String, _ words: [String], _ begun: String) throws -> Outcome {
    try folder.write(try broker("--generate-completion-script", shell, in: folder).output, to: "script")
    let bin = RunningBroker.executable.deletingLastPathComponent().path
    let line = words.joined(separator: " ")
    let program =
      switch shell {
      case "bash":
        """
        PATH="\(bin):$PATH"
        compopt() { :; }
        . ./script
        COMP_WORDS=(\(line) '\(begun)'); COMP_CWORD=\(words.count); COMP_LINE="${COMP_WORDS[*]}"
        COMP_POINT=${#COMP_LINE}
        _broker broker '\(begun)' "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s\\n' "${COMPREPLY[@]}"
        """
      case "zsh":
        // A shell in a terminal, where keys are pressed.
        """
        zmodload zsh/zpty
        zpty z 'PATH="\(bin):$PATH" TERM=dumb zsh -f -i'
        zpty -w z 'autoload -Uz compinit; compinit -u -D; source ./script; compdef _broker broker'
        zpty -w z 'bindkey "^I" complete-word; print READ''Y'
        zpty -r -m z text '*READY*'
        zpty -w -n z $'\(line) \(begun)\\t\\t'
        zpty -r -m z text '*Record*'
        print -r -- "$text"
        zpty -w z $'\\C-u'; zpty -w z 'print DON''E'
        zpty -r -m z rest '*DONE*'
        print -r -- "$rest"
        zpty -d z
        """
      default:
        """
        set -x PATH '\(bin)' $PATH
        source script
        # Without a terminal, fish does not tell what is on the line.
        function commandline
          switch "$argv"
            case '*C*'; echo \(begun.count)
            case '*t'; echo -n '\(begun)'
            case '*pc'; for word in \(line); echo $word; end
            case '*'; for word in \(line) \(begun); echo $word; end
          end
        end
        complete -C '\(line) \(begun)'
        """
      }
    return try Tool.run(shell, shell == "zsh" ? ["-f", "-c", program] : ["-c", program], in: folder)
  }

  @Test(
    "no shell runs what the names in a store or a model say", .onSQLite("about names of files"),
    arguments: ["bash", "zsh", "fish"])
  func hostileNames(_ shell: String) throws {
    guard Tool.find(shell) != nil else { return }
    try makeHostileStore()
    for words in [
      ["broker", "query", "--store", "store.sqlite"], ["broker", "export", "--store", "store.sqlite"],
      ["broker", "import", "--model", "model.json", "--entity"],
    ] {
      let outcome = try completions(of: shell, words, "")
      #expect(outcome.output.contains("Record"), "\(words) \(outcome.error)")
      #expect(outcome.output.contains("R\u{E9}sum\u{E9}"), "\(words)")
      #expect(!outcome.output.contains("touch"), "\(words): \(outcome.output)")
      #expect(!folder.exists("ran"), "\(words)")
    }
    let begun = try completions(of: shell, ["broker", "query", "--store", "store.sqlite"], "Rec")
    #expect(begun.output.contains("Record"), "\(begun.error)")
  }

  // MARK: - scripts/install

  private static let script: String = {
    var package = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { package.deleteLastPathComponent() }
    return package.appendingPathComponent("scripts/install").path
  }()

  private static let installed = [
    "bin/broker", "share/bash-completion/completions/broker", "share/zsh/site-functions/_broker",
    "share/fish/vendor_completions.d/broker.fish", "share/man/man1/broker.1",
  ]

  @Test("a binary is installed with what belongs to it, and removed again")
  func install() throws {
    try folder.makeFolder("my home")
    try folder.makeFolder("my home/bin")
    try folder.write("mine", to: "my home/bin/other")
    let outcome = try Tool.run(
      "bash", [Self.script, "--prefix", "my home", "--binary", RunningBroker.executable.path], in: folder)
    #expect(outcome.status == 0, "\(outcome.error)")
    for file in Self.installed {
      #expect(folder.exists("my home/" + file), "\(file)")
      #expect(outcome.output.contains("/my home/\(file)\n"))
    }
    #expect(outcome.output.contains("/my home/bin is not on PATH."))
    let run = try RunningBroker(
      ["--version"], in: folder, input: .file(""), executable: folder.url("my home/bin/broker"))
    #expect(try run.finish().status == 0)
    #expect(try folder.read("my home/share/man/man1/broker.1").hasPrefix(".TH BROKER 1"))

    let again = try Tool.run(
      "bash", [Self.script, "--prefix=my home", "--binary=\(RunningBroker.executable.path)"], in: folder)
    #expect(again.status == 0)
    let removed = try Tool.run("bash", [Self.script, "--prefix", "my home", "--uninstall"], in: folder)
    #expect(removed.status == 0)
    for file in Self.installed { #expect(!folder.exists("my home/" + file), "\(file)") }
    #expect(folder.exists("my home/bin/other"))
    let nothing = try Tool.run("bash", [Self.script, "--prefix", "my home", "--uninstall"], in: folder)
    #expect(nothing.status == 0)
    #expect(nothing.output.hasPrefix("Nothing of broker is installed in "))
  }

  @Test("wrong usage of it, and what cannot be installed")
  func installErrors() throws {
    #expect(try Tool.run("bash", [Self.script, "--what"], in: folder).status == 64)
    #expect(try Tool.run("bash", [Self.script, "--prefix"], in: folder).status == 64)
    let missing = try Tool.run("bash", [Self.script, "--prefix", "p", "--binary", "nothing"], in: folder)
    #expect(missing.status == 1)
    #expect(missing.error.contains("There is no program at "))
    #expect(!folder.exists("p"))
  }
}
