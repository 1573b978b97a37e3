import Broker
import Foundation

@Entity struct Essay {
  var id: Int
  @Attribute(search: true) var title: String
  @Attribute(search: true) var text: String?
  @Attribute(search: true) var tags: [String]?
  var stars = 0
}

let essaysJSON = """
  [{"id": 1, "title": "A quiet record", "text": "Art rock of the best kind", "tags": ["new wave"], "stars": 5},
   {"id": 2, "title": "Rock, rock, rock", "text": "Loud", "stars": 2}]
  """

func searching(_ store: Store) async throws -> [Essay] {
  let essays = try await store.fetch(Essay.matching("rock"))
  return essays
}

func searchQueries() throws -> [Query<Essay>] {
  let inTitles = Essay.matching("rock", in: \.title)
  let good = Essay.filter(#Predicate { $0.stars > 3 }).matching("rock").limit(10)
  let byID = Essay.matching("rock").sorted(by: \.id)
  return [inTitles, good, byID]
}

func searchFormats() throws -> Query<Essay> {
  let query = try Essay.filter(format: "title MATCHES_TEXT %@ OR stars == 5", "quiet record")
  return query
}

func searchHits(_ store: Store) async throws -> [String] {
  let snippets = SearchSnippets(start: "<", end: ">", wordCount: 8)
  var lines: [String] = []
  for hit in try await store.search(Essay.matching("rock").limit(20), snippets: snippets) {
    lines.append("\(hit.object.title): \(hit.snippet)")
  }
  return lines
}

// Of the comments.

func searchForBands(_ store: Store) async throws -> [Band] {
  let bands = try await store.fetch(Band.matching("indie rock -pop"))
  return bands
}

func searchInSome(_ store: Store) async throws -> [Band] {
  let bands = try await store.fetch(Band.matching("rock", in: \.name, \.bandDescription))
  return bands
}

func searchWithMarks(_ store: Store) async throws -> [SearchHit<Band>] {
  let marks = SearchSnippets(start: "<b>", end: "</b>")
  let hits = try await store.search(Band.matching("rock"), snippets: marks)
  return hits
}

func searchAndPrint(_ store: Store) async throws {
  for hit in try await store.search(Band.matching("rock").limit(20)) {
    print(hit.object.name, hit.snippet)
  }
}
