#if PostgreSQL
  import ObjectStore

  extension BatchSize {
    /// Some ten thousand rows, so that each statement is worth its journey.
    static var server: BatchSize {
      var size = BatchSize()
      (size.bytes, size.cells) = (4 << 20, 1 << 18)
      return size
    }
  }
#endif
