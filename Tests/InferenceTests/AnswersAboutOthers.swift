/// Answers in which objects say who others are, by keys, names and words, and what identifies these.
extension AnswerTests {
  static let aboutOthers = [
    Answer(
      testDescription: "a name that each object says twice",
      files: [
        "places.json": list(0..<5) {
          #"{"place_id": 7587746\#($0)9, "osm_id": 624\#($0)2, "name": "Town \#($0)", "namedetails": {"name": "Town \#($0)", "name:de": "Stadt \#($0)"}}"#
        }
      ], objects: ["Place": 5], identities: ["Place": ["placeId"]]),
    Answer(
      testDescription: "relations to others by long identities",
      files: [
        "organizations.json":
          #"{"items": [{"id": "https://ror.org/03vek6s52", "established": 1636, "relationships": [{"label": "B", "type": "child", "id": "https://ror.org/03wevmz92"}, {"label": "C", "type": "child", "id": "https://ror.org/04b6nzv94"}]}, {"id": "https://ror.org/03wevmz92", "established": 1782, "relationships": [{"label": "A", "type": "parent", "id": "https://ror.org/03vek6s52"}]}, {"id": "https://ror.org/04b6nzv94", "established": 1832, "relationships": [{"label": "A", "type": "parent", "id": "https://ror.org/03vek6s52"}]}]}"#
      ], objects: ["Organization": 3, "Relationship": 4],
      links: ["Relationship.relationship": "Organization"], identities: ["Organization": ["id"]]),
    Answer(
      testDescription: "codes of others in the lists of objects with numbers",
      files: [
        "products.json": list(1..<6) {
          #"{"id": \#($0), "sku": "24-MB0\#($0)", "links": [{"sku": "24-MB0\#($0)", "kind": "related", "linked": "24-MB0\#($0 % 5 + 1)"}]}"#
        }
      ], objects: ["Product": 5, "Link": 5], links: ["Product.links": "Link"],
      identities: ["Product": ["id"]]),
    Answer(
      testDescription: "an identity that answers name",
      files: [
        "stack.json": #"{"items": "#
          + list(0..<6) {
            #"{"tags": ["t"], "owner": {"user_id": 22656, "display_name": "J"}, "score": 5, "creation_date": 171000000\#($0), "question_id": 7800000\#($0), "title": "T\#($0)", "answers": [{"owner": {"display_name": "user\#($0)"}, "score": 2, "answer_id": 7800010\#($0), "question_id": 7800000\#($0)}]}"#
          } + #", "has_more": false}"#
      ], objects: ["Stack": 6, "Answer": 6], identities: ["Stack": ["questionId"], "Answer": ["answerId"]]),
    Answer(
      testDescription: "a key that is no UUID beside those that are",
      files: [
        "terms.json":
          #"{"data": [{"type": "terms", "id": "0b4e0c7e-4a6c-4f0e-9d0f-3f0a6a0c7b11", "attributes": {"name": "News"}, "relationships": {"parent": {"data": [{"type": "terms", "id": "virtual"}]}}}, {"type": "terms", "id": "5d1c9a52-7a0e-4d55-8a43-8d2f0c3a9e22", "attributes": {"name": "Local"}, "relationships": {"parent": {"data": [{"type": "terms", "id": "0b4e0c7e-4a6c-4f0e-9d0f-3f0a6a0c7b11"}]}}}]}"#
      ], objects: ["Term": 2], links: ["Term.parent": "Term"], words: ["virtual", #""type":"terms""#]),
    Answer(
      testDescription: "forms of objects with their names",
      files: [
        "monsters.json": list(1..<7) {
          #"{"id": \#($0), "name": "monster-\#($0)", "height": \#($0 * 7), "forms": [{"name": "monster-\#($0)", "url": "https://x.org/api/monster-form/\#($0)/"}]}"#
        }
      ], objects: ["Monster": 6, "MonsterForm": 6], identities: ["Monster": ["id"]]),
    Answer(
      testDescription: "what entries say of themselves, in lists of a document",
      files: [
        "page.json": #"{"sys": {"type": "Array"}, "total": 2, "items": "#
          + list(0..<3) {
            #"{"sys": {"id": "5KsDBWseXY6QegucYAoac\#($0)", "type": "Entry"}, "fields": {"title": "t\#($0)", "image": {"sys": {"type": "Link", "linkType": "Asset", "id": "6Od9v3wzLOysiMum0Wkmm\#($0 % 2)"}}}}"#
          } + #", "includes": {"Asset": "#
          + list(0..<2) {
            #"{"sys": {"id": "6Od9v3wzLOysiMum0Wkmm\#($0)", "type": "Asset"}, "fields": {"title": "i\#($0)", "file": {"url": "//x.org/\#($0).png"}}}"#
          } + "}}"
      ], objects: ["Record": 1, "Item": 3, "Asset": 2], links: ["Item.image": "Asset"],
      identities: ["Item": ["id"], "Asset": ["id"]]),
    Answer(
      testDescription: "roles of people who say to be users",
      files: [
        "tasks.json": list(0..<3) {
          #"{"gid": "1200\#($0)", "name": "t\#($0)", "assignee": {"gid": "77\#($0 % 2)", "resource_type": "user", "name": "U\#($0 % 2)"}, "followers": [{"gid": "770", "resource_type": "user", "name": "U0"}]}"#
        }
      ], objects: ["Task": 3, "User": 2], links: ["Task.assignee": "User", "Task.followers": "User"]),
    Answer(
      testDescription: "an identity that ends the key of its objects",
      files: [
        "accounts.json": #"{"value": "#
          + list(0..<4) {
            #"{"accountid": "3f6f3c43-000\#($0)-4000-8000-000000000001", "name": "N\#($0)", "primarycontactid": {"contactid": "aa000000-000\#($0 % 2)-4000-8000-000000000001", "fullname": "F\#($0 % 2)"}}"#
          } + "}"
      ], objects: ["Account": 4, "Primarycontactid": 2],
      identities: ["Account": ["accountid"], "Primarycontactid": ["contactid"]]),
    Answer(
      testDescription: "pages of objects",
      files: [
        "boards.json":
          #"{"data": {"boards": [{"id": "1234567890", "name": "M", "items_page": {"cursor": null, "items": [{"id": "5555000001", "name": "A"}, {"id": "5555000002", "name": "B"}]}}]}}"#
      ], objects: ["Board": 1, "Item": 2], links: ["Board.items": "Item"]),
    Answer(
      testDescription: "numbers of members that loans name",
      files: [
        "members.json":
          #"{"members": [{"member_no": "M-1001", "name": "A"}, {"member_no": "M-1002", "name": "B"}, {"member_no": "M-1003", "name": "C"}]}"#,
        "loans.json":
          #"{"loans": [{"loan_id": 70001, "member_no": "M-1001"}, {"loan_id": 70002, "member_no": "M-1003"}, {"loan_id": 70003, "member_no": "M-1001"}]}"#,
      ], objects: ["Member": 3, "Loan": 3], links: ["Loan.member": "Member"],
      identities: ["Member": ["memberNo"]]),
  ]
}
