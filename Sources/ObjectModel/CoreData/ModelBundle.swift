public import Foundation

/// An `.xcdatamodeld` directory: versions of a model, and a file that names the current one.
struct ModelBundle {
  static let currentVersionFile = ".xccurrentversion"

  let url: URL
  /// The names of the `.xcdatamodel` directories in it, sorted.
  let versions: [String]

  init(_ url: URL) throws {
    self.url = url
    versions = try Self.names(in: url).filter { $0.hasSuffix(".xcdatamodel") }.sorted()
  }

  /// The names of the files in a folder.
  static func names(in folder: URL) throws(ModelError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder.path)
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

  /// The version that `.xccurrentversion` names; `nil` where it is missing or an empty dictionary.
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

/// The contents of an `.xccurrentversion` file: which version of a bundle is the current one.
struct CurrentVersion: Codable {
  var name: String?

  enum CodingKeys: String, CodingKey {
    case name = "_XCCurrentVersionName"
  }

  /// Such a file has one dictionary with one text in it.
  private static let sizeLimit = 64 * 1024
  private static let nestingLimit = 16

  init(name: String?) { self.name = name }

  /// Reads a property list, once its bytes show that it is small and flat: Foundation calls itself for what is
  /// nested.
  init(propertyList data: Data) throws {
    guard data.count <= Self.sizeLimit else { throw unreadable("it is larger than 64 kB") }
    // References between the parts of the binary form show no nesting.
    guard !data.starts(with: Data("bplist".utf8)) else {
      throw unreadable("it is in the binary form; `plutil -convert xml1` makes it XML")
    }
    guard Self.openings(in: data) <= Self.nestingLimit else { throw unreadable("it is nested") }
    self = try PropertyListDecoder().decode(CurrentVersion.self, from: data)
  }

  /// How many lists and dictionaries begin in a property list of either form as text, at most: in XML every element
  /// counts, of which each has two tags.
  private static func openings(in data: Data) -> Int {
    data.count { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "{") }
      + data.count { $0 == UInt8(ascii: "<") } / 2
  }
}

private func unreadable(_ cause: String) -> ModelError { ModelError(.unreadableCurrentVersion(cause)) }
