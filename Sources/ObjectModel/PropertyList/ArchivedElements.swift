/// The elements of an archived array or set.
package struct ArchivedElements: Sendable {
  private let values: PropertyListArray
  /// Where each element is among the values; nil if they are in order.
  private let order: [Int]?

  package let count: Int

  init(_ values: PropertyListArray) {
    self.values = values
    order = nil
    count = values.count
  }

  /// The elements of an object of `NSArray`, `NSSet`, `NSOrderedSet` or a class below them; nil if it has none.
  package init?(of object: ArchivedObject) {
    if let objects = object.fields["NS.objects"]?.array {
      self.init(objects)
    } else if object.isKind(of: "NSOrderedSet") {
      self.init(numbered: object.fields)
    } else {
      return nil
    }
  }

  private static let numberedKey = "NS.object."

  /// The elements of an ordered set are fields of their own, `NS.object.0`, `NS.object.1` and so on, in any order.
  private init?(numbered fields: PropertyListDictionary) {
    let keys = fields.keys
    let numbers = (0..<keys.count).compactMap { index -> (number: Int, index: Int)? in
      guard let key = keys.shortText(at: index), key.hasPrefix(Self.numberedKey),
        let number = Int(key.dropFirst(Self.numberedKey.count)), (0..<keys.count).contains(number)
      else { return nil }
      return (number, index)
    }
    var order = [Int](repeating: -1, count: numbers.count)
    for (number, index) in numbers {
      guard number < order.count, order[number] < 0 else { return nil }
      order[number] = index
    }
    values = fields.values
    self.order = order
    count = order.count
  }

  package subscript(index: Int) -> PropertyListValue { values[order?[index] ?? index] }
}
