package import ObjectModel

/// How a value is kept in a column or compared: what a database with types has to know of an argument.
package enum SQLForm: Sendable, Hashable {
  case boolean, integer, real, decimal, text, date, uuid, blob
  /// Keys of objects some of which have an identity and some none: texts, and numbers of rows.
  case mixedKey

  package init(_ type: ComparedType) {
    switch type {
    case .boolean: self = .boolean
    case .integer: self = .integer
    case .real: self = .real
    case .decimal: self = .decimal
    case .text, .json: self = .text
    case .date: self = .date
    case .uuid: self = .uuid
    case .blob: self = .blob
    }
  }

  package init(_ type: AttributeType) { self.init(ComparedType(type)) }

  package init(_ column: Column) {
    if column.holdsMixedKeys { self = .mixedKey } else { self.init(column.type) }
  }
}
