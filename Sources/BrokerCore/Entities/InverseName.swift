// How `@Entity` names an inverse, so that the compiler can explain a mistake.

/// The relationships from one entity to another, by their names: `_BrokerInverseName<Album, Band>().band`.
///
/// For a property that is not such a relationship, it gives what the property is instead.
@dynamicMemberLookup
public protocol _InverseNaming<Target, Root> {
  associatedtype Target
  associatedtype Root
}

/// An inverse that the program gives as a name.
public struct _BrokerInverseName<Target, Root>: _InverseNaming {
  /// The names of the relationships.
  public init() {}
}

/// An inverse that the program gives as a key path. The compiler has checked already that the property exists.
@dynamicMemberLookup
public struct _BrokerInversePathName<Target, Root>: _InverseNaming {
  /// The names of the relationships.
  public init() {}

  /// A property that does not exist. The compiler has reported it already.
  @_disfavoredOverload
  public subscript(dynamicMember name: String) -> _MissingInverse { _MissingInverse() }
}

/// The result for an inverse that does not exist. The compiler has reported it already.
public struct _MissingInverse {}

/// The result for an inverse that leads to another entity, which is a mistake.
public struct _InverseElsewhere {}

/// The result for an inverse that is no relationship, which is a mistake.
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
  /// The relationship that leads back, in the form that the macro uses.
  public static func inverse(_ option: _InverseOption) -> Self { Self { $0.inverse = option.path } }

  /// A property that does not exist. The compiler has reported it already.
  public static func inverse(_ missing: _MissingInverse) -> Self { Self { _ in } }

  /// Gives a clear error.
  @available(
    *, unavailable,
    message:
      "this inverse leads to another entity: name the relationship that leads back here, or say inverse: nil"
  )
  public static func inverse(_ other: _InverseElsewhere) -> Self { Self { _ in } }

  /// Gives a clear error.
  @available(
    *, unavailable,
    message:
      "this inverse is no relationship: name the ToOne or ToMany that leads back here, or say inverse: nil"
  )
  public static func inverse(_ other: _InverseOfNoRelationship) -> Self { Self { _ in } }
}
