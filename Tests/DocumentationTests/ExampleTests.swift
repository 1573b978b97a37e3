import Broker
import Foundation
import Testing

/// A store with what the articles speak of.
private func bands(tracksLocalChanges: Bool = false) async throws -> Store {
  let store = try await Store(at: .memory, for: Band.self, tracksLocalChanges: tracksLocalChanges)
  try await store.import(bandsJSON, as: Band.self)
  return store
}

/// What comes of the examples that the articles say something of.
@Suite struct ExampleTests {
  @Test func startingOut() async throws {
    let store = try await Store(at: .memory, for: Band.self)
    let report = try await importing(into: store)
    #expect(report.isComplete)
    #expect(report.inserted == ["Band": 2, "Album": 2, "Musician": 2, "Label": 1])
    #expect(Set(report.pending.map(\.key)) == ["Spirit of Eden", "EMI"])
    #expect(try await !importing(into: store).changesAnything)
    let (japan, albums, bands) = try await asking(store)
    #expect(japan.formed == 1974)
    #expect(albums.map(\.title) == ["Quiet Life", "Tin Drum"])
    #expect(bands.map(\.albums.count) == [2, 0])
    try await changing(store)
    let changed = try await store.find(Band.self, "Japan")
    #expect(changed.formed == 1975)
    #expect(changed.rating == 9)
    #expect(changed.label == nil)
    #expect(try await store.count(Album.all) == 1)
    let json = String(decoding: try await exporting(changed, from: store), as: UTF8.self)
    #expect(json.contains(#""release":{"date":"1981-11-13"}"#), "\(json)")
  }

  // MARK: - Modelling

  @Test func modellingHolds() async throws {
    let store = try await bands()
    try await breakingARule(store)
    #expect(try await store.find(Band.self, "Japan").rating == 8.5)
    let shops = try await Store(at: .memory, for: Shop.self, Show.self, Order.self, Employee.self, Paint.self)
    let report = try await shops.import(
      #"""
      {"shops": [{"id": "6F9619FF-8B86-D011-B42D-00CF4FC964FF", "name": "Rough", "turnover": "12.50",
         "address": {"street": "Talbot Road", "city": "London"}, "media": ["vinyl"], "phones": ["1"]}],
       "shows": [{"country": "UK", "number": "1", "title": "One"}, {"country": "UK", "number": 2, "title": "two"}],
       "employees": [{"name": "Ann", "salary": 10}], "people": [{"name": "Bob", "friends": ["Ann"]}],
       "paints": [{"id": 1, "colour": "ff0000"}]}
      """#)
    #expect(report.issues.map(\.path) == ["$.shows[1].title"])
    let shop = try #require(try await shops.first(Shop.all))
    #expect(shop.address?.city == "London")
    #expect(shop.media == [.vinyl])
    #expect(shop.turnover == Decimal(string: "12.5"))
    #expect(shop.isOpen)
    #expect(try await findingByAComposite(shops).title == "One")
    try await savingParts(shops)
    try await savingParts(shops)
    #expect(try await shops.count(OrderLine.all) == 3)
    let (employees, people) = try await inheriting(shops)
    #expect(employees.map(\.id) == ["Ann"])
    #expect(people.map(\.name) == ["Ann", "Bob"])
    #expect(
      try await identifyingASubEntity(try await Store(at: .memory, for: Review.self)).remark.text == "Quiet.")
    #expect(try await shops.first(Paint.all)?.colour.hex == "ff0000")
    let tracks = try await Store(at: .memory, for: Track.self)
    try await tracks.save(Track(number: 1, title: "Ghosts"))
    #expect(try await tracks.find("CDTrack", "1")["trackID"] == 1)
  }

  @Test func mappingsHold() async throws {
    let stations = try await Store(at: .memory, for: Station.self, Recording.self)
    let report = try await importingStations(stations)
    #expect(report.isComplete)
    #expect(report.unmatchedKeys == ["Station": ["platforms": 1]])
    let station = try await stations.find(Station.self, 7)
    #expect(station.name == "Gare")
    #expect(station.latitude == 48.84)
    #expect(station.note == nil)
    #expect(station.isOpen == true)
    #expect(station.checked == Date(timeIntervalSince1970: 1_700_000_000))
    try await stations.import(#"[{"id": 1, "kind": "bootleg"}]"#, as: Recording.self)
    #expect(try await stations.find(Recording.self, 1).kind == .other("bootleg"))
    let issue = try await importingAnUnknownCase(try await bands()).issues.first
    #expect(issue?.path == "$[0].genre")
    #expect(issue?.expected == #"one of "rock", "pop", "ambient""#)
    let mapped = try await mappingApart()
    try await mapped.import(
      #"{"acts": [{"name": "Japan", "details": {"founded": 1974}, "label": "Hansa"}]}"#)
    #expect(try await mapped.find(Band.self, "Japan").formed == 1974)
    #expect(try await mapped.exists(Label.self, "Hansa"))
    #expect(cents().functions.transformers.keys.contains("cents"))
  }

  // MARK: - Objects

  @Test func linksAreFollowed() async throws {
    let store = try await bands()
    #expect(try await followingOne(store)?.name == "Japan")
    #expect(try await prefetchingOne(store).map(\.band.formed) == [1974, 1974])
    let (albums, latest, count) = try await followingMany(store)
    #expect(albums.count == count)
    #expect(latest?.title == "Tin Drum")
    #expect(try await prefetchingMany(store).first?.bands.first?.albums.count == 2)
    #expect(try await leavingReferences(store).pendingCount == 1)
    try await store.save(Musician(id: 3, name: "Richard Barbieri", bands: ToMany()))
    _ = try await changingLinks(store)
    let japan = try await store.find(Band.self, "Japan")
    #expect(try await store.fetch(japan.members).map(\.id) == [1, 3])
    try await cascading(store)
    #expect(try await store.fetch(Album.all).map(\.title) == ["Gone to Earth"])
  }

  @Test func queriesFind() async throws {
    let store = try await bands()
    let (two, inThisOrder) = try await byIdentity(store)
    #expect(two.map(\.name) == ["Japan", "Talk Talk"])
    #expect(inThisOrder.map(\.name) == ["Talk Talk", "Japan"])
    #expect(try await byFormat(store).map(\.name) == ["Japan"])
    for query in orders() { _ = try await store.fetch(query) }
    try await alongWithRelationships(store)
    let (first, count, isThere, found, japan) = try await singleQuestions(store)
    #expect(first?.name == japan.name)
    #expect(count == 1)
    #expect(isThere)
    #expect(found == nil)
    try await oneAfterAnother(store)
    try await showingSQL(store)
    #expect(try await queryingByName(store).map(\.identity) == ["Japan", "Talk Talk"])
  }

  @Test func textsAreSearched() async throws {
    let store = try await Store(at: .memory, for: Essay.self)
    try await store.import(essaysJSON, as: Essay.self)
    #expect(try await searching(store).map(\.id) == [2, 1])
    #expect(
      try await store.read { transaction in
        try searchQueries().map { try transaction.fetch($0).map(\.id) }
      } == [[2], [1], [1, 2]])
    #expect(try await store.fetch(searchFormats()).map(\.id) == [1])
    #expect(
      try await searchHits(store)
        == ["Rock, rock, rock: <Rock>, <rock>, <rock>", "A quiet record: Art <rock> of the best kind"])
  }

  @Test func valuesAreFound() async throws {
    let store = try await bands()
    #expect(try await singleValues(store).map(\.1) == [2, 0])
    let (first, counts, ratings) = try await sumsAndCounts(store)
    #expect(first == 1979)
    #expect(counts == ["Japan": 2])
    #expect(ratings == ["UK": 8.5])
    #expect(try await countsByCountry(store) == ["UK": 1, nil: 1])
    let shops = try await Store(at: .memory, for: Shop.self, Band.self)
    try await shops.import(
      #"""
      {"shops": [{"id": "6F9619FF-8B86-D011-B42D-00CF4FC964FF", "name": "Rough", "turnover": "12.50",
         "address": {"street": "Talbot Road", "city": "London"}, "media": ["vinyl"], "phones": ["1"]}]}
      """#)
    #expect(try await turnover(shops) == Decimal(string: "12.5"))
    #expect(try await sumsInATransaction(shops).0 == Decimal(string: "12.5"))
  }

  @Test func sqlFindsAndWrites() async throws {
    let store = try await bands()
    #expect(try await bandsBySQL(store).map(\.name) == ["Talk Talk"])
    #expect(try await shares(store).map(\.bands) == [1, 1])
    try await writingSQL(store)
    #expect(try await store.minimum(Album.all, of: \.year) == 1980)
    #expect(try await lendingTheConnection(store)?.hasPrefix("3.") == true)
    #expect(try await store.read { try sqlInATransaction($0, "J%") } == 5)
  }

  @Test func storesAreKept() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let location = StoreLocation.file(folder.appending(path: "bands.sqlite"))
    let store = try await tellingOfSlowStatements(at: location)
    try await store.import(bandsJSON, as: Band.self)
    try await givingSpaceBack(store)
    try await leavingNothing(of: store, at: location)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test func predicatesFind() async throws {
    let store = try await bands()
    let (early, onVirgin, withDrums, late) = conditions()
    #expect(try await store.fetch(early).map(\.name) == ["Japan"])
    #expect(try await store.fetch(onVirgin).map(\.title) == ["Quiet Life", "Tin Drum"])
    #expect(try await store.fetch(withDrums).map(\.name) == ["Japan"])
    #expect(try await store.count(late) == 0)
    #expect(try await store.count(bands(formedBefore: 1982)) == 2)
    #expect(try await askingWithAPredicate(store).map(\.name) == ["Japan"])
  }

  // MARK: - JSON

  @Test func importsOfAllForms() async throws {
    let store = try await bands()
    try await importingValues(store)
    #expect(try await store.find(Band.self, "Rush").formed == 1968)
    let japan = try await store.find(Band.self, "Japan")
    #expect(try await importingOntoAndInto(japan, in: store).rating == 7)
  }

  @Test func importsWithOptions() async throws {
    let store = try await bands()
    let (objects, _) = try await importingObjects(Data(#"[{"name": "Rush"}]"#.utf8), into: store)
    #expect(objects.map(\.formed) == [1970])
    try await catching(Data("[".utf8), into: store)
    try await importingInATransaction(store)
    let japan = try await store.find(Band.self, "Japan")
    #expect(japan.rating == 9)
    #expect(try await store.count(japan.albums.query) == 3)
    let data = Data(#"{"response": {"items": [{"name": "Can", "albums": ["Tago Mago"]}]}}"#.utf8)
    #expect(try await importingWithOptions(data, into: store).inserted == ["Band": 1, "Album": 1])
    #expect(try await dryRun(Data(#"[{"name": "Neu"}]"#.utf8), into: store).inserted == ["Band": 1])
    #expect(try await !store.exists(Band.self, "Neu"))
    let pages = try await importingPages(
      Data(#"[{"name": "A"}]"#.utf8), Data(#"[{"name": "B"}]"#.utf8), into: store)
    #expect(pages.inserted == ["Band": 2])
  }

  @Test func changesAndPrunes() async throws {
    let store = try await bands()
    #expect(try await saving(store).formed == 1975)
    #expect(try await updating(store).rating == 9)
    try await insertingInATransaction(store)
    #expect(try await store.find(Album.self, "2112").band.id == "Rush")
    #expect(try await deleting(store) == 1)
    let held = try await pruning(#"[{"name": "Japan"}]"#, in: store)
    #expect(held.issueCount == 1)
    #expect(try await store.count(Band.all) == 3)
    let some = try await pruningSome(#"[{"name": "Japan"}]"#, in: store)
    #expect(some.deleted["Band"] == 1)
    let japan = try await store.find(Band.self, "Japan")
    #expect(try await pruningAList(of: japan, in: store).isComplete)
  }

  @Test func manyChangeAtOnce() async throws {
    let store = try await bands()
    try await store.save(Musician(id: 9, name: "Nobody", bands: ToMany()))
    try await store.save(Label(name: "EMI", country: nil, bands: ToMany()))
    #expect(try await changingMany(store) == 1)
    #expect(try await store.fetch(Band.all).map(\.label?.id) == ["EMI", "EMI"])
    #expect(try await store.maximum(Band.all, of: \.rating) == nil)
  }

  @Test func exportsOfAllForms() async throws {
    let store = try await bands()
    let japan = try await store.find(Band.self, "Japan")
    let (one, list) = try await exportingOneAndSome(japan, from: store)
    #expect(String(decoding: one, as: UTF8.self).hasPrefix(#"{"name":"Japan","description":"New wave""#))
    #expect(String(decoding: list, as: UTF8.self).hasPrefix("[\n"))
    let nested = String(decoding: try await nestingByName(japan, from: store), as: UTF8.self)
    #expect(nested.contains(#""label":{"name":"Virgin""#))
    #expect(nested.contains(#""members":[2,1]"#))
    let lines = String(decoding: try await choosingAForm(store), as: UTF8.self)
    #expect(lines.split(separator: "\n").count == 2)
    let (bands, albums) = try await exportingAtOneMoment(store)
    #expect(bands.count > albums.count)
    #expect(try encoding() == #"{"formed":1968,"name":"Rush"}"#)
    try await answering(Response(), from: store)
  }

  // MARK: - Over time

  @Test func localChangesHold() async throws {
    let store = try await bands(tracksLocalChanges: true)
    try await changingOffline(store)
    let changes = try await store.localChanges()
    #expect(
      changes.map { "\($0.kind) \($0.entity) \($0.identity) \($0.properties)" } == [
        "updated Band Japan [\"formed\"]", "inserted Label Hansa []",
      ])
    let json = try await store.exportLocalChanges(changes)
    // As the article has it, but for the spaces.
    let shown = Block.all(in: try Repository.text("Sources/Broker/Broker.docc/OfflineChanges.md"))
      .first { $0.language == "json" }?.text
    let compact = shown?.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined()
      .replacing(": ", with: ":").replacing(", ", with: ",")
    #expect(compact == String(decoding: json, as: UTF8.self))
    #expect(try await importingOverAChange(store).keptLocal == ["Band": 1])
    #expect(try await store.find(Band.self, "Japan").formed == 1975)
    try await takingTheAnswer(#"[{"name": "Japan", "formed": 1973}]"#, to: changes, in: store)
    #expect(try await store.find(Band.self, "Japan").formed == 1973)
    #expect(try await store.localChanges() == [])
    try await changingOffline(store)
    _ = try await lettingTheServerWin(#"[{"name": "Japan", "formed": 1974}]"#, in: store)
    #expect(try await store.find(Band.self, "Japan").formed == 1974)
    try await tellingOneByOne(Server(), of: store)
    #expect(try await store.localChanges() == [])
    try await store.save(Label(name: "Draft", country: "DE", bands: ToMany()))
    let draft = try #require(try await store.localChanges().first)
    try await creating(draft, at: Server(), in: store)
    #expect(try await store.exists(Label.self, "Hansa-1"))
    #expect(try await !store.exists(Label.self, "Draft"))
    #expect(try await store.localChanges() == [])
  }

  @Test func othersFindTheirWay() async throws {
    let store = try await bands()
    #expect(try await fetchingLikeCoreData(store).isEmpty)
    try await changingLikeCoreData(store)
    #expect(try await store.fetch(Album.all).map(\.title) == ["Tin Drum"])
    let trips = try await Store(at: .memory, for: Trip.self)
    #expect(try await tripsOfAllKinds(trips).first?.stops.map(\.place) == ["Lyon"])
    #expect(try await trips.count(Stop.all) == 0)
    let library = try await Store(at: .memory, for: Author.self)
    #expect(try await writingAndReading(library).map(\.year) == [1972])
    #expect(try await fetchingAssociations(library).first?.books.count == 1)
  }

  @Test func tenTasksOfRealm() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "dogs.sqlite")
    let store = try await openingLikeRealm(file)
    let json = Data(
      #"""
      [{"name": "Ann", "joined": "2024-05-01", "dogs": [{"id": "1", "name": "Rex", "age": "3"}, {"id": 3, "name": "Ray", "age": 1}]},
       {"name": "Bob", "joined": "soon", "dogs": [{"id": 2, "name": "Fido", "age": 9}]}]
      """#.utf8)
    let report = try await importingKeepers(json, into: store)
    #expect(report.inserted == ["Keeper": 2, "Dog": 3])
    #expect(report.issues.map(\.path) == ["$[1].joined"])
    #expect(try await findingByTheKey(store)?.joined == Date(timeIntervalSince1970: 1_714_521_600))
    let (dogs, keepers) = try await askingLikeRealm(store)
    #expect(dogs.map(\.name) == ["Rex"])
    #expect(Set(keepers.map(\.name)) == ["Ann", "Bob"])
    #expect(try await changingADog(store).age == 4)
    let ann = try await changingDogs(store)
    #expect(try await Set(store.fetch(ann.dogs).map(\.id)) == [2, 3])
    #expect(try await store.find(Dog.self, 1).keeper == nil)
    for try await dogs in store.observe(Dog.sorted(by: \.name)) {
      #expect(dogs.map(\.name) == ["Fido", "Ray", "Rex"])
      break
    }
    try await deletingAKeeper(store)
    #expect(try await store.fetch(Dog.all).map(\.name) == ["Rex"])
    try store.close()
    var options = Store.Options()
    options.migration = .automatic.allowing(.removals)
    let after = try await Store(at: .file(file), for: AfterRealm.Dog.self, options: options)
    #expect(try await after.find(AfterRealm.Dog.self, 1).years == 4)
  }

  @Test func tenTasksOfSync() async throws {
    let store = try await Store(at: .memory, for: Project.self)
    let json = #"""
      [{"id": 1, "name": "House", "description": "All of it", "tickets": [
         {"id": 11, "title": "Paint", "due_date": "2026-01-02", "watcher_ids": ["ann", "bob"]}]},
       {"id": "2", "name": "Attic"}, {"id": 3, "name": "Barn"}, {"id": 4, "name": "Arch"}, {"id": 5, "name": "Yard"}]
      """#
    let report = try await importingProjects(Data(json.utf8), into: store)
    #expect(report.inserted == ["Project": 5, "Ticket": 1])
    #expect(report.pending.map(\.key) == ["ann", "bob"])
    tellingWhatWaits(report)
    #expect(try await store.find(Project.self, 1).projectDescription == "All of it")
    let list = #"[{"id": 1, "name": "House"}, {"id": 2, "name": "Attic"}, {"id": 3}, {"id": 4}]"#
    #expect(try await pruningProjects(Data(list.utf8), in: store).deleted == ["Project": 1])
    let empty = try await pruningProjects(Data("[]".utf8), in: store)
    #expect(empty.deleted == [:])
    #expect(empty.issues.map(\.path) == ["$"])
    #expect(try await store.count(Project.all) == 4)
    let some = try await pruningSomeProjects(Data(#"[{"id": 2}]"#.utf8), in: store)
    #expect(some.deleted == ["Project": 1])
    #expect(try await store.fetch(Project.sorted(by: \.id)).map(\.id) == [1, 2, 3])
    let tickets = #"[{"id": 12, "title": "Roof"}, {"id": 13, "title": "Door"}]"#
    let ofOne = try await importingTicketsOfAProject(Data(tickets.utf8), into: store)
    #expect(ofOne.inserted == ["Ticket": 2])
    #expect(ofOne.deleted == ["Ticket": 1])
    let one = Data(#"{"id": 12, "title": "New roof", "project_id": 1, "watcher_ids": ["ann"]}"#.utf8)
    #expect(try await importingATicket(one, into: store).0.map(\.title) == ["New roof"])
    let inserted = try await insertingProjects(
      Data(#"[{"id": 1, "name": "Hut"}, {"id": 6, "name": "Well"}]"#.utf8), into: store)
    #expect(inserted.inserted == ["Project": 1])
    let house = try await store.find(Project.self, 1)
    #expect(house.name == "House")
    let body = String(decoding: try await exportingAProject(house, from: store), as: UTF8.self)
    #expect(body.contains(#""title":"New roof""#), "\(body)")
    for try await tickets in store.observe(house.tickets.sorted(by: \.title)) {
      #expect(tickets.map(\.title) == ["Door", "New roof"])
      break
    }
  }

  @Test func commentsHold() async throws {
    let store = try await bands()
    try await store.save(
      Album(title: "Assemblage", released: nil, year: nil, band: ToOne(id: "Japan")))
    try await writing(store)
    #expect(try await store.find(Band.self, "Japan").bandDescription == "Later Rain Tree Crow")
    try await changingByName(store)
    #expect(try await store.find(Band.self, "Japan").formed == 1975)
    #expect(try await askingByName(store).count == 2)
    #expect(try await readingAtOneMoment(store).1 == 2)
    let byHand = try await Store(at: .memory, for: ByHand.Band.self)
    try await byHand.import(#"[{"name": "Japan", "formed": "1974"}]"#, as: ByHand.Band.self)
    #expect(try await byHand.find(ByHand.Band.self, "Japan").formed == 1974)
    #expect(try describing().entities.count == 4)
    #expect(try await store.first(prefetchingDeeply())?.bands.first?.albums.count == 2)
  }
}
