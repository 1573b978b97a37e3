/// A value on its way into the store, already in the form that the store keeps.
///
/// It has 16 bytes and no reference: the bytes of a text are in its ``RowBatch``. So an import allocates nothing for a
/// value, as it would with an ``SQLValue``; only code that fills or writes a batch uses cells.
package struct Cell: BitwiseCopyable, Sendable {
  package enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// Nothing was said: what is there stays, or the default comes.
    case absent
    case null
    case integer
    case real
    /// UTF-8 in the batch.
    case text
    /// Bytes in the batch.
    case blob
    /// A part of the key of another row of the batch.
    case row
  }

  package var bits: UInt64
  /// The length of a text or blob; of a row's key, which part of it.
  package var count: UInt32
  /// The kind in 3 bits, the state of the link in 2, and the tag in 27, from the lowest bit on.
  @usableFromInline var packed: UInt32

  @inlinable
  init(bits: UInt64, count: UInt32, kind: Kind) {
    self.bits = bits
    self.count = count
    packed = UInt32(kind.rawValue)
  }

  @inlinable package var kind: Kind {
    get { Kind(rawValue: UInt8(packed & 7)) ?? .absent }
    set { packed = packed & ~7 | UInt32(newValue.rawValue) }
  }

  /// Of a part of an object's key: what the writer knows of that object.
  @inlinable package var link: LinkState {
    get { LinkState(rawValue: UInt8(packed >> 3 & 3)) ?? .unknown }
    set { packed = packed & ~(3 << 3) | UInt32(newValue.rawValue) << 3 }
  }

  /// A note of the code that fills the batch, of at most ``tagWidth`` bits. The store does not look at it.
  @inlinable package var tag: UInt32 {
    get { packed >> 5 }
    set { packed = packed & 31 | newValue << 5 }
  }

  /// How many bits a tag has.
  package static let tagWidth = 27

  @inlinable package static var absent: Cell { Cell(bits: 0, count: 0, kind: .absent) }
  @inlinable package static var null: Cell { Cell(bits: 0, count: 0, kind: .null) }

  @inlinable
  package static func integer(_ value: Int64) -> Cell {
    Cell(bits: UInt64(bitPattern: value), count: 0, kind: .integer)
  }

  @inlinable
  package static func real(_ value: Double) -> Cell {
    Cell(bits: value.bitPattern, count: 0, kind: .real)
  }

  @inlinable
  package static func text(at offset: Int, count: Int) -> Cell {
    Cell(bits: UInt64(offset), count: UInt32(clamping: count), kind: .text)
  }

  @inlinable
  package static func blob(at offset: Int, count: Int) -> Cell {
    Cell(bits: UInt64(offset), count: UInt32(clamping: count), kind: .blob)
  }

  @inlinable
  package static func row(_ row: Int, part: Int) -> Cell {
    Cell(bits: UInt64(row), count: UInt32(truncatingIfNeeded: part), kind: .row)
  }

  @inlinable package var integerValue: Int64 { Int64(bitPattern: bits) }
  @inlinable package var realValue: Double { Double(bitPattern: bits) }
  @inlinable package var offset: Int { Int(bits) }
  @inlinable package var isPresent: Bool { kind != .absent }
  @inlinable package var isRow: Bool { kind == .row }
  /// Whether it is neither absent nor null.
  @inlinable package var hasValue: Bool { isPresent && kind != .null }
}

/// What a writer knows of the object whose key a cell holds a part of.
package enum LinkState: UInt8, BitwiseCopyable, Sendable {
  /// Nothing: it has to be looked for.
  case unknown
  /// It is in the same batch.
  case exists
  /// It is in the same batch, and a list of it links the row that has the cell.
  case linkedByList
  /// The same, and another list of the same import may claim that row too.
  case claimedByList

  /// Whether a list of the object makes the link, and not the row's own object.
  package var isFromList: Bool { self == .linkedByList || self == .claimedByList }
}
