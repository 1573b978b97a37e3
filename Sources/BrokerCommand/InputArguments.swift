import ArgumentParser
import Mapping

/// The forms of input.
enum InputForm: String, ExpressibleByArgument, CaseIterable {
  case json, csv, tsv
}

/// `;`, or `tab` for a character that is hard to type.
struct Separator: ExpressibleByArgument {
  let format: InputFormat

  init?(argument: String) {
    let character: Character? =
      switch argument {
      case "tab", "\\t": "\t"
      default: argument.count == 1 ? argument.first : nil
      }
    guard let character, let format = InputFormat.csv(separator: character) else { return nil }
    self.format = format
  }
}

/// A number of bytes: `500MB`, `2GB`, or digits alone.
struct ByteCount: ExpressibleByArgument {
  let count: Int

  private static let units = [
    "kb": 1_000, "mb": 1_000_000, "gb": 1_000_000_000, "tb": 1_000_000_000_000, "b": 1,
  ]

  init?(argument: String) {
    let text = argument.lowercased()
    let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }
    let factor = unit.isEmpty ? 1 : Self.units[String(unit)]
    guard let factor, let number = Double(digits),
      let count = Int(exactly: (number * Double(factor)).rounded())
    else { return nil }
    self.count = count
  }
}
