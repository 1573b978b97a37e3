import Testing

/// What an entity becomes when nothing is wrong with it.
@Suite struct EntityTests {
  @Test func everyKindOfProperty() {
    expectExpansion(
      of: #"""
        @Entity public struct Band {
          @Identity public var name: String
          @Key("description") var bandDescription: String?
          var formed = 1970
          var genre: Genre?
          @Attribute(indexed: true, minimum: 0, maximum: 10) var rating: Double
          @Relationship(inverse: \Album.band, deleteRule: .cascade) var albums: ToMany<Album>
          var label: ToOne<Label>?
          @Transient var cache: [String] = []
          var shortName: String { String(name.prefix(3)) }
        }
        """#,
      to: #"""
        public struct Band {
          public var name: String
          var bandDescription: String?
          var formed = 1970
          var genre: Genre?
          var rating: Double
          var albums: ToMany<Album>
          var label: ToOne<Label>?
          var cache: [String] = []
          var shortName: String { String(name.prefix(3)) }
        }

        nonisolated extension Band: _BrokerStorable {
          public static let properties = _brokerProperties()

          private static func _brokerProperties() -> _BrokerProperties<Band> {
            var list = _BrokerPropertyList<Band>("Band")
            let property0 = _BrokerProperty<Band>.attribute("name", \.name, .identity); list.add(property0)
            let property1 = _BrokerProperty<Band>.attribute("bandDescription", \.bandDescription, .key("description")); list.add(property1)
            let property2 = _BrokerProperty<Band>.attribute("formed", \.formed, .default(1970)); list.add(property2)
            let property3 = _BrokerProperty<Band>.attribute("genre", \.genre); list.add(property3)
            let property4 = _BrokerProperty<Band>.attribute("rating", \.rating, .indexed, .minimum(0), .maximum(10)); list.add(property4)
            let inverse5 = _BrokerInversePathName<Album, Band>().band; let property5 = _BrokerProperty<Band>.toMany("albums", \.albums, .deleteRule(.cascade), .inverse(inverse5)); list.add(property5)
            let property6 = _BrokerProperty<Band>.toOne("label", \.label); list.add(property6)
            return list.properties
          }

          public init(row: borrowing _BrokerRow) throws {
            self.name = try row.value(0)
            self.bandDescription = try row.value(1)
            self.formed = try row.value(2)
            self.genre = try row.value(3)
            self.rating = try row.value(4)
            self.albums = try row.value(5)
            self.label = try row.value(6)
          }

          public var id: String { self.name }
        }
        """#)
  }

  @Test func constantsAndObserversAreStored() {
    expectExpansion(
      of: #"""
        @Entity struct Band {
          let id: Int
          var title: String { didSet { update() } }
          static var shared: [Band] = []
          var short: String { get { title } set { title = newValue } }
        }
        """#,
      to: #"""
        struct Band {
          let id: Int
          var title: String { didSet { update() } }
          static var shared: [Band] = []
          var short: String { get { title } set { title = newValue } }
        }

        nonisolated extension Band: _BrokerStorable {
          static let properties = _brokerProperties()

          private static func _brokerProperties() -> _BrokerProperties<Band> {
            var list = _BrokerPropertyList<Band>("Band")
            let property0 = _BrokerProperty<Band>.attribute("id", \.id, .identity); list.add(property0)
            let property1 = _BrokerProperty<Band>.attribute("title", \.title); list.add(property1)
            return list.properties
          }

          init(row: borrowing _BrokerRow) throws {
            self.id = try row.value(0)
            self.title = try row.value(1)
          }
        }
        """#)
  }

  @Test func namesOfEntities() {
    expectExpansion(
      of: """
        enum Model {
          @Entity("Group") package struct Band {
            var groupId = 0
          }
        }
        """,
      to: #"""
        enum Model {
          package struct Band {
            var groupId = 0
          }
        }

        nonisolated extension Model.Band: _BrokerStorable {
          package static let properties = _brokerProperties()

          private static func _brokerProperties() -> _BrokerProperties<Model.Band> {
            var list = _BrokerPropertyList<Model.Band>("Group")
            let property0 = _BrokerProperty<Model.Band>.attribute("groupId", \.groupId, .identity, .default(0)); list.add(property0)
            return list.properties
          }

          package init(row: borrowing _BrokerRow) throws {
            self.groupId = try row.value(0)
          }

          package var id: Int { self.groupId }
        }
        """#)
  }

  @Test func unidentified() {
    expectExpansion(
      of: """
        @Entity(identified: false) public struct Track {
          public var title: String
        }
        """,
      to: #"""
        public struct Track {
          public var title: String

          nonisolated public var id = _BrokerRowID()
        }

        nonisolated extension Track: _BrokerStorable {
          public static let properties = _brokerProperties()

          private static func _brokerProperties() -> _BrokerProperties<Track> {
            var list = _BrokerPropertyList<Track>("Track")
            let property0 = _BrokerProperty<Track>.attribute("title", \.title); list.add(property0)
            return list.properties
          }

          public init(row: borrowing _BrokerRow) throws {
            self.title = try row.value(0)
            self.id = row.rowID
          }
        }
        """#)
  }

  @Test func inherited() {
    expectExpansion(
      of: """
        @Entity struct Employee {
          @Inherited private(set) var person: Model.Person
          var employeeID: Int
          @Version var version: Int
        }
        """,
      to: #"""
        struct Employee {
          private(set) var person: Model.Person
          var employeeID: Int
          var version: Int
        }

        nonisolated extension Employee: _BrokerStorable {
          static let properties = _brokerProperties()

          private static func _brokerProperties() -> _BrokerProperties<Employee> {
            var list = _BrokerPropertyList<Employee>("Employee")
            let property0 = _BrokerProperty<Employee>.attribute("employeeID", \.employeeID); list.add(property0)
            let property1 = _BrokerProperty<Employee>.attribute("version", \.version, .version); list.add(property1)
            list.add(.inherited(\.person))
            return list.properties
          }

          init(row: borrowing _BrokerRow) throws {
            self.employeeID = try row.value(0)
            self.version = try row.value(1)
            self.person = try row.inherited(at: 2)
          }

          var id: Model.Person.ID { self.person.id }
        }
        """#)
  }

  @Test func inheritedWithAnIdentityOfItsOwn() {
    expectExpansion(
      of: """
        @Entity struct Photo {
          @Inherited var note: Note
          @Identity var number: Int
          var photoID: Int
        }
        """,
      to: #"""
        struct Photo {
          var note: Note
          var number: Int
          var photoID: Int
        }

        nonisolated extension Photo: _BrokerStorable {
          static let properties = _brokerProperties()

          private static func _brokerProperties() -> _BrokerProperties<Photo> {
            var list = _BrokerPropertyList<Photo>("Photo")
            let property0 = _BrokerProperty<Photo>.attribute("number", \.number, .identity); list.add(property0)
            let property1 = _BrokerProperty<Photo>.attribute("photoID", \.photoID); list.add(property1)
            list.add(.inherited(\.note))
            return list.properties
          }

          init(row: borrowing _BrokerRow) throws {
            self.number = try row.value(0)
            self.photoID = try row.value(1)
            self.note = try row.inherited(at: 2)
          }

          var id: Int { self.number }
        }
        """#)
  }
}
