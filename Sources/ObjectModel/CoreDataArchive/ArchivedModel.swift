import JSONStream

/// The model of a keyed archive, and what of the archive is not in it.
///
/// Core Data keeps such archives in compiled models, and compressed in its stores (`Z_MODELCACHE.Z_CONTENT`).
package struct ArchivedModel: Sendable {
  package let model: Model
  /// What was left out, and why, as warnings.
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
