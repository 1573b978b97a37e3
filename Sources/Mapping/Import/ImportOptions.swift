package import ObjectStore

/// How an import goes about its work.
public struct ImportOptions: Sendable {
  /// The entity of the JSON's objects. Without it, the JSON's keys, the source's name or the model tell.
  public var entity: String?
  /// The key path from the root to what is to be imported: `response.items`.
  public var root: String?
  /// Which keys are taken for a property that no annotation gives a key.
  public var keys = KeyStyle.auto
  /// The format of dates whose attributes have none of their own: `auto`, `seconds`, `milliseconds` or a
  /// pattern like `yyyy/MM/dd HH:mm:ss ZZZZZ`.
  public var dates = "auto"
  /// Whether the first issue ends the import.
  public var isStrict = false
  /// Whether to report what would happen and change nothing.
  public var isDryRun = false
  /// How deep arrays and objects may nest.
  public var maximumDepth = 512
  /// How many issues the report lists; all are counted.
  public var maximumIssues = 10_000
  package var policy = WritePolicy()

  public init() {}
}
