import Bytes
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
    isPlain = form.transformers == nil && (kind != .date || form.dates == nil && !datesAreAlone)
  }

  /// That of plain texts.
  init() {
    datesAreAlone = false
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
    if form.dates.append(text, alone: form.datesAreAlone, to: &scratch) == .number {
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
        let isNumber = form.dates.append(text, alone: form.datesAreAlone, to: &scratch) == .number
        let written = String(decoding: scratch.elements, as: UTF8.self)
        return isNumber ? .number(written) : .string(written)
      default: return .string(string)
      }
    }
  }
}
