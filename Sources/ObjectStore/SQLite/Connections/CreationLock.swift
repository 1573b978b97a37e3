import Foundation

/// Says that a file that holds nothing yet is open, or about to be opened, by a shared lock on its folder.
///
/// SQLite cannot tell this: between the opening of a file and the first look into it there is no lock, and who has open
/// what another removes writes to nowhere. So an empty file is removed only by who can have this lock alone. Where a
/// folder cannot be locked, empty files stay.
final class CreationLock: Sendable {
  private let file: StoreFile
  private let descriptor: Int32
  /// Whether there was no file before.
  private let isNew: Bool

  init(_ file: StoreFile) {
    self.file = file
    descriptor = Self.lock(file.folder)
    isNew = !file.isThere
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  private static func lock(_ folder: String) -> Int32 {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return -1 }
    // Who removes a file has the lock alone for an instant.
    for _ in 0..<200 {
      if flock(descriptor, LOCK_SH | LOCK_NB) == 0 { return descriptor }
      guard errno == EWOULDBLOCK || errno == EINTR else { break }
      usleep(1_000)
    }
    close(descriptor)
    return -1
  }

  /// Removes the file if it was new, is empty, and nobody else has it open. To be called once the own connections are
  /// closed.
  func removeEmptyFile() {
    guard isNew, descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
    file.removeIfEmpty()
    _ = flock(descriptor, LOCK_SH | LOCK_NB)
  }
}
