/// Something in a model that does not make sense, or will not do what it seems to say.
///
/// Its description is a line for people: `error: Band.albums: there is no entity “Albm”; did you mean “Album”?`
public struct ModelProblem: Sendable, Hashable, Codable, CustomStringConvertible {
  /// How bad a problem is.
  public enum Severity: String, Sendable, Hashable, Codable {
    /// The model can't be used as it is.
    case error
    /// The model can be used; what is named has no effect, or not the one expected.
    case warning
  }

  public var severity: Severity
  /// The entity, or the composite, that has the problem; `nil` for one of the whole model.
  public var entity: String?
  /// The attribute or relationship that has it; `nil` for one of the whole entity.
  public var property: String?
  /// What is wrong.
  public var message: String
  /// What to do about it.
  public var advice: String?

  public init(
    severity: Severity, entity: String? = nil, property: String? = nil, message: String,
    advice: String? = nil
  ) {
    self.severity = severity
    self.entity = entity
    self.property = property
    self.message = message
    self.advice = advice
  }

  public var description: String {
    let place = [entity, property].compactMap { $0.map { ModelError.shortened($0) } }.joined(separator: ".")
    let text = [message, advice].compactMap { $0 }.joined(separator: "; ")
    return [severity.rawValue, place, text].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}
