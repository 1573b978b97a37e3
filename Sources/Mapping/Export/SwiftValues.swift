import Foundation
import JSONStream
import ObjectStore

/// Swift values as JSON, with the conventions of exports.
extension Exporter {
  /// A Swift value as JSON: keys in the style of the options, dates in ISO 8601 and UTC, data in Base64.
  ///
  /// ```swift
  /// struct Band: Encodable { var bandName: String; var formed: Date }
  /// let json = try Exporter.text(of: Band(bandName: "Japan", formed: date), keys: .snake)
  /// // {"band_name":"Japan","formed":"1974-01-01T00:00:00Z"}
  /// ```
  ///
  /// - Throws: `EncodingError` if the value cannot be encoded, or has a date outside the years 0 to 9999.
  public static func text(
    of value: some Encodable, keys: ExportOptions.Keys = .camel, isPretty: Bool = false
  ) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = isPretty ? [.prettyPrinted] : []
    encoder.outputFormatting.formUnion([.sortedKeys, .withoutEscapingSlashes])
    if keys == .snake {
      encoder.keyEncodingStrategy = .custom { path in
        StyledKey(stringValue: Names.snakeCase(path.last?.stringValue ?? ""))
      }
    }
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      guard let stored = DateText(secondsSince2001: date.timeIntervalSinceReferenceDate) else {
        throw EncodingError.invalidValue(
          date,
          EncodingError.Context(
            codingPath: encoder.codingPath, debugDescription: "The date is outside the years 0 to 9999."))
      }
      try container.encode(stored.iso8601)
    }
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

extension ImportSource {
  /// A Swift value, as the JSON that ``Exporter/text(of:keys:isPretty:)`` makes of it.
  ///
  /// - Throws: `EncodingError` if it cannot be encoded.
  public static func value(_ value: some Encodable) throws -> ImportSource {
    var source = try ImportSource.string(Exporter.text(of: value))
    source.isForeign = false
    return source
  }
}

private struct StyledKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
