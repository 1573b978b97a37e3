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

        nonisolated extension Band: Storable {
          public static let properties = Properties<Band>(
            "Band",
            .attribute("name", \.name, .identity),
            .attribute("bandDescription", \.bandDescription, .key("description")),
            .attribute("formed", \.formed, .default(1970)),
            .attribute("genre", \.genre),
            .attribute("rating", \.rating, .indexed, .minimum(0), .maximum(10)),
            .toMany("albums", \.albums, .inverse(\Album.band), .deleteRule(.cascade)),
            .toOne("label", \.label)
          )

          public init(row: borrowing ObjectRow) throws {
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

        nonisolated extension Band: Storable {
          static let properties = Properties<Band>(
            "Band",
            .attribute("id", \.id, .identity),
            .attribute("title", \.title)
          )

          init(row: borrowing ObjectRow) throws {
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

        nonisolated extension Model.Band: Storable {
          package static let properties = Properties<Model.Band>(
            "Group",
            .attribute("groupId", \.groupId, .identity, .default(0))
          )

          package init(row: borrowing ObjectRow) throws {
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

          nonisolated public var id = RowID()
        }

        nonisolated extension Track: Storable {
          public static let properties = Properties<Track>(
            "Track",
            .attribute("title", \.title)
          )

          public init(row: borrowing ObjectRow) throws {
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

        nonisolated extension Employee: Storable {
          static let properties = Properties<Employee>(
            "Employee",
            .attribute("employeeID", \.employeeID),
            .attribute("version", \.version, .version),
            .inherited(\.person)
          )

          init(row: borrowing ObjectRow) throws {
            self.employeeID = try row.value(0)
            self.version = try row.value(1)
            self.person = try row.inherited(at: 2)
          }

          var id: Model.Person.ID { self.person.id }
        }
        """#)
  }
}
