import ObjectStore

/// Which key of an object gave a value, and how well that key fits. The reader keeps it in the tags of cells and
/// lists.
struct KeyTag: Equatable {
  /// How well the key fits; see ``KeyMatch/Rank``.
  let rank: UInt8
  /// The place of the key among all keys that came for its entity. A cell has 19 bits for it, enough for half a
  /// million keys.
  let key: UInt32

  init(rank: UInt8, key: Int) {
    self.rank = rank
    self.key = UInt32(truncatingIfNeeded: key) & Self.keyMask
  }

  init(rawValue: UInt32) {
    rank = UInt8(truncatingIfNeeded: rawValue)
    key = rawValue >> 8
  }

  var rawValue: UInt32 { key << 8 | UInt32(rank) }

  private static let keyMask: UInt32 = 1 << (UInt32(Cell.tagWidth) - 8) - 1
}

extension Cell {
  var keyTag: KeyTag {
    get { KeyTag(rawValue: tag) }
    set { tag = newValue.rawValue }
  }
}

extension LinkList {
  var keyTag: KeyTag { KeyTag(rawValue: tag) }
}
