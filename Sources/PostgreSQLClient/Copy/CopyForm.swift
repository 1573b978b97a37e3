#if PostgreSQL
  /// The parts of a binary COPY beside its rows.
  enum CopyForm {
    /// `PGCOPY\n\377\r\n\0`
    static let signature: [UInt8] = [0x50, 0x47, 0x43, 0x4F, 0x50, 0x59, 0x0A, 0xFF, 0x0D, 0x0A, 0x00]
    /// The signature, four bytes of flags and the length of an extension.
    static let headerLength = 19
    /// Bits of the flags that a reader has to know. There are none that are sent today.
    static let criticalFlags: UInt32 = 0xFFFF_0000
  }
#endif
