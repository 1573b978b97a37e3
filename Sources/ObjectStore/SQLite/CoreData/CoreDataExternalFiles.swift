import Foundation

/// The files that hold large binary values of a Core Data store: in `.App_SUPPORT/_EXTERNAL_DATA/` beside `App.sqlite`.
///
/// The first byte of such an attribute says where the value is: 1, and it follows; 2, and the name of a file follows, which
/// ends with a zero.
struct CoreDataExternalFiles: Sendable {
  private let folders: [String]
  /// The folder that values are written to as files; nil if they are kept in the store.
  let target: String?

  /// What a file may have at most.
  private static let most = 1 << 30

  init(path: String, target: String?) {
    let file = StoreFile(path).path
    let folder = file.prefix(upTo: file.lastIndex(of: "/") ?? file.startIndex)
    let name = file[file.index(after: folder.endIndex)...]
    let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name
    folders = [stem, name].map { "\(folder)/.\($0)_SUPPORT/_EXTERNAL_DATA" }
    self.target = target
  }

  func cell(
    of bytes: UnsafeBufferPointer<UInt8>, _ batch: inout RowBatch
  ) throws(CoreDataValue.Failure) -> Cell {
    switch bytes.first {
    case 1: return CoreDataValue.blob(UnsafeBufferPointer(rebasing: bytes.dropFirst()), &batch)
    case 2:
      let name = String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
      let data = try self.data(of: name)
      return data.withUnsafeBytes { CoreDataValue.blob($0.bindMemory(to: UInt8.self), &batch) }
    default: return CoreDataValue.blob(bytes, &batch)
    }
  }

  /// What a file holds. It has to be a plain file of the folder itself.
  private func data(of name: String) throws(CoreDataValue.Failure) -> Data {
    guard !name.isEmpty, !name.hasPrefix("."), name.utf8.count < 256,
      name.utf8.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "/") && $0 != 0x7F })
    else { throw .noFile("a name that is none of a file") }
    for folder in folders {
      let path = "\(folder)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      guard status.st_size <= Self.most else { throw .tooLarge(name) }
      if let data = FileManager.default.contents(atPath: path) { return data }
    }
    throw .noFile(name)
  }
}
