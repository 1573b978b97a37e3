import Bytes
import ObjectModel

/// What is still to be done to write a record.
enum WriteStep {
  /// Write a row, with what it needs and what needs it.
  case row(RowStep)
  /// Go on with a foreign key of a row, whose target has been written.
  case foreignKey(RowStep, key: Int)
  /// Begin with a list of a row that is written.
  case newList(Int, of: Int)
  /// Begin with a list that takes all links of a relationship away from a row.
  case emptyList(relationship: Int, of: Int)
  /// Go on with a list.
  case list(ListStep)
  /// Empty the lists that an object, which took another's place, does not mention.
  case otherLists(of: Int)
}

/// A row that is to be written.
struct RowStep {
  let row: Int
  /// For an entity without identity, the row id of the object to update.
  let existing: Int64?
  /// Whether another object nests it.
  let isNested: Bool
  /// Whether it takes the place of the existing object, rather than tell more of it.
  let isReplacement: Bool
  /// What happened to the objects without identity that its foreign keys lead to.
  var parts: PartChanges?

  init(_ row: Int, over existing: Int64? = nil, isNested: Bool = true, isReplacement: Bool = false) {
    self.row = row
    self.existing = existing
    self.isNested = isNested
    self.isReplacement = isReplacement
  }

  /// What happens to objects without identity that a row's foreign keys lead to.
  struct PartChanges {
    /// Those that the row no longer leads to, which go once it is written.
    var released: [(entity: Int, row: Int64)] = []
    /// Those that were made for it, which go if it cannot be written.
    var inserted: [(entity: Int, row: Int64)] = []
  }
}

extension Optional where Wrapped == RowStep.PartChanges {
  /// The changes, which are made when first needed.
  var orNew: RowStep.PartChanges {
    get { self ?? RowStep.PartChanges() }
    set { self = newValue }
  }
}

/// The steps that are still to be done to write a record, on a stack: the one on top is next.
///
/// It is a stack of the writer's own, so that the depth of a document costs no stack of the thread. A step that needs
/// another row to be written first waits below it.
final class WriteSteps {
  private let context: WriteContext
  private var steps: [WriteStep] = []

  init(_ context: WriteContext) {
    self.context = context
  }

  var count: Int { steps.count }

  func removeAll() { steps.removeAll(keepingCapacity: true) }

  func push(_ step: WriteStep) { steps.append(step) }

  func pop() -> WriteStep? { steps.popLast() }

  /// Puts a step below those that came on top since there were `count`.
  func insert(_ step: WriteStep, above count: Int) { steps.insert(step, at: count) }

  // MARK: - Lists of a row

  /// Puts the lists of a row on the stack, the first of its chain on top.
  ///
  /// Where one row has a list twice, the last counts. Where rows that tell the same object have it, the later list
  /// replaces the earlier one too, unless lists add to each other; the objects of both are written.
  func pushLists(of row: Int, _ batch: inout RowBatch) {
    var latest: [LinkList] = []
    // The chain begins with the last list.
    var next = batch.rows[row].firstList
    while next >= 0 {
      let list = batch.lists[next]
      if let later = latest.first(where: { $0.relationship == list.relationship }) {
        if later.owner != list.owner {
          if context.merges(later) {
            push(.newList(next, of: row))
          } else {
            pushIndependentTargets(of: list, row, &batch)
          }
        }
      } else {
        latest.append(list)
        push(.newList(next, of: row))
      }
      next = list.next
    }
  }

  /// Puts lists that are empty on the stack for the relationships of a row that it has no list of, the first on top.
  func pushEmptyLists(of row: Int, _ batch: borrowing RowBatch) {
    var mentioned: [Int] = []
    var next = batch.rows[row].firstList
    while next >= 0 {
      mentioned.append(batch.lists[next].relationship)
      next = batch.lists[next].next
    }
    let layout = context.layout
    for relationship in layout.entities[batch.rows[row].entity].entity.relationships.reversed()
    where !mentioned.contains(relationship) {
      switch layout.relationships[relationship] {
      case .foreignKey: continue
      // Where the targets have lists too, the links are theirs as well.
      case .join where layout.schema.relationships[relationship].inverse != nil: continue
      case .inverse, .join: push(.emptyList(relationship: relationship, of: row))
      }
    }
  }

  // MARK: - Objects of rows that are not written

  /// Of a row that is not written, puts what has an identity of its own on the stack.
  func pushIndependentParts(of row: Int, _ writer: EntityWriter, _ batch: inout RowBatch) {
    var next = batch.rows[row].firstList
    while next >= 0 {
      let list = batch.lists[next]
      next = list.next
      pushIndependentTargets(of: list, row, &batch)
    }
    for key in writer.foreignKeys.reversed() {
      guard let slot = key.slots.first, batch[row, slot].kind == .row else { continue }
      let target = Int(batch[row, slot].bits)
      if target != batch.rows[row].parent { pushIndependent(target, of: row, &batch) }
    }
  }

  /// Puts the objects of a list that is not written on the stack, the first on top.
  func pushIndependentTargets(of list: LinkList, _ row: Int, _ batch: inout RowBatch) {
    let first = steps.count
    let width = max(1, keyWidth(ofTargetsOf: list.relationship))
    var index = list.firstTarget
    for _ in 0..<list.count {
      let cell = batch.targets[index]
      if cell.kind == .row { pushIndependent(Int(cell.bits), of: row, &batch) }
      index += cell.kind == .row ? 1 : width
    }
    steps[first...].reverse()
  }

  private func keyWidth(ofTargetsOf relationship: Int) -> Int {
    let schema = context.layout.schema
    let destination = schema.entities[schema.relationships[relationship].destination]
    return destination.hasIdentity ? context.layout.table(of: destination.index).key.count : 0
  }

  /// Puts a row on the stack, though the one that holds it is not written. A part is skipped with what holds it.
  func pushIndependent(_ row: Int, of owner: Int, _ batch: inout RowBatch) {
    if !context.layout.schema.entities[batch.rows[row].entity].hasIdentity,
      batch.rows[row].state == .object
    {
      batch.rows[row].state = .skipped
      batch.rows[row].isHeld = batch.rows[owner].isHeld
    }
    push(.row(RowStep(row)))
  }
}
