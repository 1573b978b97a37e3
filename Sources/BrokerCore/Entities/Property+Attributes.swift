import ObjectModel
import ObjectStore

// Attributes of each kind of type. The compiler chooses.

extension Property {
  /// An attribute whose type is an ``AttributeValue``.
  public static func attribute<Value: AttributeValue>(
    _ name: String, _ path: any KeyPath<Root, Value> & Sendable, _ options: AttributeOption<Value>...
  ) -> Property {
    attribute(name, path, form: plain(Value.self, isOptional: false, options), throughToOne: ToOnePaths(path))
    {
      $0.storedValue
    }
  }

  /// An attribute that may have no value.
  public static func attribute<Value: AttributeValue>(
    _ name: String, _ path: any KeyPath<Root, Value?> & Sendable, _ options: AttributeOption<Value>...
  ) -> Property {
    attribute(name, path, form: plain(Value.self, isOptional: true, options), throughToOne: ToOnePaths(path))
    {
      $0?.storedValue
    }
  }

  private static func plain<Value: AttributeValue>(
    _ type: Value.Type, isOptional: Bool, _ options: [AttributeOption<Value>]
  ) -> AttributeForm {
    var form = AttributeForm(
      type: Value.attributeType, isOptional: isOptional, swiftType: "\(Value.self)",
      options: AttributeOptions(options))
    form.typeBounds = Value.bounds
    form.restored = { Value(stored: $0)?.storedValue }
    return form
  }

  // MARK: - Enumerations

  /// An attribute whose type has raw values.
  public static func attribute<Value: RawRepresentable & Sendable>(
    _ name: String, _ path: any KeyPath<Root, Value> & Sendable, _ options: AttributeOption<Value>...
  ) -> Property where Value.RawValue: AttributeValue {
    let form = form(of: Value.self, isOptional: false, AttributeOptions(options))
    return attribute(name, path, form: form, throughToOne: ToOnePaths(path)) { $0.rawValue.storedValue }
  }

  /// An attribute whose type has raw values, and that may have no value.
  public static func attribute<Value: RawRepresentable & Sendable>(
    _ name: String, _ path: any KeyPath<Root, Value?> & Sendable, _ options: AttributeOption<Value>...
  ) -> Property where Value.RawValue: AttributeValue {
    let form = form(of: Value.self, isOptional: true, AttributeOptions(options))
    return attribute(name, path, form: form, throughToOne: ToOnePaths(path)) { $0?.rawValue.storedValue }
  }

  private static func form<Value: RawRepresentable & Sendable>(
    of type: Value.Type, isOptional: Bool, _ options: AttributeOptions
  ) -> AttributeForm where Value.RawValue: AttributeValue {
    var form = AttributeForm(
      type: Value.RawValue.attributeType, isOptional: isOptional, swiftType: "\(Value.self)",
      options: options)
    form.typeBounds = Value.RawValue.bounds
    form.cases = (type as? any CaseIterable.Type).flatMap { storedCases(of: $0) }
    form.restored = { Value.RawValue(stored: $0)?.storedValue }
    form.accepts = { stored in Value.RawValue(stored: stored).flatMap(Value.init(rawValue:)) != nil }
    return form
  }

  private static func storedCases<Cases: CaseIterable>(of type: Cases.Type) -> [SQLValue]? {
    var values: [SQLValue] = []
    for value in type.allCases {
      guard let raw = (value as? any RawRepresentable)?.rawValue as? any AttributeValue else { return nil }
      values.append(raw.storedValue)
    }
    return values
  }

  // MARK: - JSON

  /// An attribute whose values are kept as JSON: lists, dictionaries, structs. If the type is an optional, it may
  /// have no value.
  @_disfavoredOverload
  public static func attribute<Value: Codable & Sendable>(
    _ name: String, _ path: any KeyPath<Root, Value> & Sendable, _ options: AttributeOption<Value>...
  ) -> Property {
    let isOptional = Value.self is any AnyOptional.Type
    var form = AttributeForm(
      type: .transformable, isOptional: isOptional, swiftType: AnyType.name(of: Value.self),
      options: AttributeOptions(options))
    form.accepts = { NestedJSON.accepts($0, as: Value.self) }
    form.restored = { NestedJSON.restored($0, as: Value.self) }
    form.mistake = EntityMistake.of(Value.self)
    return attribute(name, path, form: form, throughToOne: ToOnePaths(path)) { value in
      if let optional = value as? any AnyOptional, optional.isNil { return nil }
      return NestedJSON.stored(value)
    }
  }

  /// Gives a clear error where none of the above fits.
  @available(
    *, unavailable,
    message: """
      this type cannot be stored: make it Codable, an AttributeValue, or an enumeration with a raw value, or mark \
      the property @Transient
      """
  )
  @_disfavoredOverload
  public static func attribute<Value>(
    _ name: String, _ path: any KeyPath<Root, Value> & Sendable, _ options: AttributeOption<Value>...
  ) -> Property {
    let form = AttributeForm(
      type: .undefined, isOptional: true, swiftType: "\(Value.self)", options: AttributeOptions(options))
    return attribute(name, path, form: form, throughToOne: ToOnePaths(path)) { _ in nil }
  }

  // MARK: - Together

  /// - Parameter stored: The value as the store keeps it; nil if there is none.
  private static func attribute<Whole>(
    _ name: String, _ path: any KeyPath<Root, Whole> & Sendable, form: AttributeForm,
    throughToOne: ToOnePaths, _ stored: @escaping @Sendable (Whole) -> SQLValue?
  ) -> Property {
    Property(
      name: name, path: PathKey(path), form: .attribute(form),
      write: { object, draft in try draft.set(stored(object[keyPath: path])) },
      content: { AnyHashable(stored($0[keyPath: path])) },
      throughToOne: throughToOne)
  }
}
