import Bytes
import ObjectModel

/// Reads the objects of a Core Data store as rows, entity after entity, in the order of their keys.
final class CoreDataReading: RowReader {
  let entities: [Int]
  private(set) var unmatched: [String: [String: Int]] = [:]
  private let layout: Layout
  private let shared: CoreDataSelection.Shared
  private let handle: OpaquePointer
  private let isCancelled: @Sendable () -> Bool
  private var remaining: [(entity: Int, place: CoreDataBinding.EntityPlace)]
  private var selection: CoreDataSelection?
  private var problems: [SourceProblem]
  private var archives = CoreDataArchiveProblems()
  private var count = 0

  init(
    _ shared: CoreDataSelection.Shared, _ handle: OpaquePointer, _ layout: Layout,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) throws {
    self.shared = shared
    self.handle = handle
    self.layout = layout
    self.isCancelled = isCancelled
    let binding = shared.binding
    remaining = Self.targetsFirst(layout.schema).compactMap { entity in
      guard let source = binding.schema.entity(entity.name), let place = binding.places[source.index] else {
        return nil
      }
      return (entity.index, place)
    }
    entities = remaining.map(\.entity)
    let contradictions = CoreDataConsistency(binding, handle, shared.names)
    problems = shared.problems
    problems += try contradictions.strayRows()
    problems += try contradictions.problems()
    for place in binding.places.compactMap(\.self)
    where layout.schema.entity(binding.schema.entities[place.entity].name) == nil {
      let name = binding.schema.entities[place.entity].name
      unmatched[name] = [:]
    }
  }

  /// The entities of a schema, those that others lead to before these where that is possible: what is there already need
  /// not be waited for.
  private static func targetsFirst(_ schema: Schema) -> [SchemaEntity] {
    var order: [Int] = []
    var seen = Set<Int>()
    for entity in schema.entities {
      // Each entity is followed to what it leads to before it is taken itself.
      var stack = [(entity: entity.index, isDone: false)]
      while let (index, isDone) = stack.popLast() {
        if isDone {
          order.append(index)
          continue
        }
        guard seen.insert(index).inserted else { continue }
        stack.append((index, true))
        for relationship in schema.entities[index].relationships {
          let link = schema.relationships[relationship]
          guard !link.isToMany else { continue }
          for target in schema.family(of: link.destination) where !seen.contains(target) {
            stack.append((target, false))
          }
        }
      }
    }
    return order.map { schema.entities[$0] }
  }

  func next(_ batch: inout RowBatch) throws -> Int? {
    while true {
      if selection == nil {
        guard !remaining.isEmpty else {
          finish()
          return nil
        }
        let (entity, place) = remaining.removeFirst()
        selection = try CoreDataSelection(
          layout.schema.entities[entity], place, layout, shared, handle)
      }
      if let row = try selection?.next(&batch, note: { note($0) }) {
        count += 1
        if count & 255 == 0, isCancelled() { throw CancellationError() }
        return row
      }
      if let ended = selection {
        for name in ended.unmatched { unmatched[ended.entityName, default: [:]][name] = ended.count }
      }
      selection = nil
    }
  }

  /// Notes a problem. An attribute whose archives cannot be read has one for all its objects.
  private func note(_ problem: CoreDataSelection.Problem) {
    switch problem {
    case .value(let problem): problems.append(problem)
    case .archive(let entity, let property, let found):
      archives.add(found, entity: entity, property: property)
    }
  }

  private func finish() {
    problems += archives.problems
    archives = CoreDataArchiveProblems()
  }

  func appendName(to bytes: inout ByteBuffer) { selection?.appendName(to: &bytes) }

  var hasProblems: Bool { !problems.isEmpty }

  func takeProblems() -> [SourceProblem] {
    defer { problems = [] }
    return problems
  }
}
