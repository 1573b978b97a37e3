#if PostgreSQL
  import Bytes
  import ObjectStore
  import PostgreSQLClient
  import UnitOfWork

  /// The arguments of a statement in the types of the server.
  enum ServerArgument {
    /// A value as the server can keep it in a form; nil if it cannot.
    static func value(_ value: SQLValue, as form: SQLForm) -> SQLValue? {
      switch (form, value) {
      case (_, .null): value
      // A number that is none is null elsewhere.
      case (.real, .real(let number)): number.isNaN ? .null : value
      case (.real, .integer(let number)): Int64(exactly: Double(number)) == number ? value : nil
      case (.integer, .integer), (.blob, .blob): value
      case (.integer, .real(let number)): Int64(exactly: number).map(SQLValue.integer)
      case (.boolean, .integer(let number)): number == 0 || number == 1 ? value : nil
      case (.text, .integer(let number)), (.mixedKey, .integer(let number)), (.decimal, .integer(let number)):
        .text(String(number))
      case (.text, .text(let text)), (.mixedKey, .text(let text)): text.utf8.contains(0) ? nil : value
      case (.decimal, .text(let text)): isDecimal(text) ? value : nil
      case (.date, .text(let text)): isMoment(text) ? value : nil
      case (.uuid, .text(let text)): isUUID(text) ? value : nil
      default: nil
      }
    }

    private static func isDecimal(_ text: String) -> Bool {
      var text = text
      return text.withUTF8 { bytes in
        guard let number = DecimalNumber(bytes) else { return false }
        var buffer = ByteBuffer()
        return number.append(to: &buffer)
      }
    }

    private static func isMoment(_ text: String) -> Bool {
      var text = text
      return text.withUTF8 { bytes in
        guard let time = ISODate.read(bytes) else { return false }
        return time.fractionDigits <= 6 && ServerTimestamp.microseconds(bytes) != nil
      }
    }

    private static func isUUID(_ text: String) -> Bool {
      var text = text
      return text.withUTF8 { PostgreSQLUUID(text: $0) != nil }
    }

    static func type(_ argument: SQLArgument) -> PostgreSQLType {
      switch argument {
      case .one(_, let form): ColumnForm(form).type
      case .list(_, let form): ColumnForm(form).type.array
      }
    }

    /// Appends an argument as a parameter.
    static func append(_ argument: SQLArgument, to parameters: PostgreSQLParameters) throws {
      switch argument {
      case .one(let one, let form):
        guard let kept = value(one, as: form) else {
          throw StoreError.invalid("\(KeyText.text(of: [one])) does not fit what it is compared with.")
        }
        try ColumnForm(form).append(Value(kept), to: parameters)
      case .list(let list, let form):
        let column = ColumnForm(form)
        let elements = PostgreSQLParameters()
        for element in list {
          if let kept = value(element, as: form) { try column.append(Value(kept), to: elements) }
        }
        try parameters.append(array: elements, of: column.type)
      }
    }
  }

  extension ColumnForm {
    init(_ form: SQLForm) {
      switch form {
      case .boolean: self = .boolean
      case .integer: self = .integer
      case .real: self = .real
      case .text: self = .text
      case .decimal: self = .decimal
      case .date: self = .date
      case .uuid: self = .uuid
      case .blob: self = .blob
      case .mixedKey: self = .mixed
      }
    }
  }
#endif
