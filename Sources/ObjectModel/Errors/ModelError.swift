/// Why a model could not be read or written: where, what was expected, and what to do.
///
///     Music.xcdatamodel/contents:12: Band.formed: “Integer 65” is not an attribute type;
///     did you mean “Integer 64”?
///
/// Its description is the message for people.
public struct ModelError: Error, Sendable, Hashable {
  /// The path of the file or directory, as far as it is known.
  public internal(set) var file: String?
  /// The line in the file, counted from 1.
  public internal(set) var line: Int?
  /// The column in the line, counted from 1; of YAML only.
  public internal(set) var column: Int?
  /// The name of the entity, composite or other part of the model.
  public internal(set) var entity: String?
  /// The name of the attribute or relationship.
  public internal(set) var property: String?
  let reason: Reason

  init(
    _ reason: Reason, file: String? = nil, line: Int? = nil, entity: String? = nil, property: String? = nil
  ) {
    self.reason = reason
    self.file = file
    self.line = line
    self.entity = entity
    self.property = property
  }

  /// What went wrong. Private to the module, so that cases can be added.
  enum Reason: Sendable, Hashable {
    // Files
    case noSuchFile
    case unreadable(String)
    case unwritable(String)
    case notAModel(found: String)
    case optimized
    case legacyBinary
    case unknownExtension(String)
    // Versions of a bundle
    case noVersions
    case severalVersions([String])
    case unreadableCurrentVersion(String)
    case unsafeVersionName(String)
    case leadsOut(String)
    case unknownVersion(String, versions: [String])
    // Versions of a compiled bundle
    case noCompiledVersions
    case severalCompiledVersions([String])
    case unreadableVersionInfo(String)
    case unknownCompiledVersion(String, versions: [String])
    // Archives
    case malformedArchive(String)
    // XML
    case empty
    case declaration(String)
    case encoding(String)
    case notUTF8
    case nulCharacter
    case malformedXML(String)
    case tooDeep(limit: Int)
    case tooManyAttributes(limit: Int)
    case wrongRoot(String)
    // The other forms
    case malformedJSON(String)
    case malformedYAML(String)
    case aliases
    case message(String)
    case missing(String, of: String)
    case unexpected(value: String, of: String, expected: String, nearest: String?)
    case unknownKey(String, known: [String], nearest: String?)
  }

  /// The same error, with what its caller knows of the place where the error itself knows nothing.
  func located(file: String? = nil, entity: String? = nil, property: String? = nil) -> ModelError {
    var error = self
    error.file = error.file ?? file
    error.entity = error.entity ?? entity
    error.property = error.property ?? property
    return error
  }
}
