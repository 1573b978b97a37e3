#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system's library for zstd. It is loaded when it is first needed, so that programs that never meet zstd do not need
/// it.
struct ZstdLibrary: Sendable {
  typealias Stream = OpaquePointer

  let create: @convention(c) @Sendable () -> Stream?
  let free: @convention(c) @Sendable (Stream?) -> Int
  let decompress:
    @convention(c) @Sendable (Stream?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int
  let isError: @convention(c) @Sendable (Int) -> UInt32
  let errorName: @convention(c) @Sendable (Int) -> UnsafePointer<CChar>?

  static let shared = ZstdLibrary()

  private static let names = [
    "libzstd.so.1", "libzstd.1.dylib", "/opt/homebrew/lib/libzstd.1.dylib", "/usr/local/lib/libzstd.1.dylib",
  ]

  private init?() {
    guard let library = Self.names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first,
      let create = dlsym(library, "ZSTD_createDStream"), let free = dlsym(library, "ZSTD_freeDStream"),
      let decompress = dlsym(library, "ZSTD_decompressStream"), let isError = dlsym(library, "ZSTD_isError"),
      let errorName = dlsym(library, "ZSTD_getErrorName")
    else { return nil }
    // The types are those of the library's stable interface.
    self.create = unsafeBitCast(create, to: (@convention(c) @Sendable () -> Stream?).self)
    self.free = unsafeBitCast(free, to: (@convention(c) @Sendable (Stream?) -> Int).self)
    self.decompress = unsafeBitCast(
      decompress,
      to: (@convention(c) @Sendable (Stream?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int).self
    )
    self.isError = unsafeBitCast(isError, to: (@convention(c) @Sendable (Int) -> UInt32).self)
    self.errorName = unsafeBitCast(
      errorName, to: (@convention(c) @Sendable (Int) -> UnsafePointer<CChar>?).self)
  }
}
