import Mapping
import ObjectModel
import ObjectStore

/// A model and imports, for Broker and for the naive store.
struct NaiveCase {
  struct Step {
    var document: TestJSON
    var options = ImportOptions()
    /// Whether a list is told as JSON Lines.
    var isLines = false

    var text: String {
      guard isLines, case .list(let elements) = document else { return document.text }
      return elements.map(\.text).joined(separator: "\n")
    }
  }

  var sketch: NaiveModel
  var steps: [Step]

  struct Result {
    /// The first difference between the two; nil if they agree.
    var difference: String?
    var compared = 0
    /// How many imports had nothing to compare; see ``NaiveImport/excuse``.
    var excused = 0
  }

  func result() -> Result {
    var result = Result()
    do {
      let fixture = try Fixture(model: sketch.model)
      fixture.witness = ObserverCheck(fixture.store)
      var state = NaiveState(sketch)
      for step in steps {
        switch try Self.run(step, fixture, &state) {
        case .same: result.compared += 1
        // It is left out, and the next goes on from what was before.
        case .excused: result.excused += 1
        case .different(let what):
          result.difference = what
          return result
        }
      }
    } catch {
      result.difference = "\(error)"
    }
    return result
  }

  private enum Outcome {
    case same, excused
    case different(String)
  }

  private static func run(
    _ step: Step, _ fixture: Fixture, _ state: inout NaiveState
  ) throws -> Outcome {
    var naive = NaiveImport(state, step.options)
    naive.importDocument(step.document)
    if naive.excuse != nil { return .excused }
    guard let report = try load(step, fixture, naive, &state) else { return .same }
    let found = try StoreReader(fixture: fixture, sketch: state.sketch).state().lines
    if !step.options.isDryRun { state = naive.state }
    if found != state.lines { return .different(difference(found, state.lines)) }
    var told = NaiveReport(report, parts: state.sketch.partNames)
    if naive.pendingIsUnsure { told.pending = [] }
    let expected = naive.report.withoutCounts(state.sketch)
    told = told.withoutCounts(state.sketch)
    if told == expected { return .same }
    return .different(difference(told, expected) + "\n  \(report.problems)")
  }

  /// Imports; without a report if the import is strict and there was an issue, which has to change nothing.
  private static func load(
    _ step: Step, _ fixture: Fixture, _ naive: NaiveImport, _ state: inout NaiveState
  ) throws -> Report? {
    guard step.options.isStrict, naive.report.issueCount > 0 else {
      return try fixture.load(step.text) { $0 = step.options }
    }
    let before = try fixture.contents()
    do {
      _ = try fixture.load(step.text) { $0 = step.options }
      throw Unexpected(what: "a strict import with issues went through")
    } catch let error as ImportError {
      guard error.issue != nil else { throw error }
    }
    guard try fixture.contents() == before else {
      throw Unexpected(what: "a strict import that failed changed the store")
    }
    return nil
  }

  private struct Unexpected: Error {
    var what: String
  }

  private static func difference(_ found: [String], _ expected: [String]) -> String {
    let extra = found.filter { !expected.contains($0) }.map { "  + \($0)" }
    let missing = expected.filter { !found.contains($0) }.map { "  - \($0)" }
    return "In the store, not expected (+), and expected, not in the store (-):\n"
      + (extra + missing).joined(separator: "\n")
  }

  private static func difference(_ found: NaiveReport, _ expected: NaiveReport) -> String {
    zip(found.lines, expected.lines).filter { $0 != $1 }.map { "  report \($0), expected \($1)" }
      .joined(separator: "\n")
  }

  // MARK: - Smaller

  /// A trial that still differs, and of which nothing can be left out.
  func shrunk() -> NaiveCase {
    var trial = self
    while let smaller = trial.smaller().first(where: { $0.result().difference != nil }) { trial = smaller }
    return trial
  }

  private func smaller() -> [NaiveCase] {
    var result: [NaiveCase] = []
    for index in steps.indices {
      var trial = self
      trial.steps.remove(at: index)
      result.append(trial)
    }
    for index in steps.indices {
      for document in steps[index].document.smaller() where ![.object([]), .list([])].contains(document) {
        var trial = self
        trial.steps[index].document = document
        result.append(trial)
      }
    }
    return result
  }

  var description: String {
    "\(sketch.notation)\n" + steps.map { "\($0.text)\($0.options.differences)" }.joined(separator: "\n")
  }
}

extension TestJSON {
  /// The same without an element or a member somewhere.
  func smaller() -> [TestJSON] {
    switch self {
    case .list(let elements):
      elements.indices.map { .list(elements.without($0)) }
        + elements.indices.flatMap { index in
          elements[index].smaller().map { .list(elements.with($0, at: index)) }
        }
    case .object(let members):
      members.indices.map { .object(members.without($0)) }
        + members.indices.flatMap { index in
          members[index].value.smaller().map {
            .object(members.with(Member(members[index].key, $0), at: index))
          }
        }
    default: []
    }
  }
}

extension Array {
  fileprivate func without(_ index: Int) -> [Element] {
    var result = self
    result.remove(at: index)
    return result
  }

  fileprivate func with(_ element: Element, at index: Int) -> [Element] {
    var result = self
    result[index] = element
    return result
  }
}

extension ImportOptions {
  /// What is not as usual, for messages.
  fileprivate var differences: String {
    var words: [String] = []
    if toMany != .replace { words.append("toMany \(toMany)") }
    if references != .pending { words.append("references \(references)") }
    if operations != .all { words.append("operations \(operations.rawValue)") }
    if let entity { words.append("entity \(entity)") }
    if isStrict { words.append("strict") }
    if isDryRun { words.append("dry run") }
    if prunes { words.append("prunes") }
    return words.isEmpty ? "" : "  (\(words.joined(separator: ", ")))"
  }
}
