import JSONStream
import ObjectModel

extension Transformer {
  /// True and false as `"yes"` and `"no"`.
  static let yesNo = ofWords(true: "yes", false: "no")

  /// True and false as `"on"` and `"off"`.
  static let onOff = ofWords(true: "on", false: "off")

  /// True and false as 1 and 0.
  static let zeroOne = Transformer(
    read: { value in
      switch value {
      case .number, .string:
        guard let truth = truth(of: value) else { throw TransformerError(expected: "0 or 1") }
        return .bool(truth)
      default: return value
      }
    },
    write: { if case .bool(let truth) = $0 { .integer(truth ? 1 : 0) } else { $0 } })

  /// The opposite: JSON says `hidden` and the model says `isVisible`.
  static let not = Transformer(
    read: { value in
      guard value != .null else { return .null }
      guard let truth = truth(of: value) else { throw TransformerError(expected: "true or false") }
      return .bool(!truth)
    },
    write: { if case .bool(let truth) = $0 { .bool(!truth) } else { $0 } })

  private static func ofWords(true yes: String, false no: String) -> Transformer {
    Transformer(
      read: { value in
        guard case .string = value else { return value }
        guard let truth = truth(of: value) else { throw TransformerError(expected: "\(yes) or \(no)") }
        return .bool(truth)
      },
      write: { if case .bool(let truth) = $0 { .string(truth ? yes : no) } else { $0 } })
  }

  /// Whether a value means yes or no, in any of the usual forms.
  private static func truth(of value: JSONValue) -> Bool? {
    switch value {
    case .bool(let truth): truth
    case .number:
      switch value.integerValue {
      case 0: false
      case 1: true
      default: nil
      }
    case .string(let word): words[word.withoutSpaceAround.lowercased()]
    case .null, .array, .object: nil
    }
  }

  private static let words: [String: Bool] = {
    let yes = ["yes", "y", "true", "t", "1", "on", "enabled", "active"]
    let no = ["no", "n", "false", "f", "0", "off", "disabled", "inactive"]
    return Dictionary(uniqueKeysWithValues: yes.map { ($0, true) } + no.map { ($0, false) })
  }()
}
