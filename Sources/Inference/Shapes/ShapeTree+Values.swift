import Bytes
import JSONStream
import ObjectStore

/// What is noted of single values.
extension ShapeTree {
  /// A longer text is no key of anything.
  static let longestValue = 256
  /// How many different texts of a place are kept.
  static let mostSamples = 16
  /// After so many texts, what is slow to find out is found out of few.
  private static let thoroughTexts = 64

  /// Notes a text. Gives its hash.
  @inline(__always)
  mutating func note(text: UnsafeBufferPointer<UInt8>, at index: Int32) -> UInt64 {
    let node = pointer(index)
    node.pointee.strings += 1
    let count = Int32(truncatingIfNeeded: text.count)
    if count < node.pointee.shortest { node.pointee.shortest = count }
    if count > node.pointee.longest { node.pointee.longest = count }
    guard count > 0 else {
      node.pointee.emptyTexts += 1
      return 0
    }
    if !node.pointee.forms.isEmpty {
      let strings = node.pointee.strings
      node.pointee.forms = node.pointee.forms.intersection(
        TextForms.of(
          text, among: node.pointee.forms,
          isThorough: strings < Self.thoroughTexts || strings % Self.thoroughTexts == 0))
    }
    guard text.count <= Self.longestValue else {
      node.pointee.flags.insert(.longTexts)
      return Hashing.hash(UnsafeBufferPointer(rebasing: text[..<Self.longestValue]))
    }
    let hash = Hashing.hash(text)
    if node.pointee.values.insert(hash, &room, largest: node.pointee.largestSet) { noteNew(text, index) }
    if node.pointee.strings - node.pointee.emptyTexts == 1 {
      beginPrefixes(text, index)
    } else if node.pointee.flags.contains(.slashes) {
      noteTail(text, index)
    }
    return hash
  }

  private mutating func noteNew(_ text: UnsafeBufferPointer<UInt8>, _ index: Int32) {
    let node = pointer(index)
    node.pointee.lastNew = node.pointee.strings
    guard node.pointee.values.count <= Self.mostSamples else { return }
    samples[index, default: []].append(String(decoding: text, as: UTF8.self))
  }

  /// The place of the last slash that something follows; nil if there is none.
  private static func lastSlash(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    var end = text.count
    if end > 0, text[end - 1] == UInt8(ascii: "/") { end -= 1 }
    while end > 0 {
      end -= 1
      if text[end] == UInt8(ascii: "/") { return end }
      if text[end] <= 0x20 { return nil }
    }
    return nil
  }

  private mutating func beginPrefixes(_ text: UnsafeBufferPointer<UInt8>, _ index: Int32) {
    guard let slash = Self.lastSlash(text) else { return }
    let prefix = UnsafeBufferPointer(rebasing: text[...slash])
    let node = pointer(index)
    node.pointee.flags.insert(.slashes)
    node.pointee.prefixHash = Hashing.hash(prefix)
    prefixes[index] = String(decoding: prefix, as: UTF8.self)
    noteTail(text, index)
  }

  private mutating func noteTail(_ text: UnsafeBufferPointer<UInt8>, _ index: Int32) {
    let node = pointer(index)
    guard let slash = Self.lastSlash(text) else {
      node.pointee.flags.remove(.slashes)
      node.pointee.tails.free(&room)
      return
    }
    if Hashing.hash(UnsafeBufferPointer(rebasing: text[...slash])) != node.pointee.prefixHash {
      node.pointee.flags.insert(.mixedPrefixes)
    }
    var end = text.count
    if text[end - 1] == UInt8(ascii: "/") { end -= 1 }
    guard slash + 1 < end else { return }
    _ = node.pointee.tails.insert(
      Hashing.hash(UnsafeBufferPointer(rebasing: text[(slash + 1)..<end])), &room, largest: SetRoom.ofPairs)
  }

  /// Notes a number. Gives the hash of its text, if it is an integer.
  @inline(__always)
  mutating func note(
    number text: UnsafeBufferPointer<UInt8>, integer: Int64?, at index: Int32
  ) -> UInt64 {
    let node = pointer(index)
    if let integer {
      node.pointee.integers += 1
      if integer < node.pointee.minimum { node.pointee.minimum = integer }
      if integer > node.pointee.maximum { node.pointee.maximum = integer }
      let hash = Hashing.hash(text)
      if node.pointee.values.insert(hash, &room, largest: node.pointee.largestSet) {
        noteNewNumber(text, index)
      }
      return hash
    }
    noteFraction(text, node)
    return Hashing.hash(UnsafeBufferPointer(rebasing: text.prefix(Self.longestValue)))
  }

  private mutating func noteNewNumber(_ text: UnsafeBufferPointer<UInt8>, _ index: Int32) {
    guard pointer(index).pointee.values.count <= Self.mostSamples else { return }
    samples[index, default: []].append(String(decoding: text, as: UTF8.self))
  }

  private func noteFraction(
    _ text: UnsafeBufferPointer<UInt8>, _ node: UnsafeMutablePointer<ShapeNode>
  ) {
    var digits: Int32 = 0
    var isFraction = false
    var hasExponent = false
    // A short number without an exponent is held by doubles and decimals.
    let isLong = text.count > 17
    for byte in text {
      if byte == UInt8(ascii: ".") {
        isFraction = true
      } else if byte | 0x20 == UInt8(ascii: "e") {
        hasExponent = true
        break
      } else if isFraction {
        digits += 1
      }
    }
    if isLong || hasExponent { noteWidth(of: text, node) }
    guard isFraction || hasExponent else {
      node.pointee.integers += 1
      node.pointee.largeNumbers += 1
      return
    }
    node.pointee.fractions += 1
    if hasExponent { node.pointee.exponents += 1 }
    if digits > node.pointee.fractionDigits { node.pointee.fractionDigits = digits }
  }

  /// Notes that a number is too wide for a double, or for a decimal.
  private func noteWidth(of text: UnsafeBufferPointer<UInt8>, _ node: UnsafeMutablePointer<ShapeNode>) {
    if !(DecimalNumber(text)?.isKept ?? false) { node.pointee.hugeNumbers += 1 }
    let isWhole = !text.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
    if !isWhole, RealNumber.double(text) == nil { node.pointee.largeNumbers += 1 }
  }
}
