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
    _ json: String, model: String?, entity: String?, store: String, piping: String? = nil,
    options: [String] = [], accepting statuses: [Int32] = [0]
  ) throws -> Measurement {
    var command = [try brokerPath(), "import", json, "--store", store]
    if let model { command += ["--model", model] }
    if let entity { command += ["--entity", entity] }
    command += options + ["--quiet", "--format", "json"]
    let child = try Child.run(command, piping: piping)
    var result = try child.measurement(accepting: statuses)
    result.inside = Self.seconds(in: child.output)
    result.changed = Self.changed(in: child.output)
    return result
  }

  /// The broker command, where it has been built.
  func brokerPath() throws -> String {
    guard Files.isExecutable(broker) else {
      throw Failure(description: "there is no broker command at \(broker)")
    }
    return broker
  }

  /// Runs `body` and makes sure that it changed no object. The store's file is another one all the same: the history of
  /// imports is in it.
  func unchanged(_ store: String, _ body: (String) throws -> Measurement) throws -> Measurement {
    guard Files.size(store) != nil else {
      throw Failure(description: "there is no store to import into again")
    }
    let result = try body(store)
    guard result.changed == 0 else {
      throw Failure(description: "objects were written though nothing had changed")
    }
    return result
  }

  /// How many objects a report says were written or deleted.
  private static func changed(in output: String) -> Int? {
    let object = try? JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
    guard let object else { return nil }
    return ["inserted", "updated", "deleted"].reduce(0) { sum, key in
      let counts = object[key] as? [String: Any] ?? [:]
      return counts.values.reduce(sum) { $0 + (($1 as? NSNumber)?.intValue ?? 0) }
    }
  }

  /// The member `seconds` of a JSON object.
  private static func seconds(in output: String) -> Double? {
    let object = try? JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
    return (object?["seconds"] as? NSNumber)?.doubleValue
  }
}
