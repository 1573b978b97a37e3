/// References to characters in HTML: `&amp;`, `&eacute;`, `&#233;`, `&#xE9;`.
enum HTMLEntities {
  /// The length of the longest reference, in characters between `&` and `;`.
  private static let longest = 12

  /// The text with references replaced by their characters. What is no reference stays as it is.
  static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let ampersand = rest.firstIndex(of: "&") {
      result.append(contentsOf: rest[..<ampersand])
      rest = rest[ampersand...]
      if let end = rest.prefix(longest + 2).firstIndex(of: ";"),
        let scalar = scalar(rest[rest.index(after: ampersand)..<end])
      {
        result.append(scalar)
        rest = rest[rest.index(after: end)...]
      } else {
        result.append("&")
        rest = rest.dropFirst()
      }
    }
    result.append(contentsOf: rest)
    return String(result)
  }

  /// The text with the characters that mean something in HTML written as references.
  static func encoded(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
      case "'": result.append(contentsOf: "&#39;".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// The character that the text between `&` and `;` names.
  private static func scalar(_ name: Substring.UnicodeScalarView) -> Unicode.Scalar? {
    guard name.first == "#" else { return named[String(name)].flatMap(Unicode.Scalar.init) }
    let digits = name.dropFirst()
    let isHexadecimal = digits.first == "x" || digits.first == "X"
    let places = Substring(isHexadecimal ? digits.dropFirst() : digits)
    guard places.utf8.first != UInt8(ascii: "+"),
      let code = UInt32(places, radix: isHexadecimal ? 16 : 10), code > 0
    else { return nil }
    return Unicode.Scalar(windows1252[code] ?? code)
  }
}
