public import Foundation

/// A version of a model, with the name that its bundle has for it.
public struct ModelVersion: Sendable, Hashable {
  /// The name of its directory without `.xcdatamodel`; nil if the model has no versions.
  public var name: String?
  public var model: Model
  /// The hashes that Core Data has for its entities, where the bundle is compiled. Its stores name those of the version
  /// that they are of.
  package var hashes: [String: [UInt8]] = [:]

  public init(name: String? = nil, model: Model) {
    self.name = name
    self.model = model
  }

  /// Reads all versions of a bundle, `.xcdatamodeld` or the compiled `.momd`, the current one first, then from the last to
  /// the first. What is no bundle is one version without a name. Versions that cannot be read are left out, unless none can.
  ///
  /// - Throws: ``ModelError`` as ``Model/init(contentsOf:)`` does.
  public static func all(contentsOf url: URL) throws -> [ModelVersion] {
    let versions = try named(contentsOf: url)
    guard !versions.isEmpty else { return [ModelVersion(model: try Model(contentsOf: url))] }
    var found: [ModelVersion] = []
    var failure: (any Error)?
    for (name, file, hashes) in versions where ModelBundle.contains(file, in: url) {
      do {
        var version = ModelVersion(name: name, model: try Model(contentsOf: file))
        version.hashes = hashes
        found.append(version)
      } catch {
        failure = failure ?? error
      }
    }
    if found.isEmpty, let failure { throw failure }
    return found
  }

  private typealias Named = (name: String, file: URL, hashes: [String: [UInt8]])

  /// The versions of a bundle by name; none if it is no bundle of several.
  private static func named(contentsOf url: URL) throws -> [Named] {
    switch url.pathExtension {
    case "xcdatamodeld":
      // try?: the model is read as a whole then, which says what is wrong.
      guard let bundle = try? ModelBundle(url), bundle.versions.count > 1 else { return [] }
      // try?: it only decides the order.
      let current = try? bundle.currentVersion().lastPathComponent
      return ordered(bundle.versions, current).map { file in
        (
          String(file.dropLast(".xcdatamodel".count)), url.appendingPathComponent(file, isDirectory: true),
          [:]
        )
      }
    case "momd":
      // try?: the model is read as a whole then, which says what is wrong.
      guard let bundle = try? CompiledModelBundle(url), !bundle.versions.isEmpty else { return [] }
      // try?: it only decides the order.
      let current = try? bundle.currentVersion().lastPathComponent
      let hashes = try bundle.versionHashes()
      return ordered(bundle.versions, current).map { file in
        let name = String(file.dropLast(".mom".count))
        return (name, url.appendingPathComponent(file), hashes[name] ?? [:])
      }
    default: return []
    }
  }

  private static func ordered(_ files: [String], _ current: String?) -> [String] {
    let latestFirst = files.sorted { $0.compare($1, options: .numeric) == .orderedDescending }
    return latestFirst.filter { $0 == current } + latestFirst.filter { $0 != current }
  }
}
