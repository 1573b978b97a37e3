#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import UnitOfWork

  /// The links that wait on the server.
  struct ServerPendingLinks {
    /// How many are kept; of more, each is asked for.
    static let most = 200_000

    /// The links by their rows, and the rows by what the links are found by.
    fileprivate(set) var links: [Int64: PendingLink] = [:]
    fileprivate var byTarget: [String: [Int64]] = [:]
    fileprivate var byOwner: [Owner: [Int64]] = [:]
    /// Whether these are all that wait.
    fileprivate var isWhole = true

    fileprivate struct Owner: Hashable {
      var relationship: Int
      var key: String
    }

    fileprivate mutating func add(_ row: Int64, _ link: PendingLink) {
      links[row] = link
      byTarget[link.target, default: []].append(row)
      byOwner[Owner(relationship: link.relationship, key: link.owner), default: []].append(row)
    }
  }

  extension ServerRows {
    private var selection: String {
      "SELECT broker_row, entity, relationship, owner, target, position FROM \(tables.pending)"
    }

    static func name(of relationship: SchemaRelationship, _ layout: Layout) -> String {
      "\(layout.schema.entities[relationship.owner].name).\(relationship.name)"
    }

    private func read(_ answer: PostgreSQLRows) throws -> ServerPendingLinks {
      var result = ServerPendingLinks()
      let names = Dictionary(
        layout.schema.relationships.map { (Self.name(of: $0, layout), $0.index) },
        uniquingKeysWith: { first, _ in first })
      for index in 0..<answer.count {
        guard let relationship = names[try answer.field(index, 2).string()] else { continue }
        let place = answer.field(index, 5)
        let link = PendingLink(
          relationship: relationship, owner: try answer.field(index, 3).string(),
          target: try answer.field(index, 4).string(), place: place.isNull ? nil : try place.int8())
        result.add(try answer.field(index, 0).int8(), link)
      }
      return result
    }

    /// The links that are kept: all, or of too many none.
    private func kept() throws -> ServerPendingLinks {
      if let waiting { return waiting }
      let answer = try session.idle().query(
        "\(selection) ORDER BY broker_row LIMIT \(ServerPendingLinks.most + 1)")
      var links = ServerPendingLinks()
      if answer.count > ServerPendingLinks.most { links.isWhole = false } else { links = try read(answer) }
      waiting = links
      return links
    }

    func hasPendingLinks() throws -> Bool {
      let kept = try kept()
      return !kept.isWhole || !kept.links.isEmpty
    }

    var mayHoldPendingLinks: Bool { reading(true) { try hasPendingLinks() } }

    func pendingLink(_ row: Int64) -> PendingLink? {
      reading(nil) {
        let kept = try kept()
        guard !kept.isWhole else { return kept.links[row] }
        return try read(connection.query(prepared: "\(selection) WHERE broker_row = $1", .int8(row)))
          .links[row]
      }
    }

    func pendingLinks(for target: String) -> [Int64] {
      reading([]) {
        let kept = try kept()
        guard !kept.isWhole else { return kept.byTarget[target] ?? [] }
        let answer = try connection.query(prepared: "\(selection) WHERE target = $1", .text(target))
        return Array(try read(answer).links.keys)
      }
    }

    func pendingLinks(of relationship: Int, _ owner: String) -> [Int64] {
      let name = Self.name(of: layout.schema.relationships[relationship], layout)
      return reading([]) {
        let kept = try kept()
        guard !kept.isWhole else { return kept.byOwner[.init(relationship: relationship, key: owner)] ?? [] }
        let answer = try connection.query(
          prepared: "\(selection) WHERE relationship = $1 AND owner = $2", .text(name), .text(owner))
        return Array(try read(answer).links.keys)
      }
    }

    func allPendingLinks() -> [Int64] {
      reading([]) {
        let kept = try kept()
        return try Array((kept.isWhole ? kept : read(connection.query(selection))).links.keys)
      }
    }
  }
#endif
