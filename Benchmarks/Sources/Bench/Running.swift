import Foundation

extension Workbench {
  /// Runs the floor and takes the seconds it reports: the rows are made before its clock starts.
  func floor(_ shape: String, count: Int, store: String) throws -> Measurement {
    try Files.removeStore(store)
    let child = try Child.run([tool("bench-floor"), shape, String(count), store])
    try child.requireSuccess()
    guard let seconds = Self.seconds(in: child.output) else {
      throw Failure(description: "bench-floor printed no seconds")
    }
    return Measurement(seconds: seconds)
  }

  func records(_ shape: String, _ json: String, store: String) throws -> Measurement {
    try Files.removeStore(store)
    return try Child.run([tool("bench-records"), shape, json, store]).measurement()
  }

  func sqliteShell(_ shell: String, _ sql: String, store: String) throws -> Measurement {
    try Files.removeStore(store)
    return try Child.run([shell, "-bail", store, sql]).measurement()
  }

  /// `broker import`, as a program would call it.
  func brokerImport(
    _ json: String, model: String, entity: String?, store: String, piping: String? = nil,
    options: [String] = [], accepting statuses: [Int32] = [0]
  ) throws -> Measurement {
    var command = [try brokerPath(), "import", json, "--model", model, "--store", store]
    if let entity { command += ["--entity", entity] }
    command += options + ["--quiet", "--format", "json"]
    let child = try Child.run(command, piping: piping)
    var result = try child.measurement(accepting: statuses)
    result.inside = Self.seconds(in: child.output)
    return result
  }

  /// The broker command, where it has been built.
  func brokerPath() throws -> String {
    guard Files.isExecutable(broker) else {
      throw Failure(description: "there is no broker command at \(broker)")
    }
    return broker
  }

  /// Runs `body` and makes sure that it left the store's file as it was.
  func unwritten(_ store: String, _ body: (String) throws -> Measurement) throws -> Measurement {
    guard Files.size(store) != nil else {
      throw Failure(description: "there is no store to import into again")
    }
    let before = try FileState(path: store)
    let result = try body(store)
    guard try FileState(path: store) == before else {
      throw Failure(description: "the store was written though nothing had changed")
    }
    return result
  }

  /// The member `seconds` of a JSON object.
  private static func seconds(in output: String) -> Double? {
    let object = try? JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
    return (object?["seconds"] as? NSNumber)?.doubleValue
  }
}
