import Broker
import Foundation

extension PredicateCase {
  static let texts: [PredicateCase] = {
    var cases: [PredicateCase] = []
    cases.append(.init("text ==", #Predicate { $0.subtitle == "日本" }))
    cases.append(.init("text with a line break", #Predicate { $0.subtitle == "a\nb" }))
    cases.append(.init("text with signs", #Predicate { $0.subtitle == "%_'\"\\" }))
    cases.append(.init("empty text", #Predicate { $0.title == "" }))
    cases.append(.init("text <", #Predicate { $0.title < "a" }))
    cases.append(.init("text > beyond ASCII", #Predicate { $0.title > "ä" }))
    cases.append(.init("isEmpty", #Predicate { $0.title.isEmpty }))
    cases.append(.init("isEmpty of an optional", #Predicate { $0.subtitle?.isEmpty == true }))
    cases.append(.init("isEmpty ??", #Predicate { $0.subtitle?.isEmpty ?? true }))
    cases.append(.init("count", #Predicate { $0.title.count > 4 }))
    cases.append(.init("count of what people see", #Predicate { $0.subtitle?.count == 8 }))
    cases.append(.init("count, none", #Predicate { ($0.subtitle?.count ?? -1) < 1 }))
    cases.append(.init("contains", #Predicate { $0.title.contains("Heights") }))
    cases.append(
      .init("contains, by case", #Predicate { $0.title.contains("heights") || $0.title.contains("ä") }))
    cases.append(.init("contains a sign of LIKE", #Predicate { $0.title.contains("%") }))
    cases.append(.init("contains nothing", distinguishes: false, #Predicate { $0.title.contains("") }))
    cases.append(.init("contains an attribute", #Predicate { $0.title.contains($0.subtitle ?? "none") }))
    cases.append(.init("is contained", #Predicate { "Wuthering Heights".contains($0.title) }))
    cases.append(.init("starts", #Predicate { $0.title.starts(with: "Wuthering") }))
    cases.append(.init("starts beyond ASCII", #Predicate { $0.title.starts(with: "äö") }))
    cases.append(.init("starts with nothing", distinguishes: false, #Predicate { $0.title.starts(with: "") }))
    cases.append(.init("starts with an attribute", #Predicate { $0.title.starts(with: $0.subtitle ?? "Z") }))
    let expression = /^[a-z].*\d$/
    cases.append(.init("regular expression", #Predicate { $0.title.contains(expression) }))
    let cases2 = /(?i)heights|STRASSE|ß/
    cases.append(.init("regular expression, any case", #Predicate { $0.title.contains(cases2) }))
    let titles = ["", "Odd", "日本 5"]
    cases.append(.init("list contains", #Predicate { titles.contains($0.title) }))
    return cases
  }()

  static let links: [PredicateCase] = {
    var cases: [PredicateCase] = []
    cases.append(.init("a property behind a link", #Predicate { $0.artist.name == "Kate" }))
    cases.append(.init("… that is not", #Predicate { $0.artist.name != "Kate" }))
    cases.append(.init("an optional property", #Predicate { $0.artist.founded == 1978 }))
    cases.append(.init("… == nil, pending too", #Predicate { $0.artist.founded == nil }))
    cases.append(.init("the id of a link", #Predicate { $0.artist.id == "Kate" }))
    cases.append(.init("the id of one that has not arrived", #Predicate { $0.artist.id == "?" }))
    let kate = ToOne<Artist>(id: "Kate")
    let pending = ToOne<Artist>(id: "?")
    cases.append(.init("a link", #Predicate { $0.artist == kate }))
    cases.append(.init("a link to what has not arrived", #Predicate { $0.artist == pending }))
    cases.append(.init("not a link", #Predicate { $0.artist != pending }))
    let both = [kate, pending]
    cases.append(.init("one of some links", #Predicate { both.contains($0.artist) }))
    let original: ToOne<Track>? = ToOne(id: "Odd")
    let lost: ToOne<Track>? = ToOne(id: "Lost")
    cases.append(.init("an optional link", #Predicate { $0.original == original }))
    cases.append(.init("… to what has not arrived", distinguishes: false, #Predicate { $0.original == lost }))
    cases.append(.init("… that is none", #Predicate { $0.original == nil }))
    cases.append(.init("… that is one", #Predicate { $0.original != nil }))
    cases.append(.init("… that is another", #Predicate { $0.original != original }))
    cases.append(.init("the id of an optional link", #Predicate { $0.original?.id == "Odd" }))
    cases.append(.init("… is nil", #Predicate { $0.original?.id == nil }))
    cases.append(.init("behind an optional link", #Predicate { $0.original?.plays == 1000 }))
    cases.append(.init("… or not", #Predicate { $0.original?.plays != 1000 }))
    cases.append(.init("… ordered", #Predicate { ($0.original?.plays ?? 0) > 100 }))
    cases.append(.init("object", #Predicate { $0.artist.object?.founded == 1978 }))
    cases.append(.init("two links", #Predicate { $0.original?.artist?.name == "Kate" }))
    cases.append(.init("… to an id", #Predicate { $0.original?.artist?.id == "Kate" }))
    cases.append(.init("… from a required one", #Predicate { $0.artist.home?.height == 10 }))
    cases.append(.init("… to what may be missing", #Predicate { $0.artist.home == nil }))
    let home: ToOne<Place>? = ToOne(id: TrackStore.places[0].id)
    cases.append(.init("an identity of several parts", #Predicate { $0.artist.home == home }))
    cases.append(.init("… that is another", #Predicate { $0.artist.home != home }))
    let id: Place.ID? = TrackStore.places[1].id
    cases.append(.init("… by its id", #Predicate { $0.artist.home?.id == id }))
    let homes: [ToOne<Place>?] = [home, nil]
    cases.append(.init("… among some", #Predicate { homes.contains($0.artist.home) }))
    cases.append(.init("a link to the object itself", #Predicate { ($0.original?.id ?? "Odd") == $0.title }))
    cases.append(.init("links ==", #Predicate { ($0.original?.artist ?? kate) == $0.artist }))
    cases.append(.init("text behind a link", #Predicate { $0.artist.name?.contains("a") == true }))
    cases.append(.init("?? behind a link", #Predicate { ($0.artist.name ?? "none") == "none" }))
    return cases
  }()

  static let lists: [PredicateCase] = {
    var cases: [PredicateCase] = []
    cases.append(.init("isEmpty", #Predicate { $0.fans.isEmpty }))
    cases.append(.init("count", #Predicate { $0.fans.count == 2 }))
    cases.append(.init("count, what has arrived", #Predicate { $0.fans.count > 2 }))
    cases.append(.init("contains where", #Predicate { $0.fans.contains { $0.age == 20 } }))
    cases.append(.init("contains none", #Predicate { !$0.fans.contains { $0.age == 20 } }))
    cases.append(.init("contains an id", #Predicate { $0.fans.contains { $0.id == 4 } }))
    cases.append(.init("contains nil", #Predicate { $0.fans.contains { $0.nick == nil } }))
    cases.append(.init("all", #Predicate { $0.fans.allSatisfy { $0.age > 19 } }))
    cases.append(.init("all, with nil", #Predicate { $0.fans.allSatisfy { $0.nick != "Ann" } }))
    cases.append(.init("not all", #Predicate { !$0.fans.allSatisfy { $0.nick != "Ann" } }))
    cases.append(.init("outer object", #Predicate { track in track.fans.contains { $0.age > track.plays } }))
    cases.append(.init("filter count", #Predicate { $0.fans.filter { $0.age > 19 }.count >= 2 }))
    cases.append(.init("filter isEmpty", #Predicate { $0.fans.filter { $0.age > 30 }.isEmpty }))
    cases.append(
      .init("filter contains", #Predicate { $0.fans.filter { $0.age > 19 }.contains { $0.nick == "Ann" } }))
    cases.append(
      .init(
        "filter filter", #Predicate { $0.fans.filter { $0.age > 19 }.filter { $0.nick != nil }.count == 1 }))
    cases.append(.init("filter all", #Predicate { $0.fans.filter { $0.age < 30 }.allSatisfy { $0.id > 0 } }))
    cases.append(.init("link in a list", #Predicate { $0.fans.contains { $0.friend?.nick == "Ann" } }))
    cases.append(.init("no link in a list", #Predicate { $0.fans.contains { $0.friend == nil } }))
    cases.append(.init("all have no link", #Predicate { $0.fans.allSatisfy { $0.home == nil } }))
    cases.append(
      .init("list in a list", #Predicate { $0.fans.contains { $0.tracks.contains { $0.plays == 1000 } } }))
    cases.append(.init("count in a list", #Predicate { $0.fans.contains { $0.tracks.count > 22 } }))
    cases.append(
      .init("lists nested", #Predicate { $0.fans.allSatisfy { $0.tracks.contains { $0.title == "Odd" } } }))
    cases.append(.init("list of a link", #Predicate { ($0.artist.tracks?.count ?? 0) > 12 }))
    cases.append(.init("… is nil", #Predicate { $0.artist.tracks?.isEmpty == nil }))
    cases.append(.init("… contains", #Predicate { $0.artist.tracks?.contains { $0.isLive } ?? false }))
    cases.append(.init("list of an optional link", #Predicate { $0.original?.fans?.isEmpty == true }))
    cases.append(.init("… counted", #Predicate { $0.original?.fans?.count != 0 }))
    return cases
  }()
}
