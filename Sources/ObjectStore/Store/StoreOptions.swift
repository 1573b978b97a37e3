extension Store {
  /// How a store is used, whatever is in it.
  public struct Options: Sendable {
    /// How long a transaction waits for others that write, in this process or another one. Without, as long as that
    /// takes, or until it is cancelled.
    public var timeout: Duration?
    /// Called once for each access that has been waiting for others for ``longWait``, on any thread. It must not use the
    /// store.
    public var onLongWait: (@Sendable () -> Void)?
    /// As ``onLongWait``, with a name of who writes, as a server has it: its application, process and address. It is nil
    /// where that is not known, as with files.
    public var onLongWaitForWriter: (@Sendable (String?) -> Void)?
    /// How long somebody waits before he wants to know for what.
    public var longWait = Duration.seconds(2)
    /// The bytes of the file that each connection may keep in memory. More of it makes large imports of objects whose
    /// identities come in no order faster.
    public var pageCacheSize = 16 << 20

    /// Whether a commit is on the disk when it returns, and so outlives a loss of power. Without, the last commits may be
    /// undone by one, and the store is whole all the same. It costs each commit a wait for the disk. A server has settings
    /// of its own for this.
    public var waitsForDisk = false

    /// Whether a store is written to whose file has triggers that Broker did not make. They run with each write, and a
    /// file from somebody else may hold any. Stores on servers are not asked: their triggers are the server's matter.
    public var allowsOtherTriggers = false

    /// What it may do to take over another version of its model.
    public var migration = Migration.automatic

    /// The description that the store has to have when the first transaction begins, if the model was made of that.
    package var basis: ExpectedDescription?

    /// Asked now and then, on the thread of an access; once it says true, whatever is done ends as if its task was
    /// cancelled.
    package var isCancelled: (@Sendable () -> Bool)?

    public init(timeout: Duration? = nil, onLongWait: (@Sendable () -> Void)? = nil) {
      self.timeout = timeout
      self.onLongWait = onLongWait
    }
  }
}
