import Mapping
import ObjectModel

/// The answer of a service around its objects: which of its keys are about the answer, such as counts, pages and messages, and which
/// say something that the objects do not.
struct ResponseEnvelope {
  let shapes: Shapes

  /// Whether an object is around lists without elements, and says nothing but how many objects there are, and which part of them came.
  func lacksObjects(_ node: Int32) -> Bool {
    guard !shapes.isSplit(node) else { return false }
    let children = shapes.children(of: node)
    func isEmptyList(_ child: Int32) -> Bool {
      let node = shapes[child]
      return node.lists > 0 && node.lists == node.present && node.mostElements == 0
    }
    let keys = children.map(shapes.key)
    let isPage =
      children.contains { isEmptyList($0) && GenericNames.isWrapper(shapes.key(of: $0)) }
      || children.count == 1 || GenericNames.sayCount(keys)
    return isPage
      && children.contains { isEmptyList($0) && !GenericNames.isMeta(shapes.key(of: $0), isStrict: true) }
      && children.allSatisfy { child in
        let key = shapes.key(of: child)
        return isEmptyList(child) || shapes[child].present == 0 || GenericNames.isMeta(key, isStrict: true)
          || GenericNames.isAnswer(key) || isPageInfo(child)
      }
  }

  /// Whether an object is an answer of JSON-RPC, which an older version says by its three keys.
  func isRemoteCall(_ node: Int32) -> Bool {
    shapes.child(of: node, named: "jsonrpc") != nil
      || Set(shapes.children(of: node).map(shapes.key)) == ["result", "error", "id"]
  }

  /// Whether an object is nothing but the words of a service on why there is no answer: `{"error": {"code": 403, "message": "No access"}}`.
  func isFailure(_ node: Int32) -> Bool {
    guard shapes.isObject(node), !shapes.isSplit(node), !shapes.isDictionary(node),
      shapes[node].objects == 1 || shapes[node].identityRank > IdentityNames.strongest
    else { return false }
    var types: [String: AttributeType] = [:]
    for child in shapes.children(of: node) {
      let (key, value) = (shapes.key(of: child), shapes[child])
      guard isOfFailure(child) else { return false }
      guard value.present > 0 else { continue }
      types[EntityKeys.plain(key)] =
        value.integers == value.present
        ? .integer64
        : value.strings == value.present
          ? .string : value.trues + value.falses == value.present ? .boolean : .transformable
    }
    return GenericNames.sayFailure(types)
  }

  /// Whether a value is one of what such an answer says.
  private func isOfFailure(_ child: Int32) -> Bool {
    let key = shapes.key(of: child)
    guard
      GenericNames.isOfMessages(key) || GenericNames.areMessages(under: key, with: [])
        || GenericNames.isMeta(key, isStrict: false)
    else { return false }
    guard let list = shapes.listedObjects(child) else { return true }
    return GenericNames.areMessages(
      under: key, with: shapes.keys(of: list).map { shapes.tree.text(ofKey: $0) })
  }

  /// The keys beside the ways to the objects of a root whose values say more than which part of a list came.
  func leftOut(around ways: [[String]], _ root: Int32) -> [LeftOutKeys] {
    var leftOut: [LeftOutKeys] = []
    var node = shapes.find(root)
    var rest = ways
    while let step = rest.first?.first, shapes[node].objects > 0, !shapes.isSplit(node),
      !shapes.isDictionary(node)
    {
      let used = Set(rest.compactMap(\.first))
      let keys = shapes.children(of: node).filter { child in
        !used.contains(shapes.key(of: child)) && isWorthTelling(child, of: node)
      }.map(shapes.key)
      if !keys.isEmpty {
        leftOut.append(LeftOutKeys(keys: keys.sorted(), beside: used.sorted().joined(separator: "”, “")))
      }
      guard used.count == 1, let inner = shapes.child(of: node, named: step) else { break }
      node = shapes.find(inner)
      rest = rest.map { Array($0.dropFirst()) }
    }
    return leftOut
  }

  /// Whether a value around objects is more than a count, a page or an address of another one.
  private func isWorthTelling(_ child: Int32, of node: Int32) -> Bool {
    let (key, value) = (shapes.key(of: child), shapes[child])
    guard value.present > 0, !isEmpty(child),
      value.scalars > 0 || value.mostElements > 0 || value.objects > 0,
      !GenericNames.isAnswer(key), !isPageInfo(child), !isAboutSibling(child, of: node),
      !isAboutAnswer(child), !Self.pageKeys.contains(Names.folded(key))
    else { return false }
    return !GenericNames.isMeta(key, isStrict: true)
      || shapes.isObject(child) && !shapes.isSplit(child) && (facts(of: child) > 0 || holdsObjects(child))
  }

  /// Whether an object under a name like `totals` has several values that are about something else than a page, or one under
  /// `metadata` an object of such values.
  func holdsFacts(_ child: Int32) -> Bool {
    let key = Names.folded(shapes.key(of: child))
    guard Self.factKeys.contains(key), shapes.isObject(child), !shapes.isSplit(child) else { return false }
    let hasOwn = key != "metadata" && facts(of: child) > 1
    return hasOwn
      || shapes.children(of: child).contains {
        shapes.isObject($0) && !shapes.isSplit($0) && facts(of: $0) > 1
      }
  }

  private static let factKeys: Set<String> = ["totals", "metadata"]

  /// How many values of an object stand under keys that are about something else than a page.
  private func facts(of object: Int32) -> Int {
    shapes.children(of: object).count { member in
      shapes[member].scalars > 0 && !GenericNames.isMeta(shapes.key(of: member), isStrict: true)
    }
  }

  /// Whether the values of an object are objects that have all keys in common, and are no links and no messages: a dictionary, be it
  /// too small to be seen as one.
  func holdsObjects(_ child: Int32) -> Bool {
    guard shapes.isObject(child), !shapes.isSplit(child), !shapes.isDictionary(child) else { return false }
    let members = shapes.children(of: child)
    guard members.count > 1, let first = members.first, members.allSatisfy({ shapes.isObject($0) })
    else { return false }
    let keys = shapes.keys(of: first)
    let names = keys.map { shapes.tree.text(ofKey: $0) }
    return members.allSatisfy { !shapes.isSplit($0) && shapes.keys(of: $0) == keys } && !keys.isEmpty
      && !GenericNames.areMessages(under: shapes.key(of: child), with: names)
      && !Self.linkKeys.isSuperset(of: names)
  }

  /// Whether an object says nothing but which part of how many objects a list beside it is: `{"page": 1, "per_page": 20}`.
  func isPageInfo(_ child: Int32) -> Bool {
    guard shapes.isObject(child), !shapes.isSplit(child) else { return false }
    let members = shapes.children(of: child)
    return GenericNames.sayPart(members.map(shapes.key))
      && members.allSatisfy {
        shapes[$0].objects == 0 && shapes[$0].lists == 0
          && GenericNames.isMeta(shapes.key(of: $0), isStrict: false)
      }
  }

  /// Whether a value is about the answer: a number of results, the word for what was asked, `"get": "fixtures"`, an object that repeats the
  /// question, `"filters": {"season": "2023"}`, offers something to who asked, `"support": {"url": …, "text": …}`, or holds nothing but
  /// what says which page came: `"additional_data": {"pagination": {…}}`.
  func isAboutAnswer(_ child: Int32) -> Bool {
    let value = shapes[child]
    switch Names.folded(shapes.key(of: child)) {
    case "results" where value.integers == value.present, "get" where value.strings == value.present:
      return true
    default: break
    }
    guard shapes.isObject(child), !shapes.isSplit(child) else { return false }
    let members = shapes.children(of: child)
    switch Names.folded(shapes.key(of: child)) {
    case "filters", "filter", "parameters", "params":
      return members.allSatisfy { shapes[$0].scalars == shapes[$0].present }
    case "support":
      return !members.isEmpty && members.allSatisfy { ["url", "text"].contains(shapes.key(of: $0)) }
    default:
      return !members.isEmpty
        && members.allSatisfy {
          Self.pageKeys.contains(Names.folded(shapes.key(of: $0)))
        }
    }
  }

  private static let pageKeys: Set<String> = ["pagination", "paging", "pageinfo"]

  /// Whether a text says of what type, or in what version, an object beside it is, of which there is one only: `message-type` beside
  /// `message`.
  func isAboutSibling(_ child: Int32, of node: Int32) -> Bool {
    guard shapes[child].scalars > 0, shapes[child].values.estimatedCount == 1 else { return false }
    let words = Words.words(shapes.key(of: child))
    guard words.count > 1, let last = words.last, ["type", "version"].contains(last) else { return false }
    return shapes.children(of: node).contains {
      shapes[$0].scalars == 0 && Words.words(shapes.key(of: $0)) == words.dropLast()
    }
  }

  /// Whether an object under a name like `status` says more than the objects beside it, so that it is not about these: `{"fixture":
  /// {"brand": "Kia"}, "status": {"engine": false, "doors": {…}, …}}`.
  func saysMore(_ child: Int32, than others: [Int32]) -> Bool {
    guard Self.wordsOfData.contains(Names.folded(shapes.key(of: child))), shapes.isObject(child),
      !shapes.isSplit(child), !isPageInfo(child), !isAboutAnswer(child)
    else { return false }
    let count = values(in: child)
    return count >= Self.fewestValues && count > others.reduce(0) { $0 + values(in: $1) }
  }

  private static let wordsOfData: Set<String> = ["status", "object", "metadata", "meta"]
  /// Fewer values may be about the answer.
  private static let fewestValues = 5
  private static let deepest = 4

  /// How many keys of an object, and of those in it, hold scalars that are about something else than a page.
  private func values(in object: Int32, depth: Int = 0) -> Int {
    guard depth < Self.deepest, !shapes.isSplit(object) else { return 0 }
    return facts(of: object)
      + shapes.children(of: object).reduce(0) { sum, member in
        let inner = shapes.listedObjects(member) ?? member
        return sum + (shapes.isObject(inner) ? values(in: inner, depth: depth + 1) : 0)
      }
  }

  /// Whether only empty objects came.
  func isEmpty(_ child: Int32) -> Bool {
    !shapes.isSplit(child) && shapes.isObject(child) && shapes.children(of: child).isEmpty
  }

  private static let linkKeys: Set<String> = [
    "href", "rel", "method", "title", "type", "templated", "url", "name", "media", "hreflang", "code",
    "message",
    "detail", "field",
  ]

  /// Whether a list or a dictionary under a name like `links` holds more than addresses of other pages, or messages. Where keys are
  /// data, so are the objects.
  func holdsData(_ list: Int32) -> Bool {
    if shapes.isDictionary(list), let values = shapes.element(of: list) {
      if shapes.isDictionary(values) || shapes.listedObjects(values) != nil { return true }
      if shapes.isObject(values) {
        let keys = shapes.keys(of: values).map { shapes.tree.text(ofKey: $0) }
        return !GenericNames.areMessages(under: shapes.key(of: list), with: keys)
          && !Self.linkKeys.isSuperset(of: keys)
      }
    }
    guard let element = shapes.listedObjects(list), shapes.isObject(element) else { return false }
    let keys = shapes.keys(of: element).map { shapes.tree.text(ofKey: $0) }
    return keys.filter { !Self.linkKeys.contains($0.lowercased()) }.count >= 2
  }

  /// Whether an object under a name like `message` stands around a list of objects.
  func holdsRecords(_ child: Int32) -> Bool {
    guard shapes.isObject(child), !shapes.isSplit(child) else { return false }
    return shapes.children(of: child).contains { inner in
      guard GenericNames.isWrapper(shapes.key(of: inner)), let element = shapes.listedObjects(inner) else {
        return false
      }
      return shapes.keys(of: element).count > 2
    }
  }
}

/// Keys around the objects of documents whose values no object gets.
struct LeftOutKeys: Hashable {
  var keys: [String]
  /// The keys on the ways to the objects, which they stand beside.
  var beside: String
}
