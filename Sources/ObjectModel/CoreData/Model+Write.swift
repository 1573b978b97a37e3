public import Foundation
import JSONStream

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
