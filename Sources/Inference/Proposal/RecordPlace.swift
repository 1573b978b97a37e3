import Mapping
import ObjectModel

/// A place at the top of the JSON whose objects are what the JSON is about.
struct RecordPlace {
  /// The place of the objects. For a dictionary of scalars, that of the scalars.
  var node: Int32
  /// The place of the root that it was found in.
  var rootNode: Int32 = -1
  /// The keys on the way from the root; `[]` for the elements of a list, `[1]` for the rows behind a head.
  var path: [String] = []
  /// Names for the entity: keys of a document and names of files, the best first.
  var names: [String] = []
  /// How many of these are keys, which come first.
  private(set) var keyCount = 0
  /// The key of the document that holds them, if the document has several lists.
  var documentKey: String?
  /// The place of the keys, if the objects stand in a dictionary.
  var keys: Int32?
  /// Whether the key of a dictionary stands outside lists of objects.
  var isUnderKeys = false
  /// Whether the values of the dictionary are no objects.
  var hasScalars = false
  /// The names of the files that hold them.
  var files: [String] = []
  /// Whether the names of their files, or of the folders, are known.
  var hasFileNames = false
  /// The shape of the sources that hold them, and where these lie.
  var shape: SourceShape?
  var places = SourcePlaces()
  /// Whether the sources have names of their own.
  var hasSourceNames = false
  /// Whether each source has one object, so that its name is a key.
  var isOneEach = false
  /// Whether what stands around it says which part of how many objects came.
  var isInPage = false

  /// The path with the key of the document that holds the objects.
  var wholePath: [String] {
    guard let key = documentKey, path.last != key else { return path }
    return path + [key]
  }

  /// Adds a key on the way to the objects, which says more of them than those before.
  mutating func addName(_ key: String) {
    names.insert(key, at: 0)
    keyCount += 1
  }

  /// Whether it holds objects or lists of objects, whose keys may name entities.
  var holdsOthers: Bool { path.isEmpty && documentKey == nil && shape?.hasMembers ?? false }

  /// Whether files with one name hold objects of both.
  func sharesFiles(with other: RecordPlace) -> Bool {
    let names = Set(files.map(Words.folded))
    return other.files.contains { names.contains(Words.folded($0)) }
  }

  /// Whether the document around its objects has keys that they have too, so that it looks like one of them.
  var isLikeItsDocument: Bool {
    guard let shape, path.count == 1, !SourceShape.isList(path[0]) else { return false }
    return !Set(shape.keys(at: [])).subtracting(path).isDisjoint(with: shape.keys(at: path))
  }

  /// Whether the object around the list of its objects has keys that they have too.
  var isLikeWhatIsAround: Bool {
    guard let shape, let key = wholePath.last, !SourceShape.isList(key) else { return false }
    let outer = Set(shape.keys(at: Array(wholePath.dropLast()))).subtracting([key])
    return !outer.isDisjoint(with: shape.keys(at: wholePath))
  }

  /// Whether its objects hold others under the key that they stand under themselves, so that this names those inside.
  var holdsItsKey: Bool {
    guard let shape, let key = wholePath.last else { return false }
    return shape.keys(at: wholePath).contains(key)
  }

  /// A path as a mapping writes it.
  static func text(of path: [String]) -> String {
    let steps = path.map { step -> JSONKeyPath.Step in
      step == SourceShape.rowsStep ? .position(1) : step == "[]" ? .elements : .key(step)
    }
    return JSONKeyPath(steps).text
  }
}

/// A source as it was read.
struct RootPlace {
  var node: Int32
  /// The names that say something of the objects: that of the file, or of its folder.
  var names: [String]
  /// Where the sources lie.
  var places = SourcePlaces()
  /// The names of the files as they are, some of them.
  var files: [String] = []
  /// How many files there were.
  var fileCount = 0
  /// The name of the folder that they are in.
  var folder: String?
  /// How many sources there were.
  var sourceCount = 1
  /// Whether sources with different names were of its shape.
  var hasSeveralNames = false
  /// The shape of the sources.
  var shape: SourceShape
  /// Whether the sources have names of their own.
  var hasSourceNames = false
}
