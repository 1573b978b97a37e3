import ObjectModel

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
    text.replacingScalars { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&#39;"
      default: nil
      }
    }
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

extension HTMLEntities {
  /// Characters by their names: those of XML, all of Latin 1, and common typographic signs.
  static let named: [String: UInt32] = {
    var names: [String: UInt32] = [
      "amp": 0x0026, "lt": 0x003C, "gt": 0x003E, "quot": 0x0022, "apos": 0x0027, "OElig": 0x0152,
      "oelig": 0x0153, "Scaron": 0x0160, "scaron": 0x0161, "Yuml": 0x0178, "fnof": 0x0192, "circ": 0x02C6,
      "tilde": 0x02DC, "ensp": 0x2002, "emsp": 0x2003, "thinsp": 0x2009, "zwnj": 0x200C, "zwj": 0x200D,
      "lrm": 0x200E, "rlm": 0x200F, "ndash": 0x2013, "mdash": 0x2014, "lsquo": 0x2018, "rsquo": 0x2019,
      "sbquo": 0x201A, "ldquo": 0x201C, "rdquo": 0x201D, "bdquo": 0x201E, "dagger": 0x2020, "Dagger": 0x2021,
      "bull": 0x2022, "hellip": 0x2026, "permil": 0x2030, "prime": 0x2032, "Prime": 0x2033, "lsaquo": 0x2039,
      "rsaquo": 0x203A, "euro": 0x20AC, "trade": 0x2122, "larr": 0x2190, "uarr": 0x2191, "rarr": 0x2192,
      "darr": 0x2193, "harr": 0x2194, "minus": 0x2212, "le": 0x2264, "ge": 0x2265, "ne": 0x2260,
      "asymp": 0x2248, "infin": 0x221E, "hearts": 0x2665,
    ]
    for (place, name) in latin1.enumerated() { names[name] = 0xA0 + UInt32(place) }
    return names
  }()

  /// The names of the characters from U+00A0 to U+00FF, in their order.
  private static let latin1 = [
    "nbsp", "iexcl", "cent", "pound", "curren", "yen", "brvbar", "sect", "uml", "copy", "ordf", "laquo",
    "not", "shy", "reg", "macr", "deg", "plusmn", "sup2", "sup3", "acute", "micro", "para", "middot",
    "cedil", "sup1", "ordm", "raquo", "frac14", "frac12", "frac34", "iquest", "Agrave", "Aacute", "Acirc",
    "Atilde", "Auml", "Aring", "AElig", "Ccedil", "Egrave", "Eacute", "Ecirc", "Euml", "Igrave", "Iacute",
    "Icirc", "Iuml", "ETH", "Ntilde", "Ograve", "Oacute", "Ocirc", "Otilde", "Ouml", "times", "Oslash",
    "Ugrave", "Uacute", "Ucirc", "Uuml", "Yacute", "THORN", "szlig", "agrave", "aacute", "acirc", "atilde",
    "auml", "aring", "aelig", "ccedil", "egrave", "eacute", "ecirc", "euml", "igrave", "iacute", "icirc",
    "iuml", "eth", "ntilde", "ograve", "oacute", "ocirc", "otilde", "ouml", "divide", "oslash", "ugrave",
    "uacute", "ucirc", "uuml", "yacute", "thorn", "yuml",
  ]

  /// Numbers that are no printing character in Unicode, but one in Windows' code page. Browsers show that one:
  /// `&#146;` is an apostrophe.
  private static let windows1252: [UInt32: UInt32] = [
    0x80: 0x20AC, 0x82: 0x201A, 0x83: 0x0192, 0x84: 0x201E, 0x85: 0x2026, 0x86: 0x2020, 0x87: 0x2021,
    0x88: 0x02C6, 0x89: 0x2030, 0x8A: 0x0160, 0x8B: 0x2039, 0x8C: 0x0152, 0x8E: 0x017D, 0x91: 0x2018,
    0x92: 0x2019, 0x93: 0x201C, 0x94: 0x201D, 0x95: 0x2022, 0x96: 0x2013, 0x97: 0x2014, 0x98: 0x02DC,
    0x99: 0x2122, 0x9A: 0x0161, 0x9B: 0x203A, 0x9C: 0x0153, 0x9E: 0x017E, 0x9F: 0x0178,
  ]
}
