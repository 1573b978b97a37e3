import Testing

@testable import BrokerMacros

/// What becomes of identities.
@Suite struct IdentityTests {
  @Test func relationships() {
    expectExpansion(
      of: """
        @Entity struct Version {
          @Identity var crate: ToOne<Crate>
          @Identity var number: String
        }
        """,
      to: #"""
        struct Version {
          var crate: ToOne<Crate>
          var number: String
        }

        nonisolated extension Version: _BrokerStorable {
          static let properties = _brokerProperties()

          private static func _brokerProperties() -> _BrokerProperties<Version> {
            var list = _BrokerPropertyList<Version>("Version")
            let property0 = _BrokerProperty<Version>.toOne("crate", \.crate, .identity); list.add(property0)
            let property1 = _BrokerProperty<Version>.attribute("number", \.number, .identity); list.add(property1)
            return list.properties
          }

          init(row: borrowing _BrokerRow) throws {
            self.crate = try row.value(0)
            self.number = try row.value(1)
          }

          struct ID: _BrokerIdentityValue {
            var crate: Crate.ID
            var number: String

            init(crate: Crate.ID, number: String) {
              self.crate = crate
              self.number = number
            }

            init(from parts: inout _BrokerIdentityDecoder) throws {
              self.crate = try Crate.identity(from: &parts)
              self.number = try parts.next()
            }

            func encode(to parts: inout _BrokerIdentityEncoder) {
              Crate.encode(self.crate, to: &parts)
              parts.append(self.number)
            }
          }

          var id: ID { ID(crate: self.crate.id, number: self.number) }
        }
        """#)
  }

  @Test func aLoneRelationship() {
    expectExpansion(
      of: """
        @Entity struct Card {
          @Identity var reader: ToOne<Reader>
        }
        """,
      to: #"""
        struct Card {
          var reader: ToOne<Reader>
        }

        nonisolated extension Card: _BrokerStorable {
          static let properties = _brokerProperties()

          private static func _brokerProperties() -> _BrokerProperties<Card> {
            var list = _BrokerPropertyList<Card>("Card")
            let property0 = _BrokerProperty<Card>.toOne("reader", \.reader, .identity); list.add(property0)
            return list.properties
          }

          init(row: borrowing _BrokerRow) throws {
            self.reader = try row.value(0)
          }

          var id: Reader.ID { self.reader.id }
        }
        """#)
  }

  @Test func severalAttributes() {
    expectExpansion(
      of: """
        @Entity public struct Player {
          @Identity public var country: String
          @Identity var `default` = 1
        }
        """,
      to: #"""
        public struct Player {
          public var country: String
          var `default` = 1
        }

        nonisolated extension Player: _BrokerStorable {
          public static let properties = _brokerProperties()

          private static func _brokerProperties() -> _BrokerProperties<Player> {
            var list = _BrokerPropertyList<Player>("Player")
            let property0 = _BrokerProperty<Player>.attribute("country", \.country, .identity); list.add(property0)
            let property1 = _BrokerProperty<Player>.attribute("default", \.`default`, .identity, .default(1)); list.add(property1)
            return list.properties
          }

          public init(row: borrowing _BrokerRow) throws {
            self.country = try row.value(0)
            self.`default` = try row.value(1)
          }

          public struct ID: _BrokerIdentityValue {
            public var country: String
            public var `default`: Int

            public init(country: String, `default`: Int) {
              self.country = country
              self.`default` = `default`
            }

            public init(from parts: inout _BrokerIdentityDecoder) throws {
              self.country = try parts.next()
              self.`default` = try parts.next()
            }

            public func encode(to parts: inout _BrokerIdentityEncoder) {
              parts.append(self.country)
              parts.append(self.`default`)
            }
          }

          public var id: ID { ID(country: self.country, `default`: self.`default`) }
        }
        """#)
  }

  @Test(arguments: [
    ("var id: UUID", nil), ("var remoteID: Int", "Int"), ("var remoteId: String", "String"),
    ("var bandID: Int64", "Int64"), ("let bandId = \"\"", "String"), ("var bandId = \"\"", "String"),
    ("var band_id: Foundation.UUID", "Foundation.UUID"),
  ])
  func namesThatIdentify(declaration: String, type: String?) {
    let (text, _) = expand("@Entity struct Band {\n  \(declaration)\n}")
    let identifier = text.split(separator: "\n").first { $0.contains("  var id: ") && $0.contains("self.") }
    #expect(identifier.map { $0.split(separator: " ")[2] } == type.map { "\($0)" })
  }

  @Test func theFirstNameIdentifies() {
    expectProperties(
      of: """
        var bandID: Int
        var remoteID: Int
        """,
      #".attribute("bandID", \.bandID)"#,
      #".attribute("remoteID", \.remoteID, .identity)"#)
  }

  @Test func marksComeBeforeNames() {
    expectProperties(
      of: """
        var bandID: Int
        @Broker.Identity var name: String
        """,
      #".attribute("bandID", \.bandID)"#,
      #".attribute("name", \.name, .identity)"#)
  }
}
