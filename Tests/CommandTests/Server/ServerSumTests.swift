#if PostgreSQL
  import Foundation
  import PostgreSQLServer
  import Testing

  /// Sums and averages that are hard to tell, which a server and a file tell in the same way.
  @Suite(.enabled(if: PostgreSQLServer.isWanted, "no PostgreSQL server"))
  struct ServerSumTests {
    private let folder: Folder
    private let store: String

    init() throws {
      folder = try Folder()
      store = try PostgreSQLServer.required().makeDatabase() + "&schema=sums"
      try folder.write(
        """
        A:
          id: integer64
          t: string?
          bs: [B]
        B:
          id: integer64
          n: integer64?
          d: double?
          a: A?
        """, to: "sums.yaml")
      try folder.write(
        """
        {"A": [{"id": 1, "t": "x"}, {"id": 2, "t": "y"}], "B": [
          {"id": 1, "a": 1, "n": 9223372036854775807, "d": 1e200}, {"id": 2, "a": 1, "n": 1, "d": -1e200},
          {"id": 3, "a": 2, "n": 1, "d": 1}, {"id": 4, "a": 1, "d": 1e200}]}
        """, to: "sums.json")
    }

    /// The answer of a store on a server, which is that of one in a file.
    private func answer(_ arguments: String...) throws -> Outcome {
      var outcomes: [Outcome] = []
      for place in ["sums.sqlite", store] {
        let made = try broker("import", "sums.json", "--model", "sums.yaml", "--store", place, in: folder)
        #expect(made.status == 0, "\(made.error)")
        outcomes.append(try broker(["query"] + arguments + ["--store", place], in: folder))
      }
      #expect(outcomes[0].status == outcomes[1].status, "\(outcomes[1].error)")
      #expect(outcomes[0].output == outcomes[1].output)
      #expect(outcomes[0].error == outcomes[1].error)
      return outcomes[1]
    }

    @Test("a sum beyond 64 bits is said to be one")
    func largeSum() throws {
      #expect(try answer("A", "--select", "id,bs.@sum.n").error.contains("is larger than 64 bits hold"))
    }

    @Test("an average of huge numbers whose sum is none")
    func hugeNumbers() throws {
      #expect(try answer("A", "--select", "id,bs.@avg.d").output.contains("e+199"))
    }

    @Test("objects that are not in the result have sums that cannot be told")
    func otherObjects() throws {
      let answer = try answer(
        "A", "--where", "t MATCHES 'y'", "--select", "id,bs.@sum.n", "--limit", "5", "--format", "csv")
      #expect(answer.status == 0 && answer.output.contains("2,1"), "\(answer.output)\(answer.error)")
    }
  }
#endif
