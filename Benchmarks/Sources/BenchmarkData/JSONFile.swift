#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that JSON is written to, which has its name only once it is complete.
package struct JSONFile: ~Copyable {
  private let path: String
  private let file: UnsafeMutablePointer<FILE>
  private var buffer: [UInt8] = []

  package init(path: String) throws(FileFailure) {
    self.path = path
    guard let file = fopen(path + ".part", "w") else { throw FileFailure(path: path, code: errno) }
    self.file = file
    buffer.reserveCapacity(1 << 20)
  }

  package mutating func write(_ text: StaticString) {
    buffer.append(text)
  }

  package mutating func write(_ number: Int) {
    buffer.append(number)
  }

  /// Writes a number of hundredths: `731.20`.
  package mutating func write(hundredths: Int) {
    buffer.append(hundredths / 100)
    buffer.append(".")
    buffer.append(hundredths % 100, width: 2)
  }

  /// Writes UTF-8 between quotes.
  package mutating func write(string: ArraySlice<UInt8>) {
    buffer.append("\"")
    for byte in string {
      switch byte {
      case UInt8(ascii: "\""): buffer.append("\\\"")
      case UInt8(ascii: "\\"): buffer.append("\\\\")
      case UInt8(ascii: "\n"): buffer.append("\\n")
      default: buffer.append(byte)
      }
    }
    buffer.append("\"")
  }

  /// Writes a moment, given as SQLite writes it, as ISO 8601 has it.
  package mutating func write(moment: ArraySlice<UInt8>) {
    buffer.append("\"")
    buffer += moment.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "T") : $0 }
    buffer.append("Z\"")
  }

  /// Hands what has gathered to the system, when it is enough to be worth it.
  package mutating func flushIfFull() throws(FileFailure) {
    if buffer.count > 900_000 { try flush() }
  }

  /// Gives the file its name.
  package consuming func finish() throws(FileFailure) {
    try flush()
    guard fclose(file) == 0, rename(path + ".part", path) == 0 else {
      throw FileFailure(path: path, code: errno)
    }
  }

  private mutating func flush() throws(FileFailure) {
    guard fwrite(buffer, 1, buffer.count, file) == buffer.count else {
      throw FileFailure(path: path, code: errno)
    }
    buffer.removeAll(keepingCapacity: true)
  }
}

/// A file that could not be written.
package struct FileFailure: Error, CustomStringConvertible {
  package var path: String
  package var code: Int32

  package var description: String { "\(path): \(String(cString: strerror(code)))" }
}
