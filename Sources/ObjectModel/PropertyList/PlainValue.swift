import Foundation
import JSONStream

/// What an archive or a property list holds, if it is plain: texts, numbers, dates, data, addresses, UUIDs, and arrays,
/// sets and dictionaries of these.
package enum PlainValue {
  /// What a value is as JSON.
  package enum Form: Sendable, Equatable {
    /// JSON text. Data is Base64, a UUID is in lower case, an attributed string is its text.
    case json([UInt8])
    /// It is not plain: the class of the first object that is not.
    case notPlain(className: String)
  }

  /// What was read.
  package struct Reading: Sendable {
    package let form: Form
    /// Whether a number was NaN or infinite, which JSON cannot have: null is in its place.
    package let hasNonFinite: Bool
  }

  /// Reads a property list or a keyed archive and writes what it holds as JSON.
  ///
  /// - Parameter date: The text of a date by its seconds since 2001-01-01T00:00:00Z; nil if it has none.
  /// - Throws: ``PropertyListError`` if the bytes are neither, if a value is in itself, or if it is nested too deeply or
  ///   becomes too long since its parts are shared.
  package static func json(
    of bytes: [UInt8], date: @escaping (Double) -> String?
  ) throws(PropertyListError) -> Form { try read(bytes, date: date).form }

  /// The same, with what was lost.
  package static func read(
    _ bytes: [UInt8], date: @escaping (Double) -> String?
  ) throws(PropertyListError) -> Reading {
    let list = try PropertyList(bytes)
    let archive = KeyedArchive.isArchive(list) ? try KeyedArchive(list) : nil
    let root = try archive?.root() ?? .value(list.root)
    var className: String?
    var hasNonFinite = false
    let json = try JSONWriter.bytes { (writer) throws(PropertyListError) in
      var walk = PlainValueWalk(archive: archive, inputSize: bytes.count, date: date)
      className = try walk.write(root, to: &writer)
      hasNonFinite = walk.hasNonFinite
    }
    return Reading(form: className.map(Form.notPlain) ?? .json(json), hasNonFinite: hasNonFinite)
  }
}
