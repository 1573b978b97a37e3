import Foundation

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

  /// What a file may have at most.
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

  /// What a file holds. It has to be a plain file of the folder itself.
  private func data(of name: String) throws(CoreDataValue.Failure) -> Data {
    guard Self.isPlain(name) else { throw .noFileName(name) }
    guard let (path, size) = path(named: name) else { throw .noFile("\(folderName)/\(name)") }
    guard size <= Self.most else { throw .tooLarge(name) }
    guard let data = FileManager.default.contents(atPath: path) else { throw .unreadableFile(path) }
    return data
  }
}
