public import Mapping
public import ObjectStore

/// An import that runs by itself and tells how far it has come.
///
/// ```swift
/// let running = store.startImport(URL(filePath: "big.json"), as: Band.self)
/// for await progress in running.progress { print(progress.objects) }
/// let report = try await running.report
/// ```
public struct RunningImport: Sendable {
  /// How far it has come, now and then. It ends with the import. A slow reader may miss some values.
  public let progress: AsyncStream<Importer.Progress>
  private let task: Task<Report, any Error>

  init(_ store: Store, _ source: ImportSource, _ options: ImportOptions) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Importer.Progress.self, bufferingPolicy: .bufferingNewest(1))
    progress = stream
    task = Task {
      defer { continuation.finish() }
      return try await store.import(source, options: options) { continuation.yield($0) }
    }
  }

  /// The report, once the import is done.
  ///
  /// - Throws: What `Store.import(_:as:options:progress:)` throws.
  public var report: Report {
    get async throws { try await task.value }
  }

  /// Stops the import. Then nothing is changed.
  public func cancel() { task.cancel() }
}

extension Store {
  /// Starts an import that runs by itself.
  ///
  /// - Parameters:
  ///   - json: The JSON.
  ///   - type: What its objects are; without it the JSON's keys tell.
  ///   - options: How to go about it.
  public func startImport(
    _ json: some JSONInput, as type: (any Storable.Type)? = nil, options: ImportOptions = ImportOptions()
  ) -> RunningImport {
    RunningImport(self, json.importSource, options.with(type))
  }
}
