/// Places boxes in columns so that no two overlap and lines between them cross none.
///
/// A line leads to the next column only. A longer one has a place, a slot without height, in each column between.
struct LayeredLayout {
  struct Size {
    var width: Double
    var height: Double
  }

  /// Where a line passes: the left and the right edge of a column, and the height there.
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
