public import Foundation

/// A version of a model, with the name that its bundle has for it.
public struct ModelVersion: Sendable, Hashable {
  /// The name of its directory without `.xcdatamodel`; nil if the model has no versions.
  public var name: String?
  public var model: Model

  public init(name: String? = nil, model: Model) {
    self.name = name
    self.model = model
  }

  /// Reads all versions of a bundle, the current one first, then from the last to the first. What is no bundle is one
  /// version without a name. Versions that cannot be read are left out, unless none can.
  ///
  /// - Throws: ``ModelError`` as ``Model/init(contentsOf:)`` does.
  public static func all(contentsOf url: URL) throws -> [ModelVersion] {
    guard url.pathExtension == "xcdatamodeld", let bundle = try? ModelBundle(url), bundle.versions.count > 1 else {
      return [ModelVersion(model: try Model(contentsOf: url))]
    }
    let current = try? bundle.currentVersion().lastPathComponent
    let names = bundle.versions.sorted { $0.compare($1, options: .numeric) == .orderedDescending }
    let ordered = names.filter { $0 == current } + names.filter { $0 != current }
    var found: [ModelVersion] = []
    var failure: (any Error)?
    for name in ordered {
      let directory = url.appendingPathComponent(name, isDirectory: true)
      guard ModelBundle.contains(directory, in: url) else { continue }
      do {
        let model = try Model(contentsOf: directory)
        found.append(ModelVersion(name: String(name.dropLast(".xcdatamodel".count)), model: model))
      } catch {
        failure = failure ?? error
      }
    }
    if found.isEmpty, let failure { throw failure }
    return found
  }
}
