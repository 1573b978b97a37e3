/// Compares names without regard to their style.
package enum Names {
  /// A name without case and separators: `first_name`, `FirstName` and `firstName` are the same; so are `image_url`
  /// and `imageURL`.
  package static func folded(_ name: String) -> String {
    name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
  }

  /// The words of a name: `listImageURL` has list, image and url; `URLString` has url and string.
  package static func words(_ name: String) -> [String] {
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
