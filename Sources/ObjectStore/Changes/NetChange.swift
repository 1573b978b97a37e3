/// What a transaction did to an object.
package enum ChangeOperation: UInt8, BitwiseCopyable {
  case insert
  case update
  case delete
  /// A link of the object changed. The object need not be there.
  case touch
}

/// What has become of an object in a transaction, all told.
package struct NetChange: BitwiseCopyable {
  /// Whether it was there when the transaction began, and whether it is in the end. Neither is known of what was
  /// touched only.
  private(set) var wasThere: Bool
  private(set) var isThere: Bool
  package private(set) var isTouched: Bool

  package init(_ first: ChangeOperation) {
    isTouched = first == .touch
    wasThere = first == .update || first == .delete
    isThere = first == .insert || first == .update
  }

  package mutating func add(_ next: ChangeOperation) {
    guard next != .touch else { return }
    if isTouched { wasThere = next != .insert }
    isTouched = false
    isThere = next != .delete
  }
}

extension ObjectChanges.InTable {
  /// Adds an object by its fate, which is more than that it was touched.
  package mutating func add(_ object: ObjectChanges.Object, _ fate: NetChange) {
    switch (fate.wasThere, fate.isThere) {
    case (false, false): break
    case (false, true): inserted.append(object)
    case (true, true): updated.append(object)
    case (true, false): deleted.append(object)
    }
  }
}
