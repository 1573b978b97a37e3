import ObjectStore

/// The settings of an address that say how the server is used.
struct ServerSettings: Sendable, Hashable {
  /// The memory that one step of a statement may take, as the server's setting of that name has it.
  var workMemory = "64MB"
  /// How many connections a store object keeps at most.
  var connections = 8
  /// How long the server may send nothing while a statement is waited for; nil for as long as it answers others.
  var silence: Duration?

  /// - Parameter own: The parameters of an address that are Broker's own.
  /// - Throws: ``StoreError`` for a value that is none.
  init(_ own: [String: String]) throws {
    if let text = own["work_mem"] {
      guard text.wholeMatch(of: /[0-9]{1,9}(?:kB|MB|GB)/) != nil else {
        throw StoreError.invalid(
          "work_mem of the store's address is \"\(text.prefix(40))\": write a number with kB, MB or GB, such as 256MB."
        )
      }
      workMemory = text
    }
    if let text = own["silence_timeout"] {
      guard let seconds = Int(text), (1...1_000_000).contains(seconds) else {
        throw StoreError.invalid(
          "silence_timeout of the store's address is \"\(text.prefix(40))\": write a number of seconds, 1 or more."
        )
      }
      silence = .seconds(seconds)
    }
    if let text = own["connections"] {
      guard let number = Int(text), (2...1_000).contains(number) else {
        throw StoreError.invalid(
          "connections of the store's address is \"\(text.prefix(40))\": write a number of 2 to 1000.")
      }
      connections = number
    }
  }

  /// How many connections may be waiting for each other to write: others can read then.
  var writers: Int { max(1, connections / 2) }
}
