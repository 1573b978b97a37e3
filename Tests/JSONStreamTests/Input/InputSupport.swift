import CZlib

@testable import JSONStream

/// All bytes that a source gives, read a few at a time.
func read(_ source: any ByteSource, room: Int = 1 << 12) throws(SourceError) -> [UInt8] {
  var source = source
  var result: [UInt8] = []
  let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 1)
  defer { buffer.deallocate() }
  while true {
    let count = try source.read(into: buffer)
    if count == 0 { return result }
    result.append(contentsOf: buffer[..<count])
  }
}

/// What an input decodes to, given in pieces.
func decoded(
  _ bytes: [UInt8], step: Int = .max, limits: InputLimits = InputLimits()
) throws(SourceError) -> [UInt8] {
  try read(try DecodedInput(DrippingSource(bytes, step: step), limits: limits).source)
}

/// The message of the error of an input; nil if it has none.
func message(_ bytes: [UInt8], step: Int = .max, limits: InputLimits = InputLimits()) -> String? {
  do throws(SourceError) {
    _ = try decoded(bytes, step: step, limits: limits)
    return nil
  } catch {
    return error.message
  }
}

/// Bytes as a member of a gzip file.
func gzip(_ bytes: [UInt8]) -> [UInt8] {
  var stream = z_stream()
  deflateInit2_(
    &stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
    Int32(MemoryLayout<z_stream>.size))
  var result = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))) + 64)
  var bytes = bytes
  let room = UInt32(result.count)
  bytes.withUnsafeMutableBufferPointer { input in
    result.withUnsafeMutableBufferPointer { output in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      stream.next_out = output.baseAddress
      stream.avail_out = room
      deflate(&stream, Z_FINISH)
    }
  }
  let count = Int(room - stream.avail_out)
  deflateEnd(&stream)
  return Array(result[..<count])
}
