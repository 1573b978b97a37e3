/// A source whose first bytes can be looked at before they are read.
final class LookaheadSource: ByteSource {
  private var source: any ByteSource
  private var head: [UInt8] = []
  private var position = 0
  private static let step = 1 << 12

  init(_ source: any ByteSource) {
    self.source = source
  }

  /// The first bytes, fewer if the source ends before. Nothing may have been read.
  func peek(_ count: Int) throws(SourceError) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.step, alignment: 1)
    defer { buffer.deallocate() }
    while head.count < count {
      let more = try source.read(into: buffer)
      if more == 0 { break }
      head.append(contentsOf: buffer[..<more])
    }
    return Array(head.prefix(count))
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    guard position < head.count else { return try source.read(into: buffer) }
    let count = min(buffer.count, head.count - position)
    buffer.copyBytes(from: head[position..<position + count])
    position += count
    if position == head.count { (head, position) = ([], 0) }
    return count
  }
}

/// A source whose bytes are counted.
struct CountedSource: ByteSource {
  private var source: any ByteSource
  private let note: (Int) -> Void

  init(_ source: any ByteSource, _ note: @escaping (Int) -> Void) {
    self.source = source
    self.note = note
  }

  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    let count = try source.read(into: buffer)
    note(count)
    return count
  }
}

/// A source that may have so many bytes at most, and whose bytes are counted.
struct LimitedSource: ByteSource {
  private var source: any ByteSource
  private let most: Int?
  private let note: (Int) -> Void
  private var total = 0

  init(_ source: any ByteSource, most: Int?, _ note: @escaping (Int) -> Void) {
    self.source = source
    self.most = most
    self.note = note
  }

  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    let count = try source.read(into: buffer)
    total += count
    if let most, total > most {
      throw SourceError(
        "it has more than \(most) bytes of text; that is the limit (maximumSize, --max-input)")
    }
    note(count)
    return count
  }
}
