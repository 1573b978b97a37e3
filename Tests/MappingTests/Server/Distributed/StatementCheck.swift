#if PostgreSQL
  /// Looks at a statement of SQL for what Citus refuses where tables are on several servers.
  ///
  /// A table that is named itself, not read ahead by `WITH`, has to be the only one of its query, but for a staging table
  /// whose rows lie with its own. No query may look into it from the rows of a query around.
  struct StatementCheck {
    /// What is wrong, in words; empty if nothing.
    private(set) var problems: [String] = []
    private let tables: Set<String>

    /// - Parameter tables: The names of the tables on several servers.
    init(_ statement: String, tables: Set<String>) {
      self.tables = tables
      var words = SQLWords(statement)
      let all = words.group()
      for (name, isWrong) in Self.forms where isWrong(words.flat) { problems.append(name) }
      check(all, around: [])
    }

    private static let forms: [(String, @Sendable ([String]) -> Bool)] = [
      ("FOR UPDATE", { contains($0, "FOR", "UPDATE") || contains($0, "FOR", "SHARE") }),
      ("MERGE", { $0.first == "MERGE" }), ("LATERAL", { $0.contains("LATERAL") }),
      ("RECURSIVE", { $0.contains("RECURSIVE") }),
      ("TEMP", { contains($0, "CREATE", "TEMP") || contains($0, "CREATE", "TEMPORARY") }),
    ]

    private static func contains(_ words: [String], _ first: String, _ second: String) -> Bool {
      zip(words, words.dropFirst()).contains { $0 == first && $1 == second }
    }

    // MARK: - Queries

    /// A table that a query names.
    private struct Source {
      var name: String
      var alias: String
      var isDirect: Bool
      var isLeftJoined: Bool
      var isStaging: Bool { name.hasPrefix("broker_stage_") }
    }

    private mutating func check(_ group: [SQLWords.Part], around aliases: Set<String>) {
      let sources = sources(of: group)
      let direct = sources.filter(\.isDirect)
      // Rows go from a staging table to its own, which may be named twice then.
      let isStaged = direct.contains(where: \.isStaging)
      if direct.count > 1, !(isStaged && Set(direct.map(\.name)).count == 2) {
        problems.append("joins \(direct.map(\.name).joined(separator: ", "))")
      }
      for source in direct where source.isLeftJoined && !isStaged {
        problems.append("LEFT JOIN \(source.name)")
      }
      let own = Set(sources.map(\.alias))
      if !direct.isEmpty,
        let outer = mentions(group).first(where: { aliases.contains($0) && !own.contains($0) })
      {
        problems.append("looks into \(direct[0].name) from the rows of \(outer)")
      }
      var clause = ""
      for part in group {
        switch part {
        case .word(let word):
          if ["SELECT", "FROM", "WHERE", "SET", "WITH", "ORDER"].contains(word) { clause = word }
        case .group(let inner):
          if ["SELECT", "ORDER"].contains(clause), !direct.isEmpty, !Self.isQuery(inner).isEmpty,
            !self.sources(of: inner).filter(\.isDirect).isEmpty
          {
            problems.append("a query of \(self.sources(of: inner)[0].name) among what is selected")
          }
          check(inner, around: clause == "WITH" || clause == "FROM" ? [] : aliases.union(own))
        case .name, .text: break
        }
      }
    }

    private static func isQuery(_ group: [SQLWords.Part]) -> String {
      if case .word(let word)? = group.first, ["SELECT", "WITH"].contains(word) { word } else { "" }
    }

    /// What stands behind `FROM`, `JOIN`, `UPDATE` and `INTO`.
    private func sources(of group: [SQLWords.Part]) -> [Source] {
      var sources: [Source] = []
      var index = 0
      while index < group.count {
        defer { index += 1 }
        guard case .word(let word) = group[index], ["FROM", "JOIN", "UPDATE", "INTO"].contains(word),
          index + 1 < group.count
        else { continue }
        let isLeft = word == "JOIN" && index > 0 && group[index - 1] == .word("LEFT")
        var name: String
        var last = index + 1
        switch group[last] {
        case .name(let quoted): name = quoted
        case .word(let word): name = word
        default: continue
        }
        // Behind a schema.
        if last + 2 < group.count, group[last + 1] == .word(".") {
          last += 2
          switch group[last] {
          case .name(let quoted): name = quoted
          case .word(let word): name = word
          default: continue
          }
        }
        var alias = name
        if last + 1 < group.count, case .word(let word) = group[last + 1], word.first?.isLowercase == true {
          alias = word
        }
        let isDirect = tables.contains(name) || name.hasPrefix("broker_stage_")
        sources.append(Source(name: name, alias: alias, isDirect: isDirect, isLeftJoined: isLeft))
      }
      return sources
    }

    /// The aliases before a point, here and in what is nested.
    private func mentions(_ group: [SQLWords.Part]) -> [String] {
      var found: [String] = []
      for (index, part) in group.enumerated() {
        switch part {
        case .group(let inner):
          let own = Set(sources(of: inner).map(\.alias))
          found += mentions(inner).filter { !own.contains($0) }
        case .word(let word):
          if index + 1 < group.count, group[index + 1] == .word(".") { found.append(word) }
        case .name, .text: break
        }
      }
      return found
    }
  }

  /// The words of a statement, with what is in parentheses as groups.
  struct SQLWords {
    enum Part: Equatable {
      case word(String)
      /// In quotes.
      case name(String)
      case text
      case group([Part])
    }

    private var characters: ArraySlice<Character>
    /// All words, whatever they are nested in.
    private(set) var flat: [String] = []

    init(_ statement: String) { characters = Array(statement)[...] }

    /// What comes up to the closing parenthesis, or the end.
    mutating func group() -> [Part] {
      var parts: [Part] = []
      while let next = characters.popFirst() {
        switch next {
        case "(": parts.append(.group(group()))
        case ")": return parts
        case "'", "\"":
          let text = quoted(next)
          parts.append(next == "'" ? .text : .name(text))
        case _ where next.isLetter || next == "_" || next == "$":
          var word = String(next)
          while let more = characters.first, more.isLetter || more.isNumber || more == "_" {
            word.append(more)
            characters.removeFirst()
          }
          flat.append(word)
          parts.append(.word(word))
        case _ where next.isWhitespace: break
        default: parts.append(.word(String(next)))
        }
      }
      return parts
    }

    private mutating func quoted(_ mark: Character) -> String {
      var text = ""
      while let next = characters.popFirst() {
        if next != mark {
          text.append(next)
        } else if characters.first == mark {
          text.append(mark)
          characters.removeFirst()
        } else {
          break
        }
      }
      return text
    }
  }
#endif
