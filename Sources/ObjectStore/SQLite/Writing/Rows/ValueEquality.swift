/// Knows which values, that the store keeps in two ways, are one to a program: a decimal of more digits than its
/// type has, JSON whose keys came in another order.
package protocol ValueEquality: AnyObject {
  /// Whether a value that is to be written says nothing else than the one that is stored.
  ///
  /// - Parameters:
  ///   - slot: The slot of the entity.
  func isSame(_ entity: EntityLayout, slot: Int, stored: SQLValue, new: SQLValue) -> Bool
}
