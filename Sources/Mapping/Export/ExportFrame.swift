import ObjectModel
import ObjectStore

/// How far the writing of an object has come.
///
/// Frames are kept on a stack of the exporter's own, so that deep data does not use up the thread's stack.
final class ExportFrame {
  /// The row of the object, with the columns of ``ObjectRows``.
  private(set) var row: any Cursor
  private(set) var plan: ExportPlan
  private(set) var context: ObjectExporter.Context
  private(set) var place: ObjectExporter.Place
  /// The members that are being written, and the index of the next. They are the object's own, or those at a step of
  /// key paths.
  var members: ExportPlan.Members
  var next = 0
  /// The members around those, the innermost last.
  var outer: [(members: ExportPlan.Members, next: Int)] = []
  /// The list that is being written.
  var list: ExportedList?
  /// Whether the row is the only one of its cursor.
  var isLone = false

  init(
    _ row: any Cursor, _ plan: ExportPlan, _ context: ObjectExporter.Context,
    _ place: ObjectExporter.Place
  ) {
    self.row = row
    self.plan = plan
    self.context = context
    self.place = place
    members = plan.members
  }

  /// Begins with another object.
  func reuse(
    for row: any Cursor, _ plan: ExportPlan, _ context: ObjectExporter.Context,
    _ place: ObjectExporter.Place
  ) {
    self.row = row
    self.plan = plan
    self.context = context
    self.place = place
    members = plan.members
    next = 0
    isLone = false
  }
}

/// How far the writing of a list has come. The list has targets that are in the store and keys that the store
/// remembers; these are written at their places between the targets.
final class ExportedList {
  let relationship: SchemaRelationship
  let targets: LinkedTargets
  let isNested: Bool
  let waiting: (any Cursor)?
  var isWaiting: Bool
  /// How the kind of the targets is told, where they could be one of several.
  let kind: LinkKind?
  /// Whether nothing else stands in the list.
  let isWhole: Bool

  init(
    _ relationship: SchemaRelationship, _ targets: LinkedTargets, isNested: Bool, waiting: (any Cursor)?,
    kind: LinkKind?, isWhole: Bool
  ) throws {
    self.kind = kind
    self.isWhole = isWhole
    self.relationship = relationship
    self.targets = targets
    self.isNested = isNested
    self.waiting = waiting
    isWaiting = try waiting?.step() ?? false
  }

  deinit {
    targets.rows.reset()
    waiting?.reset()
  }
}
