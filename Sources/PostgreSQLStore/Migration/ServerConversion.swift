#if PostgreSQL
  import ObjectModel
  import ObjectStore

  /// The conversions of values that the server makes exactly as ``ValueConversion`` does.
  enum ServerConversion {
    /// SQL for a value in the form of another type; nil if the server cannot say that.
    static func sql(_ value: String, _ conversion: ValueConversion) -> String? {
      switch (ColumnForm(conversion.old), ColumnForm(conversion.new)) {
      case (.integer, .integer): limited(value, to: conversion.new)
      case (.boolean, .integer): "CAST(CAST(\(value) AS integer) AS bigint)"
      case (.integer, .boolean): "CASE \(value) WHEN 1 THEN TRUE WHEN 0 THEN FALSE END"
      case (.boolean, .text) where conversion.new == .string:
        "CASE \(value) WHEN TRUE THEN 'true' WHEN FALSE THEN 'false' END"
      case (.integer, .text) where conversion.new == .string: "CAST(\(value) AS text)"
      case (.uuid, .text) where conversion.new == .string || conversion.new == .uri: "CAST(\(value) AS text)"
      case (.decimal, .text) where conversion.new == .string: "CAST(trim_scale(\(value)) AS text)"
      case (.integer, .decimal): "CAST(\(value) AS numeric)"
      case (.integer, .real) where conversion.new == .double:
        "CASE WHEN \(value) BETWEEN -9007199254740992 AND 9007199254740992 THEN CAST(\(value) AS double precision) END"
      default: nil
      }
    }

    /// A value as the server keeps it: a date to the microsecond. What it does not keep is no value, and so is counted as lost.
    static func held(_ value: SQLValue?, as type: AttributeType) -> SQLValue {
      guard var value else { return .null }
      if type == .date, case .text(let text) = value {
        value = PostgreSQLDialect().nearest(.text(text), as: .date, .less).value
      }
      return ServerArgument.value(value, as: SQLForm(type)) ?? .null
    }

    /// A whole number where the new type has room for it.
    private static func limited(_ value: String, to type: AttributeType) -> String {
      switch type {
      case .integer16: "CASE WHEN \(value) BETWEEN \(Int16.min) AND \(Int16.max) THEN \(value) END"
      case .integer32: "CASE WHEN \(value) BETWEEN \(Int32.min) AND \(Int32.max) THEN \(value) END"
      default: value
      }
    }
  }
#endif
