import ObjectModel
public import ObjectStore

extension Store {
  /// An object now and after each change; nil while there is none.
  ///
  /// ```swift
  /// for try await band in store.observe(Band.self, "Japan") { show(band) }
  /// ```
  ///
  /// Changes of other objects cost nothing, except those of targets that it waits for.
  public func observe<Root: Storable>(_ type: Root.Type, _ id: Root.ID) -> StoreObservation<Root?> {
    StoreObservation { [self] in
      let follower = ObjectFollower<Root>(self, id)
      return ObservationSource {
        follower.observe($0)
      } read: {
        try await follower.read()
      }
    }
  }

  /// The objects of a query now and after each change: when one comes, goes, moves, or gets other values.
  ///
  /// ```swift
  /// for try await bands in store.observe(Band.filter(#Predicate { $0.formed < 1980 })) { show(bands) }
  /// ```
  ///
  /// Commits that do not concern the objects give no value. Prefetched objects are observed as well.
  public func observe<Root: Storable>(_ query: Query<Root>) -> StoreObservation<[Root]> {
    StoreObservation { [self] in
      let follower = QueryFollower(self, query)
      return ObservationSource {
        [follower.observe($0)]
      } read: {
        try await follower.read()
      }
    }
  }

  /// The value of a read, now and after each change: several queries at once, all of one moment, or anything made of them.
  ///
  /// ```swift
  /// let figures = store.observe { transaction in
  ///   [try transaction.count(Band.all), try transaction.count(Album.all)]
  /// }
  /// for try await counts in figures { print(counts) }
  /// ```
  ///
  /// It is read again after each commit that changes objects, whichever, and gives a value if that is another. To follow a
  /// query or an object costs less: they are read again only after
  /// commits that concern them.
  ///
  /// - Parameter read: Is called again and again, on any thread, and only reads.
  public func observe<Value: Equatable & Sendable>(
    _ read: @escaping @Sendable (ReadTransaction) throws -> Value
  ) -> StoreObservation<Value> {
    StoreObservation { [self] in
      let last = Locked<Value?>(nil)
      return ObservationSource {
        [self.observe(changes: $0)]
      } read: {
        let value = try await self.read(read)
        return last.withLock { known in
          if let known, known == value { return nil }
          known = value
          return value
        }
      }
    }
  }

  private func observe(changes signal: ChangeSignal) -> ObservationToken {
    observe { (_: ObjectChanges) in signal() }
  }

  /// How many objects a query has, now and after each change.
  public func observeCount<Root: Storable>(of query: Query<Root>) -> StoreObservation<Int> {
    StoreObservation { [self] in
      let follower = QueryFollower(self, query)
      return ObservationSource {
        [follower.observe($0)]
      } read: {
        try await follower.readCount()
      }
    }
  }
}
