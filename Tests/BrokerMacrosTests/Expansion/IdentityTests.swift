import Testing

@testable import BrokerMacros

/// What becomes of identities.
@Suite struct IdentityTests {
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
