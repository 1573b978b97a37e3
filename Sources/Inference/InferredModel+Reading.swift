import JSONStream
public import Mapping
import ObjectModel

extension InferredModel {
  /// Reads JSON once and proposes a model of it.
  ///
  /// - Parameters:
  ///   - sources: The JSON, JSON Lines or tables.
  ///   - options: How much is read.
  ///   - isCancelled: Asked while sources are read.
  /// - Throws: ``InferenceError`` if the JSON has no objects, ``ImportError`` if it cannot be read.
  /// - Complexity: Takes time in proportion to the JSON, and memory in proportion to the number of its different keys.
  public init(
    from sources: [ImportSource], options: InferenceOptions = InferenceOptions(),
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws {
    let reading = try SourceReading(sources, options, isCancelled)
    self = try Proposal(reading).inferred
  }
}

/// What was read of all sources.
struct SourceReading {
  let shapes: Shapes
  private(set) var roots: [RootPlace] = []
  private(set) var bytes = 0
  private(set) var records = 0
  private(set) var isWhole = true
  private(set) var hasTables = false
  /// The path to the objects that the caller gave.
  let root: String?

  init(
    _ sources: [ImportSource], _ options: InferenceOptions, _ isCancelled: @escaping @Sendable () -> Bool
  ) throws {
    shapes = Shapes(ShapeTree())
    root = options.input.root == "$" ? nil : options.input.root
    var limits = SampleLimits()
    limits.records = options.records
    limits.bytes = options.bytes
    for source in sources {
      let root = place(for: source)
      guard root >= 0 else { throw InferenceError("There are too many files of different names.") }
      try read(source, root, limits, options, isCancelled)
    }
    shapes.tree.isComplete = true
    guard let path = options.input.root else { return }
    for index in roots.indices {
      guard let place = shapes.place(at: path, from: roots[index].node) else {
        throw InferenceError("There is nothing at \(path) in the JSON.")
      }
      roots[index].node = place
    }
  }

  /// A mapping lists the names of so many files.
  private static let mostFileNames = 8
  /// So many files of different names are looked at each by itself, before they are compared.
  private static let mostRoots = 40

  /// The place of the root of a source. Files whose names differ in numbers only have one.
  private mutating func place(for source: ImportSource) -> Int32 {
    var names = FileNames.meaningful(source.entityHints)
    let folder = source.entityHints.dropFirst().first
    // Of many files in a folder, the folder's name says what is in them.
    if roots.count > Self.mostRoots, let folder { names = [folder] }
    let stem = source.entityHints.first
    if let known = roots.firstIndex(where: { $0.names == names }) {
      roots[known].fileCount += 1
      if let stem, roots[known].files.count < Self.mostFileNames { roots[known].files.append(stem) }
      return roots[known].node
    }
    let node = shapes.tree.add(under: -1)
    roots.append(
      RootPlace(node: node, names: names, files: [stem].compactMap(\.self), fileCount: 1, folder: folder))
    return node
  }

  private mutating func read(
    _ source: ImportSource, _ root: Int32, _ limits: SampleLimits, _ options: InferenceOptions,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) throws {
    let shapes = shapes
    let (bytes, records, isWhole, isTable) = try source.scan(options.input, isCancelled: isCancelled) {
      (input, isTable) -> (Int, Int, Bool, Bool) in
      var reader = ShapeReader(input, tree: shapes.takeTree(), root: root, limits: limits)
      do {
        let isWhole = try reader.run()
        let result = (reader.offset, reader.records, isWhole, isTable)
        shapes.tree = reader.finish()
        return result
      } catch let error as JSONError where error.kind == .empty && source.hasLines {
        shapes.tree = reader.finish()
        return (0, 0, true, isTable)
      }
    }
    self.bytes += bytes
    self.records += records
    self.isWhole = self.isWhole && isWhole
    hasTables = hasTables || isTable
  }
}

/// Names of files as names of entities.
enum FileNames {
  /// The names that say something: `1.json` in `bands` says `bands`, `albums-2.json` says `albums`.
  static func meaningful(_ hints: [String]) -> [String] {
    let stem = hints.first.map(withoutNumbers) ?? ""
    if !stem.isEmpty, !GenericNames.isWrapper(stem) { return [stem] }
    return hints.dropFirst().prefix(1).map(withoutNumbers).filter {
      !$0.isEmpty && !GenericNames.isWrapper($0)
    }
  }

  private static func withoutNumbers(_ name: String) -> String {
    var parts = name.split { "-_. ".contains($0) }
    while parts.count > 1, let last = parts.last,
      last.allSatisfy(\.isNumber) || partWords.contains(withoutEndNumber(last).lowercased())
    {
      parts.removeLast()
    }
    if parts.count == 1 {
      return partWords.contains(withoutEndNumber(parts[0]).lowercased()) ? "" : withoutEndNumber(parts[0])
    }
    return parts.joined(separator: "_")
  }

  /// Words, with a number behind them, for a part of what was split into several files.
  private static let partWords: Set<String> = [
    "p", "pg", "page", "part", "pt", "chunk", "batch", "sample", "example", "export", "response", "file",
  ]

  private static func withoutEndNumber(_ part: Substring) -> String {
    var text = part
    while text.last?.isNumber ?? false { text.removeLast() }
    return String(text)
  }
}
