import Broker
import Foundation

/// An entity of the sample as a type, since only types can rename.
@Entity struct Feeling {
  @Identity var name: String
  var note: String?
}

/// The store that each release keeps as text. It has each kind of attribute, relationship and identity, references that wait
/// for their targets, and changes that no server was told of. A later release may add to it, and removes nothing.
enum ReleasedSample {
  static let model = """
    entities:
      Sample:
        id: int*
        flag: bool
        small: int16 = 7
        medium: int32
        large: int
        single: float
        real: double
        exact: decimal
        text: {type: string, userInfo: {broker.search: "true"}}
        moment: date
        day: date
        uuid: uuid
        address: url
        bytes: data
        topics: {type: json, indexed: true}
        place: Place
      Feeling: {name: string*, note: string}
      Shelf: {room: string*, number: int*, works: [Work.shelf]}
      abstract Work:
        id: string*
        title: {type: string!, key: work_title, maximum: 80}
        author: Person
        shelf: Shelf
        tags: [Tag.works]
        fans: [Person.favourites]
      Book < Work: {pages: int, chapters: [Chapter.book, ordered, cascade], editions: [Edition.book, cascade]}
      Film < Work: {minutes: int}
      Chapter: {heading: string!, book: Book!}
      Edition: {book: Book*, number: int*, year: int}
      Tag: {name: string*, works: [Work]}
      Person:
        name: string*
        desk: Desk.person
        works: [Work.author]
        favourites: [Work, ordered]
        friends: [Person.friends]
      Desk: {id: int*, colour: red | green, person: Person}
    composites:
      Place: {street: string, zip: string}
    """

  static let json = #"""
    {"samples": [
       {"id": 1, "flag": true, "small": -32768, "medium": 2147483647, "large": 9223372036854775807, "single": 0.5,
        "real": 0.1, "exact": 12345678901234567890.0123456789, "text": "Schöne alte Wörter\nin two lines",
        "moment": "1981-11-13T20:15:00.25Z", "day": "1981-11-13", "uuid": "6F9619FF-8B86-D011-B42D-00CF4FC964FF",
        "address": "https://example.com/a?b=c", "bytes": "AAEC/w==", "topics": ["art", "it's", "日本"],
        "place": {"street": "Talbot Road", "zip": "W11"}},
       {"id": 2}],
     "feelings": [{"name": "calm"}, {"name": "bright", "note": "as ever"}],
     "people": [
       {"name": "Ada", "desk": {"id": 1, "colour": "red"}, "friends": ["Bo"], "favourites": ["b2", "f1", "b9", "b1"]},
       {"name": "Bo", "favourites": ["f1"]}, {"name": "Cy"}],
     "tags": [{"name": "old"}, {"name": "long"}],
     "books": [
       {"id": "b1", "work_title": "One", "author": "Ada", "tags": ["old", "long"], "shelf": {"room": "attic", "number": 3},
        "pages": 100, "chapters": [{"heading": "Start"}, {"heading": "Middle"}, {"heading": "End"}],
        "editions": [{"number": 1, "year": 1901}, {"number": 2}]},
       {"id": "b2", "work_title": "Two", "author": "Dee", "tags": ["old"]}],
     "films": [{"id": "f1", "work_title": "Three", "author": "Bo", "tags": ["long"], "minutes": 90}]}
    """#

  /// Makes the store in a new file.
  static func make(at file: URL) async throws {
    let store = try await Store(
      at: .file(file), model: Model(yaml: Data(model.utf8)), for: Feeling.self, tracksLocalChanges: true)
    try await store.import(json)
    // The server was asked to take these two, and did not answer.
    try await store.save(Object("Book", ["id": "b1", "pages": 101]))
    try await store.save(Object("Tag", ["name": "new", "works": .links(["f1"])]))
    _ = try await store.exportLocalChanges(store.localChanges())
    try await store.delete("Person", "Cy")
    try await store.rename(Feeling.self, "calm", to: "quiet")
    try store.close()
  }
}
