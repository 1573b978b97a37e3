import JSONStream

/// The model that an expert makes of a service's documents, as `expert.txt` beside them says it.
///
/// ```
/// Issue = id | node_id @ issues.json[]
/// User = id | login @ issues.json[].user, issues.json[].assignees[]
/// Reactions = none @ issues.json[].reactions
/// Issue.user -> User
/// Issue.assignees => User
/// ?Issue.repository_url -> Repository
/// ```
///
/// An entity has its identities, any of which will do: keys of JSON, several with commas between them, `^` for the owner,
/// `none` for objects that nothing identifies. After them come the places of its objects. A link has the key of JSON that
/// tells it. A question mark stands before a link that nobody has to find.
struct ExpertModel {
  struct Entity {
    var name: String
    /// The sets of keys that may identify its objects.
    var identities: [Set<String>] = []
    var mayHaveNone = false
    var places: [Place] = []
  }

  struct Link {
    var source: String
    var key: String
    var target: String
    var isToMany: Bool
    var isExpected: Bool
  }

  var entities: [Entity] = []
  var links: [Link] = []

  init(_ text: String, files: [String]) throws {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " = ", maxSplits: 1)
      if parts.count == 2 {
        try entities.append(Entity(name: String(parts[0]), parts[1], files: files))
      } else {
        try links.append(Link(line))
      }
    }
    let names = Set(entities.map(\.name))
    for link in links where !names.contains(link.source) || !names.contains(link.target) {
      throw ExpertError("\(link.source).\(link.key) leads from or to an entity that is not there")
    }
  }

  /// The entity whose objects stand at a path in a file.
  func entity(at path: [PathPart], in file: String) -> Int? {
    entities.firstIndex { entity in entity.places.contains { $0.file == file && $0.matches(path) } }
  }
}

extension ExpertModel.Entity {
  fileprivate init(name: String, _ text: Substring, files: [String]) throws {
    self.name = name
    let halves = text.split(separator: " @ ")
    guard halves.count == 2 else { throw ExpertError("\(name) has no places") }
    for identity in halves[0].split(separator: " | ") {
      if identity == "none" {
        mayHaveNone = true
      } else {
        identities.append(Set(identity.split(separator: ",").map { normalized(lastKey(String($0))) }))
      }
    }
    places = try halves[1].split(separator: ", ").map { try Place(String($0), files: files) }
  }
}

extension ExpertModel.Link {
  fileprivate init(_ line: Substring) throws {
    isExpected = !line.hasPrefix("?")
    let text = isExpected ? line : line.dropFirst()
    isToMany = text.contains(" => ")
    let ends = text.split(separator: isToMany ? " => " : " -> ")
    guard ends.count == 2, let dot = ends[0].firstIndex(of: ".") else {
      throw ExpertError("“\(line)” is neither an entity nor a link")
    }
    source = String(ends[0][..<dot])
    key = normalized(lastKey(String(ends[0][ends[0].index(after: dot)...])))
    target = String(ends[1])
  }
}

/// A step on the way from the root of a document to a value.
enum PathPart: Hashable {
  case key(String)
  case element(Int)
}

/// Where in a file objects stand: `works.json.results[].author`, `query.json.pages.*`, `rows.json[1][]`.
struct Place {
  private enum Step {
    case key(String)
    case element(Int)
    case anyElement
    case anyKey
  }

  let file: String
  private var steps: [Step] = []

  init(_ text: String, files: [String]) throws {
    let named = files.filter { text.hasPrefix($0) }.max { $0.utf8.count < $1.utf8.count }
    guard let named else { throw ExpertError("“\(text)” is in no file that is there") }
    file = named
    for part in text.dropFirst(named.count).split(separator: ".") {
      let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
      if let key = pieces.first, !key.isEmpty { steps.append(key == "*" ? .anyKey : .key(String(key))) }
      for piece in pieces.dropFirst() { steps.append(Int(piece.dropLast()).map(Step.element) ?? .anyElement) }
    }
  }

  func matches(_ path: [PathPart]) -> Bool {
    guard path.count == steps.count else { return false }
    return zip(steps, path).allSatisfy { step, part in
      switch (step, part) {
      case (.key(let name), .key(let key)): name == key
      case (.element(let number), .element(let index)): number == index
      case (.anyElement, .element), (.anyKey, .key): true
      default: false
      }
    }
  }
}

/// What is wrong with an `expert.txt`.
struct ExpertError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// A key without case, underscores and other signs.
func normalized(_ key: String) -> String {
  key == "^" ? key : key.lowercased().filter { $0.isLetter || $0.isNumber }
}

/// The last key of a path.
func lastKey(_ path: String) -> String { path.split(separator: ".").last.map(String.init) ?? path }
