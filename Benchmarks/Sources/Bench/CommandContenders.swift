/// Stores that no row compares with another's, since commands change single objects in them.
enum CommandStores {
  static let large = "large"
  static let few = "few"
  static let bands = "bands"
}

extension Workbench {
  /// All persons back to JSON.
  var exportContenders: [Contender] {
    [
      Contender(subject: .export, name: Names.export, goal: .rate(150e6)) { run in
        let store = try largeStore()
        let file = "\(data)/export.json"
        if run == 0 {
          try Child.run(exportCommand(store: store, output: file)).requireSuccess()
        }
        var result = try Child.run(exportCommand(store: store, output: "/dev/null")).measurement()
        result.bytes = Files.size(file)
        return result
      }
    ]
  }

  /// Commands that end before one has looked up.
  var commandContenders: [Contender] {
    [
      Contender(subject: .commands, name: Names.help, goal: .seconds(0.03)) { _ in
        try Child.run([brokerPath(), "--help"]).measurement()
      },
      Contender(subject: .commands, name: Names.demo, goal: .seconds(0.1)) { _ in
        let bands = store(CommandStores.bands)
        try Files.removeStore(bands)
        return try brokerImport(
          "\(root)/Examples/Bands/bands.json", model: "\(root)/Examples/Bands/Bands.xcdatamodeld",
          entity: nil, store: bands, accepting: [0, 3])
      },
      Contender(subject: .commands, name: Names.oneIntoMany, goal: .inside(0.001)) { run in
        try importOne(into: try largeStore(), of: people, run)
      },
      Contender(subject: .commands, name: Names.oneIntoFew, goal: .inside(0.001)) { run in
        let few = store(CommandStores.few)
        if Files.size(few) == nil { _ = try importPeople(fewJSON, store: few) }
        return try importOne(into: few, of: 500, run)
      },
    ]
  }

  private func exportCommand(store: String, output: String) throws -> [String] {
    [try brokerPath(), "export", "Person", "--store", store, "--output", output]
  }

  /// A store of all persons.
  private func largeStore() throws -> String {
    let path = store(CommandStores.large)
    if Files.size(path) == nil { _ = try importPeople(flatJSON, store: path) }
    return path
  }

  /// Changes one person in the middle, to something else each time.
  private func importOne(into store: String, of count: Int, _ run: Int) throws -> Measurement {
    let path = "\(data)/one.json"
    let score = "\(run).\(Int(Files.now() * 1000) % 1000)"
    try Files.save(#"{"id": \#(max(1, count / 2)), "name": "Ada Lovelace", "score": \#(score)}"#, to: path)
    return try importPeople(path, store: store)
  }
}
