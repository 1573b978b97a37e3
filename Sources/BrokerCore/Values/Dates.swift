public import Foundation
public import ObjectModel
public import ObjectStore

/// Kept as text in UTC, with the fewest digits, at most nine, from which the same moment is read.
extension Date: AttributeValue {
  public static var attributeType: AttributeType { .date }

  /// Null outside the years 0 to 9999, which the store cannot keep.
  public var storedValue: SQLValue {
    DateText(secondsSince2001: timeIntervalSinceReferenceDate).map { .text($0.text) } ?? .null
  }

  public init?(stored: SQLValue) {
    guard case .text(var text) = stored else { return nil }
    guard let date = text.withUTF8({ Date(storedText: $0) }) else { return nil }
    self = date
  }

  @inline(__always)
  public init?(column: borrowing StoredColumn) {
    guard let text = column.text, let date = Date(storedText: text) else { return nil }
    self = date
  }

  init?(storedText text: UnsafeBufferPointer<UInt8>) {
    guard let time = ISODate.read(text) else { return nil }
    self.init(time)
  }

  /// A moment in UTC.
  init(_ time: CivilTime) {
    // Counted from 2001, as in `Date`, so that nothing is lost by rounding.
    let seconds = time.secondsSince1970 - 978_307_200
    var scale: Int64 = 1
    for _ in 0..<time.fractionDigits { scale *= 10 }
    self.init(
      timeIntervalSinceReferenceDate: DateText.read(
        Int64(seconds), Int64(time.fraction), time.fractionDigits, scale))
  }
}
