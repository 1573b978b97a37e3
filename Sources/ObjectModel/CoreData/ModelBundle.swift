import Foundation

/// An `.xcdatamodeld` directory: versions of a model, and a file that names the current one.
struct ModelBundle {
  static let currentVersionFile = ".xccurrentversion"

  let url: URL
  /// The names of the `.xcdatamodel` directories in it, sorted.
  let versions: [String]

  init(_ url: URL) throws {
    self.url = url
    do {
      versions = try FileManager.default.contentsOfDirectory(atPath: url.path)
        .filter { $0.hasSuffix(".xcdatamodel") }.sorted()
    } catch {
      throw ModelError(.unreadable(error.localizedDescription))
    }
  }

  /// The directory of the version that `.xccurrentversion` names, or of the only one there is.
  func currentVersion() throws -> URL {
    let name = try currentVersionName()
    let version = url.appendingPathComponent(name, isDirectory: true)
    guard Self.contains(version, in: url) else { throw ModelError(.leadsOut(name)) }
    return version
  }

  /// Whether a file is in a folder once all symbolic links are followed.
  static func contains(_ file: URL, in folder: URL) -> Bool {
    let (file, folder) = (file.resolvingSymlinksInPath().path, folder.resolvingSymlinksInPath().path)
    return file.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
  }

  private func currentVersionName() throws -> String {
    if let name = try namedVersion() {
      // The name comes from a file: it must stay inside the bundle.
      guard name != "..", name != ".", !name.contains("/"), !name.contains("\\"), !name.contains("\0") else {
        throw ModelError(.unsafeVersionName(name))
      }
      guard versions.contains(name) else {
        throw ModelError(versions.isEmpty ? .noVersions : .unknownVersion(name, versions: versions))
      }
      return name
    }
    guard let only = versions.first else { throw ModelError(.noVersions) }
    guard versions.count == 1 else { throw ModelError(.severalVersions(versions)) }
    return only
  }

  /// What `.xccurrentversion` says; `nil` where it is missing or an empty dictionary.
  private func namedVersion() throws -> String? {
    let file = url.appendingPathComponent(Self.currentVersionFile)
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    guard Self.contains(file, in: url) else { throw ModelError(.leadsOut(Self.currentVersionFile)) }
    do {
      let data = try Data(contentsOf: file)
      return try CurrentVersion(propertyList: data).name
    } catch let error as ModelError {
      throw error
    } catch is DecodingError {
      throw ModelError(.unreadableCurrentVersion("malformed"))
    } catch {
      throw ModelError(.unreadableCurrentVersion(error.localizedDescription))
    }
  }
}
