public import Foundation

extension ModelError: CustomStringConvertible, LocalizedError {
  /// The place, what is wrong there, and what to do about it, in one line.
  public var description: String {
    let file = file.map { Self.shortened($0, to: 500) }
    let place = [file, line.map(String.init), column.map(String.init)].compactMap { $0 }.joined(
      separator: ":")
    let part = [entity, property].compactMap { $0.map { Self.shortened($0) } }.joined(separator: ".")
    return [place, part, message].filter { !$0.isEmpty }.joined(separator: ": ")
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

  /// What a file says is shown shortened and without control characters, since it may go to a terminal.
  package static func shortened(_ text: String, to limit: Int = 80) -> String {
    let shown = String(
      String.UnicodeScalarView(
        text.unicodeScalars.prefix(limit).map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 })
    )
    return text.unicodeScalars.count > limit ? shown + "…" : shown
  }
}
