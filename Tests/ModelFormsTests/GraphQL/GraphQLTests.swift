import Foundation
import ModelForms
import ObjectModel
import Testing

@Suite struct GraphQLTests {
  private static let sdl = """
    schema { query: Root }
    # A comment, with a " in it.
    directive @auth(role: String = "x") repeatable on OBJECT | FIELD_DEFINITION
    scalar DateTime @specifiedBy(url: "https://example.com")
    enum Genre { ROCK "Improvised." JAZZ @deprecated }
    type Root { bands(first: Int = 3): BandConnection }
    interface Node { id: ID! }
    interface Work { title: String! }
    \"\"\"
    A group.
      Or "one".
    \"\"\"
    type Band implements Node & Work @auth(role: "a") {
      id: ID!
      title: String!
      genre: Genre
      formed: DateTime
      names: [String!]!
      albums(first: Int, order: [Order!] = [{by: "x"}]): AlbumConnection!
      main: Work
      rival: Band
      found: Found
    }
    type AlbumConnection { pageInfo: PageInfo! edges: [AlbumEdge] totalCount: Int }
    type AlbumEdge { node: Album cursor: String! }
    type PageInfo { hasNextPage: Boolean! }
    type BandConnection { edges: [BandEdge] }
    type BandEdge { node: Band cursor: String! }
    type Album implements Node & Work { id: ID! title: String! sales: BigInt band: Band! }
    union Found = | Album | Label
    type Label { name: String }
    input Order { by: String }
    extend type Label { founded: Int }
    """

  private func check(_ model: Model) throws {
    #expect(model.problems().filter { $0.severity == .error } == [])
    #expect(model.entities.map(\.name).sorted() == ["Album", "Band", "Found", "Label", "Work"])
    let band = try #require(model[entity: "Band"])
    #expect(band.parent == "Work")
    #expect(model[entity: "Work"]?.isAbstract == true)
    #expect(band[attribute: "genre"]?.userInfo["broker.values"] == #"["ROCK","JAZZ"]"#)
    #expect(band[attribute: "formed"]?.type == .date)
    #expect(band[attribute: "names"].map { [$0.type == .transformable, !$0.isOptional] } == [true, true])
    #expect(band[relationship: "albums"]?.userInfo["broker.key"] == "albums.edges[].node")
    #expect(band[relationship: "albums"]?.inverse == "band")
    #expect(model[entity: "Album"]?[relationship: "band"]?.isOptional == false)
    #expect(model[entity: "Label"]?.attributes.map(\.name) == ["name", "founded"])
    #expect(model[entity: "Label"]?.parent == "Found")
  }

  @Test func definitions() throws {
    let reading = try #require(try Schemas.read(Self.sdl, "schema.graphql"))
    try check(reading.model)
    #expect(reading.model[entity: "Band"]?.userInfo["documentation"] == "A group.\nOr \"one\".")
    #expect(
      reading.remarks.contains {
        $0.description == "Album: it stays a sub-entity of Work, and is none of Found"
      })
  }

  @Test func introspection() throws {
    let model = try #require(
      try Schemas.read(
        #"""
        {"data": {"__schema": {"queryType": {"name": "Query"}, "types": [
          {"kind": "OBJECT", "name": "Query", "fields": []},
          {"kind": "SCALAR", "name": "Int"}, {"kind": "SCALAR", "name": "ID"}, {"kind": "OBJECT", "name": "__Type"},
          {"kind": "OBJECT", "name": "Band", "description": "A group.", "interfaces": [], "fields": [
            {"name": "id", "type": {"kind": "NON_NULL", "ofType": {"kind": "SCALAR", "name": "ID"}}},
            {"name": "albums", "type": {"kind": "NON_NULL", "ofType": {"kind": "LIST", "ofType": {"kind": "OBJECT", "name": "Album"}}}}]},
          {"kind": "OBJECT", "name": "Album", "fields": [{"name": "year", "type": {"kind": "SCALAR", "name": "Int"}}]}
        ]}}}
        """#)
    ).model
    #expect(model.entities.map(\.name) == ["Band", "Album"])
    #expect(model[entity: "Band"]?[relationship: "albums"]?.isToMany == true)
    #expect(model[entity: "Album"]?[relationship: "band"] != nil)
    #expect(model[entity: "Album"]?[attribute: "year"]?.type == .integer32)
  }

  @Test func unionsOfTypesWithOneInterface() throws {
    let reading = try #require(
      try Schemas.read(
        """
        interface Node { id: ID! }
        interface Named { name: String }
        union Found = User | Post
        union Mixed = User | Comment
        type User implements Node & Named { id: ID! name: String node: Node }
        type Post implements Node & Named { id: ID! name: String found: Found all: [Found!] named: Named more: FoundConnection }
        type Comment { body: String about: Mixed }
        type FoundConnection { edges: [FoundEdge] }
        type FoundEdge { node: Found cursor: String }
        """, "s.graphql"))
    #expect(reading.model.problems().filter { $0.severity == .error } == [])
    let post = try #require(reading.model[entity: "Post"])
    for (name, isToMany) in [("found", false), ("all", true), ("named", false), ("more", true)] {
      #expect(post[relationship: name]?.destination == "Node", "\(name)")
      #expect(post[relationship: name]?.isToMany == isToMany, "\(name)")
    }
    #expect(
      reading.remarks.map(\.description).contains(
        "Post.found: it leads to Node, the parent of all types of Found"))
    #expect(reading.model[entity: "Comment"]?.relationships.map(\.destination) == ["Mixed"])
  }

  @Test(arguments: [
    ("type Band { name String }", "1:18: expected “:”"), ("type Band { name: ", "expected a type"),
    ("tpye Band {}", "“tpye” begins no definition"),
    ("type A { a(b: [", "1:11: a bracket that is not closed"),
    ("\"\"\"no end", "1:1: a text without an end"),
    ("type A { a: % }", "1:13: a character that no GraphQL schema"),
  ])
  func mistakesHaveALineAndAColumn(sdl: String, expected: String) {
    #expect(Schemas.message(sdl, "a.graphql").contains(expected), "\(Schemas.message(sdl, "a.graphql"))")
  }

  @Test func deepLists() {
    let sdl = "type A { a: " + String(repeating: "[", count: 100_000)
    #expect(Schemas.message(sdl, "a.graphql").contains("a list of more than 32 lists"))
    let value = "type A { a(b: Int = " + String(repeating: "[", count: 100_000) + "): Int }"
    #expect(Schemas.message(value, "a.graphql").contains("a bracket that is not closed"))
  }
}
