#if PostgreSQL
  /// Bytes that stay where they are until all are let go of. The memory is used again.
  final class TextArena {
    private static let size = 4_096
    private var chunks: [UnsafeMutableBufferPointer<UInt8>] = []
    private var used = 0

    deinit { for chunk in chunks { chunk.deallocate() } }

    /// Keeps a copy of bytes.
    func add(_ bytes: [UInt8]) -> UnsafeBufferPointer<UInt8> {
      if chunks.isEmpty || chunks[chunks.count - 1].count - used < bytes.count {
        chunks.append(.allocate(capacity: max(Self.size, bytes.count)))
        used = 0
      }
      let place = UnsafeMutableBufferPointer(
        rebasing: chunks[chunks.count - 1][used..<used + bytes.count])
      _ = place.initialize(fromContentsOf: bytes)
      used += bytes.count
      return UnsafeBufferPointer(place)
    }

    func removeAll() {
      used = 0
      while chunks.count > 1 { chunks.removeLast().deallocate() }
    }
  }
#endif
