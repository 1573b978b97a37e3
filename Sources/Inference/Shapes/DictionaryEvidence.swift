import ObjectStore

/// The evidence for and against keys being data.
struct DictionaryEvidence {
  private(set) var members = 0
  private(set) var objects = 0
  /// The part of the objects that have an average key.
  private(set) var presence = 1.0
  /// The part of the keys that look like data: numbers, dates, codes with digits.
  private(set) var dataKeys = 0.0
  /// Whether all values are alike: objects with keys in common, or all lists, or scalars of one type.
  private(set) var areAlike = false
  private(set) var hasObjects = false
  private(set) var hasLists = false
  /// Whether all keys are numbers or words like `PARIS_NORD`, which no name of a property is.
  private(set) var onlyCodes = false
  /// Whether all keys are whole numbers.
  private(set) var onlyNumbers = false
  /// Whether the only key is empty, which no property is called.
  private(set) var isEmptyKey = false
  /// Whether all keys are in capitals, as symbols and the codes of countries are.
  private(set) var onlyCapitals = false
  /// Whether all keys are words with hyphens between them, as names of things are rather than those of properties.
  private(set) var onlyHyphens = false
  /// Whether all keys are one word and a number behind a hyphen, also a Roman one: `generation-i`, `generation-ii`.
  private(set) var areNumbered = false
  /// Whether all keys are like the codes of languages: `de`, `pt-BR`.
  private(set) var onlyLanguages = false
  /// Whether all objects have the same keys, several of them.
  private(set) var haveSameKeys = false
  /// Whether all keys are as long as each other, and of letters in an order that no words have.
  private(set) var areMadeByProgram = false
  /// Whether all keys begin with a slash, as the paths of an API do, which no name of a property does.
  private(set) var onlyPaths = false
  /// Whether each object says its key again, and so those in lists by language: `{"Q42": {"id": "Q42"}}`, `{"de": [{"language": "de"}]}`.
  private(set) var sayTheirKeys = false
  /// Whether each object says its key as its identity, and no key begins with a small letter, as the names of properties do:
  /// `{"Ahri": {"id": "Ahri"}}`.
  private(set) var areIdentities = false
  /// Whether these are eight or more.
  private(set) var haveManySameKeys = false
  /// Whether each object has one key, another one than all others, and what stands there has a key in common.
  private(set) var haveOneKeyEach = false
  /// Whether each object has one key, another one than all others, and an object there.
  private(set) var haveOneObjectEach = false
  /// Whether each object has one key, another one than all others, and all have scalars of one type there: `{"wget": 1204}`.
  private(set) var haveOneScalarEach = false
  /// Whether all values are scalars of one type.
  private(set) var haveScalars = false
  /// Whether all keys are two or three small letters.
  private(set) var areShort = false
  /// Whether no key begins with a small letter, as the names of properties do: `Ruby`, `US`, `Cote d'Ivoire`.
  private(set) var onlyNames = false
  /// How many keys all objects share where all values are lists of objects without identity; 0 if these are hardly alike.
  private(set) var sameRowKeys = 0
  /// Whether these are all keys that the objects in the lists have.
  private(set) var haveSameRows = false
  /// Whether all objects have the same keys, several of them, and each of these begins with a small letter.
  private(set) var haveSamePlainKeys = false
  /// Whether all values are numbers.
  private(set) var areNumbers = false
  /// Whether all values are texts.
  private(set) var areTexts = false
  /// Whether all values are versions of what the keys name, some of them the least ones: `{"react": "^18.2.0", "php": ">=7.4"}`.
  private(set) var areVersions = false
  /// The part of the keys that have a hyphen, a point, a slash or an at sign, as names of packages do: `@types/node`, `react-dom`.
  private(set) var packageKeys = 0.0
  /// Whether a key has a slash or an at sign, as names in a scope do: `react/prop-types`.
  private(set) var hasScopes = false
  /// Whether all keys have a slash or two colons inside, as names in a scope do: `symfony/console`, `AWS::SNS::Topic`.
  private(set) var onlyScopes = false
  /// Whether all keys are names of files with one ending: `ENS.sol`, `ENSRegistry.sol`.
  private(set) var onlyFileNames = false
  /// Whether all keys begin with a hyphen, and a program made what follows: `-NTQchReBCOi6MLTPUPv`.
  private(set) var arePushed = false
  /// Whether all values are objects that hold nothing but numbers.
  private(set) var haveNumbers = false

  init(_ node: Int32, _ tree: borrowing ShapeTree) {
    let keyed = tree.children(of: node)
    // A null stands for no object: nothing of its kind came under the key.
    let filled = keyed.filter { tree[$0].present > 0 }
    let children = filled.count * 2 > keyed.count ? filled : keyed
    members = children.count
    guard members > 0 else { return }
    objects = max(1, tree[node].objects)
    var total = 0
    var looks = 0
    var (objectMembers, listMembers, textMembers, numberMembers) = (0, 0, 0, 0)
    var truthMembers = 0
    for child in keyed {
      total += tree[child].total
      if Self.isData(tree.bytes(ofKey: tree[child].key)) { looks += 1 }
    }
    for child in children {
      let node = tree[child]
      if node.objects > 0, node.scalars == 0, node.lists == 0 { objectMembers += 1 }
      if node.lists > 0, node.scalars == 0, node.objects == 0 { listMembers += 1 }
      if node.strings > 0, node.strings == node.present { textMembers += 1 }
      if node.trues + node.falses > 0, node.trues + node.falses == node.present { truthMembers += 1 }
      if node.integers + node.fractions > 0, node.integers + node.fractions == node.present {
        numberMembers += 1
      }
    }
    onlyCodes = keyed.allSatisfy { Self.isCode(tree.bytes(ofKey: tree[$0].key)) }
    onlyNumbers = keyed.allSatisfy { Self.isNumber(tree.bytes(ofKey: tree[$0].key)) }
    isEmptyKey = members == 1 && tree.bytes(ofKey: tree[children[0]].key).isEmpty
    onlyCapitals = keyed.allSatisfy { Self.isInCapitals(tree.bytes(ofKey: tree[$0].key)) }
    areMadeByProgram =
      keyed.allSatisfy { Self.isMadeByProgram(tree.bytes(ofKey: tree[$0].key)) }
      && Set(keyed.map { tree.bytes(ofKey: tree[$0].key).count }).count == 1
    onlyHyphens = keyed.allSatisfy { tree.bytes(ofKey: tree[$0].key).contains(UInt8(ascii: "-")) }
    areNumbered = onlyHyphens && Self.areNumbered(keyed.map { tree.text(ofKey: tree[$0].key) })
    onlyLanguages = keyed.allSatisfy { Self.isLanguage(tree.text(ofKey: tree[$0].key)) }
    onlyPaths = keyed.allSatisfy { tree.bytes(ofKey: tree[$0].key).first == UInt8(ascii: "/") }
    presence = Double(total) / Double(keyed.count * objects)
    dataKeys = Double(looks) / Double(keyed.count)
    hasObjects = objectMembers == members
    hasLists = listMembers == members
    haveSameKeys = hasObjects && Self.haveSameKeys(children, tree)
    haveManySameKeys = haveSameKeys && tree[children[0]].childCount >= 8
    // Lists say of what type their objects are, which is no key of theirs; a language is one.
    sayTheirKeys = (hasObjects || hasLists && onlyLanguages) && Self.sayKeys(children, tree)
    areIdentities = sayTheirKeys && children.allSatisfy { Self.isIdentity($0, tree) }
    let isScalar = [textMembers, numberMembers, truthMembers].contains(members)
    let haveOneEach = tree[node].objects == members && total == members && keyed.count == members
    haveOneObjectEach = hasObjects && haveOneEach
    haveOneKeyEach = haveOneObjectEach && Self.haveCommonKey(children, tree)
    haveOneScalarEach = isScalar && haveOneEach
    haveScalars = isScalar
    areShort = keyed.allSatisfy { Self.isShort(tree.bytes(ofKey: tree[$0].key)) }
    onlyNames = keyed.allSatisfy {
      tree.bytes(ofKey: tree[$0].key).first.map { $0 &- UInt8(ascii: "a") >= 26 } ?? false
    }
    areNumbers = numberMembers == members
    areTexts = textMembers == members
    areVersions = areTexts && Self.areVersions(children, tree)
    let packages = children.count { child in
      tree.bytes(ofKey: tree[child].key).contains { "-./@".utf8.contains($0) }
    }
    packageKeys = Double(packages) / Double(members)
    hasScopes = children.contains { child in
      tree.bytes(ofKey: tree[child].key).contains { "/@".utf8.contains($0) }
    }
    let texts = keyed.map { tree.text(ofKey: tree[$0].key) }
    onlyScopes = texts.allSatisfy(Self.isScoped)
    onlyFileNames = Self.areFileNames(texts)
    haveSamePlainKeys =
      haveSameKeys
      && tree.children(of: children[0]).allSatisfy {
        tree.bytes(ofKey: tree[$0].key).first.map { $0 &- UInt8(ascii: "a") < 26 } ?? false
      }
    arePushed =
      areMadeByProgram
      && children.allSatisfy { tree.bytes(ofKey: tree[$0].key).first == UInt8(ascii: "-") }
    haveNumbers = hasObjects && Self.haveNumbers(children, tree)
    (sameRowKeys, haveSameRows) = hasLists ? Self.sameRowKeys(children, tree) : (0, false)
    areAlike = isScalar || hasLists || (hasObjects && Self.shareKeys(children, tree))
  }

  var isDictionary: Bool {
    if onlyCodes, areAlike, members > 1 || !hasLists { return true }
    if onlyPaths, hasObjects { return true }
    if members >= 2 || onlyLanguages, sayTheirKeys { return true }
    if members == 1, hasObjects, dataKeys == 1, sayTheirKeys || onlyNumbers || isEmptyKey { return true }
    if members == 1, hasObjects, areIdentities || arePushed { return true }
    if members >= 3, haveOneKeyEach { return true }
    if members >= 8, haveOneScalarEach { return true }
    if members >= 20, areShort, haveScalars { return true }
    if members >= 3, onlyNames, sameRowKeys >= (onlyCapitals ? 2 : 3) { return true }
    if members >= 5, haveSameRows, sameRowKeys >= 2 { return true }
    if members >= 4, sameRowKeys >= 2, objects >= 3, presence < 0.5 { return true }
    if members >= 3, onlyHyphens || packageKeys == 1, sameRowKeys >= 1 { return true }
    if members >= 2, onlyScopes, hasObjects { return true }
    if members >= 3, onlyFileNames, areAlike { return true }
    if members >= 3, onlyNames, haveSamePlainKeys { return true }
    if members >= 3, haveOneObjectEach, dataKeys == 1 { return true }
    if members >= 2, areTexts, hasScopes, packageKeys >= 0.5 { return true }
    if members >= 3, dataKeys == 1, haveNumbers { return true }
    if members >= 3, haveManySameKeys, objects >= 3, presence <= 0.5 { return true }
    if members >= 4, haveSameKeys, haveNumbers, objects >= 3, presence < 0.4 { return true }
    if members >= 6, onlyNames, areNumbers, objects >= 3, presence < 0.5 { return true }
    if areVersions { return true }
    if members >= 12, packageKeys >= 0.2, areTexts, objects >= 3, presence < 0.5 { return true }
    if members >= 3, onlyCapitals || onlyLanguages, hasObjects, areAlike { return true }
    if members >= 2, areMadeByProgram, hasObjects, areAlike { return true }
    if members >= 3, onlyHyphens, hasObjects, haveSameKeys { return true }
    if members >= 4, packageKeys >= 0.5, hasScopes || members >= 8, hasObjects, areAlike { return true }
    if members >= 3, areNumbered, hasObjects { return true }
    if members >= 2, dataKeys == 1 || onlyNumbers && hasObjects, areAlike { return true }
    if members >= 12, areAlike, hasObjects || (hasLists && presence < 0.5) { return true }
    if members >= 5, areAlike, dataKeys > 0.8 { return true }
    if members >= 8, areAlike, presence < 0.5, hasObjects { return true }
    return members >= 60 && presence < 0.1
  }

  /// Whether all keys look like data, or all like the codes of languages.
  static func areData(_ members: [Int32], _ tree: borrowing ShapeTree) -> Bool {
    let keys = members.map { tree[$0].key }
    return keys.allSatisfy { isData(tree.bytes(ofKey: $0)) || isMadeByProgram(tree.bytes(ofKey: $0)) }
      || keys.allSatisfy { isLanguage(tree.text(ofKey: $0)) }
  }

  /// Whether most of the keys of most objects are in all of them.
  private static func shareKeys(_ children: [Int32], _ tree: borrowing ShapeTree) -> Bool {
    var counts: [Int32: Int] = [:]
    var kinds = 0
    for child in children {
      if tree[child].flags.contains(.dictionary) {
        kinds += 1
        continue
      }
      if tree[child].flags.contains(.split) {
        var keys: Set<Int32> = []
        for variant in tree.children(of: child) {
          for member in tree.children(of: variant) { keys.insert(tree[member].key) }
        }
        for key in keys { counts[key, default: 0] += 1 }
        continue
      }
      for member in tree.children(of: child) { counts[tree[member].key, default: 0] += 1 }
    }
    if kinds == children.count { return true }
    let most = counts.values.max() ?? 0
    guard most * 10 >= children.count * 9 else { return false }
    let sum = counts.values.reduce(0, +)
    return sum * 2 >= counts.count * children.count || counts.count * 2 <= children.count
  }

  private static func haveSameKeys(_ children: [Int32], _ tree: borrowing ShapeTree) -> Bool {
    let sets = children.map { child in Set(tree.children(of: child).map { tree[$0].key }) }
    return sets[0].count >= 2 && sets.allSatisfy { $0 == sets[0] }
  }

  private static func areVersions(_ children: [Int32], _ tree: borrowing ShapeTree) -> Bool {
    let texts = children.map { tree.samples[$0] ?? [] }
    return texts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isVersion) }
      && texts.joined().contains { $0.first.map(leastVersions.contains) ?? false }
  }

  /// The signs at the beginning of a least version, which later ones may take the place of.
  private static let leastVersions: Set<Character> = ["^", "~"]

  /// Whether a text is a version or a range of these: `^1.2`, `>=7.4 <9`, `1.x || 2.x`, `*`.
  private static func isVersion(_ text: String) -> Bool {
    guard text.utf8.count <= 60 else { return false }
    if text == "*" { return true }
    let words = text.split { " ,|".contains($0) }
    return !words.isEmpty
      && words.allSatisfy { word in
        let version = word.drop { "^~<>=!v".contains($0) }
        return version.isEmpty || version.first.map { $0.isNumber || $0 == "*" } ?? false || word == "-"
      }
  }

  private static func haveNumbers(_ children: [Int32], _ tree: borrowing ShapeTree) -> Bool {
    children.allSatisfy { child in
      let members = tree.children(of: child)
      return !members.isEmpty && tree[child].flags.isDisjoint(with: [.dictionary, .split])
        && members.allSatisfy {
          tree[$0].integers + tree[$0].fractions > 0
            && tree[$0].integers + tree[$0].fractions == tree[$0].present
        }
    }
  }

  private static func sameRowKeys(_ children: [Int32], _ tree: borrowing ShapeTree) -> (
    count: Int, areAll: Bool
  ) {
    var (common, all): (Set<Int32>?, Set<Int32>) = (nil, [])
    var filled = 0
    for child in children where tree[child].mostElements > 0 {
      guard tree[child].element >= 0 else { return (0, false) }
      let element = tree.find(tree[child].element)
      filled += 1
      guard tree[element].objects > 0, tree[element].objects == tree[element].present,
        tree[element].flags.isDisjoint(with: [.dictionary, .split]),
        tree[element].identityRank > IdentityNames.strongest
      else { return (0, false) }
      let keys = Set(tree.children(of: element).map { tree[$0].key })
      common = common?.intersection(keys) ?? keys
      all.formUnion(keys)
    }
    guard let common, filled >= 3, common.count * 2 > all.count else { return (0, false) }
    return (common.count, common == all)
  }

  /// Whether a key has a slash or two colons between two names.
  private static func isScoped(_ key: String) -> Bool {
    let parts = key.replacing("::", with: "/").split(separator: "/", omittingEmptySubsequences: false)
    return parts.count > 1 && !key.contains(" ")
      && parts.allSatisfy { $0.first.map { $0.isLetter || $0 == "@" || $0 == "_" } ?? false }
  }

  /// Whether keys are names of files with one ending.
  private static func areFileNames(_ keys: [String]) -> Bool {
    let endings = Set(keys.map { $0.split(separator: ".", omittingEmptySubsequences: false).last ?? "" })
    return endings.count == 1
      && endings.allSatisfy { (1...5).contains($0.count) && $0.allSatisfy { $0.isLowercase || $0.isNumber } }
      && keys.allSatisfy { key in key.count(where: { $0 == "." }) == 1 && key.first.map { $0 != "." } ?? false
      }
  }

  /// More keys than these are data, whatever a model knows of some of them.
  private static let mostOfKnownObject = 200

  /// Whether a model has properties for keys that the objects at a place have: it was no dictionary when these were few.
  static func isKnownObject(_ node: Int32, _ tree: borrowing ShapeTree) -> Bool {
    guard !tree.objectPaths.isEmpty, tree[node].childCount <= mostOfKnownObject,
      let known = tree.objectPaths[tree.path(of: node)]
    else { return false }
    return tree.children(of: node).contains { known.contains(tree.text(ofKey: tree[$0].key)) }
  }

  /// Whether a key begins with no small letter and is the identity of the object under it, whatever kind that says to be of.
  private static func isIdentity(_ child: Int32, _ tree: borrowing ShapeTree) -> Bool {
    let key = tree.bytes(ofKey: tree[child].key)
    guard key.first.map({ $0 &- UInt8(ascii: "a") >= 26 }) ?? false else { return false }
    let holders = tree[child].flags.contains(.split) ? tree.children(of: child) : [child]
    return !holders.isEmpty
      && holders.allSatisfy { holder in
        let node = tree[holder]
        return node.identity >= 0 && node.identityRank < IdentityNames.unsure
          && tree[node.identity].values.contains(Hashing.hash(key)) == true
      }
  }

  /// Whether all objects have some key.
  private static func haveCommonKey(_ children: [Int32], _ tree: borrowing ShapeTree) -> Bool {
    var common: Set<Int32>?
    for child in children where tree[child].flags.isDisjoint(with: [.dictionary, .split]) {
      let keys = Set(tree.children(of: child).map { tree[$0].key })
      common = common?.intersection(keys) ?? keys
    }
    return !(common?.isEmpty ?? true)
  }

  /// Whether all objects have the key that they, or their list, stand under as a value of one of their own keys.
  private static func sayKeys(_ children: [Int32], _ tree: borrowing ShapeTree) -> Bool {
    var common: Set<Int32>?
    for child in children {
      let hash = Hashing.hash(tree.bytes(ofKey: tree[child].key))
      let place =
        tree[child].objects == 0 && tree[child].element >= 0 ? tree.find(tree[child].element) : child
      let holders = tree[place].flags.contains(.split) ? tree.children(of: place) : [place]
      var found: Set<Int32> = []
      for holder in holders {
        for member in tree.children(of: holder) where tree[member].values.contains(hash) == true {
          // All objects of a list say it.
          guard place == child || tree[member].values.count == 1 else { continue }
          // An object under `project` that is of the type `project` is no entry of a dictionary.
          guard !ShapeMatcher.kindKeys.contains(tree.text(ofKey: tree[member].key)) else { continue }
          found.insert(tree[member].key)
        }
      }
      common = common?.intersection(found) ?? found
      if common?.isEmpty ?? true { return false }
    }
    return true
  }

  private static func isNumber(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    let digits = key.first == UInt8(ascii: "-") ? key.dropFirst() : key[...]
    return !digits.isEmpty && digits.allSatisfy(TextCursor.isDigit)
  }

  /// Whether a key has two or three small letters, as codes of languages and of currencies have.
  private static func isShort(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    (2...3).contains(key.count) && key.allSatisfy { $0 &- UInt8(ascii: "a") < 26 }
  }

  private static func isCode(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    if key.count >= 3, key.allSatisfy(TextCursor.isDigit) { return true }
    return key.count >= 8 && key.contains(UInt8(ascii: "_"))
      && key.allSatisfy { TextCursor.isDigit($0) || $0 == UInt8(ascii: "_") || $0 &- 0x41 < 26 }
  }

  private static func areNumbered(_ keys: [String]) -> Bool {
    let parts = keys.map { $0.split(separator: "-", maxSplits: 1) }
    return parts.allSatisfy { part in
      part.count == 2 && part[0] == parts[0][0]
        && (part[1].allSatisfy(\.isNumber) || part[1].allSatisfy { "ivxlc".contains($0) })
    }
  }

  /// Whether a key is two small letters, with a script or a region behind a hyphen or without.
  private static func isLanguage(_ key: String) -> Bool {
    let parts = key.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    return parts[0].count == 2 && parts[0].allSatisfy { ("a"..."z").contains($0) }
      && parts.dropFirst().allSatisfy {
        (2...4).contains($0.count) && $0.first?.isUppercase ?? false && $0.allSatisfy(\.isLetter)
      }
  }

  private static func isInCapitals(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    key.count >= 2 && key.contains { $0 &- 0x41 < 26 }
      && key.allSatisfy {
        $0 &- 0x41 < 26 || TextCursor.isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "/")
      }
  }

  /// Whether a key is of letters, and digits if it has some, that change between capitals, small letters and digits again and again.
  /// Behind a hyphen at the beginning there may be more: `-NTQchReBCOi6MLTPUPv`.
  private static func isMadeByProgram(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    guard key.count >= 12 else { return false }
    var (changes, last) = (0, 0)
    let isPushed = key.first == UInt8(ascii: "-")
    for byte in key where !isPushed || byte != UInt8(ascii: "-") && byte != UInt8(ascii: "_") {
      let kind = TextCursor.isDigit(byte) ? 1 : byte &- 0x41 < 26 ? 2 : byte &- 0x61 < 26 ? 3 : 0
      guard kind > 0 else { return false }
      if last > 0, kind != last { changes += 1 }
      last = kind
    }
    return changes * 3 >= key.count
  }

  /// Whether a key looks like data: a number, a date, a code, an identity that a program made.
  private static func isData(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = key.first else { return true }
    if first >= 0x80, isSymbol(String(decoding: key, as: UTF8.self)) { return true }
    let digits = key.count(where: TextCursor.isDigit)
    let upper = key.count { $0 &- 0x41 < 26 }
    let lower = key.count { $0 &- 0x61 < 26 }
    if TextCursor.isDigit(first) {
      // `3h` and `1. open` are names that begin with a number.
      return !key.contains(0x20) && (key.count >= 6 || upper + lower == 0)
    }
    if (2...3).contains(key.count), upper == key.count { return true }
    // `P31`, as programs number what has no name.
    if first &- 0x41 < 26, digits >= 2, digits == key.count - 1 { return true }
    if first == UInt8(ascii: "-"), key.count >= 8 { return true }
    if key.count >= 10, digits >= 2, upper >= 2, lower >= 2 { return true }
    if key.count >= 16, digits >= 4 { return true }
    return key.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "\\") }
      || key.contains(0x20) && key.count > 40
  }

  /// Whether a key is a picture, and no word of any language.
  private static func isSymbol(_ key: String) -> Bool {
    key.count <= 4 && key.contains { $0.unicodeScalars.contains { $0.properties.isEmojiPresentation } }
      && !key.contains(where: \.isLetter)
  }
}
