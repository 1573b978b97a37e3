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
  private var steps = PlainBuffer<Step>()
  private var keys = ByteBuffer()
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
    addSteps(of: root)
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

  private func addSteps(of node: Node) {
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

  // MARK: - Rows

  /// Writes the record that a scanner is at as an object.
  func write(_ scanner: CSVScanner, to output: inout ByteBuffer) {
    let fieldCount = scanner.fields.count
    output.append(UInt8(ascii: "{"))
    var index = 0
    var needsComma = false
    while index < steps.count {
      let step = steps.base[index]
      index += 1
      if step.kind == .close {
        output.append(UInt8(ascii: "}"))
        needsComma = true
        continue
      }
      let content = step.kind == .field ? Content.some : content(of: index..<step.index, scanner)
      if content == .absent || (step.kind == .field && step.index >= fieldCount) {
        if step.kind == .open { index = step.index + 1 }
        continue
      }
      if needsComma { output.append(UInt8(ascii: ",")) }
      needsComma = true
      output.append(UnsafeBufferPointer(start: keys.base + step.key, count: step.keyCount))
      if step.kind == .field {
        Self.write(scanner.fields.base[step.index], scanner, to: &output)
      } else if content == .null {
        output.append("null")
        index = step.index + 1
      } else {
        output.append(UInt8(ascii: "{"))
        needsComma = false
      }
    }
    output.append(UInt8(ascii: "}"))
  }

  /// What the fields of an object hold.
  private enum Content {
    case absent
    case null
    case some
  }

  private func content(of range: Range<Int>, _ scanner: CSVScanner) -> Content {
    var content = Content.absent
    for index in range where steps.base[index].kind == .field {
      let field = steps.base[index].index
      guard field < scanner.fields.count else { continue }
      guard scanner.fields.base[field].isNull else { return .some }
      content = .null
    }
    return content
  }

  private static func write(
    _ field: CSVScanner.Field, _ scanner: CSVScanner, to output: inout ByteBuffer
  ) {
    guard !field.isNull else { return output.append("null") }
    output.append(UInt8(ascii: "\""))
    if field.needsEscapes {
      writeEscaped(scanner.bytes(of: field), isQuoted: field.isQuoted, to: &output)
    } else {
      output.append(scanner.bytes(of: field))
    }
    output.append(UInt8(ascii: "\""))
  }

  /// - Parameter isQuoted: Whether two quotes stand for one.
  private static func writeEscaped(
    _ bytes: UnsafeBufferPointer<UInt8>, isQuoted: Bool, to output: inout ByteBuffer
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
