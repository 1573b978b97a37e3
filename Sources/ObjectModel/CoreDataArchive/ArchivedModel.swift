package import Foundation
import JSONStream

/// The model of a keyed archive, and what of the archive is not in it.
///
/// Core Data keeps such archives in compiled models, and compressed in its stores (`Z_MODELCACHE.Z_CONTENT`).
package struct ArchivedModel: Sendable {
  package let model: Model
  /// Warnings of what was left out, and why.
  package let remarks: [ModelProblem]

  /// How many bytes a compressed archive may become, as a multiple of its own; so much is always allowed, and no more
  /// ever.
  private static let mostTimes = 100
  private static let alwaysAllowed = 1 << 20
  private static let neverMore = 1 << 26

  /// Reads an archive: a binary or XML property list, or the binary form compressed with DEFLATE.
  ///
  /// The archive has no order. Entities and properties come in the order of their names.
  ///
  /// - Throws: ``ModelError`` if the bytes are no archive of a model.
  package init(_ bytes: [UInt8]) throws(ModelError) {
    let list = try Self.propertyList(bytes)
    do throws(PropertyListError) {
      try self.init(KeyedArchive(list))
    } catch {
      throw ModelError(.malformedArchive(error.description))
    }
  }

  /// The property list in the bytes, which may be compressed.
  static func propertyList(_ bytes: [UInt8]) throws(ModelError) -> PropertyList {
    guard !bytes.isEmpty else { throw ModelError(.empty) }
    let isPlain = bytes.starts(with: "bplist".utf8) || bytes.first == UInt8(ascii: "<") || bytes.first == 0xEF
    let list: [UInt8]
    do throws(SourceError) {
      let most = min(neverMore, max(alwaysAllowed, bytes.count * mostTimes))
      list = isPlain ? bytes : try InflatedBytes.inflate(bytes, most: most)
    } catch {
      throw ModelError(.malformedArchive(error.message))
    }
    do throws(PropertyListError) { return try PropertyList(list) } catch {
      throw ModelError(.malformedArchive(error.description))
    }
  }

  /// - Throws: ``PropertyListError``, with the entity and property in its words, if the archive is of something else.
  init(_ archive: KeyedArchive) throws(PropertyListError) {
    var reader = ArchivedModelReader(archive)
    do throws(PropertyListError) {
      model = try reader.model()
    } catch {
      throw PropertyListError(reader.place + error.message, at: error.offset)
    }
    remarks = reader.remarks
  }
}

extension Model {
  /// Reads a model from the keyed archive that Core Data makes of it: the contents of a `.mom` file, or what
  /// `Z_MODELCACHE.Z_CONTENT` has in a store, compressed.
  ///
  /// - Throws: ``ModelError`` if the bytes are no archive of a model.
  package init(coreDataArchive bytes: [UInt8]) throws(ModelError) {
    self = try ArchivedModel(bytes).model
  }
}

/// A `.momd` directory: compiled versions of a model, and a file that names the current one.
package struct CompiledModelBundle {
  private static let versionFile = "VersionInfo.plist"
  /// The size that thousands of entities in hundreds of versions take.
  private static let versionFileLimit = 64 << 20

  let url: URL
  /// The names of the `.mom` files in it, sorted.
  let versions: [String]

  package init(_ url: URL) throws(ModelError) {
    self.url = url
    versions = try ModelBundle.names(in: url).filter { $0.hasSuffix(".mom") }.sorted()
  }

  /// The file of the version that `VersionInfo.plist` names, or of the only one there is.
  func currentVersion() throws(ModelError) -> URL {
    let name = try currentVersionName()
    let version = url.appendingPathComponent(name)
    guard ModelBundle.contains(version, in: url) else { throw ModelError(.leadsOut(name)) }
    return version
  }

  private func currentVersionName() throws(ModelError) -> String {
    guard !versions.isEmpty else { throw ModelError(.noCompiledVersions) }
    if let name = try versionInfo()?["NSManagedObjectModel_CurrentVersionName"]?.text {
      guard versions.contains(name + ".mom") else {
        throw ModelError(.unknownCompiledVersion(name, versions: versions))
      }
      return name + ".mom"
    }
    guard versions.count == 1 else { throw ModelError(.severalCompiledVersions(versions)) }
    return versions[0]
  }

  /// The contents of `VersionInfo.plist`; nil where it is missing.
  private func versionInfo() throws(ModelError) -> PropertyListDictionary? {
    let file = url.appendingPathComponent(Self.versionFile)
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    guard ModelBundle.contains(file, in: url) else { throw ModelError(.leadsOut(Self.versionFile)) }
    let data: Data
    do { data = try Data(contentsOf: file) } catch {
      throw ModelError(.unreadableVersionInfo(error.localizedDescription))
    }
    guard data.count <= Self.versionFileLimit else {
      throw ModelError(.unreadableVersionInfo("it is larger than 64 MB"))
    }
    do throws(PropertyListError) {
      guard let members = try PropertyList([UInt8](data)).root.dictionary else {
        throw PropertyListError("it is no dictionary")
      }
      return members
    } catch {
      throw ModelError(.unreadableVersionInfo(error.description))
    }
  }

  /// The hashes of each version's entities, by the version's name and the entity's: a store names the hashes of the
  /// model that it was written with.
  package func versionHashes() throws(ModelError) -> [String: [String: [UInt8]]] {
    guard let versions = try versionInfo()?["NSManagedObjectModel_VersionHashes"]?.dictionary else {
      return [:]
    }
    var result: [String: [String: [UInt8]]] = [:]
    for index in 0..<versions.count {
      guard let name = versions.keys[index].text, self.versions.contains(name + ".mom"),
        let entities = versions.values[index].dictionary
      else { continue }
      var hashes: [String: [UInt8]] = [:]
      for index in 0..<entities.count {
        guard let entity = entities.keys[index].text, let hash = entities.values[index].data else { continue }
        hashes[entity] = Array(hash)
      }
      result[name] = hashes
    }
    return result
  }
}
