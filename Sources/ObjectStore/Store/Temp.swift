package import ObjectModel
package final class ConnectionCache { package var objects: [ObjectIdentifier: AnyObject] = [:] }
extension StoreTransaction {
  package func cached(_ s: String) throws -> PreparedStatement { try prepare(s) }
  package var cache: ConnectionCache { ConnectionCache() }
  func takeFreshness() -> Bool { isFresh }
}
extension Store {
  package var checks: [ValueCheck.Place: ValueCheck] { [:] }
  package func asyncRead<R: Sendable>(_ body: @Sendable (StoreTransaction) throws -> R) async throws -> R { try read(body) }
  package func asyncTransaction<R: Sendable>(_ body: @Sendable (StoreTransaction) throws -> (R, Ending)) async throws -> R { try transaction(body) }
  package convenience init(path: String, model: Model?, mapping: JSONMapping?, access: Access, checks: [ValueCheck.Place: ValueCheck]) throws { try self.init(path: path, model: model, mapping: mapping, access: access) }
}

extension StoreTransaction { package var isImport: Bool { get { false } set {} } }
