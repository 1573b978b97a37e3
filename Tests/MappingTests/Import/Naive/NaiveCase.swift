import Mapping
import ObjectModel
import ObjectStore

/// A model and a sequence of imports. Broker and the naive store run both, and the results are compared.
struct NaiveCase {
  struct Step {
    var document: TestJSON
    var options = ImportOptions()
    /// Whether a list is written as JSON Lines.
    var isLines = false
    /// Whether the same is imported once more, which must write nothing where the naive import has nothing to write.
    var isRepeated = false

    /// What Broker imports, if it is written in another shape than ``document``.
    var shaped: TestJSON?

    var text: String {
      let document = shaped ?? self.document
      guard isLines, case .list(let elements) = document else { return document.text }
      return elements.map(\.text).joined(separator: "\n")
    }
  }

  var model: NaiveModel
  var steps: [Step]
  /// The mapping for shaped documents.
  var shape: DocumentShape?

  struct Result {
    /// The first difference between the two; nil if they agree.
    var difference: String?
    var compared = 0
    /// How many imports were not compared; see ``NaiveImport/reasonNotToCompare``.
    var notCompared = 0
    /// How many imports were repeated and had to write nothing.
    var repeated = 0
  }

  func result() -> Result {
    var result = Result()
    do {
      let fixture = try Fixture(model: model.objectModel, mapping: shape?.mapping)
      fixture.observerCheck = ObserverCheck(fixture.store)
      var state = NaiveState(model)
      for step in steps {
        switch try Self.runAndRepeat(step, fixture, &state, &result) {
        case .same: result.compared += 1
        // Neither store runs it: the next import starts from the state before it.
        case .notCompared: result.notCompared += 1
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
    case same, notCompared
    case different(String)
  }

  private static func runAndRepeat(
    _ step: Step, _ fixture: Fixture, _ state: inout NaiveState, _ result: inout Result
  ) throws -> Outcome {
    let first = try run(step, fixture, &state)
    guard step.isRepeated, case .same = first else { return first }
    var again = NaiveImport(state, step.options)
    again.importDocument(step.document)
    guard again.reasonNotToCompare == nil, again.writesNothing else { return first }
    result.repeated += 1
    let writes = try fixture.writes()
    let second = try run(step, fixture, &state)
    if case .same = second, try fixture.writes() != writes {
      return .different("the same import once more has written something")
    }
    return second
  }

  private static func run(
    _ step: Step, _ fixture: Fixture, _ state: inout NaiveState
  ) throws -> Outcome {
    var naive = NaiveImport(state, step.options)
    naive.importDocument(step.document)
    if naive.reasonNotToCompare != nil { return .notCompared }
    guard let report = try load(step, fixture, naive, &state) else { return .same }
    let found = try StoreReader(fixture: fixture, model: state.model).state().lines
    if !step.options.isDryRun { state = naive.state }
    if found != state.lines { return .different(difference(found, state.lines)) }
    var reported = NaiveReport(report, parts: state.model.partNames)
    if naive.pendingIsUnsure { reported.pending = [] }
    let expected = naive.report.withoutCounts(state.model)
    reported = reported.withoutCounts(state.model)
    if reported == expected { return .same }
    return .different(difference(reported, expected) + "\n  \(report.problems)")
  }

  /// Imports. A strict import with an issue must fail and change nothing; it has no report.
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

  /// A case that still differs, from which nothing can be removed.
  func shrunk() -> NaiveCase {
    var shrunk = self
    while let next = shrunk.smaller().first(where: { $0.result().difference != nil }) { shrunk = next }
    return shrunk
  }

  private func smaller() -> [NaiveCase] {
    var result: [NaiveCase] = []
    for index in steps.indices {
      var smaller = self
      smaller.steps.remove(at: index)
      result.append(smaller)
    }
    for index in steps.indices {
      for document in steps[index].document.smaller() where ![.object([]), .list([])].contains(document) {
        var smaller = self
        smaller.steps[index].document = document
        smaller.reshape(index)
        result.append(smaller)
      }
    }
    return result
  }

  /// Writes a step's document in its shape.
  mutating func reshape(_ index: Int) {
    guard let shape else { return }
    let forms = shape.forms(steps[index].document, steps[index].options)
    (steps[index].document, steps[index].shaped) = (forms.plain, forms.shaped)
  }

  var description: String {
    "\(model.notation)\n\(shape.map { "\($0.mapping.entities)" } ?? "")\n"
      + steps.map { "\($0.text)\($0.options.differences)" }.joined(separator: "\n")
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
  /// The options that differ from the defaults, for messages.
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
