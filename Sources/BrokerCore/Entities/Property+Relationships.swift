import ObjectModel
import ObjectStore

extension Property {
  /// A relationship to one object, which every object must have.
  public static func toOne<Target: Storable>(
    _ name: String, _ path: any KeyPath<Root, ToOne<Target>> & Sendable,
    _ options: RelationshipOption<Target>...
  ) -> Property {
    let form = RelationshipForm(
      target: Target.self, isToMany: false, isOptional: false, options: RelationshipOptions(options))
    return Property(
      name: name, path: PathKey(path), form: .relationship(form),
      write: { object, draft in try draft.set(object[keyPath: path]) },
      content: { AnyHashable($0[keyPath: path]) },
      throughToOne: ToOnePaths(path))
  }

  /// A relationship to one object, or to none.
  public static func toOne<Target: Storable>(
    _ name: String, _ path: any KeyPath<Root, ToOne<Target>?> & Sendable,
    _ options: RelationshipOption<Target>...
  ) -> Property {
    let form = RelationshipForm(
      target: Target.self, isToMany: false, isOptional: true, options: RelationshipOptions(options))
    return Property(
      name: name, path: PathKey(path), form: .relationship(form),
      write: { object, draft in try draft.set(object[keyPath: path]) },
      content: { AnyHashable($0[keyPath: path]) },
      throughToOne: ToOnePaths(path))
  }

  /// A relationship to any number of objects.
  public static func toMany<Target: Storable>(
    _ name: String, _ path: any KeyPath<Root, ToMany<Target>> & Sendable,
    _ options: RelationshipOption<Target>...
  ) -> Property {
    let form = RelationshipForm(
      target: Target.self, isToMany: true, isOptional: true, options: RelationshipOptions(options))
    return Property(
      name: name, path: PathKey(path), form: .relationship(form),
      write: { object, draft in try draft.set(object[keyPath: path]) },
      content: { AnyHashable($0[keyPath: path]) },
      throughToOne: ToOnePaths(path))
  }

  /// The object of the entity that this one inherits from.
  public static func inherited<Parent: Storable>(
    _ path: any KeyPath<Root, Parent> & Sendable
  ) -> Property {
    Property(
      name: Parent.entityName, path: PathKey(path), form: .inherited(Parent.self),
      write: { object, draft in try draft.set(inherited: object[keyPath: path]) },
      content: { object in
        let parent = object[keyPath: path]
        return AnyHashable(Parent.properties.all.map { $0.content(parent) })
      },
      throughToOne: ToOnePaths(path))
  }
}
