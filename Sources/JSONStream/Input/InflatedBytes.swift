import CZlib

/// Bytes compressed with DEFLATE, without any header around them.
package enum InflatedBytes {
  /// The bytes that were compressed.
  ///
  /// - Parameter most: How many bytes they may be.
  /// - Throws: ``SourceError`` if they are more, or if the compressed bytes are broken or end too early.
  package static func inflate(_ bytes: [UInt8], most: Int) throws(SourceError) -> [UInt8] {
    var stream = z_stream()
    // The greatest window; negative means that there is no header.
    let code = inflateInit2_(&stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { throw SourceError("zlib cannot be used (\(code))") }
    defer { inflateEnd(&stream) }
    guard bytes.count <= Int(Int32.max) else { throw SourceError("its compressed data is larger than 2 GB") }
    var bytes = bytes
    var result: [UInt8] = []
    var failure: SourceError?
    bytes.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      failure = run(&stream, most: most, into: &result)
    }
    if let failure { throw failure }
    return result
  }

  private static let chunkSize = 1 << 16

  /// Inflates to the end of the data. What it returns went wrong.
  private static func run(_ stream: inout z_stream, most: Int, into result: inout [UInt8]) -> SourceError? {
    var chunk = [UInt8](repeating: 0, count: chunkSize)
    while true {
      let code = chunk.withUnsafeMutableBufferPointer { buffer in
        stream.next_out = buffer.baseAddress
        stream.avail_out = UInt32(buffer.count)
        return CZlib.inflate(&stream, Z_NO_FLUSH)
      }
      let count = chunkSize - Int(stream.avail_out)
      guard result.count + count <= most else {
        return SourceError("its compressed data becomes more than \(most) bytes, which is the limit")
      }
      result += chunk[..<count]
      switch code {
      case Z_STREAM_END: return nil
      case Z_OK, Z_BUF_ERROR:
        if count == 0 {
          return SourceError("its compressed data ends too early, after \(stream.total_in) bytes")
        }
      default:
        let reason = stream.msg.map { String(cString: $0) } ?? "code \(code)"
        return SourceError("its compressed data is broken at byte \(stream.total_in): \(reason)")
      }
    }
  }
}
