import Testing

@testable import ModelForms

/// No two boxes overlap, and no line passes through a box, for random graphs.
@Suite struct LayoutTests {
  @Test(arguments: 0..<60) func nothingOverlaps(seed: Int) {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    func random(_ limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(limit))
    }
    let count = 1 + random(40)
    let sizes = (0..<count).map { _ in
      LayeredLayout.Size(width: Double(100 + random(200)), height: Double(30 + random(400)))
    }
    let lines = (0..<random(3 * count)).map { _ in (from: random(count), to: random(count)) }
    let layout = LayeredLayout(sizes, lines: lines)
    #expect(layout.places.count == count)
    for (one, first) in layout.places.enumerated() {
      #expect(first.top >= 0 && first.top + sizes[one].height <= layout.height + 0.01)
      #expect(sizes[one].width <= layout.widths[first.column])
      for (other, second) in layout.places.enumerated().dropFirst(one + 1) where first.column == second.column
      {
        let isApart =
          first.top + sizes[one].height <= second.top + 0.01
          || second.top + sizes[other].height <= first.top + 0.01
        #expect(isApart)
      }
      for slot in layout.slots.flatMap(\.self) where slot.column == first.column {
        #expect(slot.center <= first.top + 0.01 || slot.center >= first.top + sizes[one].height - 0.01)
      }
    }
    for (index, line) in lines.enumerated() where line.from != line.to {
      let columns = (layout.places[line.from].column, layout.places[line.to].column)
      #expect(columns.0 != columns.1)
      #expect(layout.slots[index].count == abs(columns.0 - columns.1) - 1)
    }
  }
}
