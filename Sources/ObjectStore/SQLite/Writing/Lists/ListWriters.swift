import Bytes
import ObjectModel

/// What the writers of lists work with.
struct ListContext {
  let context: WriteContext
  let entities: EntityWriters
  let claims: OwnershipClaims
  let pendingLinks: PendingLinks
  let stubs: StubWriter
  let checks: ReferenceChecks
  let releases: DeferredReleases
  let deleter: ObjectDeleter
}

/// The writers of lists, by relationship, made when first needed.
final class ListWriters {
  private let tools: ListContext
  private var children: [ChildLists?]
  private var joins: [JoinLists?]

  init(_ tools: ListContext) {
    self.tools = tools
    let count = tools.context.layout.relationships.count
    children = Array(repeating: nil, count: count)
    joins = Array(repeating: nil, count: count)
  }

  /// Begins with a list of a row. Returns the step that goes on with it; nil if there is nothing to do.
  func begin(_ list: LinkList, of row: Int, _ batch: inout RowBatch) throws -> WriteStep? {
    switch tools.context.layout.relationships[list.relationship] {
    case .inverse: try childLists(for: list.relationship).begin(list, of: row, &batch)
    case .join: try joinLists(for: list.relationship).begin(list, of: row, &batch)
    case .foreignKey: nil
    }
  }

  func childLists(for relationship: Int) throws -> ChildLists {
    if let known = children[relationship] { return known }
    let lists = try ChildLists(relationship, tools)
    children[relationship] = lists
    return lists
  }

  private func joinLists(for relationship: Int) throws -> JoinLists {
    if let known = joins[relationship] { return known }
    let lists = try JoinLists(relationship, tools)
    joins[relationship] = lists
    return lists
  }
}
