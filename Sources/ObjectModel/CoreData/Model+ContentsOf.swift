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
