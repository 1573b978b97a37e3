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
