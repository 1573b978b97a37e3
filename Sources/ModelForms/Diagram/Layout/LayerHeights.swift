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
    /// Where its first node wants to be, together with the others.
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
