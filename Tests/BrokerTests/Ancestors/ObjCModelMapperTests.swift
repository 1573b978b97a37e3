import Broker
import Testing

/// What ObjCModelMapper promised.
@Suite("The ancestor ObjCModelMapper: JSON to managed objects")
struct ObjCModelMapperTests {
  private func store() throws -> Store {
    let model = Model(entities: [
      entity(
        "Todo",
        [required("todoId", .integer64), optional("title", .string), optional("done", .boolean)],
        [Relationship(name: "user", destination: "User", inverse: "todos")]),
      entity(
        "User", [required("userId", .integer64), optional("name", .string)],
        [Relationship(name: "todos", destination: "Todo", inverse: "user", isToMany: true)]),
    ])
    return try Store(path: ":memory:", model: model)
  }

  private var options: ImportOptions {
    var options = ImportOptions()
    options.entity = "Todo"
    return options
  }

  @Test("an array into an entity, with a predicate and delete-missing")
  func arrayWithPredicate() throws {
    let store = try store()
    _ = try Importer(store, options).run([
      .string(#"[{"id": 1, "user": 1}, {"id": 2, "user": 1}, {"id": 3, "user": 2}]"#),
      .string(#"[{"id": 4}]"#),
    ])
    var options = options
    options.pruneCondition = try ObjectPredicate(format: "user == %@", [1])
    _ = try Importer(store, self.options).run([
      .string(#"{"users": [{"userId": 1, "name": "a"}, {"userId": 2, "name": "b"}]}"#)
    ])
    let report = try Importer(store, options).run([.string(#"[{"id": 1, "user": 1, "title": "new"}]"#)])
    #expect(report.deletedObjects == [ObjectReference(entity: "Todo", identity: "2")])
    #expect(
      try Exporter.lines("Todo", store).map { $0.prefix(11) } == [
        #"{"todoId":1"#, #"{"todoId":3"#, #"{"todoId":4"#,
      ])
  }

  @Test("id becomes todoId")
  func identity() throws {
    let store = try store()
    _ = try Importer(store, options).run([.string(#"[{"id": "17", "title": "a"}]"#)])
    let report = try Importer(store, options).run([.string(#"[{"id": 17, "title": "b"}]"#)])
    #expect(report.updated == ["Todo": 1])
    #expect(try Exporter.lines("Todo", store) == [#"{"todoId":17,"title":"b"}"#])
  }

  @Test(
    "wrappers are unwrapped",
    arguments: [
      #"[{"todo": {"id": 1, "title": "a"}}, {"todo": {"id": 2, "title": "b"}}]"#,
      #"{"todos": [{"todo": {"id": 1, "title": "a"}}, {"todo": {"id": 2, "title": "b"}}]}"#,
      "{\"todo\": {\"id\": 1, \"title\": \"a\"}}\n{\"todo\": {\"id\": 2, \"title\": \"b\"}}",
    ])
  func wrappers(_ json: String) throws {
    let store = try store()
    let report = try Importer(store, options).run([.string(json)])
    #expect(report.unmatchedKeys == [:])
    #expect(
      try Exporter.lines("Todo", store) == [#"{"todoId":1,"title":"a"}"#, #"{"todoId":2,"title":"b"}"#])
  }

  @Test("the mapped objects are returned, in the order of the JSON, new or not")
  func mappedObjects() throws {
    let store = try store()
    var options = options
    options.listsObjects = true
    _ = try Importer(store, options).run([.string(#"[{"id": 2}]"#)])
    let report = try Importer(store, options).run([
      .string(#"[{"id": 3}, {"id": 2}, {"id": "x"}, {"id": 1, "user": {"id": 8, "name": "u"}}]"#)
    ])
    #expect(report.objects?.map(\.identity) == ["3", "2", "1"])
  }
}
