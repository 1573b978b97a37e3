import ObjectModel
public import ObjectStore

extension Store {
  /// An object as it is, and whenever it changes; nil while there is none.
  ///
  /// ```swift
  /// for try await band in store.observe(Band.self, "Japan") { show(band) }
  /// ```
  ///
  /// It costs nothing when other objects change, but for those that it waits for.
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

  /// The objects of a query as they are, and whenever they change: one comes, goes, moves, or has other values.
  ///
  /// ```swift
  /// for try await bands in store.observe(Band.filter(#Predicate { $0.formed < 1980 })) { show(bands) }
  /// ```
  ///
  /// Commits that do not concern the objects give no value. What the query prefetches is followed, too.
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

  /// How many objects a query has, and whenever that changes.
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
