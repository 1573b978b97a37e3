import Foundation
import JSONStream
import ObjectModel
import ObjectStore

/// The rules for an attribute's values: bounds, a length, a pattern, a list of allowed values.
///
/// A class, so that plans, which are copied for every value, can refer to it without counting references.
final class AttributeRules: Sendable {
  private enum Demand: Sendable {
    case integers(Int64?, Int64?)
    case numbers(Decimal?, Decimal?)
    case lengths(Int?, Int?)
  }

  /// The expected values, for issues.
  let expectation: String
  private let demand: Demand?
  private let pattern: WholeMatch?
  /// The allowed values; nil if all are.
  private let values: Set<SQLValue>?
  private let check: ValueCheck?
  /// The value that takes the place of one that is not allowed.
  private let substitute: SQLValue?

  /// Nil if nothing is demanded.
  ///
  /// - Parameter check: What a type demands.
  /// - Throws: ``PlanError`` for a pattern that is no regular expression.
  init?(_ attribute: SchemaAttribute, of entity: String, _ check: ValueCheck?) throws(PlanError) {
    let declared = attribute.attribute
    let listed = declared.annotations.values
    values = listed.map { Set($0.compactMap(Self.stored)) }
    self.check = listed == nil ? check : nil
    substitute = try Self.substitute(attribute, of: entity, values, check)
    let isText = attribute.type == .string || attribute.type == .uri
    demand = Self.demand(declared, isText: isText)
    if isText, let text = declared.pattern, !text.isEmpty {
      do {
        pattern = try WholeMatch(text)
      } catch {
        throw PlanError(
          entity: entity, property: attribute.name,
          message: "must match \(text), which is no regular expression")
      }
    } else {
      pattern = nil
    }
    guard demand != nil || pattern != nil || listed != nil || check != nil else { return nil }
    let bounds = Self.bounds(declared.minimum, declared.maximum, isLength: isText)
    let match = pattern == nil ? nil : "a string that matches \(declared.pattern ?? "")"
    let choice = listed.map { "one of \($0.map(\.text).joined(separator: ", "))" }
    expectation = [bounds, match, choice ?? check?.expectation].compactMap { $0 }.joined(separator: ", ")
  }

  /// The value that takes the place of unknown ones, as the store keeps it.
  ///
  /// - Throws: ``PlanError`` if the attribute cannot have it.
  private static func substitute(
    _ attribute: SchemaAttribute, of entity: String, _ values: Set<SQLValue>?, _ check: ValueCheck?
  ) throws(PlanError) -> SQLValue? {
    guard let text = attribute.attribute.annotations.unknown else { return nil }
    let value: SQLValue? =
      switch attribute.type {
      case .string, .uri: .text(text)
      case .integer16, .integer32, .integer64, .boolean: Int64(text).map(SQLValue.integer)
      default: nil
      }
    let isKnown = value.map { values?.contains($0) ?? check?.accepts($0) ?? false } ?? false
    guard let value, isKnown else {
      throw PlanError(
        entity: entity, property: attribute.name,
        message: "has \(text) for values that are not known, which is none of its values")
    }
    return value
  }

  private static func stored(_ value: JSONValue) -> SQLValue? {
    switch value {
    case .string(let text): .text(text)
    case .number: value.integerValue.map(SQLValue.integer) ?? value.doubleValue.map(SQLValue.real)
    case .bool(let flag): .integer(flag ? 1 : 0)
    case .null, .array, .object: nil
    }
  }

  private static func demand(_ attribute: Attribute, isText: Bool) -> Demand? {
    let (least, most) = (attribute.minimum ?? "", attribute.maximum ?? "")
    guard !least.isEmpty || !most.isEmpty else { return nil }
    switch attribute.type {
    case .string, .uri: return .lengths(Int(least), Int(most))
    case .integer16, .integer32, .integer64:
      return .integers(number(least).map(ceiling), number(most).map(floor))
    case .float, .double, .decimal: return .numbers(number(least), number(most))
    default: return nil
    }
  }

  private static func number(_ text: String) -> Decimal? {
    Double(text) == nil ? nil : Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }

  private static func ceiling(_ number: Decimal) -> Int64 { whole(number, .up) }
  private static func floor(_ number: Decimal) -> Int64 { whole(number, .down) }

  private static func whole(_ number: Decimal, _ mode: NSDecimalNumber.RoundingMode) -> Int64 {
    var (value, result) = (number, Decimal())
    NSDecimalRound(&result, &value, 0, mode)
    if result >= Decimal(Int64.max) { return .max }
    if result <= Decimal(Int64.min) { return .min }
    return NSDecimalNumber(decimal: result).int64Value
  }

  private static func bounds(_ least: String?, _ most: String?, isLength: Bool) -> String? {
    let unit = isLength ? " characters" : ""
    let kind = isLength ? "" : "a number "
    switch (least.flatMap { $0.isEmpty ? nil : $0 }, most.flatMap { $0.isEmpty ? nil : $0 }) {
    case (let least?, let most?):
      return isLength ? "\(least) to \(most) characters" : "a number from \(least) to \(most)"
    case (let least?, nil): return "\(kind)\(isLength ? "at least" : "not below") \(least)\(unit)"
    case (nil, let most?): return "\(kind)\(isLength ? "at most" : "not above") \(most)\(unit)"
    case (nil, nil): return nil
    }
  }

  // MARK: - Values

  enum Verdict {
    case allowed
    case refused
    /// Another value takes its place.
    case replaced(SQLValue)
    /// The regular expression takes more steps than there are left.
    case unknown
  }

  /// Whether a converted value is allowed. Null is checked elsewhere.
  func verdict(on cell: Cell, of batch: borrowing RowBatch, _ budget: inout MatchBudget) -> Verdict {
    guard isKnown(cell, of: batch) else { return substitute.map(Verdict.replaced) ?? .refused }
    guard allow(cell, of: batch) else { return .refused }
    guard let pattern, cell.kind == .text else { return .allowed }
    let text = String(decoding: batch.bytes(of: cell), as: UTF8.self)
    return switch pattern.matches(text, &budget) {
    case true?: .allowed
    case false?: .refused
    case nil: .unknown
    }
  }

  private func isKnown(_ cell: Cell, of batch: borrowing RowBatch) -> Bool {
    guard values != nil || check != nil else { return true }
    let value = batch.value(of: cell)
    return values?.contains(value) ?? true && check?.accepts(value) ?? true
  }

  private func allow(_ cell: Cell, of batch: borrowing RowBatch) -> Bool {
    switch (demand, cell.kind) {
    case (.integers(let least, let most)?, .integer):
      return cell.integerValue >= least ?? .min && cell.integerValue <= most ?? .max
    case (.numbers(let least, let most)?, .real):
      return Self.isInside(Decimal(cell.realValue), least, most)
    case (.numbers(let least, let most)?, .text):
      // Digits that a Decimal has no room for do not change which side of the bounds it is on.
      let text = String(decoding: batch.bytes(of: cell), as: UTF8.self)
      return Self.isInside(Self.number(text) ?? 0, least, most)
    case (.lengths(let least, let most)?, .text):
      let text = String(decoding: batch.bytes(of: cell), as: UTF8.self)
      return text.count >= least ?? 0 && text.count <= most ?? .max
    default: return true
    }
  }

  private static func isInside(_ number: Decimal, _ least: Decimal?, _ most: Decimal?) -> Bool {
    if let least, number < least { return false }
    if let most, number > most { return false }
    return true
  }
}

/// The rules of a model for values in JSON: date formats, transformers, and demands on values.
final class ValueForms: Sendable {
  struct Form: Sendable {
    /// The attribute's format of dates, if it is not the automatic one.
    var dates: Conversion.Dates?
    /// Notes how dates come, if the model does not say how they are written.
    var seen: DatesSeen?
    var transformers: TransformerChain?
    /// The rules of the model for values, if any.
    var rules: AttributeRules?
  }

  /// For each entity, the forms of its attributes.
  let attributes: [[Form]]
  /// For each relationship of the schema, the transformers of its values.
  let relationships: [RelationshipTransformers]
  /// For each relationship of the schema, the dictionary that its targets stand in.
  let dictionaries: [DictionaryPlan?]
  /// For each entity, the paths from the values of its relationships to the targets.
  let targetPaths: [TargetPaths.OfEntity?]

  /// For each entity, the keys that lead to objects of several entities.
  let polymorphic: [[PolymorphicPlan]]
  /// For each entity, the keys that tell the kind of its objects where such a key leads to them.
  let linkKindKeys: [LinkKindKeys?]

  /// - Parameters:
  ///   - checks: What types demand of values.
  ///   - dates: The format of dates whose attributes say nothing.
  ///   - isOfSwiftValues: Whether dates may also be in the form of exports.
  /// - Throws: ``PlanError`` for a date format that cannot be read and a transformer that is not known.
  init(
    _ schema: Schema, _ functions: MappingFunctions, _ checks: [ValueCheck.Place: ValueCheck] = [:],
    dates: DateFormat = .automatic, isOfSwiftValues: Bool = false
  ) throws(PlanError) {
    var attributes: [[Form]] = []
    for entity in schema.entities {
      var forms: [Form] = []
      for attribute in entity.attributes {
        let owner = schema.entities[attribute.owner].name
        let annotations = attribute.attribute.annotations
        var form = Form()
        form.dates = try Self.dates(of: attribute, in: owner, otherwise: dates, isOfSwiftValues)
        if attribute.type == .date, annotations.dateFormat == nil { form.seen = DatesSeen() }
        form.transformers = try TransformerChain.of(annotations, owner, attribute.name, functions)
        let check = checks[ValueCheck.Place(entity: owner, attribute: attribute.name)]
        form.rules = try AttributeRules(attribute, of: owner, check)
        forms.append(form)
      }
      attributes.append(forms)
    }
    var relationships: [RelationshipTransformers] = []
    for relationship in schema.relationships {
      let owner = schema.entities[relationship.owner].name
      relationships.append(
        try RelationshipTransformers(
          relationship.relationship.annotations, owner, relationship.name, functions))
    }
    self.attributes = attributes
    self.relationships = relationships
    polymorphic = schema.entities.map { PolymorphicPlan.all(of: $0, schema) }
    linkKindKeys = LinkKindKeys.all(polymorphic, schema)
    targetPaths = schema.entities.map { TargetPaths.of($0, schema) }
    dictionaries = schema.relationships.map { DictionaryPlan($0, schema) }
  }

  /// The form of the attribute at the end of a value of an identity.
  func form(of part: IdentityPart) -> Form { attributes[part.source.entity][part.source.attribute] }

  private static func dates(
    of attribute: SchemaAttribute, in entity: String, otherwise: DateFormat, _ isOfSwiftValues: Bool
  ) throws(PlanError) -> Conversion.Dates? {
    let annotations = attribute.attribute.annotations
    var format = otherwise
    let isDate = attribute.type == .date && !annotations.isIgnored
    if isDate, annotations.dateFormat != nil || annotations.timeZone != nil {
      guard let own = DateFormat(annotations.dateFormat, timeZone: annotations.timeZone) else {
        throw PlanError(
          entity: entity, property: attribute.name,
          message: "has a date format or time zone that cannot be read:"
            + " \(annotations.dateFormat ?? "") \(annotations.timeZone ?? "")")
      }
      format = own
    }
    return attribute.type == .date && format != .automatic
      ? Conversion.Dates(format, readsOwnForm: isOfSwiftValues) : nil
  }
}
