import Bytes
import ObjectModel

/// Reads the objects of a Core Data store as rows, entity after entity, in the order of their keys.
final class CoreDataReading: RowReader {
  let entities: [Int]
  private(set) var unmatched: [String: [String: Int]] = [:]
  private(set) var objectName = ""
  private let layout: Layout
  private let shared: CoreDataSelection.Shared
  private let handle: OpaquePointer
  private let isCancelled: @Sendable () -> Bool
  private var remaining: [(entity: Int, place: CoreDataBinding.EntityPlace)]
  private var selection: CoreDataSelection?
  private var problems: [SourceProblem]
  /// By attribute, how many of its values are archives that are not plain.
  private var archives: [String: ArchiveProblem] = [:]
  private var count = 0

  private struct ArchiveProblem {
    var entity: String
    var property: String
    var found: String
    var count = 0
  }

  init(
    _ shared: CoreDataSelection.Shared, _ handle: OpaquePointer, _ layout: Layout,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) throws {
    self.shared = shared
    self.handle = handle
    self.layout = layout
    self.isCancelled = isCancelled
    let binding = shared.binding
    remaining = layout.schema.entities.compactMap { entity in
      guard let source = binding.schema.entity(entity.name), let place = binding.places[source.index] else {
        return nil
      }
      return (entity.index, place)
    }
    entities = remaining.map(\.entity)
    let contradictions = CoreDataContradictions(binding, handle, shared.names)
    problems = try contradictions.strayRows()
    problems += try contradictions.problems()
    for place in binding.places.compactMap(\.self)
    where layout.schema.entity(binding.schema.entities[place.entity].name) == nil {
      let name = binding.schema.entities[place.entity].name
      unmatched[name] = [:]
    }
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
        for name in selection?.unmatched ?? [] {
          unmatched[layout.schema.entities[entity].name, default: [:]][name] = 0
        }
      }
      if let row = try selection?.next(&batch, note: { note($0) }) {
        count += 1
        if count & 255 == 0, isCancelled() { throw CancellationError() }
        objectName = selection?.objectName ?? ""
        for name in selection?.unmatched ?? [] {
          unmatched[layout.schema.entities[batch.rows[row].entity].name, default: [:]][name, default: 0] += 1
        }
        return row
      }
      selection = nil
    }
  }

  /// Notes a problem. An attribute whose archives cannot be read has one for all its objects.
  private func note(_ problem: CoreDataSelection.Problem) {
    switch problem {
    case .value(let problem): problems.append(problem)
    case .archive(let entity, let property, let found):
      let known = archives[property] ?? ArchiveProblem(entity: entity, property: property, found: found)
      archives[property] = known
      archives[property]?.count += 1
    }
  }

  private func finish() {
    for (_, archive) in archives.sorted(by: { $0.key < $1.key }) {
      problems.append(
        SourceProblem(
          object: "", entity: archive.entity, property: archive.property,
          expected: "an archive of plain values",
          found: "\(archive.found), in \(archive.count) \(archive.count == 1 ? "object" : "objects")",
          action: "kept as its bytes in Base64"))
    }
    archives = [:]
  }

  func takeProblems() -> [SourceProblem] {
    defer { problems = [] }
    return problems
  }
}
