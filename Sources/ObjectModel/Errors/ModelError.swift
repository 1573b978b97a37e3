public import Foundation

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

  /// The cause. Private to the module, so that cases can be added.
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

  /// Runs `body` and says in its errors where they were.
  static func locating<Result>(
    entity: String? = nil, property: String? = nil, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as ModelError {
      throw error.located(entity: entity, property: property)
    }
  }
}

extension ModelError: CustomStringConvertible, LocalizedError {
  /// The place, what is wrong there, and what to do about it, in one line.
  public var description: String { [place, explanation].filter { !$0.isEmpty }.joined(separator: ": ") }

  /// The error as compilers write it, so that a build shows it at its place: `Bands.model.yaml:3:3: error: Band.albums: …`.
  package var diagnostic: String {
    [place, "error", explanation].filter { !$0.isEmpty }.joined(separator: ": ")
  }

  /// The file, the line and the column, as far as they are known.
  private var place: String {
    let file = file.map { Self.shortened($0, to: 500) }
    return [file, line.map(String.init), column.map(String.init)].compactMap { $0 }.joined(separator: ":")
  }

  /// The part of the model and what is wrong with it.
  private var explanation: String {
    let part = [entity, property].compactMap { $0.map { Self.shortened($0) } }.joined(separator: ".")
    return [part, message].filter { !$0.isEmpty }.joined(separator: ": ")
  }

  public var errorDescription: String? { description }

  private var message: String {
    switch reason {
    case .noSuchFile:
      "no such file or directory"
    case .unreadable(let cause):
      "it can't be read: \(cause)"
    case .unwritable(let cause):
      "it can't be written: \(cause)"
    case .notAModel(let found):
      "not a model: \(found). A model is an .xcdatamodeld bundle, an .xcdatamodel directory, its contents "
        + "file, a compiled .momd or .mom, or Broker's JSON form"
    case .optimized:
      "the optimized form of a compiled model can't be read; use the .mom file beside it"
    case .malformedArchive(let cause):
      "no archive of a Core Data model: \(cause)"
    case .legacyBinary:
      "a model in the binary format of Xcode 3 can't be read; convert it: open it in Xcode, in the File "
        + "inspector set Tools Version to the newest, and save"
    case .unknownExtension(let name):
      "can't tell which form to write from “\(Self.shortened(name))”; end the name in .xcdatamodeld, "
        + ".xcdatamodel, .json or .yaml"
    case .noVersions, .severalVersions, .unreadableCurrentVersion, .unsafeVersionName, .leadsOut,
      .unknownVersion, .noCompiledVersions, .severalCompiledVersions, .unreadableVersionInfo,
      .unknownCompiledVersion:
      versionMessage
    case .empty:
      "the file is empty"
    case .declaration(let name):
      "<!\(name) is not allowed in a model; remove the declaration"
    case .encoding(let name):
      "the file says it is encoded in “\(Self.shortened(name))”; save it as UTF-8"
    case .notUTF8:
      "the file is not valid UTF-8; save it as UTF-8"
    case .nulCharacter:
      "the file contains a NUL character, which no text has"
    case .malformedXML(let cause):
      "malformed XML: \(cause)"
    case .tooDeep(let limit):
      "elements are nested more than \(limit) deep, which no model needs"
    case .tooManyAttributes(let limit):
      "an element has more than \(limit) attributes, which no model needs"
    case .wrongRoot(let name):
      "not a Core Data model: the outermost element is <\(Self.shortened(name))>, expected <model>"
    case .malformedJSON, .malformedYAML, .aliases, .message, .missing, .unexpected, .unknownKey:
      formMessage
    }
  }

  private var formMessage: String {
    switch reason {
    case .malformedJSON(let cause):
      "malformed JSON: \(cause)"
    case .malformedYAML(let cause):
      "malformed YAML: \(cause)"
    case .aliases:
      "its anchors and aliases make it larger than any model; write out what they stand for"
    case .message(let text):
      text
    case .missing(let name, let owner):
      "\(owner) needs “\(name)”"
    case .unexpected(let value, let name, let expected, let nearest):
      "“\(Self.shortened(value))” is not \(expected), as “\(name)” must be" + Self.suggestion(nearest)
    case .unknownKey(let key, let known, let nearest):
      "unknown key “\(Self.shortened(key))”"
        + (nearest == nil ? "; expected \(Self.list(known, or: true))" : Self.suggestion(nearest))
    default:
      ""
    }
  }

  private var versionMessage: String {
    switch reason {
    case .noVersions:
      "the bundle contains no .xcdatamodel"
    case .severalVersions(let versions):
      "the bundle has several versions and no .xccurrentversion that names one: \(Self.list(versions)); "
        + "name the path of one of them"
    case .unreadableCurrentVersion(let cause):
      ".xccurrentversion is not a property list (\(cause)); set the current version in Xcode, or delete "
        + "the file if the bundle has one version"
    case .unsafeVersionName(let name):
      ".xccurrentversion names “\(Self.shortened(name))”, which is no name of a version in this bundle"
    case .leadsOut(let name):
      "“\(Self.shortened(name))” is a link that leads out of the model, which is not followed"
    case .unknownVersion(let name, let versions):
      ".xccurrentversion names “\(Self.shortened(name))”, but the bundle has \(Self.list(versions))"
    case .noCompiledVersions:
      "the bundle contains no .mom file"
    case .severalCompiledVersions(let versions):
      "the bundle has several versions and no VersionInfo.plist that names one: \(Self.list(versions)); "
        + "name the path of one of them"
    case .unreadableVersionInfo(let cause):
      "VersionInfo.plist can't be read (\(cause)); name the path of one of the .mom files"
    case .unknownCompiledVersion(let name, let versions):
      "VersionInfo.plist names “\(Self.shortened(name))”, but the bundle has \(Self.list(versions))"
    default:
      ""
    }
  }

  private static func suggestion(_ nearest: String?) -> String {
    nearest.map { "; did you mean “\($0)”?" } ?? ""
  }

  private static func list(_ names: [String], or: Bool = false) -> String {
    let quoted = names.prefix(20).map { "“\(shortened($0))”" }
    let more = names.count > 20 ? " …" : ""
    guard or, let last = quoted.last, quoted.count > 1 else { return quoted.joined(separator: ", ") + more }
    return quoted.dropLast().joined(separator: ", ") + " or " + last + more
  }

  /// Text of a file is shown shortened and without control characters, since it may go to a terminal.
  package static func shortened(_ text: String, to limit: Int = 80) -> String {
    let shown = String(
      String.UnicodeScalarView(
        text.unicodeScalars.prefix(limit).map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 })
    )
    return text.unicodeScalars.count > limit ? shown + "…" : shown
  }
}

extension String {
  /// The text with other texts in place of the characters for which `replacement` has one, taken one scalar by one.
  package func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let text = replacement(scalar) {
        result.append(contentsOf: text.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
