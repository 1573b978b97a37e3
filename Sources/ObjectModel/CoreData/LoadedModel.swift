package import Foundation

/// A model that was read from a file or a directory, and what was left out of it.
package struct LoadedModel {
  package let model: Model
  /// What of a compiled model is not in the model, as warnings. The other forms have all they say in it.
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
