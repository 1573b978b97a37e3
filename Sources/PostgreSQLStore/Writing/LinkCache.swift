#if PostgreSQL
  import UnitOfWork

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
#endif
