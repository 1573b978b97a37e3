import Broker
import Foundation

// ComingFromGRDB.md

@Entity struct Author {
  var id: Int
  var name: String
  @Relationship(inverse: \Book.author, deleteRule: .cascade) var books: ToMany<Book>
}

@Entity struct Book {
  var id: Int
  @Attribute(indexed: true) var title: String
  var year: Int?
  var author: ToOne<Author>
}

func openingALibrary() async throws -> Store {
  let store = try await Store(at: .file("library.sqlite"), for: Author.self, Book.self)
  return store
}

func writingAndReading(_ store: Store) async throws -> [Book] {
  try await store.write { transaction in
    let author = try transaction.insert(Author(id: 1, name: "Italo Calvino", books: ToMany()))
    try transaction.save(Book(id: 1, title: "Le città invisibili", year: 1972, author: ToOne(author)))
  }
  let books = try await store.read { transaction in
    try transaction.fetch(try Book.filter(format: "author.name == %@", "Italo Calvino").sorted(by: \.year))
  }
  return books
}

func fetchingAssociations(_ store: Store) async throws -> [Author] {
  let authors = try await store.fetch(Author.all.prefetching(\.books))
  for author in authors { print(author.name, author.books.count) }
  return authors
}

func observingBooks(_ store: Store) async throws {
  let query = Book.filter(#Predicate { $0.author.name == "Italo Calvino" })
  for try await books in store.observe(query) { show(books) }
}
