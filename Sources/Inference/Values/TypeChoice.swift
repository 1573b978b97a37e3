import Mapping
import ObjectModel

/// The type of an attribute, as all its values ask for it.
struct TypeChoice {
  var type: AttributeType
  var dates: DateRule?
  var transformers: [TransformerCall] = []
  /// The kind of values that came where none could tell it; nil if such values came.
  var untyped: Annotations.Untyped?
  /// All values that came, if they look like those of an enumeration.
  var cases: [String]?
  var certainty = Guess.Certainty.certain
  var evidence: String

  static let emptyIsNull: TransformerCall = "emptyIsNull"
  static let zeroIsNull: TransformerCall = "zeroIsNull"

  /// Whether an empty text is no value.
  var readsEmptyTexts: Bool { transformers.contains(Self.emptyIsNull) }

  init(
    _ type: AttributeType, _ evidence: String, _ certainty: Guess.Certainty = .certain,
    dates: DateRule? = nil,
    transformers: [TransformerCall] = [], cases: [String]? = nil
  ) {
    self.type = type
    self.evidence = evidence
    self.certainty = certainty
    self.dates = dates
    self.transformers = transformers
    self.cases = cases
  }
}

/// Chooses the types of attributes.
struct TypeChooser {
  let shapes: Shapes
  /// Whether the JSON was made of a table, in which all values are texts.
  let isTable: Bool

  func choice(of index: Int32, isIdentity: Bool = false) -> TypeChoice {
    let node = shapes[index]
    guard node.present > 0 else {
      var unknown = TypeChoice(
        .transformable, "only nulls came, so that its type is not known", .doubtful)
      unknown.untyped = .nulls
      return unknown
    }
    guard node.objects == 0, node.lists == 0 else { return structure(node) }
    let numbers = node.integers + node.fractions
    let truths = node.trues + node.falses
    if truths == node.present { return TypeChoice(.boolean, "\(truths) times true or false") }
    if numbers == node.present { return number(node, shapes.key(of: index), isIdentity) }
    if !isIdentity, !isTable, node.emptyTexts > 0, node.emptyTexts == node.strings,
      (numbers > 0) != (truths > 0)
    {
      var choice =
        truths > 0
        ? TypeChoice(.boolean, "\(truths) times true or false")
        : number(node, shapes.key(of: index), false)
      choice.evidence += "; \(node.emptyTexts) empty texts"
      choice.transformers.append(TypeChoice.emptyIsNull)
      return choice
    }
    if node.strings == node.present { return text(node, index, isIdentity) }
    if isTable, let typed = fieldsAndValues(node, index, isIdentity) { return typed }
    if isIdentity { return TypeChoice(.string, "\(numbers) numbers and \(node.strings) texts", .doubtful) }
    if numbers + node.strings == node.present, node.forms.contains(.number), node.emptyTexts == 0 {
      return TypeChoice(
        .string, "\(numbers) numbers and \(node.strings) texts that are numbers", .doubtful)
    }
    if node.integers + node.strings == node.present, node.emptyTexts == 0,
      !node.forms.isDisjoint(with: .dates),
      let unit = DateNames.unit(of: shapes.key(of: index), from: node.minimum, to: node.maximum)
    {
      return TypeChoice(
        .date, "\(node.strings) dates, and \(node.integers) numbers that are moments in \(unit)", .doubtful)
    }
    return TypeChoice(.transformable, "values of several types: \(Self.types(of: node))", .doubtful)
  }

  private func structure(_ node: ShapeNode) -> TypeChoice {
    if node.scalars == 0, node.objects == 0 {
      guard node.mostElements == 0 else { return TypeChoice(.transformable, "lists, kept as JSON") }
      var unknown = TypeChoice(.transformable, "only empty lists came, kept as JSON")
      unknown.untyped = .emptyLists
      return unknown
    }
    if node.scalars == 0, node.lists == 0 {
      return TypeChoice(.transformable, "objects, kept as JSON", .likely)
    }
    return TypeChoice(.transformable, "values of several types: \(Self.types(of: node))", .doubtful)
  }

  static func types(of node: ShapeNode) -> String {
    let counts = [
      ("objects", node.objects), ("lists", node.lists), ("texts", node.strings),
      ("numbers", node.integers + node.fractions), ("booleans", node.trues + node.falses),
    ]
    return counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
  }

  // MARK: - Numbers

  private func number(_ node: ShapeNode, _ key: String, _ isIdentity: Bool) -> TypeChoice {
    if node.largeNumbers > 0, node.hugeNumbers > 0 {
      return TypeChoice(.transformable, "numbers with more places than a decimal has, kept as JSON", .likely)
    }
    if node.fractions == 0 {
      guard node.largeNumbers == 0 else { return TypeChoice(.decimal, "whole numbers of more than 64 bits") }
      let range = "whole numbers from \(node.minimum) to \(node.maximum)"
      if isIdentity { return TypeChoice(.integer64, range) }
      if let unit = DateNames.unit(of: key, from: node.minimum, to: node.maximum) {
        return TypeChoice(
          .date, "\(range), which are moments in \(unit)", .likely, dates: DateRule(unit))
      }
      // Twice as much room as the values that came need.
      let (least, greatest) = (node.minimum, node.maximum)
      if least >= -16_384, greatest < 16_384 { return TypeChoice(.integer16, range) }
      if least >= -(1 << 30), greatest < 1 << 30 { return TypeChoice(.integer32, range) }
      return TypeChoice(.integer64, range)
    }
    if node.exponents == 0, node.largeNumbers == 0, node.fractionDigits <= 4, MoneyNames.contain(key) {
      return TypeChoice(
        .decimal,
        "numbers with at most \(node.fractionDigits) digits behind the point, under a name for money", .likely
      )
    }
    if node.largeNumbers > 0 || (node.integers > 0 && (node.maximum > 1 << 53 || node.minimum < -(1 << 53))) {
      guard node.hugeNumbers == 0 else {
        return TypeChoice(
          .transformable, "numbers that neither a double nor a decimal holds, kept as JSON", .likely)
      }
      return TypeChoice(.decimal, "numbers with more digits than a double has", .likely)
    }
    return TypeChoice(.double, "numbers with fractions")
  }

  // MARK: - Texts

  private func text(_ node: ShapeNode, _ index: Int32, _ isIdentity: Bool) -> TypeChoice {
    let count = node.strings - node.emptyTexts
    guard count > 0 else { return emptyTexts(isIdentity) }
    let empty = node.emptyTexts > 0 && !isTable ? [TypeChoice.emptyIsNull] : []
    if isTable, let typed = field(node, index, isIdentity) { return typed }
    if node.forms.contains(.uuid), node.emptyTexts == 0 || !isIdentity {
      let isPlain = !(shapes.tree.samples[shapes.find(index)] ?? []).contains { $0 != $0.lowercased() }
      if isPlain { return TypeChoice(.uuid, "\(count) UUIDs", transformers: empty) }
    }
    if !isIdentity, !node.forms.isDisjoint(with: .dates) {
      return TypeChoice(.date, "\(count) dates", count < 3 ? .likely : .certain, transformers: empty)
    }
    if !isIdentity, node.forms.contains(.numericDate), let format = pattern(index) {
      return TypeChoice(
        .date, "\(count) dates as \(format)", .likely, dates: DateRule(format), transformers: empty)
    }
    if node.forms.contains(.address), !isIdentity {
      return TypeChoice(.uri, "\(count) addresses", transformers: empty)
    }
    if node.forms.contains(.base64), count >= 3, !isIdentity, node.emptyTexts == 0 {
      return TypeChoice(.binary, "\(count) texts in Base64", .likely)
    }
    if !isIdentity, node.emptyTexts == 0, let typed = numericText(node, index, count) { return typed }
    return TypeChoice(.string, "\(count) texts", cases: isIdentity ? nil : cases(node, index))
  }

  /// The type where nothing but empty texts came: what other values will be is not known.
  private func emptyTexts(_ isIdentity: Bool) -> TypeChoice {
    var unknown = TypeChoice(.string, "only empty texts", .doubtful)
    guard !isTable, !isIdentity else { return unknown }
    unknown.transformers = [TypeChoice.emptyIsNull]
    unknown.untyped = .nulls
    return unknown
  }

  /// A field of a table: a text that may stand for any value.
  private func field(_ node: ShapeNode, _ index: Int32, _ isIdentity: Bool) -> TypeChoice? {
    let count = node.strings - node.emptyTexts
    if node.forms.contains(.truth) { return TypeChoice(.boolean, "\(count) times true or false") }
    if node.forms.contains(.integer) {
      return TypeChoice(isIdentity || node.longest > 9 ? .integer64 : .integer32, "\(count) whole numbers")
    }
    if node.forms.contains(.number), !isIdentity {
      return TypeChoice(MoneyNames.contain(shapes.key(of: index)) ? .decimal : .double, "\(count) numbers")
    }
    return nil
  }

  /// Fields of a table beside values of JSON: a field that reads as such a value is one.
  private func fieldsAndValues(_ node: ShapeNode, _ index: Int32, _ isIdentity: Bool) -> TypeChoice? {
    let (numbers, truths) = (node.integers + node.fractions, node.trues + node.falses)
    guard numbers + truths + node.strings == node.present, let field = field(node, index, isIdentity) else {
      return nil
    }
    let evidence = "\(numbers + truths) values and \(node.strings) fields of tables that read as such"
    if numbers == 0 { return field.type == .boolean ? TypeChoice(.boolean, evidence) : nil }
    guard truths == 0, field.type != .boolean else { return nil }
    let types = [number(node, shapes.key(of: index), isIdentity).type, field.type]
    // Ordered from the narrowest to the widest; a moment or a number of too many places is none of them.
    let wider: [AttributeType] = [.integer16, .integer32, .integer64, .double, .decimal]
    guard types.allSatisfy(wider.contains), let widest = wider.last(where: types.contains) else { return nil }
    return TypeChoice(widest, evidence)
  }

  /// Numbers that JSON writes as texts, so that no digit is lost.
  private func numericText(_ node: ShapeNode, _ index: Int32, _ count: Int) -> TypeChoice? {
    guard node.forms.contains(.number), !node.forms.contains(.integer), count >= 2,
      let samples = shapes.tree.samples[shapes.find(index)],
      MoneyNames.contain(shapes.key(of: index)), Self.lackTrailingZeros(samples)
    else { return nil }
    return TypeChoice(
      .decimal, "\(count) texts that are numbers, under a name for money", .doubtful,
      transformers: ["numberAsString"])
  }

  /// Whether numbers are written without zeros at their end, which a decimal would not keep. As long as all have the same number of
  /// digits behind the point, the next may be one of those.
  private static func lackTrailingZeros(_ samples: [String]) -> Bool {
    guard !samples.contains(where: { $0.contains(".") && $0.hasSuffix("0") }) else { return false }
    let digits = samples.map { text in
      text.utf8.firstIndex(of: UInt8(ascii: ".")).map {
        text.utf8.distance(from: $0, to: text.utf8.endIndex) - 1
      } ?? 0
    }
    return Set(digits).count > 1
  }

  /// The distinct values, if they are few, came often, and no new one has come for long.
  private func cases(_ node: ShapeNode, _ index: Int32) -> [String]? {
    let count = min(node.strings, objects(around: index))
    guard node.emptyTexts == 0, node.values.isExact, !node.flags.contains(.longTexts),
      (2...12).contains(node.values.count), count >= 100, count >= node.values.count * 20,
      node.lastNew * 2 <= node.strings, node.longest <= 32, node.forms.contains(.word),
      let samples = shapes.tree.samples[shapes.find(index)], samples.count == node.values.count
    else { return nil }
    return samples.sorted()
  }

  /// How many objects have the value: one that came several times counts once.
  private func objects(around index: Int32) -> Int {
    let parent = shapes.tree[index].parent
    guard parent >= 0 else { return .max }
    let contents = shapes[parent].contents
    return contents.count > 0 ? contents.firsts.count << contents.level : .max
  }

  /// The one usual pattern by which all known texts are dates; nil if none or several are.
  private func pattern(_ index: Int32) -> String? {
    let samples = shapes.tree.samples[shapes.find(index)] ?? []
    let found = DateNames.patterns.filter { pattern in
      guard let format = DateFormat(pattern), DateNames.mayBeDates(shapes.key(of: index), by: pattern) else {
        return false
      }
      return samples.allSatisfy { text in
        // An export writes all digits of a pattern: a text with fewer would come back as another one.
        text.utf8.count >= DateNames.length(of: pattern)
          && Array(text.utf8).withUnsafeBufferPointer { DateRecognition.matches($0, format) }
      }
    }
    // A pattern with one digit takes what its like with two digits takes.
    let exact = found.filter { !["d.M.yyyy", "M/d/yyyy"].contains($0) }
    return exact.count == 1 ? exact[0] : exact.isEmpty && found.count == 1 ? found[0] : nil
  }
}
