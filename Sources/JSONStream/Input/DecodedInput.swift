/// An input as text: decompressed if it is compressed, and in UTF-8 if a byte order mark says that it is in another form
/// of Unicode.
package struct DecodedInput {
  package let source: any ByteSource
  package let meter: InputMeter
  package let compression: Compression?
  /// Whether the bytes that come are those of the input.
  package var isUnchanged: Bool { compression == nil && encoding == nil }
  let encoding: WideEncoding?

  /// Looks at the first bytes of a source.
  ///
  /// - Throws: ``SourceError`` if the source cannot be read, is compressed in a form that is not read here, or is
  ///   a database.
  package init(_ source: any ByteSource, limits: InputLimits = InputLimits()) throws(SourceError) {
    let meter = InputMeter()
    let head = LookaheadSource(CountedSource(source) { meter.received += $0 })
    let first = try head.peek(4)
    if first == Array(Self.database.prefix(4)), try head.peek(Self.database.count) == Self.database {
      throw SourceError("it is an SQLite database; give a Core Data store as a file of its own")
    }
    compression = Compression(first)
    let text: any ByteSource =
      switch compression {
      case .gzip: try GzipSource(head, limits: limits)
      case .zstd: try ZstdSource(head, limits: limits)
      case nil: head
      }
    let limited = LookaheadSource(LimitedSource(text, most: limits.maximumSize) { meter.text += $0 })
    encoding = WideEncoding(try limited.peek(4))
    self.source = encoding.map { WideTextSource(limited, $0) } ?? limited
    self.meter = meter
  }

  /// The beginning of SQLite databases.
  private static let database = Array("SQLite format 3\0".utf8)

  /// Whether bytes that begin with this one are decoded first. No JSON and no text in UTF-8 begins with it.
  package static func isEncoded(firstByte byte: UInt8) -> Bool {
    // The first bytes of gzip, of zstd, and of the byte order marks of UTF-16 and UTF-32.
    [0x1F, 0x28, 0xFE, 0xFF, 0x00].contains(byte)
  }
}

/// How much an input may be.
package struct InputLimits: Sendable, Hashable {
  /// The greatest number of bytes, after decompression; nil if there is no limit.
  package var maximumSize: Int?
  /// How many times as long the text of a compressed input may be.
  package var maximumRatio: Int

  package init(maximumSize: Int? = nil, maximumRatio: Int = 500) {
    self.maximumSize = maximumSize
    self.maximumRatio = maximumRatio
  }

  /// So much text may come of any compressed input.
  private static let always = 10 << 20

  /// - Throws: ``SourceError`` if that is too much text for so many compressed bytes.
  func check(text: Int, compressed: Int) throws(SourceError) {
    guard text > Self.always, text / max(1, compressed) >= maximumRatio else { return }
    throw SourceError(
      "its compressed data becomes more than \(maximumRatio) times as long, \(text) bytes of text after"
        + " \(compressed) bytes; that is the limit (maximumRatio, --max-ratio)")
  }
}

/// How many bytes of an input have been read. It belongs to the thread that reads.
package final class InputMeter {
  /// The bytes as they come: compressed, if the input is.
  package fileprivate(set) var received = 0
  /// The bytes after decompression.
  package fileprivate(set) var text = 0
}

/// The form of a compressed input.
package enum Compression: Sendable, Hashable {
  case gzip
  case zstd

  /// The form that the first bytes tell; nil if they are not compressed.
  init?(_ bytes: [UInt8]) {
    if bytes.starts(with: [0x1F, 0x8B]) {
      self = .gzip
    } else if bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
      self = .zstd
    } else {
      return nil
    }
  }
}
