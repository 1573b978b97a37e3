import ObjectStore

/// The values of some columns that rows are found by, those of the key above all.
///
/// Most keys are one value. That takes no memory of its own here, which an array would.
package struct RowKey: Hashable, Sendable {
  private enum Parts: Hashable {
    case one(Value)
    /// None, or more than one.
    case several([Value])
  }

  private var parts: Parts

  package init(_ value: Value) { parts = .one(value) }

  package init(_ values: some Collection<Value>) {
    if values.count == 1, let value = values.first {
      parts = .one(value)
    } else {
      parts = .several(Array(values))
    }
  }

  /// What a function gives for each of some items, such as the values of columns.
  package init<Item>(_ items: [Item], _ value: (Item) throws -> Value) rethrows {
    parts = items.count == 1 ? .one(try value(items[0])) : .several(try items.map(value))
  }

  package mutating func append(_ value: Value) {
    switch parts {
    case .one(let first): parts = .several([first, value])
    case .several(let values): parts = values.isEmpty ? .one(value) : .several(values + [value])
    }
  }

  package var hasNull: Bool {
    switch parts {
    case .one(let value): value.isNull
    case .several(let values): values.contains(.null)
    }
  }

  package var keyText: String { KeyText.text(of: map(\.sql)) }

  package func precedes(_ other: RowKey) -> Bool {
    for (left, right) in zip(self, other) {
      if left.precedes(right) { return true }
      if right.precedes(left) { return false }
    }
    return count < other.count
  }
}

extension RowKey: RandomAccessCollection {
  package var startIndex: Int { 0 }

  package var endIndex: Int {
    switch parts {
    case .one: 1
    case .several(let values): values.count
    }
  }

  package subscript(index: Int) -> Value {
    switch parts {
    case .one(let value): value
    case .several(let values): values[index]
    }
  }
}

extension RowKey: ExpressibleByArrayLiteral {
  package init(arrayLiteral values: Value...) { self.init(values) }
}
