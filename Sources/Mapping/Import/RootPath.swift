import ObjectModel

/// The way from the root of the JSON to what is imported: `response.items`, `pages[].items`, `data.{country}.*`.
///
/// Besides the steps of key paths there are `*` for any key, `{country}` for any key whose text becomes a value of the
/// objects, and `data|included` for either.
struct RootPath: Sendable {
  enum Step: Sendable {
    case keys([String])
    case anyKey(name: String?)
    case position(Int)
    case elements

    /// The key that it must find; nil if it may find nothing.
    var key: String? {
      if case .keys(let keys) = self { keys.joined(separator: "|") } else { nil }
    }

    func matches(_ key: String) -> Bool {
      switch self {
      case .keys(let keys): keys.contains(key)
      case .anyKey: true
      case .position, .elements: false
      }
    }

    /// Whether it leads into objects, not lists.
    var isInObject: Bool {
      switch self {
      case .keys, .anyKey: true
      case .position, .elements: false
      }
    }
  }

  let text: String
  let steps: [Step]

  /// How many steps lead to an object around the objects: 1 is the innermost.
  func level(_ up: Int) throws(ImportError) -> Int {
    let objects = steps.indices.filter { steps[$0].isInObject }
    guard up > 0, up <= objects.count else { throw ImportError(.noLevel(up, root: text)) }
    return objects[objects.count - up]
  }

  /// The path to the root itself.
  static let root = RootPath()

  private init() {
    text = ""
    steps = []
  }

  /// Reads a path; `$` is the root itself.
  init(_ text: String) throws(JSONKeyPathError) {
    self.text = text
    guard text != "$" else {
      steps = []
      return
    }
    steps = try JSONKeyPath(text).steps.map { step in
      switch step {
      case .position(let position): .position(position)
      case .elements: .elements
      case .key("*"): .anyKey(name: nil)
      case .key(let key) where key.count > 2 && key.hasPrefix("{") && key.hasSuffix("}"):
        .anyKey(name: String(key.dropFirst().dropLast()))
      case .key(let key): .keys(key.split(separator: "|").map(String.init))
      }
    }
  }

  /// Whether neither of two paths leads on from the end of the other.
  func isApart(from other: RootPath) -> Bool {
    guard !steps.isEmpty, !other.steps.isEmpty, text != other.text else { return false }
    return !"\(text).".hasPrefix("\(other.text).") && !"\(other.text).".hasPrefix("\(text).")
  }

  /// Whether what the step at an index leads to has to be there: it leads to one place.
  func isNeeded(_ index: Int) -> Bool {
    steps[...index].allSatisfy { step in
      switch step {
      case .keys, .position: true
      case .anyKey, .elements: false
      }
    }
  }
}
