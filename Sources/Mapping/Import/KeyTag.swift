import ObjectStore

/// Which key of an object gave a value, and how well it fits: what the reader keeps in the tags of cells and lists.
struct KeyTag: Equatable {
  /// How well the key fits; see ``KeyMatch/Rank``.
  let rank: UInt8
  /// The place of the key among those of its object, of which the lowest bits tell apart any two keys that come to one
  /// property.
  let key: UInt8

  init(rank: UInt8, key: Int) {
    self.rank = rank
    self.key = UInt8(truncatingIfNeeded: key)
  }

  init(rawValue: UInt16) {
    rank = UInt8(truncatingIfNeeded: rawValue >> 8)
    key = UInt8(truncatingIfNeeded: rawValue)
  }

  var rawValue: UInt16 { UInt16(rank) << 8 | UInt16(key) }
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
