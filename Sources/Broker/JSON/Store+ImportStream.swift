public import Mapping
public import ObjectStore

extension Store {
  /// Imports JSON that comes little by little: the bytes of a response, of a file that is being read.
  ///
  /// ```swift
  /// let (bytes, _) = try await URLSession.shared.bytes(from: url)
  /// let report = try await store.import(bytes: bytes, as: Band.self)
  /// ```
  ///
  /// It is never in memory as a whole. The store is locked for other writers until the last byte has come.
  ///
  /// - Throws: What the sequence throws; what `import(_:as:options:progress:)` throws. Then nothing is changed.
  @discardableResult
  public func `import`<Bytes: AsyncSequence & Sendable>(
    bytes: Bytes, as type: (any Storable.Type)? = nil, options: ImportOptions = ImportOptions(),
    progress: (@Sendable (Importer.Progress) -> Void)? = nil
  ) async throws -> Report where Bytes.Element == UInt8 {
    try await importStream(type, options, progress) { incoming in
      var piece: [UInt8] = []
      piece.reserveCapacity(1 << 16)
      for try await byte in bytes {
        piece.append(byte)
        guard piece.count == 1 << 16 else { continue }
        guard await incoming.send(piece) else { return }
        piece.removeAll(keepingCapacity: true)
      }
      _ = await incoming.send(piece)
    }
  }

  /// Imports JSON that comes in pieces, cut anywhere.
  ///
  /// - Throws: What the sequence throws; what `import(_:as:options:progress:)` throws. Then nothing is changed.
  @discardableResult
  public func `import`<Pieces: AsyncSequence & Sendable>(
    pieces: Pieces, as type: (any Storable.Type)? = nil, options: ImportOptions = ImportOptions(),
    progress: (@Sendable (Importer.Progress) -> Void)? = nil
  ) async throws -> Report where Pieces.Element: Sequence<UInt8> {
    try await importStream(type, options, progress) { incoming in
      for try await piece in pieces {
        guard await incoming.send(Array(piece)) else { return }
      }
    }
  }

  private func importStream(
    _ type: (any Storable.Type)?, _ options: ImportOptions,
    _ progress: (@Sendable (Importer.Progress) -> Void)?,
    _ send: @escaping @Sendable (IncomingBytes) async throws -> Void
  ) async throws -> Report {
    let incoming = IncomingBytes()
    let source = ImportSource.stream { IncomingSource(incoming) }
    return try await withThrowingTaskGroup(of: Report?.self) { group in
      group.addTask {
        do {
          try await send(incoming)
          incoming.end()
        } catch {
          incoming.end("\(error)")
          throw error
        }
        return nil
      }
      group.addTask {
        defer { incoming.abandon() }
        return try await withTaskCancellationHandler {
          try await self.import(source, as: type, options: options, progress: progress)
        } onCancel: {
          incoming.abandon()
        }
      }
      return try await Self.report(of: &group)
    }
  }

  /// The report, once both sides have ended. What went wrong at the sender counts more than what came of it.
  private static func report(of group: inout ThrowingTaskGroup<Report?, any Error>) async throws -> Report {
    var report: Report?
    var failure: (any Error)?
    while let result = await group.nextResult() {
      switch result {
      case .success(let value): report = value ?? report
      case .failure(let error):
        if failure == nil || failure is ImportError || failure is CancellationError { failure = error }
        group.cancelAll()
      }
    }
    if let failure { throw failure }
    guard let report else { throw CancellationError() }
    return report
  }
}
