#if os(Linux)
  import Foundation
  import Testing

  /// The disk fails when it is to confirm what was written.
  @Suite("Failing syncs", .onSQLite("about files"))
  struct FailingSyncTests {
    private let folder: Folder
    private static let json =
      "[\((0..<400).map { #"{"id": \#($0), "name": "Shop \#($0)"}"# }.joined(separator: ","))]"

    /// A library whose `fsync` and `fdatasync` fail from one call on, or once.
    private static let library = """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <errno.h>
      #include <stdatomic.h>
      #include <stdlib.h>
      static _Atomic long count;
      static int fails(void) {
        const char *at = getenv("SYNC_FAILS_AT");
        long call = atomic_fetch_add(&count, 1);
        if (!at || call < atol(at) || (call > atol(at) && !getenv("SYNC_FAILS_ON"))) return 0;
        errno = EIO;
        return 1;
      }
      int fsync(int file) { return fails() ? -1 : ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file); }
      int fdatasync(int file) { return fails() ? -1 : ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file); }
      """

    init() throws {
      folder = try Folder()
      try folder.write(Folder.model, to: "model.json")
      try folder.write(Self.json, to: "shops.json")
      try folder.write(Self.library, to: "syncs.c")
      let built = try Tool.run(
        "clang", ["-shared", "-fPIC", "-o", "syncs.so", "syncs.c", "-ldl"], in: folder)
      try #require(built.status == 0, "\(built.error)")
    }

    private func importing(failingAt call: Int, forever: Bool) throws -> Outcome {
      try Tool.run(
        "env",
        ["LD_PRELOAD=\(folder.path("syncs.so"))", "SYNC_FAILS_AT=\(call)"]
          + (forever ? ["SYNC_FAILS_ON=1"] : [])
          + [
            RunningBroker.executable.path, "import", "shops.json", "--entity", "Shop", "--model",
            "model.json", "--store",
            "new.sqlite", "--quiet",
          ], in: folder)
    }

    @Test("an import into a new store says what is so", arguments: [true, false])
    func newStore(_ forever: Bool) throws {
      var failures = 0
      for call in 0..<12 {
        let outcome = try importing(failingAt: call, forever: forever)
        if outcome.status == 0 {
          #expect(
            try broker("query", "Shop", "--count", "--store", "new.sqlite", in: folder).output == "400\n")
        } else {
          failures += 1
          #expect(outcome.status == 1, "call \(call): \(outcome.error)")
          #expect(outcome.error.contains("Nothing was changed."), "call \(call): \(outcome.error)")
          #expect(!folder.exists("new.sqlite"), "call \(call)")
        }
        let again = try importing(failingAt: 1_000, forever: false)
        #expect(again.status == 0, "call \(call): \(again.error)")
        #expect(try broker("query", "Shop", "--count", "--store", "new.sqlite", in: folder).output == "400\n")
        for name in try folder.names(like: "new.sqlite") {
          try FileManager.default.removeItem(at: folder.url(name))
        }
      }
      #expect(failures > 3)
    }
  }
#endif
