import Foundation

/// A property list, in the binary form or in XML.
///
/// It may come from anybody. All sizes and places in it are checked before they are used, and what it takes in memory is
/// a small multiple of its bytes. Its values may still be shared and lead back to themselves: who follows them has to
/// count.
package struct PropertyList: Sendable {
  let table: PropertyListTable

  /// Reads a property list.
  ///
  /// - Throws: ``PropertyListError`` if the bytes are none, or in a form other than `bplist00` and XML in UTF-8.
  package init(_ bytes: [UInt8]) throws(PropertyListError) {
    guard bytes.count <= Int(UInt32.max) / 2 else { throw PropertyListError("it is larger than 2 GB") }
    if bytes.starts(with: "bplist".utf8) {
      table = try BinaryPropertyListReader.table(of: bytes)
    } else {
      table = try XMLPropertyListReader.table(of: bytes)
    }
  }

  package var root: PropertyListValue { table.value(at: table.top) }
}

/// A value of a property list. Those in containers are made when they are asked for.
package enum PropertyListValue: Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// An integer above the greatest of `Int64`.
  case unsigned(UInt64)
  case real(Double)
  /// Seconds since 2001-01-01T00:00:00Z.
  case date(Double)
  case data(ArraySlice<UInt8>)
  case string(String)
  /// A reference, in keyed archives.
  case uid(Int)
  /// An array or a set.
  case array(PropertyListArray)
  case dictionary(PropertyListDictionary)
}

/// The elements of an array.
package struct PropertyListArray: RandomAccessCollection, Sendable {
  let table: PropertyListTable
  /// The node of the array: two with the same are one array.
  let node: Int
  let start: Int
  package let count: Int

  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  package subscript(position: Int) -> PropertyListValue {
    precondition(position >= 0 && position < count)
    return table.value(at: Int(table.references[start + position]))
  }
}

extension PropertyListArray {
  /// The longest text that ``shortText(at:)`` makes, in bytes or units.
  private static let shortLimit = 200

  /// A text that is a name of something; nil if it is none, or too long for one. A text that many share is not made
  /// again and again, however long it is.
  func shortText(at position: Int) -> String? {
    let node = table.nodes[Int(table.references[start + position])]
    return node.count <= Self.shortLimit ? self[position].text : nil
  }
}

extension PropertyListArray {
  /// Whether one of the first elements is this text, which is ASCII.
  func contains(_ text: String, amongFirst most: Int) -> Bool {
    for place in start..<start + Swift.min(count, most) where table.isText(Int(table.references[place]), text)
    {
      return true
    }
    return false
  }

  /// An element that is a dictionary of more members than a key is searched among.
  func largeDictionary(at position: Int) -> PropertyListDictionary? {
    let node = table.nodes[Int(table.references[start + position])]
    guard node.kind == .dictionary, node.count > PropertyListDictionary.mostSearched else { return nil }
    return self[position].dictionary
  }
}

/// The members of a dictionary, in the order of the file.
package struct PropertyListDictionary: Sendable {
  fileprivate let table: PropertyListTable
  /// The node of the dictionary: two with the same are one dictionary.
  let node: Int
  fileprivate let start: Int
  package let count: Int

  init(table: PropertyListTable, node: Int, start: Int, count: Int) {
    self.table = table
    self.node = node
    self.start = start
    self.count = count
  }

  package var keys: PropertyListArray {
    PropertyListArray(table: table, node: node, start: start, count: count)
  }

  package var values: PropertyListArray {
    PropertyListArray(table: table, node: node, start: start + count, count: count)
  }

  /// How many members are looked at for a key. No object of an archive has as many that have names of their own.
  static let mostSearched = 256

  /// The value of a key of ASCII among the first members; nil if there is none.
  package subscript(key: String) -> PropertyListValue? { index(of: key).map { values[$0] } }

  /// The text of a key, if it is a short one.
  func shortText(_ key: String) -> String? { index(of: key).flatMap(values.shortText) }

  private func index(of key: String) -> Int? {
    let end = start + Swift.min(count, Self.mostSearched)
    var place = start
    while place < end {
      if table.isText(Int(table.references[place]), key) { return place - start }
      place += 1
    }
    return nil
  }
}

extension PropertyListValue {
  package var text: String? { if case .string(let text) = self { text } else { nil } }

  package var array: PropertyListArray? { if case .array(let array) = self { array } else { nil } }

  package var dictionary: PropertyListDictionary? {
    if case .dictionary(let dictionary) = self { dictionary } else { nil }
  }

  package var data: ArraySlice<UInt8>? { if case .data(let data) = self { data } else { nil } }

  package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

  /// The name in messages.
  package var kindName: String {
    switch self {
    case .null: PropertyListNode.Kind.null.name
    case .boolean: PropertyListNode.Kind.true.name
    case .integer, .unsigned: PropertyListNode.Kind.integer.name
    case .real: PropertyListNode.Kind.real.name
    case .date: PropertyListNode.Kind.date.name
    case .data: PropertyListNode.Kind.data.name
    case .string: PropertyListNode.Kind.utf8.name
    case .uid: PropertyListNode.Kind.uid.name
    case .array: PropertyListNode.Kind.array.name
    case .dictionary: PropertyListNode.Kind.dictionary.name
    }
  }
}

/// Why bytes are no property list, or no keyed archive: where, what was expected and what was found.
package struct PropertyListError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The byte at which it was noticed, counted from 0; nil where no single place is wrong.
  package let offset: Int?
  package let message: String

  package init(_ message: String, at offset: Int? = nil) {
    self.message = message
    self.offset = offset
  }

  static func expected(_ expected: String, found: String, at offset: Int? = nil) -> PropertyListError {
    PropertyListError("expected \(expected), found \(found)", at: offset)
  }

  package var description: String {
    offset.map { "byte \($0): \(message)" } ?? message
  }
}

/// The meaning of the texts of XML property lists.
enum PropertyListText {
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// A text without the white space around it; empty if it is longer than any number.
  private static func word(_ text: [UInt8]) -> String {
    let start = text.drop(while: isSpace)
    guard let last = start.lastIndex(where: { !isSpace($0) }), last - start.startIndex < 400 else {
      return ""
    }
    return String(decoding: start[...last], as: UTF8.self)
  }

  static func integer(_ text: [UInt8]) -> PropertyListNode? {
    let word = word(text)
    if let number = Int64(word) {
      return PropertyListNode(.integer, payload: UInt64(bitPattern: number))
    }
    if word.hasPrefix("0x") || word.hasPrefix("0X") {
      return UInt64(word.dropFirst(2), radix: 16).map {
        PropertyListNode($0 > Int64.max ? .unsigned : .integer, payload: $0)
      }
    }
    return UInt64(word).map { PropertyListNode(.unsigned, payload: $0) }
  }

  static func real(_ text: [UInt8]) -> Double? {
    let word = word(text).lowercased()
    switch word {
    case "infinity", "+infinity": return .infinity
    case "-infinity": return -.infinity
    default: return Double(word)
    }
  }

  /// Base64 with white space in it.
  static func data(_ text: [UInt8]) -> [UInt8]? {
    Data(base64Encoded: Data(text.lazy.filter { !isSpace($0) })).map { [UInt8]($0) }
  }

  /// Seconds since 2001-01-01T00:00:00Z.
  static func date(_ text: [UInt8]) -> Double? {
    let word = Array(word(text).utf8)
    guard word.count == 20, word[4] == UInt8(ascii: "-"), word[7] == word[4], word[10] == UInt8(ascii: "T"),
      word[13] == UInt8(ascii: ":"), word[16] == word[13], word[19] == UInt8(ascii: "Z")
    else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      word[range].allSatisfy { $0 &- 0x30 < 10 }
        ? word[range].reduce(0) { $0 * 10 + Int($1 &- 0x30) } : nil
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    let days = daysSince2001(year: year, month: month, day: day)
    return Double(days * 86_400 + hour * 3_600 + minute * 60 + second)
  }

  /// The year is counted from March, so that the leap day is its last.
  private static func daysSince2001(year: Int, month: Int, day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let monthFromMarch = (month + 9) % 12
    let leapDays = year / 4 - year / 100 + year / 400
    // 2001-01-01 is day 730,791 counted from 0000-03-01.
    return year * 365 + leapDays + (153 * monthFromMarch + 2) / 5 + day - 1 - 730_791
  }
}
