import Mapping

/// Names for entities and properties, made of the keys of JSON.
enum Words {
  private static let unchanged: Set<String> = [
    "series", "species", "news", "means", "lens", "gps", "sms", "dns", "https", "kubernetes", "css", "js",
    "aws", "always",
    "os", "ios", "data", "media", "canvas", "gas", "atlas", "bias", "alias", "pancreas", "this", "has", "is",
    "was", "plus",
    "yes",
  ]
  private static let keepsE: Set<String> = [
    "movies", "cookies", "ties", "pies", "zombies", "calories", "selfies", "lies", "hoodies", "genies",
    "sorties",
    "brownies", "rookies", "cookies",
  ]
  private static let irregular = [
    "people": "person", "children": "child", "men": "man", "women": "woman", "mice": "mouse", "feet": "foot",
    "geese": "goose", "teeth": "tooth", "indices": "index", "matrices": "matrix", "vertices": "vertex",
    "criteria": "criterion", "phenomena": "phenomenon", "genera": "genus",
    "wolves": "wolf", "knives": "knife", "wives": "wife", "lives": "life", "shelves": "shelf",
    "halves": "half",
    "leaves": "leaf", "thieves": "thief", "loaves": "loaf", "analyses": "analysis", "bases": "base",
    "diagnoses": "diagnosis", "hypotheses": "hypothesis", "axes": "axis", "quizzes": "quiz",
  ]

  /// The singular of a word in lower case.
  static func singular(ofWord word: String) -> String {
    if let known = irregular[word] { return known }
    if unchanged.contains(word) || word.count < 3 || isAbbreviation(word) { return word }
    if keepsE.contains(word) { return String(word.dropLast()) }
    if word.hasSuffix("ies") { return word.dropLast(3) + "y" }
    for ending in ["xes", "ches", "shes", "sses", "zzes", "tuses", "ruses", "buses", "nuses", "mpuses"]
    where word.hasSuffix(ending) {
      return String(word.dropLast(2))
    }
    if word.hasSuffix("oes"), word.count > 4, word != "shoes" { return String(word.dropLast(2)) }
    if word.hasSuffix("ss") || word.hasSuffix("us") || word.hasSuffix("is") { return word }
    return word.hasSuffix("s") ? String(word.dropLast()) : word
  }

  /// Whether a word has no vowel, as `gtfs`.
  private static func isAbbreviation(_ word: String) -> Bool { !word.contains { "aeiouy".contains($0) } }

  /// The plural of a word in lower case.
  static func plural(ofWord word: String) -> String {
    if let known = irregular.first(where: { $0.value == word })?.key { return known }
    if unchanged.contains(word) { return word }
    if word.hasSuffix("y"), let before = word.dropLast().last, !"aeiou".contains(before) {
      return word.dropLast() + "ies"
    }
    for ending in ["s", "x", "ch", "sh", "z"] where word.hasSuffix(ending) { return word + "es" }
    return word + "s"
  }

  /// The words of a key: letters and digits only, in lower case.
  static func words(_ key: String) -> [String] {
    var plain = ""
    for (index, character) in zip(key.indices, key) {
      // Of `+1` and `-1`, the sign is all that tells them apart.
      if character == "+" || character == "-" && index == key.startIndex {
        plain += character == "+" ? "_plus_" : "_minus_"
      }
      plain.append(character.isLetter || character.isNumber ? character : "_")
    }
    return Names.words(plain)
  }

  /// `goals` for `goals1`, which stands beside `goals2`.
  static func withoutNumber(_ key: String) -> String {
    var text = key[...]
    while text.last?.isNumber ?? false { text.removeLast() }
    if text.last == "_" || text.last == "-" { text.removeLast() }
    return text.isEmpty ? key : String(text)
  }

  /// `BandMember` for `band_members`.
  static func entityName(_ key: String) -> String {
    var words = words(key)
    guard let last = words.last else { return "Record" }
    words[words.count - 1] = singular(ofWord: last)
    let name = words.map(Names.capitalized).joined()
    return name.first?.isNumber == true ? "Item\(name)" : name
  }

  /// `bandMembers` for the entity `BandMember`.
  static func plural(ofEntity name: String) -> String {
    var words = Names.words(name)
    guard let last = words.last else { return "objects" }
    words[words.count - 1] = plural(ofWord: last)
    return camelCase(words)
  }

  /// `bandMember` for the entity `BandMember`.
  static func property(ofEntity name: String) -> String { camelCase(Names.words(name)) }

  static func camelCase(_ words: [String]) -> String {
    (words.first ?? "") + words.dropFirst().map(Names.capitalized).joined()
  }

  /// The name of a property: the key itself if it is one in camel case already, else its words in camel case.
  static func propertyName(_ key: String) -> String {
    let isPlain = key.allSatisfy { $0.isLetter || $0.isNumber }
    if isPlain, key.first?.isLowercase == true { return key }
    let name = camelCase(words(key))
    if name.isEmpty { return "value" }
    return name.first?.isNumber == true ? "value\(Names.capitalized(name))" : name
  }

  /// A key folded, in the singular, to compare names.
  static func folded(_ key: String) -> String {
    var words = words(key)
    guard let last = words.last else { return key }
    words[words.count - 1] = singular(ofWord: last)
    return words.joined()
  }
}
