import Bytes
import Foundation
import JSONStream
import ObjectModel
import ObjectStore

/// How the values of an attribute are written.
///
/// A class, since it is passed on for every value, and a copy of a structure would copy all references in it.
final class ExportForm {
  let kind: Conversion.Kind
  let dates: DateFormat
  /// Whether dates came without a time.
  let datesAreAlone: Bool
  /// The form in which moments came.
  let times: TimeForm
  let transformers: TransformerChain?
  /// How an import reads the values.
  let conversion: Conversion
  /// Whether ``kind`` alone tells how values are written.
  let isPlain: Bool

  init(_ attribute: SchemaAttribute, _ form: ValueForms.Form, _ habits: ObservedJSONStyle, _ schema: Schema) {
    datesAreAlone = habits.areAlone(datesOf: attribute, schema)
    kind = Conversion.Kind(attribute.type)
    dates = form.dates?.format ?? .automatic
    transformers = form.transformers
    conversion = Conversion(type: attribute.type, dates: form.dates)
    let came = form.dates == nil ? habits.timeForm(of: attribute, schema) : nil
    times = came ?? .usual
    isPlain =
      form.transformers == nil && (kind != .date || form.dates == nil && !datesAreAlone && came == nil)
  }

  /// That of plain texts.
  init() {
    datesAreAlone = false
    times = .usual
    kind = .string
    dates = .automatic
    transformers = nil
    conversion = Conversion(type: .string)
    isPlain = true
  }
}

/// Writes a stored value as JSON.
final class ValueWriter {
  private var scratch = ByteBuffer()

  /// Whether null is written.
  func isNull(_ stored: StoredValue, _ form: ExportForm) -> Bool {
    if form.transformers != nil { return value(of: stored, form) == .null }
    return if case .null = stored { true } else { false }
  }

  func write(_ stored: StoredValue, _ form: ExportForm, to writer: inout JSONWriter) {
    guard form.transformers == nil else { return writer.value(value(of: stored, form)) }
    guard case .text(let text) = stored, form.kind == .date, !form.isPlain else {
      return write(stored, form.kind, to: &writer)
    }
    scratch.removeAll()
    if form.dates.append(text, alone: form.datesAreAlone, as: form.times, to: &scratch) == .number {
      writer.raw(scratch.elements)
    } else {
      writer.string(scratch.elements)
    }
  }

  /// Writes a value by its type alone; see ``ExportForm/isPlain``.
  func write(_ stored: StoredValue, _ kind: Conversion.Kind, to writer: inout JSONWriter) {
    switch stored {
    case .null: writer.null()
    case .integer(let integer):
      if kind == .boolean {
        writer.bool(integer != 0)
      } else {
        writer.integer(integer)
      }
    case .real(let double): writer.double(double)
    case .blob(let data):
      scratch.removeAll()
      Base64.encode(data, to: &scratch)
      writer.string(scratch.elements)
    case .text(let text):
      switch kind {
      case .decimal, .json: writer.raw(text)
      case .date:
        scratch.removeAll()
        _ = DateFormat.automatic.append(text, to: &scratch)
        writer.string(scratch.elements)
      default: writer.string(text)
      }
    }
  }

  /// The JSON value that is written, after the attribute's transformers.
  func value(of stored: StoredValue, _ form: ExportForm) -> JSONValue {
    let value = plainValue(of: stored, form)
    return form.transformers?.written(value) ?? value
  }

  private func plainValue(of stored: StoredValue, _ form: ExportForm) -> JSONValue {
    switch stored {
    case .null: return .null
    case .integer(let integer): return form.kind == .boolean ? .bool(integer != 0) : .integer(integer)
    case .real(let double): return JSONValue(writing: double)
    case .blob(let data):
      scratch.removeAll()
      Base64.encode(data, to: &scratch)
      return .string(String(decoding: scratch.elements, as: UTF8.self))
    case .text(let text):
      let string = String(decoding: text, as: UTF8.self)
      switch form.kind {
      case .decimal: return .number(string)
      case .json: return JSONValue(text: string) ?? .string(string)
      case .date:
        scratch.removeAll()
        let isNumber =
          form.dates.append(text, alone: form.datesAreAlone, as: form.times, to: &scratch) == .number
        let written = String(decoding: scratch.elements, as: UTF8.self)
        return isNumber ? .number(written) : .string(written)
      default: return .string(string)
      }
    }
  }
}

/// A value as the store keeps it, whose bytes are the cursor's until that moves on.
///
/// It has the cases of an `SQLValue`, which would copy the bytes of each text that an export writes.
enum StoredValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(UnsafeBufferPointer<UInt8>)
  case blob(UnsafeRawBufferPointer)

  init(_ row: any Cursor, _ column: Int) {
    switch row.storage(column) {
    case nil: self = .null
    case .integer: self = .integer(row.integer(column))
    case .real: self = .real(row.double(column))
    case .text: self = .text(row.text(column))
    case .blob: self = .blob(row.blob(column))
    }
  }

  /// Reads the text that stands for a value of a type in a key that the store remembers; see ``KeyText``.
  init(key text: UnsafeBufferPointer<UInt8>, _ type: AttributeType) {
    let string = String(decoding: text, as: UTF8.self)
    switch StorageType(type) {
    case .integer: self = Int64(string).map(StoredValue.integer) ?? .text(text)
    case .real: self = Double(string).map(StoredValue.real) ?? .text(text)
    case .text, .blob: self = .text(text)
    }
  }

  /// The text that stands for the value in a key; see ``KeyText``.
  var keyText: String {
    switch self {
    case .null: ""
    case .integer(let integer): String(integer)
    case .real(let double): String(double)
    case .text(let text): String(decoding: text, as: UTF8.self)
    case .blob(let data): String(decoding: data, as: UTF8.self)
    }
  }
}

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

extension DateFormat {
  /// How JSON writes a date.
  enum Written {
    case string
    case number
  }

  /// Appends a date of the store in this format.
  ///
  /// - Parameters:
  ///   - alone: Whether the time is left out if it is midnight and the format is the automatic one.
  ///   - times: The form of moments in the automatic format.
  func append(
    _ stored: UnsafeBufferPointer<UInt8>, alone: Bool = false, as times: TimeForm = .usual,
    to bytes: inout ByteBuffer
  ) -> Written {
    switch form {
    case .automatic:
      if alone, appendDate(of: stored, to: &bytes) { return .string }
      times.append(stored, to: &bytes)
      return .string
    case .pattern(let pattern, _):
      guard let time = ISODate.read(stored) else { break }
      pattern.write(time, offset: offset(at: time.secondsSince1970), to: &bytes)
      return .string
    case .unix(let unit):
      guard let time = ISODate.read(stored) else { break }
      time.appendUnix(unit, to: &bytes)
      return .number
    }
    bytes.append(stored)
    return .string
  }
}

extension DateFormat {
  /// Appends the date of a moment that is midnight in the format's zone, if reading it back gives the same moment.
  private func appendDate(of stored: UnsafeBufferPointer<UInt8>, to bytes: inout ByteBuffer) -> Bool {
    guard var time = ISODate.read(stored), time.fraction == 0 else { return false }
    let moment = time.secondsSince1970
    guard time.setSeconds(moment + offset(at: moment)), time.hour == 0, time.minute == 0, time.second == 0,
      time.secondsSince1970 - offset(local: time) == moment
    else { return false }
    let start = bytes.count
    time.append(to: &bytes)
    bytes.truncate(to: start + 10)
    return true
  }
}

extension CivilTime {
  /// Appends the seconds or milliseconds since 1970, with the fraction.
  fileprivate func appendUnix(_ unit: DateReader.UnixUnit, to bytes: inout ByteBuffer) {
    var nanoseconds = fraction
    for _ in fractionDigits..<9 { nanoseconds *= 10 }
    let perUnit = unit == .seconds ? 1_000_000_000 : 1_000_000
    let unitsPerSecond = unit == .seconds ? 1 : 1000
    var whole = secondsSince1970 * unitsPerSecond + nanoseconds / perUnit
    var rest = nanoseconds % perUnit
    // Before 1970, `whole` is rounded down and `rest` is added to it. In JSON, both count from zero.
    let isNegative = whole < 0
    if isNegative, rest > 0 {
      whole += 1
      rest = perUnit - rest
    }
    bytes.append(utf8: isNegative ? "-\(abs(whole))" : "\(whole)")
    guard rest > 0 else { return }
    let digits = String(rest)
    var text = String(repeating: "0", count: (unit == .seconds ? 9 : 6) - digits.count) + digits
    while text.last == "0" { text.removeLast() }
    bytes.append(utf8: "." + text)
  }
}
