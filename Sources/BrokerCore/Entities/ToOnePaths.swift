/// The key paths of a property behind a ``ToOne``, as the compiler makes them of `\.band.name` and `\.band?.name`.
struct ToOnePaths: Sendable {
  /// From a `ToOne`.
  let required: PathKey
  /// From a `ToOne?`.
  let optional: PathKey

  init<Target: Storable, Value>(_ path: any KeyPath<Target, Value> & Sendable) {
    required = PathKey(\ToOne<Target>.[dynamicMember: path])
    optional = PathKey(\ToOne<Target>?.?[dynamicMember: path])
  }

  init<Target: Storable, Value>(_ path: any KeyPath<Target, Value?> & Sendable) {
    required = PathKey(\ToOne<Target>.[dynamicMember: path])
    optional = PathKey(\ToOne<Target>?.?[dynamicMember: path])
  }
}
