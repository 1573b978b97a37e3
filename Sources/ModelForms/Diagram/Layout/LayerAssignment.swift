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
