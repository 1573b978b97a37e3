import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Forms of JSON that many services share.
@Suite struct DialectTests {
  private let blog = """
    Article
      id: string
      title: string
      subTitle: string
      author: Person <- articles
      comments: [Comment] <- article | ordered
    Person
      id: string
      firstName: string
      articles: [Article] <- author
    Comment
      id: string
      body: string
      article: Article <- comments
    """

  @Test func jsonAPI() throws {
    let shape = try JSONShape(blog, "dialect: jsonapi\nArticle: {names: [articles]}")
    let report = try shape.load(
      """
      {"jsonapi": {"version": "1.0"}, "data": [
        {"type": "articles", "id": "1", "attributes": {"title": "A", "sub-title": "x"},
         "relationships": {"author": {"links": {"self": "u"}, "data": {"type": "people", "id": "9"}},
           "comments": {"data": [{"type": "comments", "id": "5"}, {"type": "comments", "id": "12"}]}},
         "links": {"self": "v"}},
        {"type": "articles", "id": "2", "attributes": {"title": "B"}, "relationships": {"author": {"links": {}}}}],
       "included": [{"type": "people", "id": "9", "attributes": {"first-name": "Dan"}},
         {"type": "comments", "id": "5", "attributes": {"body": "First!"}, "meta": {}}]}
      """)
    #expect(report.problems == [])
    #expect(report.unmatchedKeys == [:])
    #expect(report.waiting == ["Article 1 comments -> Comment 12"])
    #expect(try shape.rows("Article", "id, title, subTitle, author") == ["1 A x 9", "2 B - -"])
    #expect(
      try Exporter(shape.fixture.store).text(of: "Article", identity: "1")
        == #"{"type":"articles","id":"1","attributes":{"title":"A","subTitle":"x"},"relationships":{"author":{"data":{"type":"Person","id":"9"}},"comments":{"data":[{"type":"Comment","id":"5"},{"type":"Comment","id":"12"}]}}}"#
        + "\n")
    try shape.expectRoundTrip("Article", "Person", "Comment")
  }

  @Test func hal() throws {
    let shape = try JSONShape(blog, "dialect: hal")
    let report = try shape.load(
      """
      {"_links": {"self": {"href": "/"}}, "page": {"size": 20}, "_embedded": {"articles": [
        {"id": "1", "title": "A", "_links": {"self": {"href": "/1"}},
         "_embedded": {"author": {"id": "9", "firstName": "Dan"}, "comments": [{"id": "5", "body": "b", "_links": {}}]}}]}}
      """)
    #expect(report.problems == [])
    #expect(report.unmatchedKeys == [:])
    #expect(
      try shape.fixture.exported("Article", { $0.relationships = .nested(depth: 1) }) == [
        #"{"id":"1","title":"A","subTitle":null,"_embedded":{"author":{"id":"9","firstName":"Dan"},"comments":[{"id":"5","body":"b"}]}}"#
      ])
    try shape.expectRoundTrip("Article", "Person")
  }

  @Test func fhir() throws {
    let shape = try JSONShape(
      """
      Patient
        id: string
        gender: string
        doctors: [Practitioner] <- patients | broker.key=generalPractitioner
        contacts: [Contact] <- patient | broker.key=contact
      Contact
        relation: string
        patient: Patient <- contacts
        doctor: Practitioner <- contacts
      Practitioner
        id: string
        family: string | broker.key=name[0].family
        patients: [Patient] <- doctors
        contacts: [Contact] <- doctor
      """, "dialect: fhir\ndocument: {others: skip}")
    let report = try shape.load(
      """
      {"resourceType": "Bundle", "total": 3, "entry": [
        {"fullUrl": "u", "resource": {"resourceType": "Patient", "id": "p", "gender": "f",
          "generalPractitioner": [{"reference": "Practitioner/d", "display": "Dr"},
            {"reference": "https://x.org/fhir/Practitioner/e/_history/3"}],
          "contact": [{"relation": "r", "doctor": {"reference": "Practitioner/d"}}]}},
        {"resource": {"resourceType": "Practitioner", "id": "d", "name": [{"family": "Ng", "given": ["A"]}]}},
        {"resource": {"resourceType": "Slot", "id": "s"}}]}
      """)
    #expect(report.problems == [])
    #expect(report.waiting == ["Patient p doctors -> Practitioner e"])
    #expect(report.unmatchedKeys["$"] == [#"resourceType = "Slot""#: 1])
    let text = try Exporter(shape.fixture.store).text(of: "Patient").filter { $0 != "\n" }
    #expect(
      text
        == #"{"resourceType":"Bundle","type":"collection","entry":[{"resource":{"resourceType":"Patient","id":"p","gender":"f","generalPractitioner":[{"reference":"Practitioner/d"},{"reference":"Practitioner/e"}],"contact":[{"relation":"r","doctor":{"reference":"Practitioner/d"}}]}}]}"#
    )
    try shape.expectRoundTrip("Patient", "Practitioner")
  }

  @Test func oData() throws {
    let shape = try JSONShape(blog, "dialect: odata", entity: "Article")
    let report = try shape.load(
      #"{"@odata.context": "c", "value": [{"@odata.etag": "w", "Id": "1", "Title": "A", "Comments@odata.count": 1, "Comments": [{"Id": "5"}]}], "@odata.nextLink": "n"}"#
    )
    #expect(report.problems == [])
    #expect(report.unmatchedKeys == [:])
    #expect(
      try Exporter(shape.fixture.store).text(of: "Article").filter { $0 != "\n" }
        == #"{"value":[{"id":"1","title":"A","subTitle":null,"author":null,"comments":["5"]}]}"#)
    try shape.expectRoundTrip("Article")
  }

  @Test func graphQL() throws {
    let shape = try JSONShape(blog, "dialect: graphql")
    let report = try shape.load(
      """
      {"data": {"articles": [
        {"__typename": "Article", "id": "1", "author": {"id": "9", "firstName": "Dan"},
         "comments": {"edges": [{"cursor": "c", "node": {"id": "5", "body": "b"}}], "pageInfo": {}}},
        {"id": "2", "author": null, "comments": {"nodes": [{"id": "6", "body": "c"}], "totalCount": 1}},
        {"id": "3", "comments": [{"id": "7", "body": "d"}]}]}}
      """)
    #expect(report.problems == [])
    #expect(report.unmatchedKeys == [:])
    #expect(try shape.rows("Comment", "id, article") == ["5 1", "6 2", "7 3"])
    #expect(
      try Exporter(shape.fixture.store).text(of: "Person").filter { $0 != "\n" }
        == #"{"data":{"Person":[{"id":"9","firstName":"Dan","articles":{"edges":[{"node":"1"}]}}]}}"#)
    try shape.expectRoundTrip("Article", "Person")
  }

  @Test func graphQLConnectionsAtTheTop() throws {
    let shape = try JSONShape(blog, "dialect: graphql")
    let report = try shape.load(
      """
      {"data": {"articles": {"totalCount": 2, "edges": [
          {"cursor": "c", "node": {"id": "1", "title": "A"}}, {"node": null}, {"cursor": "d"}, 5,
          {"node": {"id": "2", "author": {"id": "9", "firstName": "Dan"}}, "cursor": "e"}], "pageInfo": {"endCursor": "e"}},
        "people": {"nodes": [{"id": "8", "firstName": "Eve"}], "pageInfo": {}}}}
      """)
    #expect(
      report.problems == [
        "$.data.articles.edges[1]: expected an object, found null; element left out",
        "$.data.articles.edges[2]: expected an object, found nothing; element left out",
        "$.data.articles.edges[3]: expected an object, found 5; element left out",
      ])
    #expect(report.unmatchedKeys == [:])
    #expect(try shape.rows("Article", "id, title, author") == ["1 A -", "2 - 9"])
    #expect(try shape.rows("Person", "id, firstName") == ["9 Dan", "8 Eve"])
  }

  /// A connection leads to owned objects by its list too, unless the list is one of an owned object's own.
  @Test func graphQLOwnedObjects() throws {
    let shape = try JSONShape(
      """
      Pull
        id: string
        comments: [Comment] <- pull
        chart: Chart <- pull
      Comment
        body: string
        pull: Pull <- comments
      Chart
        nodes: transformable
        pull: Pull <- chart
      """, "dialect: graphql")
    let report = try shape.load(
      """
      {"data": {"pulls": [
        {"id": "1", "comments": {"totalCount": 2, "nodes": [{"body": "a"}, {"body": "b"}], "pageInfo": {}}},
        {"id": "2", "comments": {"edges": [{"node": {"body": "c"}}]}, "chart": {"nodes": ["x", "y"]}},
        {"id": "3", "comments": {"totalCount": 0, "pageInfo": {}}, "chart": {"other": 5}}]}}
      """)
    #expect(report.problems == [])
    #expect(report.unmatchedKeys == ["Chart": ["other": 1]])
    #expect(try shape.rows("Comment", "body").sorted() == ["a", "b", "c"])
    #expect(
      try Exporter(shape.fixture.store).text(of: "Pull", identity: "2")
        == #"{"id":"2","comments":{"edges":[{"node":{"body":"c"}}]},"chart":{"nodes":["x","y"]}}"# + "\n")
    try shape.expectRoundTrip("Pull")
  }

  @Test func geoJSON() throws {
    let shape = try JSONShape(
      """
      Place
        id: string
        name: string
        depth: double | broker.key=geometry.coordinates[2]
        geometry: transformable
        region: Region <- places
      Region
        id: integer64
        places: [Place] <- region
      """, "dialect: geojson", entity: "Place")
    let report = try shape.load(
      """
      {"type": "FeatureCollection", "bbox": [1, 2], "features": [
        {"type": "Feature", "id": "a", "properties": {"name": "A", "region": 7},
         "geometry": {"type": "Point", "coordinates": [1, 2, 3.5]}},
        {"type": "Feature", "id": "b", "properties": null, "geometry": null}]}
      """)
    #expect(report.problems == [])
    #expect(report.unmatchedKeys == ["Place": ["geometry.type": 1]])
    #expect(try shape.rows("Place", "id, name, depth, region") == ["a A 3.5 7", "b - - -"])
    #expect(
      try Exporter(shape.fixture.store).text(of: "Place", where: ObjectPredicate(format: "id == 'a'"))
        .filter { $0 != "\n" }
        == #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"a","properties":{"name":"A","region":7},"geometry":{"type":"Point","coordinates":[1,2,3.5]}}]}"#
    )
    try shape.expectRoundTrip("Place")
  }

  @Test(arguments: Dialect.allCases)
  func aDialectIsAMappingThatOneCouldWrite(_ dialect: Dialect) throws {
    let model = try MappingTests.model(blog)
    var short = JSONMapping()
    short.dialect = dialect
    let (one, other) = (try short.applied(to: model), try dialect.mapping(for: model).applied(to: model))
    #expect(one == other)
  }

  @Test func whatTheMappingSaysComesFirst() throws {
    var mapping = JSONMapping()
    mapping.dialect = .odata
    mapping.document.root = "d.results"
    let applied = try mapping.applied(to: MappingTests.model(blog))
    #expect(applied.document.root == "d.results")
  }

  @Test func unknownDialects() {
    let error = #expect(throws: MappingError.self) { try JSONMapping(text: "dialect: jsonap") }
    #expect(error?.problems.first?.advice == "did you mean “jsonapi”?")
    #expect(error?.problems.first?.place == "the mapping:1")
  }
}
