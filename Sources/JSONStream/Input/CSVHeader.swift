import Bytes

/// The columns of a table, and how a row becomes an object.
///
/// A name with dots is a key path. Columns whose paths begin alike stand in one object, wherever they stand in the table.
/// That object is null if all of its fields are.
final class CSVHeader {
  /// A step of writing a row.
  private struct Step: BitwiseCopyable {
    enum Kind: UInt8, BitwiseCopyable {
      case field
      case open
      case close
    }

    var kind: Kind
    /// The field; of an object that opens, the step that closes it.
    var index: Int = 0
    /// Its key with quotes and colon, in the bytes of keys.
    var key: Int = 0
    var keyCount: Int = 0
  }

  /// How many columns there are.
  let count: Int
  /// The names of several columns, each once.
  private(set) var repeated: [String] = []
  /// The columns without a name.
  private(set) var nameless: [Int] = []
  var hasToldNameless = false
  private let steps: PlainBuffer<Step>
  /// The keys, and behind them bytes that may be read with them.
  private let keys: ByteBuffer
  /// A path with more steps is a key as it stands.
  private static let longestPath = 16

  init(_ names: [String]) {
    count = names.count
    var columns: [String: Int] = [:]
    for (column, name) in names.enumerated() {
      if name.isEmpty {
        nameless.append(column)
      } else if columns.updateValue(column, forKey: name) != nil, !repeated.contains(name) {
        repeated.append(name)
      }
    }
    let root = Node()
    for (column, name) in names.enumerated() where columns[name] == column {
      root.insert(column, at: Self.path(name)[...])
    }
    var builder = Builder()
    builder.addSteps(of: root)
    _ = builder.keys.append(repeating: 0, count: CopiedBytes.padding)
    steps = builder.steps
    keys = builder.keys
  }

  var hasNameless: Bool { !nameless.isEmpty }

  /// The keys of a path. A name with white space or with nothing between its dots is no path.
  private static func path(_ name: String) -> [String] {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let isPath =
      parts.count <= longestPath && !parts.contains("")
      && !name.unicodeScalars.contains { $0.properties.isWhitespace }
    return isPath ? parts : [name]
  }

  /// The columns as a tree, in the order in which they first come.
  private final class Node {
    var order: [String] = []
    var children: [String: Node] = [:]
    var column: Int?

    func insert(_ column: Int, at path: ArraySlice<String>) {
      guard let first = path.first else {
        self.column = column
        return
      }
      if children[first] == nil {
        order.append(first)
        children[first] = Node()
      }
      children[first]?.insert(column, at: path.dropFirst())
    }
  }

  private struct Builder: ~Copyable {
    var steps = PlainBuffer<Step>()
    var keys = ByteBuffer()

    mutating func addSteps(of node: Node) {
      for name in node.order {
        guard let child = node.children[name] else { continue }
        let key = keys.count
        JSONWriter.quotedKey(name).withUnsafeBufferPointer { keys.append($0) }
        let keyCount = keys.count - key
        if let column = child.column {
          steps.append(Step(kind: .field, index: column, key: key, keyCount: keyCount))
        }
        guard !child.order.isEmpty else { continue }
        let open = steps.count
        steps.append(Step(kind: .open, key: key, keyCount: keyCount))
        addSteps(of: child)
        steps[open].index = steps.count
        steps.append(Step(kind: .close))
      }
    }
  }

  // MARK: - Rows

  /// Writes the record that a scanner is at as an object.
  func write(_ scanner: borrowing CSVScanner, to output: inout ByteBuffer) {
    // An escaped byte takes six, and each field has quotes and a comma, or is null.
    let most =
      keys.count + steps.count * 8 + scanner.recordCount * (scanner.needsEscapes ? 6 : 1)
      + CopiedBytes.padding
    let start = output.reserve(most)
    var end = CopiedBytes(start)
    write(scanner, to: &end)
    output.commit(end.next - start)
  }

  private func write(_ scanner: borrowing CSVScanner, to output: inout CopiedBytes) {
    let fieldCount = scanner.fields.count
    output.append(UInt8(ascii: "{"))
    var index = 0
    var needsComma = false
    while index < steps.count {
      let step = steps.base[index]
      index += 1
      if step.kind == .field {
        guard step.index < fieldCount else { continue }
        if needsComma { output.append(UInt8(ascii: ",")) }
        needsComma = true
        output.append(keys.base + step.key, step.keyCount)
        Self.write(scanner.fields.base[step.index], scanner, to: &output)
      } else if step.kind == .close {
        output.append(UInt8(ascii: "}"))
        needsComma = true
      } else {
        let content = content(of: index..<step.index, scanner)
        if content == .absent {
          index = step.index + 1
          continue
        }
        if needsComma { output.append(UInt8(ascii: ",")) }
        output.append(keys.base + step.key, step.keyCount)
        needsComma = content == .null
        if content == .null {
          output.append("null")
          index = step.index + 1
        } else {
          output.append(UInt8(ascii: "{"))
        }
      }
    }
    output.append(UInt8(ascii: "}"))
  }

  /// The values of an object's fields.
  private enum Content {
    case absent
    case null
    case some
  }

  private func content(of range: Range<Int>, _ scanner: borrowing CSVScanner) -> Content {
    var content = Content.absent
    for index in range where steps.base[index].kind == .field {
      let field = steps.base[index].index
      guard field < scanner.fields.count else { continue }
      guard scanner.fields.base[field].isNull else { return .some }
      content = .null
    }
    return content
  }

  @inline(__always)
  private static func write(
    _ field: CSVScanner.Field, _ scanner: borrowing CSVScanner, to output: inout CopiedBytes
  ) {
    guard !field.isNull else { return output.append("null") }
    output.append(UInt8(ascii: "\""))
    let bytes = scanner.bytes(of: field)
    if field.needsEscapes {
      writeEscaped(bytes, isQuoted: field.isQuoted, to: &output)
    } else if let base = bytes.baseAddress {
      output.append(base, bytes.count)
    }
    output.append(UInt8(ascii: "\""))
  }

  /// - Parameter isQuoted: Whether two quotes stand for one.
  private static func writeEscaped(
    _ bytes: UnsafeBufferPointer<UInt8>, isQuoted: Bool, to output: inout CopiedBytes
  ) {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        if isQuoted { index += 1 }
        output.append(#"\""#)
      case UInt8(ascii: "\\"): output.append(#"\\"#)
      case ..<0x20:
        output.append(byte < 0x10 ? #"\u000"# : #"\u001"#)
        let digit = byte & 0x0F
        output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      default: output.append(byte)
      }
    }
  }
}

/// Bytes that are copied, eight at once, to where there is room for them and for ``padding`` more.
private struct CopiedBytes {
  static let padding = 16

  private(set) var next: UnsafeMutablePointer<UInt8>

  init(_ start: UnsafeMutablePointer<UInt8>) {
    next = start
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    next.pointee = byte
    next += 1
  }

  mutating func append(_ text: StaticString) {
    for index in 0..<text.utf8CodeUnitCount { append(text.utf8Start[index]) }
  }

  /// Copies bytes behind which ``padding`` more can be read.
  @inline(__always)
  mutating func append(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    let (source, target) = (UnsafeRawPointer(bytes), UnsafeMutableRawPointer(next))
    var index = 0
    while index < count {
      target.storeBytes(
        of: source.loadUnaligned(fromByteOffset: index, as: UInt64.self), toByteOffset: index, as: UInt64.self
      )
      index += 8
    }
    next += count
  }
}
