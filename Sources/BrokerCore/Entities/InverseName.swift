// How `@Entity` names an inverse, so that the compiler can say what is wrong with it.

/// The relationships that lead from an entity to another, by their names: `_BrokerInverseName<Album, Band>().band`.
///
/// Of a property that is none of these, it says what it is instead.
@dynamicMemberLookup
public protocol _InverseNaming<Target, Root> {
  associatedtype Target
  associatedtype Root
}

/// An inverse that is written as a name.
public struct _BrokerInverseName<Target, Root>: _InverseNaming {
  /// The names of the relationships.
  public init() {}
}

/// An inverse that is written as a key path, where the compiler has looked for the property before.
@dynamicMemberLookup
public struct _BrokerInversePathName<Target, Root>: _InverseNaming {
  /// The names of the relationships.
  public init() {}

  /// A property that is not there, of which the compiler has told.
  @_disfavoredOverload
  public subscript(dynamicMember name: String) -> _MissingInverse { _MissingInverse() }
}

/// What an inverse is that is no property: the compiler has said so.
public struct _MissingInverse {}

/// What an inverse is that leads to another entity: a mistake.
public struct _InverseElsewhere {}

/// What an inverse is that is no relationship: a mistake.
public struct _InverseOfNoRelationship {}

/// A relationship that leads back.
public struct _InverseOption: Sendable {
  let path: PathKey
}

extension _InverseNaming where Root: Storable {
  /// A relationship that leads back.
  public subscript(dynamicMember path: any KeyPath<Target, ToOne<Root>> & Sendable) -> _InverseOption {
    _InverseOption(path: PathKey(path))
  }

  /// A relationship that leads back.
  public subscript(dynamicMember path: any KeyPath<Target, ToOne<Root>?> & Sendable) -> _InverseOption {
    _InverseOption(path: PathKey(path))
  }

  /// A relationship that leads back.
  public subscript(dynamicMember path: any KeyPath<Target, ToMany<Root>> & Sendable) -> _InverseOption {
    _InverseOption(path: PathKey(path))
  }

  /// A relationship that leads elsewhere.
  public subscript<Other>(
    dynamicMember path: any KeyPath<Target, ToOne<Other>> & Sendable
  ) -> _InverseElsewhere { _InverseElsewhere() }

  /// A relationship that leads elsewhere.
  public subscript<Other>(
    dynamicMember path: any KeyPath<Target, ToOne<Other>?> & Sendable
  ) -> _InverseElsewhere { _InverseElsewhere() }

  /// A relationship that leads elsewhere.
  public subscript<Other>(
    dynamicMember path: any KeyPath<Target, ToMany<Other>> & Sendable
  ) -> _InverseElsewhere { _InverseElsewhere() }

  /// A property that is no relationship.
  public subscript<Value>(
    dynamicMember path: any KeyPath<Target, Value> & Sendable
  ) -> _InverseOfNoRelationship { _InverseOfNoRelationship() }
}

extension RelationshipOption {
  /// The relationship that leads back, as the macro names it.
  public static func inverse(_ option: _InverseOption) -> Self { Self { $0.inverse = option.path } }

  /// A property that is not there, of which the compiler has told.
  public static func inverse(_ missing: _MissingInverse) -> Self { Self { _ in } }

  /// For a clear message.
  @available(
    *, unavailable,
    message:
      "this inverse leads to another entity: name the relationship that leads back here, or say inverse: nil"
  )
  public static func inverse(_ other: _InverseElsewhere) -> Self { Self { _ in } }

  /// For a clear message.
  @available(
    *, unavailable,
    message:
      "this inverse is no relationship: name the ToOne or ToMany that leads back here, or say inverse: nil"
  )
  public static func inverse(_ other: _InverseOfNoRelationship) -> Self { Self { _ in } }
}
