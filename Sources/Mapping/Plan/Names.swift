/// Compares names without regard to their style.
package enum Names {
  /// A name without case and separators: `first_name`, `FirstName` and `firstName` are the same; so are `image_url`
  /// and `imageURL`.
  package static func folded(_ name: String) -> String {
    var isFolded = true
    for byte in name.utf8 {
      guard byte < 0x80 else { return name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " } }
      if isSeparator(byte) || isUppercase(byte) { isFolded = false }
    }
    // Most keys are so already.
    if isFolded { return name }
    return String(unsafeUninitializedCapacity: name.utf8.count) { text in
      var count = 0
      for byte in name.utf8 where !isSeparator(byte) {
        text[count] = lowercased(byte)
        count += 1
      }
      return count
    }
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: " ")
  }

  private static func isUppercase(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }

  private static func lowercased(_ byte: UInt8) -> UInt8 { isUppercase(byte) ? byte | 0x20 : byte }

  /// The words of a name: `listImageURL` has list, image and url; `URLString` has url and string.
  package static func words(_ name: String) -> [String] {
    if name.utf8.allSatisfy({ $0 < 0x80 }) { return words(ofASCII: Array(name.utf8)) }
    var words: [String] = []
    var word = ""
    let characters = Array(name)
    for (index, character) in characters.enumerated() {
      if character == "_" || character == "-" || character == " " {
        if !word.isEmpty { words.append(word) }
        word = ""
        continue
      }
      if character.isUppercase, !word.isEmpty {
        let follows = index + 1 < characters.count ? characters[index + 1] : nil
        let startsWord =
          !characters[index - 1].isUppercase || (follows?.isLowercase == true && follows != "s")
        if startsWord {
          words.append(word)
          word = ""
        }
      }
      word.append(contentsOf: character.lowercased())
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  /// The same for names of ASCII, which most are.
  package static func words(ofASCII name: [UInt8]) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    func end() {
      if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
      word.removeAll(keepingCapacity: true)
    }
    for (index, byte) in name.enumerated() {
      if isSeparator(byte) {
        end()
        continue
      }
      if isUppercase(byte), !word.isEmpty {
        let follows = index + 1 < name.count ? name[index + 1] : 0
        let isInWord = follows &- UInt8(ascii: "a") < 26 && follows != UInt8(ascii: "s")
        if !isUppercase(name[index - 1]) || isInWord { end() }
      }
      word.append(lowercased(byte))
    }
    end()
    return words
  }

  /// `list_image_url`
  package static func snakeCase(_ name: String) -> String {
    words(name).joined(separator: "_")
  }

  /// `listImageUrl`
  package static func camelCase(_ name: String) -> String {
    let words = words(name)
    return (words.first ?? "") + words.dropFirst().map(capitalized).joined()
  }

  package static func capitalized(_ word: String) -> String {
    word.prefix(1).uppercased() + word.dropFirst()
  }

  private static let irregular = [
    "people": "person", "children": "child", "men": "man", "women": "woman", "mice": "mouse",
    "feet": "foot", "geese": "goose", "teeth": "tooth", "indices": "index", "matrices": "matrix",
    "analyses": "analysis", "media": "medium", "data": "datum",
  ]

  /// The folded nouns that a folded English plural may belong to, the plural itself first.
  package static func singulars(_ folded: String) -> [String] {
    var result = [folded]
    for (plural, singular) in irregular where folded.hasSuffix(plural) {
      result.append(folded.dropLast(plural.count) + singular)
    }
    if folded.hasSuffix("ies") { result.append(folded.dropLast(3) + "y") }
    if folded.hasSuffix("ves") {
      result.append(folded.dropLast(3) + "f")
      result.append(folded.dropLast(3) + "fe")
    }
    if folded.hasSuffix("es") { result.append(String(folded.dropLast(2))) }
    if folded.hasSuffix("s"), !folded.hasSuffix("ss") { result.append(String(folded.dropLast())) }
    return result
  }

  /// The most likely singular of a name in the plural: `album` for `albums`, `category` for `categories`.
  package static func singular(_ name: String) -> String {
    let folded = name.lowercased()
    for (plural, singular) in irregular where folded.hasSuffix(plural) {
      // The case is kept up to the first difference.
      let start = name.dropLast(plural.count)
      return start
        + (name.dropFirst(start.count).first?.isUppercase == true ? capitalized(singular) : singular)
    }
    if folded.hasSuffix("ies") { return name.dropLast(3) + "y" }
    for ending in ["xes", "ches", "shes", "sses"] where folded.hasSuffix(ending) {
      return String(name.dropLast(2))
    }
    return folded.hasSuffix("s") && !folded.hasSuffix("ss") ? String(name.dropLast()) : name
  }

  /// Whether a name is a reserved word with an entity's name before it, as `bandDescription` of `Band` is.
  package static func isReserved(_ name: String, qualifiedBy entity: String) -> Bool {
    let (name, entity) = (folded(name), folded(entity))
    return name.hasPrefix(entity) && reserved.contains(String(name.dropFirst(entity.count)))
  }

  /// Folded names that Cocoa or Swift does not allow for a property, or uses itself. A model writes them with its
  /// entity's name before them: `bandDescription`.
  package static let reserved: Set<String> = [
    // Swift
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init",
    "inout", "internal", "let", "open", "operator", "private", "protocol", "public", "rethrows", "static",
    "struct", "subscript", "typealias", "var", "break", "case", "catch", "continue", "default", "defer",
    "do", "else", "fallthrough", "for", "guard", "if", "in", "repeat", "return", "throw", "throws",
    "switch", "where", "while", "any", "as", "await", "false", "is", "nil", "self", "super", "true", "try",
    "type", "extends", "some", "actor",
    // Objective-C and Cocoa
    "description", "debugdescription", "hash", "hashvalue", "superclass", "zone", "copy", "mutablecopy",
    "new", "alloc", "dealloc", "retain", "release", "autorelease", "retaincount", "isproxy", "entity",
    "objectid", "managedobjectcontext", "observationinfo", "deleted", "isdeleted", "inserted",
    "isinserted", "updated", "isupdated", "fault", "isfault", "haschanges", "classname",
  ]
}
