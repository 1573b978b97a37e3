public import Foundation
import JSONStream

/// A model that was read from a file or a directory, and what was left out of it.
package struct LoadedModel {
  package let model: Model
  /// Warnings of what a compiled model has and the model lacks. The other forms have all they say in it.
  package let remarks: [ModelProblem]

  /// Reads a model as ``Model/init(contentsOf:)`` does.
  package init(contentsOf url: URL) throws {
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

  package init(_ model: Model) {
    self.model = model
    remarks = []
  }

  private init(directory url: URL) throws {
    let names = try ModelBundle.names(in: url)
    if names.contains("contents") {
      let contents = url.appendingPathComponent("contents")
      guard ModelBundle.contains(contents, in: url) else { throw ModelError(.leadsOut("contents")) }
      try self.init(file: contents)
    } else if names.contains(where: { $0.hasSuffix(".xcdatamodel") }) || url.pathExtension == "xcdatamodeld" {
      try self.init(contentsOf: ModelBundle(url).currentVersion())
    } else if names.contains("elements") {
      throw ModelError(.legacyBinary)
    } else if names.contains(where: { $0.hasSuffix(".mom") || $0.hasSuffix(".omo") })
      || url.pathExtension == "momd"
    {
      try self.init(contentsOf: CompiledModelBundle(url).currentVersion())
    } else {
      throw ModelError(
        .notAModel(found: "the directory contains neither “contents” nor an .xcdatamodel nor a .mom"))
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
      try self.init(data, kind: url.pathExtension.lowercased())
    } catch let error as ModelError {
      throw error.located(file: url.path)
    }
  }

  /// Reads a model that came without a file, such as from a pipe.
  ///
  /// - Parameter name: What messages call it.
  package init(_ data: Data, name: String) throws {
    let first = data.first { !Self.isIgnoredAtStart($0) }
    let isYAML = first.map { !"<{[".utf8.contains($0) && !data.starts(with: Data("bplist".utf8)) } ?? false
    do {
      try self.init(data, kind: isYAML ? "yaml" : "")
    } catch let error as ModelError {
      throw error.located(file: name)
    }
  }

  private init(_ data: Data, kind: String) throws {
    if kind == "omo" { throw ModelError(.optimized) }
    if kind == "mom" || data.starts(with: Data("bplist".utf8)) {
      try self.init(compiled: [UInt8](data), isNamedSo: kind == "mom")
      return
    }
    if data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF]) { throw ModelError(.notUTF8) }
    if kind == "yaml" || kind == "yml" {
      self.init(try Model(yaml: data))
      return
    }
    switch data.first(where: { !Self.isIgnoredAtStart($0) }) {
    case UInt8(ascii: "<"): self.init(try Model(coreDataXML: data))
    case UInt8(ascii: "{"), UInt8(ascii: "["): self.init(try Model(json: data))
    case nil: throw ModelError(.empty)
    default: throw ModelError(.notAModel(found: "the file is neither XML nor JSON"))
    }
  }

  /// - Parameter isNamedSo: Whether the name says that it is a compiled model. The models of Xcode 3 are binary
  ///   property lists as well.
  private init(compiled bytes: [UInt8], isNamedSo: Bool) throws {
    do throws(ModelError) {
      let archived = try ArchivedModel(bytes)
      model = archived.model
      remarks = archived.remarks
    } catch {
      throw isNamedSo ? error : ModelError(.legacyBinary)
    }
  }

  /// White space, and the bytes of a byte order mark.
  private static func isIgnoredAtStart(_ byte: UInt8) -> Bool {
    [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains(byte)
  }
}

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
  /// - a compiled `.momd` bundle: the version that its `VersionInfo.plist` names, or the only one
  /// - a compiled `.mom` file
  /// - Broker's JSON form; the same in YAML, which only the names `.yaml` and `.yml` tell
  ///
  /// - Throws: ``ModelError``, whose description says where and why, if nothing is there, if it is no model
  ///   or one in the binary format of Xcode 3, if the bundle does not say which of its versions is current, or if the
  ///   file is malformed. A model that can be read may still not make sense: see ``problems()``.
  public init(contentsOf url: URL) throws {
    self = try LoadedModel(contentsOf: url).model
  }

  /// Reads a model from the text of an `.xcdatamodel`'s `contents` file.
  ///
  /// - Throws: ``ModelError`` if it is malformed, declares a DOCTYPE, or is not UTF-8.
  public init(coreDataXML data: Data) throws {
    self = try CoreDataReader().model(from: XMLTag(parsing: data))
  }
}

extension Model {
  /// The model as the text of an `.xcdatamodel`'s `contents` file, which Xcode opens.
  ///
  /// The same model always gives the same text. Reading the text gives the same model, except for what XML
  /// has no way to say: control characters become U+FFFD, and a compound index loses the name it was given.
  public func coreDataXML() -> String {
    CoreDataWriter().text(of: self)
  }

  /// Writes the model in the form that the path's extension names.
  ///
  ///     try model.write(to: URL(filePath: "Music.json"))
  ///
  /// | extension | what is written |
  /// |---|---|
  /// | `xcdatamodeld` | a bundle with one version; in a bundle that exists, its current version |
  /// | `xcdatamodel` | a directory with a `contents` file |
  /// | `json` | Broker's JSON form |
  /// | `yaml`, `yml` | the same in YAML, with short forms |
  ///
  /// A file that exists is replaced as a whole, or not at all. Other versions in a bundle stay as they are.
  ///
  /// - Throws: ``ModelError`` if the extension is another one, or nothing can be written there.
  public func write(to url: URL) throws {
    do {
      switch url.pathExtension.lowercased() {
      case "json": try write(json(), to: url)
      case "yaml", "yml": try write(yaml(), to: url)
      case "xcdatamodel": try write(version: url)
      case "xcdatamodeld": try write(bundle: url)
      default: throw ModelError(.unknownExtension(url.lastPathComponent))
      }
    } catch let error as ModelError {
      throw error.located(file: url.path)
    }
  }

  private func write(bundle url: URL) throws {
    if FileManager.default.fileExists(atPath: url.path) {
      let bundle = try ModelBundle(url)
      if !bundle.versions.isEmpty { return try write(version: bundle.currentVersion()) }
    }
    let name = url.deletingPathExtension().lastPathComponent + ".xcdatamodel"
    try write(version: url.appendingPathComponent(name, isDirectory: true))
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .xml
    do {
      let list = String(decoding: try encoder.encode(CurrentVersion(name: name)), as: UTF8.self)
      try write(list, to: url.appendingPathComponent(ModelBundle.currentVersionFile))
    } catch let error as EncodingError {
      throw ModelError(.unwritable(error.localizedDescription))
    }
  }

  private func write(version url: URL) throws {
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw ModelError(.unwritable(error.localizedDescription))
    }
    try write(coreDataXML(), to: url.appendingPathComponent("contents"))
  }

  private func write(_ text: String, to url: URL) throws {
    do {
      try ReplacementFile.write(text, to: url.path)
    } catch {
      throw ModelError(.unwritable(error.message))
    }
  }
}
