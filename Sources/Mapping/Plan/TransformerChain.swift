import JSONStream
import ObjectModel

/// The transformers of a property, applied one after another.
///
/// A class, so that plans, which are copied for every value, can refer to it without counting references.
final class TransformerChain: Sendable {
  private let steps: [Transformer]

  private init(_ steps: [Transformer]) {
    self.steps = steps
  }

  /// The transformers that annotations name; nil if they name none.
  ///
  /// - Throws: ``PlanError`` for an unknown name.
  static func of(
    _ annotations: Annotations, _ entity: String, _ property: String, _ functions: MappingFunctions
  ) throws(PlanError) -> TransformerChain? {
    guard !annotations.isIgnored else { return nil }
    var steps: [Transformer] = []
    for name in annotations.transformers {
      guard let step = functions.transformers[name] ?? Transformer.builtIn[name] else {
        throw PlanError(entity: entity, property: property, message: unknown(name, functions))
      }
      steps.append(step)
    }
    return steps.isEmpty ? nil : TransformerChain(steps)
  }

  private static func unknown(_ name: String, _ functions: MappingFunctions) -> String {
    let known = functions.transformers.keys.sorted() + Transformer.builtInNames
    return "has the transformer \(name), which is not known."
      + (nearestName(to: name, in: known).map { " Did you mean \($0)?" } ?? "")
      + " Register it under that name, or have a mapping say none for the property"
  }

  /// Applies them to a value from JSON. The result is what is converted.
  func read(_ value: JSONValue) throws -> JSONValue {
    var value = value
    for step in steps { value = try step.read(value) }
    guard value.isWellFormed else { throw TransformerError(expected: "a number") }
    return value
  }

  /// Applies them to a value that is to be exported. If a transformer cannot use it, it stays as it is.
  func written(_ value: JSONValue) -> JSONValue {
    var result = value
    do {
      for step in steps.reversed() { result = try step.write(result) }
    } catch {
      return value
    }
    return result.isWellFormed ? result : value
  }
}
