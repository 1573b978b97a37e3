import ObjectModel
import ObjectStore

/// What a model says of values in JSON: date formats, transformers, and demands on values.
final class ValueForms: Sendable {
  struct Form: Sendable {
    /// The attribute's format of dates, if it is not the automatic one.
    var dates: Conversion.Dates?
    /// Notes how dates come, if the model does not say how they are written.
    var seen: DatesSeen?
    var transformers: TransformerChain?
    /// What the model demands of values, if anything.
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
