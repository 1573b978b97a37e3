public import JSONStream

/// The functions that a mapping names: what a file cannot say.
public struct MappingFunctions: Sendable {
  /// Transformers by name. They come before those that Broker has.
  public var transformers: [String: Transformer] = [:]
  /// Functions that say which entity a JSON object is of; nil if they do not know.
  public var discriminators: [String: @Sendable (JSONValue) -> String?] = [:]

  public init() {}
}
