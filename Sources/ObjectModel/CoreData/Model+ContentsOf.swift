public import Foundation

extension Model {
  /// Reads a model from a file or a directory, whichever form it has.
  ///
  ///     let model = try Model(contentsOf: URL(filePath: "Music.xcdatamodeld"))
  ///
  /// The form is told by what is there, not by the name:
  ///
  /// - an `.xcdatamodeld` bundle: the version that its `.xccurrentversion` names, or the only one
  /// - an `.xcdatamodel` directory
  /// - the `contents` file in one
  /// - Broker's JSON form; the same in YAML, which only the names `.yaml` and `.yml` tell
  ///
  /// - Throws: ``ModelError``, whose description says where and why, if nothing is there, if it is no model
  ///   or a compiled or binary one, if the bundle does not say which of its versions is current, or if the
  ///   file is malformed. A model that can be read may still not make sense: see ``problems()``.
  public init(contentsOf url: URL) throws {
    guard url.isFileURL else {
      throw ModelError(.unreadable("it is no file, and nothing is loaded"), file: url.absoluteString)
    }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else {
      throw ModelError(.noSuchFile, file: url.path)
    }
    do {
      if isDirectory.boolValue {
        try self.init(directory: url)
      } else {
        try self.init(file: url)
      }
    } catch let error as ModelError {
      throw error.located(file: url.path)
    }
  }

  /// Reads a model from the text of an `.xcdatamodel`'s `contents` file.
  ///
  /// - Throws: ``ModelError`` if it is malformed, declares a DOCTYPE, or is not UTF-8.
  public init(coreDataXML data: Data) throws {
    self = try CoreDataReader().model(from: XMLTag(parsing: data))
  }

  private init(directory url: URL) throws {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    } catch {
      throw ModelError(.unreadable(error.localizedDescription))
    }
    if names.contains("contents") {
      let contents = url.appendingPathComponent("contents")
      guard ModelBundle.contains(contents, in: url) else { throw ModelError(.leadsOut("contents")) }
      try self.init(file: contents)
    } else if names.contains(where: { $0.hasSuffix(".xcdatamodel") }) || url.pathExtension == "xcdatamodeld" {
      try self.init(contentsOf: ModelBundle(url).currentVersion())
    } else if names.contains("elements") {
      throw ModelError(.legacyBinary)
    } else if names.contains(where: { $0.hasSuffix(".mom") || $0.hasSuffix(".omo") }) {
      throw ModelError(.compiled)
    } else {
      throw ModelError(.notAModel(found: "the directory contains neither “contents” nor an .xcdatamodel"))
    }
  }

  private init(file url: URL) throws {
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      throw ModelError(.unreadable(error.localizedDescription), file: url.path)
    }
    do {
      if data.starts(with: Data("bplist".utf8)) {
        let isCompiled = ["mom", "omo"].contains(url.pathExtension)
        throw ModelError(isCompiled ? .compiled : .legacyBinary)
      }
      if data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF]) { throw ModelError(.notUTF8) }
      if ["yaml", "yml"].contains(url.pathExtension.lowercased()) {
        try self.init(yaml: data)
        return
      }
      switch data.first(where: { !Self.isIgnoredAtStart($0) }) {
      case UInt8(ascii: "<"): try self.init(coreDataXML: data)
      case UInt8(ascii: "{"), UInt8(ascii: "["): try self.init(json: data)
      case nil: throw ModelError(.empty)
      default: throw ModelError(.notAModel(found: "the file is neither XML nor JSON"))
      }
    } catch let error as ModelError {
      throw error.located(file: url.path)
    }
  }

  /// White space, and the bytes of a byte order mark.
  private static func isIgnoredAtStart(_ byte: UInt8) -> Bool {
    [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains(byte)
  }
}
