import Broker
import Foundation
import Testing

@Entity(identified: false) struct Memo: Codable {
  var text: String?
  var sheet: ToOne<Sheet>?
  var marks: ToMany<Stamp> = ToMany()
}

@Entity struct Snap {
  @Inherited var memo: Memo
  @Identity var number: Int
  var title: String?
  @Relationship(inverse: \Tagger.snaps) var taggers: ToMany<Tagger> = ToMany()
}

@Entity struct WideSnap {
  @Inherited var snap: Snap
  var width = 0
}

@Entity struct Sheet {
  @Identity var name: String
  @Relationship(inverse: \Memo.sheet, ordered: true) var memos: ToMany<Memo>
}

@Entity struct Stamp {
  var id: Int
  @Relationship(inverse: \Memo.marks) var memo: ToOne<Memo>?
}

@Entity struct Tagger {
  var id: String
  var snaps: ToMany<Snap>
}

@Entity struct Folder {
  var id: Int
  var cover: ToOne<Snap>?
}

@Entity struct Named {
  var id: Int
}

@Entity struct NumberedHeir {
  @Inherited var named: Named
  @Identity var number: Int
}

@Entity struct Take {
  @Inherited var memo: Memo
  @Identity var disc: String
  @Identity var track: Int
}

/// Types that have an identity of their own, since what they inherit has none.
@Suite struct OwnIdentityTypeTests {
  private func store(tracking: Bool = false) async throws -> Store {
    try await Store(
      at: .memory, for: WideSnap.self, Take.self, Sheet.self, Folder.self, tracksLocalChanges: tracking)
  }

  private let json = """
    {"snaps": [{"number": 1, "title": "a", "text": "x", "taggers": ["t"]}, {"number": 2}],
     "wide_snaps": [{"number": 3, "width": 900}], "folders": [{"id": 5, "cover": 2}, {"id": 6, "cover": 9}],
     "taggers": [{"id": "t"}],
     "sheets": [{"name": "p", "memos": [{"text": "one"}, {"type": "snap", "number": 2, "text": "two"}]}]}
    """

  private func filled(tracking: Bool = false) async throws -> Store {
    let store = try await store(tracking: tracking)
    let report = try await store.import(json)
    #expect(report.issues.isEmpty, "\(report.issues)")
    return store
  }

  @Test("they are saved, found and deleted by it")
  func savingAndFinding() async throws {
    let store = try await store()
    let saved = try await store.save(Snap(memo: Memo(text: "x"), number: 7, title: "a"))
    #expect(saved.id == 7)
    #expect(saved.memo.text == "x")
    try await store.save(Snap(memo: Memo(text: "y"), number: 7))
    try await store.save(WideSnap(snap: Snap(memo: Memo(), number: 8), width: 3))
    try await store.save(Take(memo: Memo(text: "z"), disc: "a,b", track: 7))
    #expect(try await store.count(Memo.all) == 3)
    #expect(try await store.find(Snap.self, 7).memo.text == "y")
    #expect(try await store.find(WideSnap.self, 8).snap.number == 8)
    #expect(try await store.find(Take.self, Take.ID(disc: "a,b", track: 7)).memo.text == "z")
    #expect(try await store.fetch(Snap.all.sorted(by: \.number)).map(\.id) == [7, 8])
    #expect(try await store.fetch(Snap.filter(#Predicate { $0.memo.text == "y" })).map(\.id) == [7])
    #expect(try await store.fetch(Snap.filter(ids: [8, 9])).map(\.id) == [8])
    await #expect(throws: SaveError.self) { try await store.insert(Snap(memo: Memo(), number: 7)) }
    try await store.update(Snap.self, 7) { $0.memo.text = "w" }
    try await store.rename(Snap.self, 7, to: 70)
    #expect(try await store.find(Snap.self, 70).memo.text == "w")
    try await store.delete(Snap.self, 70)
    await #expect(throws: ObjectNotFound.self) { try await store.find(Snap.self, 70) }
    #expect(try await store.count(Memo.all) == 2)
  }

  @Test("relationships lead to them by it, be they there or not")
  func relationships() async throws {
    let store = try await filled()
    #expect(try await store.find(Folder.self, 5).cover?.id == 2)
    #expect(try await store.find(Folder.self, 6).cover == nil)
    try await store.save(Snap(memo: Memo(), number: 9))
    #expect(try await store.find(Folder.self, 6).cover?.id == 9)
    try await store.save(Folder(id: 7, cover: ToOne(id: 3)))
    let covered = Folder.filter(#Predicate { $0.cover?.id == 3 }).prefetching(\.cover)
    #expect(try await store.fetch(covered).first?.cover?.object?.number == 3)
    try await store.update(Tagger.self, "t") { tagger in
      tagger.snaps.insert(id: 3)
      tagger.snaps.insert(id: 11)
    }
    let tagger = Tagger.all.prefetching(\.snaps)
    #expect(try await store.fetch(tagger).first?.snaps.objects?.map(\.number).sorted() == [1, 3])
    try await store.save(Snap(memo: Memo(), number: 11))
    #expect(try await store.fetch(tagger).first?.snaps.objects?.map(\.number).sorted() == [1, 3, 11])
    try await store.delete(Snap.self, 3)
    #expect(try await store.find(Folder.self, 7).cover == nil)
  }

  @Test("they are read, changed and linked as what they inherit from")
  func bases() async throws {
    let store = try await filled()
    let snap = try await store.find(Snap.self, 2)
    var memo = try #require(try await store.fetch(Memo.filter(#Predicate { $0.text == "two" })).first)
    #expect(memo.id == snap.memo.id)
    #expect(memo.id.description == "Snap,2")
    #expect(try await store.find(Memo.self, memo.id).text == "two")
    #expect(try await store.first(memo.as(Snap.self))?.number == 2)
    #expect(try await store.count(memo.as(WideSnap.self)) == 0)
    memo.text = "new"
    try await store.save(memo)
    #expect(try await store.find(Snap.self, 2).memo.text == "new")
    try await store.save(Stamp(id: 1, memo: ToOne(memo)))
    try await store.save(Stamp(id: 2, memo: ToOne(id: memo.id)))
    #expect(try await store.find(Stamp.self, 2).memo?.id == memo.id)
    #expect(try await store.fetch(snap.memo.marks.query.sorted(by: \.id)).map(\.id) == [1, 2])
    let coded = try JSONDecoder().decode(RowID.self, from: JSONEncoder().encode(memo.id))
    #expect(coded == memo.id)
    #expect(try await store.count(Snap.all) == 3)
    try await store.delete(Memo.self, memo.id)
    #expect(try await store.fetch(Snap.all.sorted(by: \.number)).map(\.id) == [1, 3])
  }

  @Test("a list of what they inherit from keeps them, wherever they are in it")
  func lists() async throws {
    let store = try await filled()
    let query = Sheet.all.prefetching(\.memos)
    var sheet = try #require(try await store.fetch(query).first)
    #expect(sheet.memos.objects?.map(\.text) == ["one", "two"])
    sheet.memos.insert(Memo(text: "three"))
    try await store.save(sheet)
    sheet = try #require(try await store.fetch(query).first)
    #expect(sheet.memos.objects?.map(\.text) == ["one", "two", "three"])
    #expect(try await store.find(Snap.self, 2).memo.text == "two")
    sheet.memos.remove(id: try #require(sheet.memos.objects?.first?.id))
    try await store.save(sheet)
    sheet = try #require(try await store.fetch(query).first)
    #expect(sheet.memos.objects?.map(\.text) == ["two", "three"])
    #expect(try await store.find(Snap.self, 2).memo.text == "two")
  }

  @Test("the journal and JSON name them by it")
  func journal() async throws {
    let store = try await filled(tracking: true)
    try await store.update(Snap.self, 2) { $0.title = "new" }
    try await store.save(Snap(memo: Memo(), number: -1))
    try await store.delete(Snap.self, 1)
    let changes = try await store.localChanges()
    #expect(
      changes.map { "\($0.kind) \($0.entity) \($0.identity)" } == [
        "updated Snap 2", "inserted Snap -1", "deleted Snap 1",
      ])
    try await store.write { try $0.confirm(changes[1], identity: "20") }
    #expect(try await store.find(Snap.self, 20).id == 20)
    let report = try await store.import(#"[{"number": 2, "title": "server"}]"#, as: Snap.self)
    #expect(report.keptLocal == ["Snap": 1])
    #expect(try await store.find(Snap.self, 2).title == "new")
  }

  @Test("what is exported comes back")
  func exports() async throws {
    let store = try await filled()
    let text = try await store.exportAll()
    let copy = try await self.store()
    let report = try await copy.import(text)
    #expect(report.issues.isEmpty, "\(report.issues)")
    #expect(try await copy.exportAll() == text)
    #expect(try await !copy.import(text).changesAnything)
  }

  @Test("observations follow them")
  func observations() async throws {
    let store = try await filled()
    var object = store.observe(Snap.self, 2).makeAsyncIterator()
    var query = store.observe(Memo.filter(#Predicate { $0.text == "new" })).makeAsyncIterator()
    #expect(try await object.next()??.title == nil)
    #expect(try await query.next()?.isEmpty == true)
    try await store.update(Snap.self, 2) { ($0.title, $0.memo.text) = ("b", "new") }
    #expect(try await object.next()??.title == "b")
    #expect(try await query.next()?.map(\.text) == ["new"])
    try await store.update(Snap.self, 2) { $0.memo.text = "old" }
    #expect(try await query.next()?.isEmpty == true)
  }

  @Test("where what they inherit from has an identity, that is an error")
  func twoIdentities() throws {
    let error = #expect(throws: TypeError.self) { try Model(describing: NumberedHeir.self) }
    #expect(
      "\(try #require(error))".contains(
        "NumberedHeir marks number with @Identity, but inherits the identity id of Named: take @Identity away"
          + " from NumberedHeir, or write @Entity(identified: false) before Named"))
  }

  @Test("types are compared with a model that is there")
  func comparison() async throws {
    let model = try Model(describing: WideSnap.self, Take.self, Sheet.self, Folder.self)
    _ = try await Store(at: .scratch, model: model, for: WideSnap.self, Take.self)
    var other = model
    let snap = try #require(other.entities.firstIndex { $0.name == "Snap" })
    for index in other.entities[snap].attributes.indices {
      let isIt = other.entities[snap].attributes[index].name == "title"
      other.entities[snap].attributes[index].userInfo["broker.identity"] = isIt ? "true" : nil
      other.entities[snap].attributes[index].isOptional = !isIt
    }
    let error = await #expect(throws: TypeError.self) {
      _ = try await Store(at: .scratch, model: other, for: Snap.self)
    }
    #expect(
      "\(try #require(error))".contains("Snap is identified by number in Swift and by title in the model"))
  }
}
