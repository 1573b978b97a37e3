public import Mapping
public import ObjectStore

extension Store {
  /// Imports JSON that comes a few bytes at a time: a response, or a file that is being read.
  ///
  /// ```swift
  /// let (bytes, _) = try await URLSession.shared.bytes(from: url)
  /// let report = try await store.import(bytes: bytes, as: Band.self)
  /// ```
  ///
  /// It is never in memory as a whole: long JSON is kept in a temporary file. Others may write to the store until the
  /// last byte has come.
  ///
  /// - Throws: What the sequence throws; what `import(_:as:options:progress:)` throws. Then nothing is changed.
  @discardableResult
  public func `import`<Bytes: AsyncSequence & Sendable>(
    bytes: Bytes, as type: (any Storable.Type)? = nil, options: ImportOptions = ImportOptions(),
    progress: (@Sendable (Importer.Progress) -> Void)? = nil
  ) async throws -> Report where Bytes.Element == UInt8 {
    var received = ReceivedBytes(isTable: options.format.isTable)
    var piece: [UInt8] = []
    piece.reserveCapacity(1 << 16)
    for try await byte in bytes {
      piece.append(byte)
      guard piece.count == 1 << 16 else { continue }
      try piece.withUnsafeBytes { try received.append($0) }
      piece.removeAll(keepingCapacity: true)
      if received.isBroken { break }
    }
    try piece.withUnsafeBytes { try received.append($0) }
    return try await importReceived(received, type, options, progress)
  }

  /// Imports JSON that comes in pieces, which may be cut anywhere.
  ///
  /// - Throws: What the sequence throws; what `import(_:as:options:progress:)` throws. Then nothing is changed.
  @discardableResult
  public func `import`<Pieces: AsyncSequence & Sendable>(
    pieces: Pieces, as type: (any Storable.Type)? = nil, options: ImportOptions = ImportOptions(),
    progress: (@Sendable (Importer.Progress) -> Void)? = nil
  ) async throws -> Report where Pieces.Element: Sequence<UInt8> {
    var received = ReceivedBytes(isTable: options.format.isTable)
    for try await piece in pieces {
      try Array(piece).withUnsafeBytes { try received.append($0) }
      if received.isBroken { break }
    }
    return try await importReceived(received, type, options, progress)
  }

  private func importReceived(
    _ received: consuming ReceivedBytes, _ type: (any Storable.Type)?, _ options: ImportOptions,
    _ progress: (@Sendable (Importer.Progress) -> Void)?
  ) async throws -> Report {
    // If its task is cancelled, a sequence may just end early.
    try Task.checkCancellation()
    return try await `import`(try received.source(), as: type, options: options, progress: progress)
  }
}
