import Foundation

extension ImportSource {
  /// The files that a path is for, sorted by their paths: the file, the files of JSON and tables in a folder and all
  /// folders in it, or those that match a pattern.
  ///
  /// ```swift
  /// let report = try Importer(store).run(ImportSource.files("data"))
  /// let albums = try ImportSource.files("data/**/albums-*.json")
  /// ```
  ///
  /// In a folder these are files whose names end in `.json`, `.jsonl`, `.ndjson`, `.geojson`, `.csv` or `.tsv`, and the same with
  /// `.gz` or `.zst`. Names that begin with a dot are left out. In a pattern, `*` stands for any part of a name, `?` for a
  /// character, `[a-z]` for one of several, and `**` for any number of folders.
  ///
  /// - Throws: ``ImportError`` if a folder cannot be read, or if there is no such file.
  public static func files(_ path: String) throws -> [ImportSource] {
    let kind = FileKind(path)
    let sources: [ImportSource]
    if kind == .folder {
      sources = try FileSearch(in: path).sources { parts in
        parts.last.map { suffixes.contains(InputFormat.suffix(of: $0)) } ?? false
      }
    } else if kind == nil, let pattern = PathPattern(path) {
      sources = try FileSearch(in: pattern.folder, deepest: pattern.deepest).sources(where: pattern.matches)
    } else {
      return [.file(path)]
    }
    guard !sources.isEmpty else { throw ImportError(.noFiles(path, isFolder: kind == .folder)) }
    return sources
  }

  private static let suffixes: Set<String> = [
    "json", "jsonl", "ndjson", "geojson", "csv", "tsv",
  ]
}

/// The target of a path. Symbolic links are followed.
private enum FileKind {
  case folder
  case file
  case other

  /// Nil if there is nothing.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: self = .folder
    case S_IFREG: self = .file
    default: self = .other
    }
  }
}

/// A search in a folder and the folders in it.
private struct FileSearch {
  private let root: String
  private let deepest: Int

  /// - Parameter deepest: How many names a path below the folder may have.
  init(in root: String, deepest: Int = .max) {
    self.root = root
    self.deepest = deepest
  }

  private struct Folder: Hashable {
    var device: UInt64
    var number: UInt64

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = UInt64(status.st_dev)
      number = UInt64(status.st_ino)
    }
  }

  /// The files whose names below the folder fulfil a condition.
  func sources(where isWanted: ([String]) -> Bool) throws -> [ImportSource] {
    var found: [(path: String, names: [String])] = []
    var waiting: [[String]] = [[]]
    // A symbolic link may lead back to a folder that has been searched.
    var searched: Set<Folder> = []
    while let folder = waiting.popLast() {
      guard let id = Folder(path(folder)), searched.insert(id).inserted else { continue }
      for name in try names(in: path(folder)) where !name.hasPrefix(".") {
        let names = folder + [name]
        switch FileKind(path(names)) {
        case .folder: if names.count < deepest { waiting.append(names) }
        case .file: if isWanted(names) { found.append((path(names), names)) }
        // A link that leads nowhere is a file that cannot be read.
        case nil: if isWanted(names) { found.append((path(names), names)) }
        case .other: break
        }
      }
    }
    found.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    return found.map { source($0.path, $0.names) }
  }

  private func path(_ names: [String]) -> String {
    let rest = names.joined(separator: "/")
    if rest.isEmpty { return root.isEmpty ? "." : root }
    return root.isEmpty ? rest : root.hasSuffix("/") ? root + rest : "\(root)/\(rest)"
  }

  private func names(in folder: String) throws -> [String] {
    guard let stream = opendir(folder) else {
      throw ImportError.unreadable(folder, String(cString: strerror(errno)))
    }
    closedir(stream)
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw ImportError.unreadable(folder, error.localizedDescription)
    }
  }

  /// A file, whose folders may tell the entity too: those up to the one that is searched.
  private func source(_ path: String, _ names: [String]) -> ImportSource {
    var source = ImportSource.file(path)
    let stem = source.entityHints.first.map { [$0] } ?? []
    // The folder that one is in, and the one around it, have no names there.
    let folder =
      root.split(separator: "/").last.map(String.init).map { [".", ".."].contains($0) ? [] : [$0] } ?? []
    source.entityHints = stem + names.dropLast().reversed() + folder
    return source
  }
}

/// A pattern of paths.
private struct PathPattern {
  /// The folder that the pattern begins in.
  let folder: String
  /// The patterns of the names below it.
  private let parts: [String]

  /// Nil if the path has no wildcards.
  init?(_ path: String) {
    let names = path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    guard let first = names.firstIndex(where: { $0.contains { "*?[".contains($0) } }) else { return nil }
    folder = (path.hasPrefix("/") ? "/" : "") + names[..<first].joined(separator: "/")
    parts = Array(names[first...])
  }

  /// How many names a path that matches can have.
  var deepest: Int { parts.contains("**") ? .max : parts.count }

  /// Whether names match. For each beginning of the names, it is noted which beginnings of the pattern match it.
  func matches(_ names: [String]) -> Bool {
    var reached = [true] + parts.indices.map { index in parts[...index].allSatisfy { $0 == "**" } }
    for name in names {
      var next = Array(repeating: false, count: parts.count + 1)
      for (index, part) in parts.enumerated() {
        if part == "**" {
          next[index + 1] = reached[index + 1] || next[index] || reached[index]
        } else if reached[index] {
          next[index + 1] = fnmatch(part, name, 0) == 0
        }
      }
      // A pattern of folders may stand for none of them.
      for (index, part) in parts.enumerated() where part == "**" && next[index] { next[index + 1] = true }
      reached = next
    }
    return reached.last ?? false
  }
}
