/// Places boxes in columns so that no two overlap and lines between them cross none.
///
/// A line leads to the next column only. A longer one has a place, a slot without height, in each column between.
struct LayeredLayout {
  struct Size {
    var width: Double
    var height: Double
  }

  /// The passage of a line: the left and the right edge of a column, and the height there.
  struct Slot {
    var column: Int
    var center: Double
  }

  struct Place {
    var column: Int
    var top: Double
  }

  /// The place of each box.
  private(set) var places: [Place] = []
  /// For each line between two columns, its slots, from the left to the right.
  private(set) var slots: [[Slot]] = []
  /// The width of each column.
  private(set) var widths: [Double] = []
  private(set) var height = 0.0

  static let boxGap = 28.0
  static let slotHeight = 14.0

  /// - Parameter lines: The boxes that each line connects.
  init(_ sizes: [Size], lines: [(from: Int, to: Int)]) {
    guard !sizes.isEmpty else { return }
    var columns = LayerAssignment(sizes.map { $0.height + Self.boxGap }, lines: lines)
    columns.spread()
    var order = LayerOrder(columns.columns, lines: lines)
    order.reduceCrossings()
    var heights = LayerHeights(order, sizes.map(\.height))
    heights.align()
    places = sizes.indices.map { Place(column: columns.columns[$0], top: heights.top[$0]) }
    slots = order.chains.map { chain in
      chain.map { Slot(column: order.columnOf[$0], center: heights.top[$0] + Self.slotHeight / 2) }
    }
    let count = (columns.columns.max() ?? 0) + 1
    widths = Array(repeating: 0, count: count)
    for (box, size) in sizes.enumerated() {
      widths[columns.columns[box]] = max(widths[columns.columns[box]], size.width)
    }
    height = heights.bottom
  }
}

/// The column of each box: lines lead from the left to the right as far as they can.
struct LayerAssignment {
  private(set) var columns: [Int]
  private let heights: [Double]
  private let lines: [(from: Int, to: Int)]

  init(_ heights: [Double], lines: [(from: Int, to: Int)]) {
    self.heights = heights
    self.lines = lines.filter { $0.from != $0.to }
    columns = Array(repeating: 0, count: heights.count)
    assign()
  }

  /// The longest way to each box along the lines, without those that close a circle.
  private mutating func assign() {
    var next = Array(repeating: [Int](), count: heights.count)
    for line in lines { next[line.from].append(line.to) }
    let order = Self.order(next)
    var position = Array(repeating: 0, count: heights.count)
    for (index, box) in order.enumerated() { position[box] = index }
    for box in order {
      for target in next[box] where position[target] > position[box] {
        columns[target] = max(columns[target], columns[box] + 1)
      }
      // A line that closes a circle leads back, but not within one column.
      for target in next[box] where position[target] < position[box] {
        columns[box] = max(columns[box], columns[target] + 1)
      }
    }
    pullRight(next, order, position)
  }

  /// Moves boxes without lines from the left as far to the right as their targets let them.
  private mutating func pullRight(_ next: [[Int]], _ order: [Int], _ position: [Int]) {
    var hasSource = Array(repeating: false, count: heights.count)
    for line in lines { hasSource[line.to] = true }
    for box in order.reversed() where !hasSource[box] {
      if let nearest = next[box].map({ columns[$0] }).min(), nearest > columns[box] {
        columns[box] = nearest - 1
      }
    }
  }

  /// An order in which lines lead forward but for those of circles: depth first, without recursion.
  private static func order(_ next: [[Int]]) -> [Int] {
    var isKnown = Array(repeating: false, count: next.count)
    var result: [Int] = []
    for start in next.indices where !isKnown[start] {
      isKnown[start] = true
      var stack = [(box: start, child: 0)]
      while let (box, child) = stack.last {
        if child == next[box].count {
          result.append(box)
          stack.removeLast()
        } else {
          stack[stack.count - 1].child += 1
          let target = next[box][child]
          if !isKnown[target] {
            isKnown[target] = true
            stack.append((target, 0))
          }
        }
      }
    }
    return result.reversed()
  }

  /// Divides columns that are too high, and puts boxes without lines where there is room.
  mutating func spread() {
    let isLinked = Set(lines.flatMap { [$0.from, $0.to] })
    let total = heights.reduce(0, +)
    // A picture that is about as wide as it is high.
    let limit = max(heights.max() ?? 0, 420, (total * 320).squareRoot())
    divide(isLinked, limit)
    let count = (isLinked.map { columns[$0] }.max() ?? -1) + 1
    var filled = Array(repeating: 0.0, count: count)
    for box in isLinked { filled[columns[box]] += heights[box] }
    for box in heights.indices where !isLinked.contains(box) {
      var best = filled.indices.min { filled[$0] < filled[$1] }
      if best.map({ filled[$0] + heights[box] > limit }) ?? true {
        filled.append(0)
        best = filled.count - 1
      }
      let column = best ?? 0
      columns[box] = column
      filled[column] += heights[box]
    }
  }

  private mutating func divide(_ isLinked: Set<Int>, _ limit: Double) {
    var members: [[Int]] = []
    for box in heights.indices where isLinked.contains(box) {
      while members.count <= columns[box] { members.append([]) }
      members[columns[box]].append(box)
    }
    var column = 0
    for boxes in members where !boxes.isEmpty {
      let height = boxes.reduce(0) { $0 + heights[$1] }
      let share = height / max(1, (height / limit).rounded(.up))
      var filled = 0.0
      for box in boxes {
        if filled > 0, filled + heights[box] / 2 > share {
          column += 1
          filled = 0
        }
        columns[box] = column
        filled += heights[box]
      }
      column += 1
    }
  }
}

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

/// The height at which each box and slot stands: near its neighbours, in the order of its column, without overlaps.
struct LayerHeights {
  private(set) var top: [Double]
  private(set) var bottom = 0.0
  private let order: LayerOrder
  private let heights: [Double]

  init(_ order: LayerOrder, _ boxHeights: [Double]) {
    self.order = order
    let slots = order.columnOf.count - order.boxCount
    heights = boxHeights + Array(repeating: LayeredLayout.slotHeight, count: slots)
    top = Array(repeating: 0, count: heights.count)
    for column in order.columns {
      var y = 0.0
      for node in column {
        top[node] = y
        y += heights[node] + gap(node)
      }
    }
  }

  private func gap(_ node: Int) -> Double { node < order.boxCount ? LayeredLayout.boxGap : 4 }

  mutating func align() {
    let around = zip(order.before, order.after).map { $0 + $1 }
    for round in 0..<16 {
      let isForward = round.isMultiple(of: 2)
      let neighbours = round >= 14 ? around : isForward ? order.before : order.after
      for column in isForward ? order.columns : order.columns.reversed() { align(column, neighbours) }
    }
    let least = top.min() ?? 0
    for node in top.indices { top[node] -= least }
    bottom = zip(top, heights).map { $0 + $1 }.max() ?? 0
  }

  /// Moves the nodes of a column to the mean of their neighbours, then apart where they overlap, as little as possible.
  private mutating func align(_ column: [Int], _ neighbours: [[Int]]) {
    var blocks: [Block] = []
    for node in column {
      let others = neighbours[node].map { top[$0] + heights[$0] / 2 }
      let wanted = others.isEmpty ? top[node] : others.reduce(0, +) / Double(others.count) - heights[node] / 2
      blocks.append(
        Block(
          nodes: [node], wanted: wanted, weight: others.isEmpty ? 0.1 : 1, height: heights[node] + gap(node)))
      // Neighbours that would overlap stand together where they come nearest to what all of them want.
      while blocks.count > 1, let last = blocks.last {
        let previous = blocks[blocks.count - 2]
        guard previous.wanted + previous.height > last.wanted else { break }
        blocks.removeLast(2)
        blocks.append(previous.joined(last))
      }
    }
    for block in blocks {
      var y = block.wanted
      for node in block.nodes {
        top[node] = y
        y += heights[node] + gap(node)
      }
    }
  }

  private struct Block {
    var nodes: [Int]
    /// The height that suits its first node best, together with the others.
    var wanted: Double
    var weight: Double
    var height: Double

    func joined(_ other: Block) -> Block {
      let sum = weight + other.weight
      return Block(
        nodes: nodes + other.nodes, wanted: (wanted * weight + (other.wanted - height) * other.weight) / sum,
        weight: sum, height: height + other.height)
    }
  }
}
