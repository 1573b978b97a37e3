import JSONStream
import ObjectModel

/// The transformers of a property, applied one after another.
///
/// A class, so that plans, which are copied for every value, can refer to it without counting references.
final class TransformerChain: Sendable {
  private let steps: [Step]

  private struct Step: Sendable {
    let transformer: Transformer
    /// Whether it is applied to each scalar of a list, not to the list.
    let isForElements: Bool
    /// Whether it is `emptyIsNull`.
    var readsEmpty = false

    func applied(
      to value: JSONValue, _ transform: (JSONValue) throws -> JSONValue
    ) throws -> JSONValue {
      guard isForElements else { return try transform(value) }
      switch value {
      case .array(let elements): return .array(try elements.map { $0.isScalar ? try transform($0) : $0 })
      case .object: return value
      default: return try transform(value)
      }
    }
  }

  private init(_ steps: [Step]) {
    self.steps = steps
  }

  /// The transformers that annotations name; nil if they name none.
  ///
  /// - Throws: ``PlanError`` for an unknown name, and for wrong arguments.
  static func of(
    _ annotations: Annotations, _ entity: String, _ property: String, _ functions: MappingFunctions
  ) throws(PlanError) -> TransformerChain? {
    guard !annotations.isIgnored else { return nil }
    var steps: [Step] = []
    for call in annotations.transformers {
      guard let step = step(for: call, functions) else {
        throw PlanError(entity: entity, property: property, message: unknown(call, functions))
      }
      steps.append(step)
    }
    return steps.isEmpty ? nil : TransformerChain(steps)
  }

  private static func step(for call: TransformerCall, _ functions: MappingFunctions) -> Step? {
    if let own = functions.transformers[call.text] { return Step(transformer: own, isForElements: false) }
    if call.problem != nil { return nil }
    return Transformer.of(call).map {
      Step(
        transformer: $0, isForElements: Transformer.isForElements(call),
        readsEmpty: call.text == Transformer.emptyIsNullName)
    }
  }

  /// A mistake in a call: it is unknown, or has wrong arguments.
  static func problem(of call: TransformerCall, _ functions: MappingFunctions) -> TransformerProblem? {
    guard functions.transformers[call.text] == nil else { return nil }
    if let problem = call.problem { return problem }
    guard case .named(let name) = call.kind, Transformer.builtIn[name] == nil else { return nil }
    return TransformerProblem(
      expected: "a transformer that is registered",
      advice: nearest(to: name, functions).map { "did you mean “\($0)”?" }
        ?? "register it under that name, or have a mapping say none")
  }

  private static func nearest(to name: String, _ functions: MappingFunctions) -> String? {
    nearestName(
      to: name,
      in: functions.transformers.keys.sorted() + Transformer.builtInNames + TransformerCall.names)
  }

  private static func unknown(_ call: TransformerCall, _ functions: MappingFunctions) -> String {
    if let problem = call.problem {
      let advice = problem.advice.map { "; \($0)" } ?? ""
      return "has the transformer \(call.text), which is not \(problem.expected)\(advice)"
    }
    return "has the transformer \(call.text), which is not known."
      + (nearest(to: call.text, functions).map { " Did you mean \($0)?" } ?? "")
      + " Register it under that name, or have a mapping say none for the property"
  }

  /// Whether what is empty is null before anything else is done with it.
  var readsEmpty: Bool { steps.first?.readsEmpty ?? false }

  /// The chain up to the last step that needs values as a whole, and the steps behind it, which each key in them passes
  /// through by itself. That what is empty is null, at the beginning, is none of them.
  var split: (whole: TransformerChain?, elements: TransformerChain?) {
    let steps = readsEmpty ? Array(steps.dropFirst()) : steps
    let count = (steps.lastIndex { !$0.isForElements } ?? -1) + 1
    let (whole, elements) = (Array(steps[..<count]), Array(steps[count...]))
    return (
      whole.isEmpty ? nil : TransformerChain(whole), elements.isEmpty ? nil : TransformerChain(elements)
    )
  }

  /// Applies them to a value from JSON. The result is what is converted.
  func read(_ value: JSONValue) throws -> JSONValue {
    var value = value
    for step in steps { value = try step.applied(to: value, step.transformer.read) }
    guard value.isWellFormed else { throw TransformerError(expected: "a number") }
    return value
  }

  /// Whether an import reads what they wrote of a value as that value again. Where it does not, as with an address in the
  /// place of a name, the value has to be told in another way.
  func leadsBack(from written: JSONValue, to value: JSONValue) -> Bool {
    do {
      let back = try read(written)
      return back == value || back.scalarText != nil && back.scalarText == value.scalarText
    } catch {
      return false
    }
  }

  /// Applies them to a value that is to be exported. If a transformer cannot use it, it stays as it is.
  func written(_ value: JSONValue) -> JSONValue {
    var result = value
    do {
      for step in steps.reversed() { result = try step.applied(to: result, step.transformer.write) }
    } catch {
      return value
    }
    return result.isWellFormed ? result : value
  }
}

/// The transformers of a relationship.
struct RelationshipTransformers: Sendable {
  /// Whether an empty text is null, and so is an empty list where one object is expected. Objects need not be read as a whole
  /// for that.
  let readsEmpty: Bool
  /// The transformers that the value of the relationship's key passes through first, whatever it is.
  let whole: TransformerChain?
  /// The transformers that each key of an object then passes through: the only one, or each of a list.
  let elements: TransformerChain?

  /// - Throws: ``PlanError`` for an unknown name, and for wrong arguments.
  init(
    _ annotations: Annotations, _ entity: String, _ property: String, _ functions: MappingFunctions
  ) throws(PlanError) {
    let chain = try TransformerChain.of(annotations, entity, property, functions)
    readsEmpty = chain?.readsEmpty ?? false
    (whole, elements) = chain?.split ?? (nil, nil)
  }
}
