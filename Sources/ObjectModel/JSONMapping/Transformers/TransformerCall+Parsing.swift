import Foundation
import JSONStream

extension TransformerCall {
  /// Reads calls that are separated by commas: `trimmed, prefix("Patient/")`.
  static func list(_ text: String) -> [TransformerCall] {
    parts(of: text).map(parsed)
  }

  /// Splits at the commas that stand in no parentheses and no string.
  private static func parts(of text: String) -> [String] {
    var parts: [String] = []
    var part: [UInt8] = []
    var scan = BracketDepth()
    for byte in text.utf8 {
      if byte == UInt8(ascii: ","), scan.isOutside {
        parts.append(trimmed(part))
        part = []
      } else {
        scan.take(byte)
        part.append(byte)
      }
    }
    parts.append(trimmed(part))
    return parts.filter { !$0.isEmpty }
  }

  private static func trimmed(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  static func parsed(_ text: String) -> TransformerCall {
    guard let open = text.firstIndex(of: "(") else { return TransformerCall(.named(text)) }
    let name = text[..<open].trimmingCharacters(in: .whitespacesAndNewlines)
    let inner = text[text.index(after: open)...]
    guard inner.last == ")", let form = try? FormValue(json: Data("[\(inner.dropLast())]".utf8)),
      case .array(let arguments) = form
    else {
      return TransformerCall(
        .unreadable(
          text, TransformerProblem(expected: "a name with arguments in JSON, as in prefix(\"Patient/\")")))
    }
    return make(name, arguments, text: text)
  }

  /// The call of a name with arguments; `text` is what messages show of it.
  static func make(_ name: String, _ arguments: [FormValue], text: String) -> TransformerCall {
    let kind: Kind? =
      switch name {
      case "prefix": single(arguments).map(Kind.prefix)
      case "suffix": single(arguments).map(Kind.suffix)
      case "split": single(arguments).map(Kind.split)
      case "regex": regex(arguments)
      case "table": table(arguments)
      default: nil
      }
    return TransformerCall(kind ?? .unreadable(text, TransformerProblem(wrongCallOf: name)))
  }

  private static func single(_ arguments: [FormValue]) -> String? {
    guard arguments.count == 1, case .string(let text) = arguments[0] else { return nil }
    return text
  }

  private static func regex(_ arguments: [FormValue]) -> Kind? {
    guard case .string(let pattern)? = arguments.first else { return nil }
    switch arguments.dropFirst().first {
    case nil: return .regex(pattern: pattern, write: nil)
    case .string(let write)? where arguments.count == 2: return .regex(pattern: pattern, write: write)
    default: return nil
    }
  }

  private static func table(_ arguments: [FormValue]) -> Kind? {
    guard let first = arguments.first, arguments.count <= 2, let pairs = pairs(first) else { return nil }
    guard arguments.count == 2 else { return .table(pairs, otherwise: .issue) }
    guard let otherwise = otherwise(arguments[1]) else { return nil }
    return .table(pairs, otherwise: otherwise)
  }

  /// The pairs of an object, or of a list of lists of two.
  private static func pairs(_ form: FormValue) -> [TablePair]? {
    var pairs: [TablePair] = []
    switch form {
    case .object(let members):
      for member in members {
        guard let stored = member.value.scalar else { return nil }
        pairs.append(TablePair(.string(member.key), stored))
      }
    case .array(let elements):
      for element in elements {
        guard case .array(let pair) = element, pair.count == 2, let json = pair[0].scalar,
          let stored = pair[1].scalar
        else { return nil }
        pairs.append(TablePair(json, stored))
      }
    default: return nil
    }
    return pairs
  }

  /// `"keep"`, a scalar, or `{"value": "keep"}` for that word itself.
  private static func otherwise(_ form: FormValue) -> Otherwise.Kind? {
    if form == .string("keep") { return .keep }
    if case .object(let members) = form, members.count == 1, members[0].key == "value" {
      return members[0].value.scalar.map(Otherwise.Kind.value)
    }
    return form.scalar.map(Otherwise.Kind.value)
  }
}

/// How many brackets and quotes are open in a text that is read byte by byte.
private struct BracketDepth {
  private var depth = 0
  private var isInString = false
  private var isEscaped = false

  var isOutside: Bool { depth == 0 }

  mutating func take(_ byte: UInt8) {
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
      return
    }
    switch byte {
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
    // A quote outside parentheses is a part of a name.
    case UInt8(ascii: "\""): isInString = depth > 0
    default: break
    }
  }
}

extension FormValue {
  /// The value, if it is neither a list nor an object.
  var scalar: JSONValue? {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .number(let digits): .number(digits)
    case .string(let text): .string(text)
    case .array, .object: nil
    }
  }
}
