public import Foundation
import ObjectStore

// Functions for the most common types. The generic ones take several times as long when a module of another package
// calls them, since they cannot be specialised there.
extension ObjectRow {
  /// The text of an attribute.
  ///
  /// - Throws: ``ReadError`` if the store has none, or no text. The others throw it in the same way.
  public func value(_ index: Int) throws -> String {
    let column = layout.columns[index]
    guard statement.storage(column) == .text else { throw mismatch(index, String.self) }
    return statement.string(column)
  }

  /// The text of an attribute, if it has one.
  public func value(_ index: Int) throws -> String? {
    let column = layout.columns[index]
    switch statement.storage(column) {
    case .text: return statement.string(column)
    case nil: return nil
    default: throw mismatch(index, String.self)
    }
  }

  /// The whole number of an attribute.
  public func value(_ index: Int) throws -> Int {
    let column = layout.columns[index]
    guard statement.storage(column) == .integer, let value = Int(exactly: statement.integer(column)) else {
      throw mismatch(index, Int.self)
    }
    return value
  }

  /// The whole number of an attribute, if it has one.
  public func value(_ index: Int) throws -> Int? {
    if statement.isNull(layout.columns[index]) { return nil }
    return try value(index) as Int
  }

  /// The number of an attribute.
  public func value(_ index: Int) throws -> Double {
    let column = layout.columns[index]
    switch statement.storage(column) {
    case .real, .integer: return statement.double(column)
    default: throw mismatch(index, Double.self)
    }
  }

  /// The number of an attribute, if it has one.
  public func value(_ index: Int) throws -> Double? {
    if statement.isNull(layout.columns[index]) { return nil }
    return try value(index) as Double
  }

  /// The truth value of an attribute.
  public func value(_ index: Int) throws -> Bool {
    let column = layout.columns[index]
    guard statement.storage(column) == .integer else { throw mismatch(index, Bool.self) }
    return statement.integer(column) != 0
  }

  /// The truth value of an attribute, if it has one.
  public func value(_ index: Int) throws -> Bool? {
    if statement.isNull(layout.columns[index]) { return nil }
    return try value(index) as Bool
  }

  /// The date of an attribute.
  public func value(_ index: Int) throws -> Date {
    let column = layout.columns[index]
    guard statement.storage(column) == .text, let date = Date(storedText: statement.text(column)) else {
      throw mismatch(index, Date.self)
    }
    return date
  }

  /// The date of an attribute, if it has one.
  public func value(_ index: Int) throws -> Date? {
    if statement.isNull(layout.columns[index]) { return nil }
    return try value(index) as Date
  }
}
