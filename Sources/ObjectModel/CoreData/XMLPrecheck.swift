import Foundation

/// Refuses, before any parser sees them, files that could do harm or be read in two ways.
struct XMLPrecheck {
  private let data: Data

  init(_ data: Data) {
    self.data = data
  }

  func check() throws {
    if data.isEmpty { throw ModelError(.empty) }
    // Before the encoding: UTF-16 and UTF-32 are full of NUL.
    if data.contains(0) {
      let isUTF16 = data.starts(with: [0xFE, 0xFF]) || data.starts(with: [0xFF, 0xFE])
      throw ModelError(isUTF16 ? .notUTF8 : .nulCharacter)
    }
    guard String(validating: data, as: UTF8.self) != nil else { throw ModelError(.notUTF8) }
    for name in ["DOCTYPE", "ENTITY"] {
      if let range = data.range(of: Data("<!\(name)".utf8)) {
        throw ModelError(.declaration(name), line: line(of: range.lowerBound))
      }
    }
    if let encoding = declaredEncoding, encoding.lowercased() != "utf-8" {
      throw ModelError(.encoding(encoding), line: 1)
    }
  }

  /// The encoding that the XML declaration names.
  private var declaredEncoding: String? {
    let byteOrderMark = Data([0xEF, 0xBB, 0xBF])
    let start = data.starts(with: byteOrderMark) ? data.dropFirst(3) : data
    guard start.starts(with: Data("<?xml".utf8)), let end = start.range(of: Data("?>".utf8)) else {
      return nil
    }
    let declaration = String(decoding: start[..<end.lowerBound], as: UTF8.self)
    guard let word = declaration.range(of: "encoding") else { return nil }
    let value = declaration[word.upperBound...].drop { $0.isWhitespace || $0 == "=" }
    guard let quote = value.first, quote == "\"" || quote == "'" else { return String(value) }
    return String(value.dropFirst().prefix { $0 != quote })
  }

  private func line(of index: Data.Index) -> Int {
    1 + data[..<index].count { $0 == UInt8(ascii: "\n") }
  }
}
