/// An object of a log and what has become of it.
struct LoggedObject: BitwiseCopyable {
  /// The entry that was the first to tell of it.
  var entry: Int32
  var entity: Int32
  var fate: NetChange

  init(_ entry: Int, _ first: TableLog.Entry) {
    self.entry = Int32(truncatingIfNeeded: entry)
    entity = first.entity
    fate = NetChange(first.operation)
  }

  mutating func add(_ next: TableLog.Entry) {
    fate.add(next.operation)
    if next.operation != .touch { entity = next.entity }
  }
}

/// All objects of a log, in the order in which they came.
struct LoggedObjects {
  private(set) var all: [LoggedObject] = []
  /// Places in ``all`` by the hash of the key; -1 is free.
  private var buckets: [Int32] = []

  init(_ log: TableLog) {
    all.reserveCapacity(log.count)
    guard !Self.isAscending(log) else {
      for index in 0..<log.count where !addToLast(index, log) { all.append(LoggedObject(index, log[index])) }
      return
    }
    var size = 16
    while size < log.count * 2 { size *= 2 }
    buckets = Array(repeating: -1, count: size)
    for index in 0..<log.count where !addToLast(index, log) { add(index, log) }
  }

  /// Whether keys ascend, as they often do: then all that is told of an object stands together.
  private static func isAscending(_ log: TableLog) -> Bool {
    var last = Int64.min
    for index in 0..<log.count {
      let entry = log[index]
      guard entry.form == .integer, entry.bits >= last else { return false }
      last = entry.bits
    }
    return true
  }

  /// Adds to the object that came last, if the entry is about the same object.
  private mutating func addToLast(_ index: Int, _ log: TableLog) -> Bool {
    guard let last = all.last, log.haveSameKey(Int(last.entry), index) else { return false }
    all[all.count - 1].add(log[index])
    return true
  }

  private mutating func add(_ index: Int, _ log: TableLog) {
    var bucket = log.hash(index) & (buckets.count - 1)
    while buckets[bucket] >= 0 {
      let place = Int(buckets[bucket])
      if log.haveSameKey(Int(all[place].entry), index) { return all[place].add(log[index]) }
      bucket = (bucket + 1) & (buckets.count - 1)
    }
    buckets[bucket] = Int32(truncatingIfNeeded: all.count)
    all.append(LoggedObject(index, log[index]))
  }
}
