/// The order of boxes and slots in each column, with few crossings.
struct LayerOrder {
  /// The column of each node: first the boxes, then the slots.
  private(set) var columnOf: [Int]
  /// The nodes of each column, from above.
  private(set) var columns: [[Int]]
  /// The slots of each line, from the left.
  private(set) var chains: [[Int]] = []
  let boxCount: Int
  /// The neighbours of each node in the column before, and in the column after.
  private(set) var before: [[Int]]
  private(set) var after: [[Int]]

  init(_ boxColumns: [Int], lines: [(from: Int, to: Int)]) {
    boxCount = boxColumns.count
    columnOf = boxColumns
    before = Array(repeating: [], count: boxCount)
    after = before
    columns = Array(repeating: [], count: (boxColumns.max() ?? 0) + 1)
    for box in boxColumns.indices { columns[boxColumns[box]].append(box) }
    for line in lines { addChain(line) }
  }

  private mutating func addChain(_ line: (from: Int, to: Int)) {
    let (first, last) = columnOf[line.from] <= columnOf[line.to] ? (line.from, line.to) : (line.to, line.from)
    var chain: [Int] = []
    guard columnOf[first] < columnOf[last] else {
      chains.append([])
      return
    }
    var previous = first
    for column in (columnOf[first] + 1)..<max(columnOf[first] + 1, columnOf[last]) {
      let slot = columnOf.count
      columnOf.append(column)
      columns[column].append(slot)
      before.append([])
      after.append([])
      connect(previous, slot)
      chain.append(slot)
      previous = slot
    }
    connect(previous, last)
    chains.append(chain)
  }

  private mutating func connect(_ one: Int, _ other: Int) {
    after[one].append(other)
    before[other].append(one)
  }

  /// Sorts each column by the mean places of the neighbours, to the right and to the left in turn.
  mutating func reduceCrossings() {
    var best = columns
    var fewest = crossings()
    for round in 0..<12 where fewest > 0 {
      let isForward = round.isMultiple(of: 2)
      for column in isForward ? Array(columns.indices) : columns.indices.reversed() {
        sort(column, by: isForward ? before : after)
      }
      let count = crossings()
      if count < fewest { (fewest, best) = (count, columns) }
    }
    columns = best
  }

  private mutating func sort(_ column: Int, by neighbours: [[Int]]) {
    let positions = positions()
    let keyed = columns[column].enumerated().map { index, node -> (key: Double, index: Int, node: Int) in
      let places = neighbours[node].map { positions[$0] }
      return (places.isEmpty ? Double(index) : places.reduce(0, +) / Double(places.count), index, node)
    }
    columns[column] = keyed.sorted { ($0.key, $0.index) < ($1.key, $1.index) }.map(\.node)
  }

  private func positions() -> [Double] {
    var result = Array(repeating: 0.0, count: columnOf.count)
    for column in columns {
      for (index, node) in column.enumerated() { result[node] = Double(index) }
    }
    return result
  }

  /// How many pairs of lines between two columns cross.
  private func crossings() -> Int {
    let positions = positions()
    var count = 0
    for column in columns {
      let ends = column.flatMap { node in after[node].map { positions[$0] }.sorted() }
      for first in ends.indices {
        for second in ends.indices.dropFirst(first + 1) where ends[first] > ends[second] { count += 1 }
      }
    }
    return count
  }
}
