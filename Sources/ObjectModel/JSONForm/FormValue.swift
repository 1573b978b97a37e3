import Foundation

/// A JSON value of Broker's form of a model. Objects keep the order that they are written in.
indirect enum FormValue: Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// Any other number, in its own digits, so that decimals stay exact.
  case number(String)
  case string(String)
  case array([FormValue])
  case object([Member])

  struct Member: Equatable {
    var key: String
    var value: FormValue
  }

  /// What a message calls it.
  var summary: String {
    switch self {
    case .null: "null"
    case .bool(let value): String(value)
    case .integer(let value): String(value)
    case .number(let digits): digits
    case .string(let value): value
    case .array: "[…]"
    case .object: "{…}"
    }
  }
}

extension FormValue: Decodable {
  init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: Key.self) {
      self = .object(
        try object.allKeys.map {
          Member(key: $0.stringValue, value: try object.decode(FormValue.self, forKey: $0))
        }.sorted { $0.key < $1.key })
      return
    }
    if var array = try? decoder.unkeyedContainer() {
      var elements: [FormValue] = []
      while !array.isAtEnd { elements.append(try array.decode(FormValue.self)) }
      self = .array(elements)
      return
    }
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? value.decode(Int64.self) {
      self = .integer(integer)
    } else if let decimal = try? value.decode(Decimal.self) {
      self = .number(decimal.description)
    } else if let double = try? value.decode(Double.self) {
      self = .number(String(double))
    } else {
      self = .string(try value.decode(String.self))
    }
  }

  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
