import ObjectModel
import ObjectStore

/// Where a store in a PostgreSQL database is: the server and the database as libpq takes them, and the schema.
package struct DatabaseAddress: Sendable, Hashable {
  /// The arguments for libpq.
  package let connection: String
  package let schema: String
  /// The address as messages show it: without a password.
  package let shown: String
  let settings: ServerSettings

  /// The schema where none is named.
  package static let usualSchema = "broker"

  /// - Parameters:
  ///   - text: A URL, which may name the schema by `?schema=`, or libpq's `key=value` pairs, which may name it too.
  ///   - schema: The schema; nil for the one in the text, or the usual one.
  /// - Throws: ``StoreError`` if the schema cannot be one's name, or a setting has no such value.
  package init(_ text: String, schema: String? = nil) throws {
    let text = ConnectionText(text)
    if let unknown = text.unknown {
      throw StoreError.invalid(
        "The address of a database has no parameter \(unknown.name): did you mean \(unknown.nearest)?")
    }
    connection = text.connection
    self.schema = schema ?? text.own["schema"] ?? Self.usualSchema
    let isPlain = self.schema == Self.usualSchema || text.isHidden
    shown = text.shown + (isPlain ? "" : ", schema \(self.schema)")
    settings = try ServerSettings(text.own)
    try Self.check(
      self.schema, shown: text.isHidden ? "The schema of the address" : "\"\(self.schema.prefix(80))\"")
  }

  /// - Parameter shown: How the message names the schema, which may be a part of a password that is not escaped.
  private static func check(_ schema: String, shown: String) throws {
    let isSystem = schema.hasPrefix("pg_") || schema == "information_schema"
    guard !schema.isEmpty, schema.utf8.count <= 63, !schema.utf8.contains(0), !isSystem else {
      throw StoreError.invalid(
        "\(shown) cannot be the schema of a store: name one of 1 to 63 bytes that is not PostgreSQL's own."
      )
    }
  }

  /// Whether a text is the address of a database rather than the path of a file.
  package static func isAddress(_ text: String) -> Bool { ConnectionText.isAddress(text) }

  /// Whether a scheme of URLs is that of addresses of databases.
  package static func isScheme(_ text: some StringProtocol) -> Bool {
    ["postgresql", "postgres"].contains(text.lowercased())
  }

  /// An address without its password.
  package static func shown(_ text: String) -> String { ConnectionText(text).shown }
}

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
          "work_mem of the store's address is no amount of memory: write a number with kB, MB or GB, such as 256MB."
        )
      }
      workMemory = text
    }
    if let text = own["silence_timeout"] {
      guard let seconds = Int(text), (1...1_000_000).contains(seconds) else {
        throw StoreError.invalid(
          "silence_timeout of the store's address is no time: write a number of seconds, 1 or more."
        )
      }
      silence = .seconds(seconds)
    }
    if let text = own["connections"] {
      guard let number = Int(text), (2...1_000).contains(number) else {
        throw StoreError.invalid(
          "connections of the store's address is no number of connections: write a number of 2 to 1000.")
      }
      connections = number
    }
  }

  /// How many connections may be waiting for each other to write: others can read then.
  var writers: Int { max(1, connections / 2) }
}

/// The address of a database as people write it: a URL, or pairs `host=… dbname=…`, as libpq takes both, with parameters of
/// Broker's own among them.
///
/// A `/`, a `?` or a space of a password that is not escaped moves a part of it to where a host, a database or a parameter
/// stands. So an address is shown only where all of it has the form that such an address has.
struct ConnectionText {
  /// The text for libpq: the address without what is Broker's own.
  let connection: String
  /// The parameters that are Broker's own.
  let own: [String: String]
  /// The address without all that may be secret.
  let shown: String

  /// A parameter that there is not, and what it most likely was meant to be; nil where none is, or what looks like one may be
  /// a part of a password.
  let unknown: (name: String, nearest: String)?

  /// Whether nothing of it is shown.
  var isHidden: Bool { shown == Self.hidden }

  /// How an address is named of which nothing is shown.
  static let hidden = "the PostgreSQL database"

  private static let ownKeywords: Set<String> = ["schema", "work_mem", "connections", "silence_timeout"]

  /// The parameters that libpq knows, whatever its version.
  private static let keywords: Set<String> = [
    "application_name", "channel_binding", "client_encoding", "connect_timeout", "dbname",
    "fallback_application_name", "gssdelegation", "gssencmode", "gsslib", "host", "hostaddr", "keepalives",
    "keepalives_count", "keepalives_idle", "keepalives_interval", "krbsrvname", "load_balance_hosts",
    "max_protocol_version", "min_protocol_version", "options", "passfile", "password", "port", "replication",
    "require_auth", "requirepeer", "service", "servicefile", "ssl_max_protocol_version",
    "ssl_min_protocol_version", "sslcert", "sslcertmode", "sslcompression", "sslcrl", "sslcrldir", "sslkey",
    "sslmode", "sslnegotiation", "sslpassword", "sslrootcert", "sslsni", "target_session_attrs",
    "tcp_user_timeout", "user",
  ]

  /// Whether a text is the address of a database rather than the path of a file.
  static func isAddress(_ text: String) -> Bool {
    isURL(text) || beginsWithPair(text)
  }

  private static func isURL(_ text: String) -> Bool {
    guard let end = text.firstRange(of: "://") else { return false }
    return DatabaseAddress.isScheme(text[..<end.lowerBound])
  }

  private static func beginsWithPair(_ text: String) -> Bool {
    let text = text.drop(while: \.isWhitespace)
    let keyword = text.prefix { $0 != "=" }
    guard keyword.endIndex < text.endIndex else { return false }
    let name = String(keyword).trimmingWhitespace
    return keywords.contains(name) || ownKeywords.contains(name)
  }

  init(_ text: String) {
    self = Self.isURL(text) ? Self(url: text) : Self(pairs: text)
  }

  private init(
    connection: String, own: [String: String], shown: String?, unknown: (name: String, nearest: String)? = nil
  ) {
    (self.connection, self.own, self.shown) = (connection, own, shown ?? Self.hidden)
    self.unknown = unknown
  }

  /// The first of some names that is no parameter's, and is near to one.
  private static func unknown(in names: some Sequence<String>) -> (name: String, nearest: String)? {
    let known = ownKeywords.sorted() + keywords.sorted()
    for name in names where !known.contains(name) {
      if let nearest = nearestName(to: name, in: known) { return (name, nearest) }
    }
    return nil
  }

  // MARK: - URLs

  private init(url text: String) {
    // libpq knows schemes in small letters only.
    let scheme = text.prefix { $0 != ":" }
    let text = scheme.lowercased() + text[scheme.endIndex...]
    let mark = text.firstIndex(of: "?") ?? text.endIndex
    var (kept, own): ([Substring], [String: String]) = ([], [:])
    var areKnown = true
    for parameter in text[mark...].dropFirst().split(separator: "&") {
      let name = parameter.prefix { $0 != "=" }
      if parameter.contains("@") || !Self.keywords.union(Self.ownKeywords).contains(String(name)) {
        areKnown = false
      }
      if Self.ownKeywords.contains(String(name)), name.endIndex < parameter.endIndex {
        own[String(name)] = Self.decoded(parameter.dropFirst(name.count + 1))
      } else {
        kept.append(parameter)
      }
    }
    let connection = text[..<mark] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    let address = Self.shown(url: text[..<mark])
    // Where there is a database, no part of a password can stand behind it but in another parameter.
    let isCertain =
      address != nil && text[..<mark].split(separator: "/").count > 2 && !text[mark...].contains("@")
    let names = kept.map { String($0.prefix { $0 != "=" }) }
    self.init(
      connection: String(connection), own: own, shown: areKnown ? address : nil,
      unknown: isCertain ? Self.unknown(in: names) : nil)
  }

  /// A URL without its password; nil if it is not certain what that is.
  private static func shown(url text: Substring) -> String? {
    let form =
      #/
      (?<scheme>postgres(?:ql)?://)
      (?: (?<user>[A-Za-z0-9._~%+-]*) (?: : [A-Za-z0-9._~%!$'()*+,;=:-]* )? @ )?
      (?<hosts> (?: [A-Za-z0-9._%-]* | \[[0-9A-Fa-f:.%]+\] ) (?: : [0-9]* )?
        (?: , (?: [A-Za-z0-9._%-]* | \[[0-9A-Fa-f:.%]+\] ) (?: : [0-9]* )? )* )
      (?<path> / [^/@:?\#\s]* )?
      /#
    guard let found = text.wholeMatch(of: form) else { return nil }
    let user = found.user.map { $0.isEmpty ? "" : $0 + "@" } ?? ""
    return "\(found.scheme)\(user)\(found.hosts)\(found.path ?? "")"
  }

  /// A text with its `%XX` put back.
  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else {
        bytes.append(byte)
        continue
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: - Pairs

  private init(pairs text: String) {
    guard let pairs = Self.pairs(text) else {
      // libpq refuses it too, in words of the client that show nothing of it.
      self.init(connection: text, own: [:], shown: nil)
      return
    }
    var (kept, own, values): ([String], [String: String], [String: String]) = ([], [:], [:])
    for (keyword, value) in pairs {
      if Self.ownKeywords.contains(keyword) {
        own[keyword] = value
      } else {
        kept.append("\(keyword)='\(value.replacing(#"\"#, with: #"\\"#).replacing("'", with: #"\'"#))'")
        values[keyword] = value
      }
    }
    let areKnown = values.keys.allSatisfy(Self.keywords.contains)
    // What follows a space of a password that is not in quotes looks like a parameter.
    let isCertain = values["password"] == nil
    self.init(
      connection: kept.joined(separator: " "), own: own, shown: areKnown ? Self.shown(values) : nil,
      unknown: isCertain ? Self.unknown(in: values.keys.sorted()) : nil)
  }

  /// The URL that pairs would be, without a password; nil if a part of it may be one of another's.
  private static func shown(_ values: [String: String]) -> String? {
    let host = values["host"] ?? values["hostaddr"] ?? ""
    var url = "postgresql://" + (values["user"].map { $0 + "@" } ?? "")
    // The folder of a socket is no part of a URL's host.
    if !host.hasPrefix("/") { url += host + (values["port"].map { ":" + $0 } ?? "") }
    url += values["dbname"].map { "/" + $0 } ?? ""
    return shown(url: url[...])
  }

  /// The pairs of a text, as libpq reads them: `keyword = value`, where a value with spaces stands in quotes and `\` takes the
  /// meaning of the next character. Nil if it is none.
  private static func pairs(_ text: String) -> [(keyword: String, value: String)]? {
    var pairs: [(String, String)] = []
    var rest = text.drop(while: \.isWhitespace)
    while !rest.isEmpty {
      let keyword = rest.prefix { $0 != "=" }
      guard keyword.endIndex < rest.endIndex else { return nil }
      let name = String(keyword).trimmingWhitespace
      guard !name.isEmpty, !name.contains(where: \.isWhitespace) else { return nil }
      rest = rest[keyword.endIndex...].dropFirst().drop(while: \.isWhitespace)
      let isQuoted = rest.first == "'"
      if isQuoted { rest = rest.dropFirst() }
      var value = ""
      var hasEnded = !isQuoted
      while let character = rest.popFirst() {
        if character == #"\"# {
          if let next = rest.popFirst() { value.append(next) }
        } else if isQuoted ? character == "'" : character.isWhitespace {
          hasEnded = true
          break
        } else {
          value.append(character)
        }
      }
      guard hasEnded else { return nil }
      pairs.append((name, value))
      rest = rest.drop(while: \.isWhitespace)
    }
    return pairs
  }
}

extension String {
  fileprivate var trimmingWhitespace: String {
    var text = Substring(self).drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
