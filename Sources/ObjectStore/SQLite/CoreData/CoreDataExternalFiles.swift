import Foundation
import ObjectModel

/// The files that hold large binary values of a Core Data store: in `.App_SUPPORT/_EXTERNAL_DATA/` beside `App.sqlite`.
///
/// The first byte of such an attribute says where the value is: 1, and it follows; 2, and the name of a file follows, which
/// ends with a zero.
struct CoreDataExternalFiles: Sendable {
  private let folders: [String]
  /// The folder that values are written to as files; nil if they are kept in the store.
  let target: String?
  /// Whether the files are written, which a dry run does not do.
  private let writes: Bool

  /// The largest size of a file, in bytes.
  private static let most = 1 << 30

  init(path: String, target: String?, writes: Bool) {
    self.writes = writes
    let file = StoreFile(path).path
    let folder = file.prefix(upTo: file.lastIndex(of: "/") ?? file.startIndex)
    let name = file[file.index(after: folder.endIndex)...]
    let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name
    folders = [stem, name].map { "\(folder)/.\($0)_SUPPORT/_EXTERNAL_DATA" }
    self.target = target
  }

  /// The cell for a value.
  ///
  /// - Parameter name: What to call the file of a value that has none yet.
  func cell(
    of bytes: UnsafeBufferPointer<UInt8>, named name: @autoclosure () -> String, _ batch: inout RowBatch
  ) throws(CoreDataValue.Failure) -> Cell {
    guard let target else { return try cell(of: bytes, &batch) }
    let isFile = bytes.first == 2
    let file = isFile ? Self.name(in: bytes) : Self.plain(name())
    let data = isFile ? try self.data(of: file) : Data(bytes.dropFirst(bytes.first == 1 ? 1 : 0))
    if writes { try write(data, to: target, file) }
    return batch.text(file)
  }

  private func write(_ data: Data, to folder: String, _ file: String) throws(CoreDataValue.Failure) {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try data.write(to: URL(fileURLWithPath: "\(folder)/\(file)"), options: .atomic)
    } catch {
      throw .notWritten("\(folder)/\(file): \(SystemReason.text(of: error))")
    }
  }

  /// A name that is one of a file on any system: the names of entities come from the store.
  private static func plain(_ name: String) -> String {
    String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" })
  }

  /// The name of the file of a value.
  static func name(in bytes: UnsafeBufferPointer<UInt8>) -> String {
    String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
  }

  private func cell(
    of bytes: UnsafeBufferPointer<UInt8>, _ batch: inout RowBatch
  ) throws(CoreDataValue.Failure) -> Cell {
    switch bytes.first {
    case 1: return CoreDataValue.blob(UnsafeBufferPointer(rebasing: bytes.dropFirst()), &batch)
    case 2:
      let data = try self.data(of: Self.name(in: bytes))
      return data.withUnsafeBytes { CoreDataValue.blob($0.bindMemory(to: UInt8.self), &batch) }
    default: return CoreDataValue.blob(bytes, &batch)
    }
  }

  /// The folder of the files, without the path of the store.
  var folderName: String { folders[0].split(separator: "/").suffix(2).joined(separator: "/") }

  /// The path of a file; nil if there is no plain file of that name in the folder itself.
  func path(named name: String) -> (path: String, size: Int)? {
    guard Self.isPlain(name) else { return nil }
    for folder in folders {
      let path = "\(folder)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      return (path, Int(status.st_size))
    }
    return nil
  }

  /// Whether a name is that of a file, not a path that leads elsewhere.
  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && name.utf8.count < 256
      && name.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "/") && $0 != 0x7F }
  }

  /// The contents of a file, which has to be a plain file of the folder itself.
  private func data(of name: String) throws(CoreDataValue.Failure) -> Data {
    guard Self.isPlain(name) else { throw .noFileName(name) }
    guard let (path, size) = path(named: name) else { throw .noFile("\(folderName)/\(name)") }
    guard size <= Self.most else { throw .tooLarge(name) }
    guard let data = FileManager.default.contents(atPath: path) else { throw .unreadableFile(path) }
    return data
  }
}

/// Finds attributes whose values are in files of their own though the model does not say so.
///
/// How the flag for it is spelled in the archives of models is not known for all versions of Core Data. The values tell as
/// well: each begins with 1, or with 2 and the name of a file, and at least one such file is there.
struct CoreDataExternalSearch {
  /// An attribute, by its places in the model.
  struct Place: Hashable {
    let entity: Int
    let attribute: Int
  }

  /// The attributes that are found.
  private(set) var places: [Place] = []
  /// The findings, as sentences.
  private(set) var notes: [String] = []
  /// Attributes whose values look like names of files that are not there.
  private(set) var problems: [SourceProblem] = []

  private let binding: CoreDataBinding
  private let handle: OpaquePointer
  private let files: CoreDataExternalFiles

  init(_ binding: CoreDataBinding, _ handle: OpaquePointer, _ files: CoreDataExternalFiles) throws {
    self.binding = binding
    self.handle = handle
    self.files = files
    for (index, entity) in binding.schema.model.entities.enumerated() {
      for (place, attribute) in entity.attributes.enumerated()
      where attribute.type == .binary && !attribute.mayBeExternal {
        guard let counts = try counts(of: attribute.name, entity: index) else { continue }
        judge(counts, Place(entity: index, attribute: place), "\(entity.name).\(attribute.name)")
      }
    }
  }

  /// How many values begin with 1, and how many are names of files that are there, and that are not.
  private struct Counts {
    var inRow = 0
    var inFile = 0
    var missing = 0
  }

  /// Counts an attribute's values; nil as soon as one is of another kind.
  private func counts(of attribute: String, entity: Int) throws -> Counts? {
    guard let place = binding.place(inFamilyOf: entity), let column = place.attributes[attribute] else {
      return nil
    }
    let numbers = binding.numbers(of: entity).map(String.init).joined(separator: ", ")
    let name = SQL.quoted(column)
    let statement = try PreparedStatement(
      """
      SELECT substr(\(name), 1, \(Self.longest)) FROM \(SQL.quoted(place.table))
      WHERE \(name) IS NOT NULL AND Z_ENT IN (\(numbers))
      """, on: handle)
    var counts = Counts()
    while try statement.step() {
      guard statement.storage(0) == .blob else { return nil }
      let bytes = statement.text(0)
      switch bytes.first {
      case 1: counts.inRow += 1
      case 2:
        if files.path(named: CoreDataExternalFiles.name(in: bytes)) != nil {
          counts.inFile += 1
        } else if Self.looksLikeReference(bytes) {
          counts.missing += 1
        } else {
          return nil
        }
      default: return nil
      }
    }
    return counts
  }

  /// The longest reference: 2, the name of a file, and a zero.
  private static let longest = 258

  /// Whether bytes are 2, a UUID as text, and maybe a zero.
  private static func looksLikeReference(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count == 37 || bytes.count == 38 && bytes.last == 0 else { return false }
    return bytes.dropFirst().prefix(36).enumerated().allSatisfy { index, byte in
      let character = Character(Unicode.Scalar(byte))
      return [8, 13, 18, 23].contains(index) ? character == "-" : character.isHexDigit
    }
  }

  private mutating func judge(_ counts: Counts, _ place: Place, _ name: String) {
    if counts.inFile > 0 {
      places.append(place)
      notes.append(
        "\(name): \(counts.inFile) of its values \(counts.inFile == 1 ? "is" : "are") in \(files.folderName), though"
          + " the model does not say so")
    } else if counts.missing > 0 {
      let entity = binding.schema.model.entities[place.entity]
      problems.append(
        SourceProblem(
          object: "", entity: entity.name, property: entity.attributes[place.attribute].name,
          expected: "the files of its values in \(files.folderName)",
          found:
            "\(counts.missing) \(counts.missing == 1 ? "value that looks" : "values that look") like names of files"
            + " that are not there",
          action: "kept as they are"))
    } else if counts.inRow > 1 {
      notes.append(
        "\(name): each of its \(counts.inRow) values begins with the byte 1, as values do that may be kept in files;"
          + " the byte is kept, since the model does not say so and there is no such file")
    }
  }
}
