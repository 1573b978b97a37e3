#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import UnitOfWork

  /// The known rows of a table by the values of some columns.
  struct RowCache {
    let columns: [Int]
    /// The rows that were asked for, by the values; none if there are none.
    var rows: [RowKey: [Int64]] = [:]
    /// The rows that were written to a table that was empty before; nil for columns whose values the server alone
    /// can compare.
    var written: WrittenKeyFilter?
    var hasOneForm: Bool { written != nil }
  }

  /// The links of a join table that were read. A link has no number on the server, so it gets one here.
  struct LinkCache {
    /// Numbers of links, most often one after another.
    struct Numbers {
      fileprivate(set) var range: Range<Int64> = 0..<0
      fileprivate(set) var others: [Int64] = []

      fileprivate mutating func insert(_ number: Int64) {
        if range.isEmpty {
          range = number..<number + 1
        } else if number == range.upperBound {
          range = range.lowerBound..<number + 1
        } else {
          others.append(number)
        }
      }
    }

    /// The links, in the order of their numbers, and the number of the first.
    private var links: [JoinLink] = []
    private var first: Int64 = 1
    /// By direction and by the key at which links begin, their numbers; none if there are none.
    private var found: Ends<[RowKey: Numbers]> = Ends([:], [:])
    /// By the keys of links, their numbers; nil while no link can have come twice.
    private var numbers: [Ends<RowKey>: Int64]?

    subscript(number: Int64) -> JoinLink? {
      let index = Int(number - first)
      return links.indices.contains(index) ? links[index] : nil
    }

    func isKnown(_ key: RowKey, _ direction: Int) -> Bool { found[direction][key] != nil }

    /// The links that begin, or end where `direction` is 1, at a key; nil if that is not known.
    func links(of key: RowKey, _ direction: Int) -> [(row: Int64, link: JoinLink)]? {
      guard let numbers = found[direction][key] else { return nil }
      var result: [(row: Int64, link: JoinLink)] = []
      result.reserveCapacity(numbers.range.count + numbers.others.count)
      for number in numbers.range { result.append((number, links[Int(number - first)])) }
      for number in numbers.others { result.append((number, links[Int(number - first)])) }
      return result
    }

    /// Notes that all links of keys in a direction are added next.
    ///
    /// - Parameter hasForms: Whether the server may take several keys for one.
    mutating func begin(_ keys: some Collection<RowKey>, _ direction: Int, hasForms: Bool = false) {
      // A link that was found from its other end, or under another form of its key, has a number.
      if hasForms || !found[1 - direction].isEmpty { noteNumbers() }
      found[direction].reserveCapacity(found[direction].count + keys.count)
      for key in keys { found[direction][key] = Numbers() }
    }

    /// - Parameter key: The key that the link was looked for by.
    mutating func add(_ link: JoinLink, under key: RowKey, _ direction: Int) {
      found[direction][key, default: Numbers()].insert(number(of: link))
    }

    /// The number of a link that was read from neither end.
    mutating func addAlone(_ link: JoinLink) -> Int64 {
      noteNumbers()
      return number(of: link)
    }

    private mutating func number(of link: JoinLink) -> Int64 {
      if let known = numbers?[link.keys] { return known }
      let number = first + Int64(links.count)
      links.append(link)
      numbers?[link.keys] = number
      return number
    }

    private mutating func noteNumbers() {
      guard numbers == nil else { return }
      numbers = Dictionary(
        links.enumerated().map { ($1.keys, first + Int64($0)) }, uniquingKeysWith: { known, _ in known })
    }

    /// Forgets all links. Their numbers are not used again.
    mutating func forget() {
      first += Int64(links.count)
      links.removeAll(keepingCapacity: true)
      found = Ends([:], [:])
      numbers = nil
    }
  }

  /// The links that wait on the server.
  struct ServerPendingLinks {
    /// How many are kept; of more, each is asked for.
    static let most = 200_000

    /// The links by their rows, and the rows by what the links are found by.
    fileprivate(set) var links: [Int64: PendingLink] = [:]
    fileprivate var byTarget: [ExactText: [Int64]] = [:]
    fileprivate var byOwner: [Owner: [Int64]] = [:]
    /// Whether these are all that wait.
    fileprivate var isWhole = true

    fileprivate struct Owner: Hashable {
      var relationship: Int
      var key: ExactText
    }

    fileprivate mutating func add(_ row: Int64, _ link: PendingLink) {
      links[row] = link
      byTarget[ExactText(link.target), default: []].append(row)
      byOwner[Owner(relationship: link.relationship, key: ExactText(link.owner)), default: []].append(row)
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
        guard !kept.isWhole else { return kept.byTarget[ExactText(target)] ?? [] }
        let answer = try connection.query(prepared: "\(selection) WHERE target = $1", .text(target))
        return Array(try read(answer).links.keys)
      }
    }

    func pendingLinks(of relationship: Int, _ owner: String) -> [Int64] {
      let name = Self.name(of: layout.schema.relationships[relationship], layout)
      return reading([]) {
        let kept = try kept()
        guard !kept.isWhole else {
          return kept.byOwner[.init(relationship: relationship, key: ExactText(owner))] ?? []
        }
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

  /// Which values rows can be found by that a transaction wrote to a table which had none before: what is not among them
  /// need not be looked for on the server.
  struct WrittenKeyFilter {
    private var keys = KeySet()
    /// Whether there are too many to keep.
    private var isOverfull = false

    /// How many entries are kept.
    private static let most = 1 << 22

    mutating func insert(_ values: some Collection<Value>) {
      guard !isOverfull, let key = KeySet.Member(values) else { return }
      _ = keys.insert(key)
      if keys.size >= Self.most { (isOverfull, keys) = (true, KeySet()) }
    }

    /// False if no row was written with these values.
    func mayHold(_ values: RowKey) -> Bool {
      guard !isOverfull, let key = KeySet.Member(values) else { return true }
      return keys.contains(key)
    }
  }
#endif
