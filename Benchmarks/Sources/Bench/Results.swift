/// What all runs of all contenders took.
struct Results {
  let contenders: [Contender]
  private(set) var measurements: [[Measurement]]
  private(set) var failures: [Failure?]
  private var digests: [Subject: String] = [:]

  init(contenders: [Contender]) {
    self.contenders = contenders
    measurements = contenders.map { _ in [] }
    failures = contenders.map { _ in nil }
  }

  var hasFailures: Bool { failures.contains { $0 != nil } }

  /// Runs everybody once, then everybody once more, so that a slow moment of the machine meets all alike.
  mutating func measure(runs: Int) {
    for run in 0..<runs {
      for (index, contender) in contenders.enumerated() where failures[index] == nil {
        Files.note("run \(run + 1) of \(runs): \(contender.subject.rawValue), \(contender.name)")
        do {
          measurements[index].append(try contender.run(run))
          if run == 0 { try checkRows(of: contender) }
        } catch {
          let failure = error as? Failure ?? Failure(description: "\(error)")
          failures[index] = failure
          Files.note("  \(failure)")
        }
      }
    }
  }

  /// Throws when a contender's rows are not those of the first of its subject.
  private mutating func checkRows(of contender: Contender) throws {
    guard let digest = try Digest.of(contender) else { return }
    let expected = digests[contender.subject] ?? digest
    digests[contender.subject] = expected
    guard digest == expected else {
      throw Failure(description: "different rows: \(digest); expected: \(expected)")
    }
  }

  /// The median seconds of a contender by name; none when it did not run.
  func seconds(_ name: String, _ subject: Subject) -> Double? {
    let index = contenders.firstIndex { $0.name == name && $0.subject == subject }
    return index.flatMap { median($0, \.seconds) }
  }

  func median(_ index: Int, _ value: (Measurement) -> Double?) -> Double? {
    guard failures[index] == nil else { return nil }
    let values = measurements[index].compactMap(value).sorted()
    guard !values.isEmpty else { return nil }
    let middle = values.count / 2
    return values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
  }
}
