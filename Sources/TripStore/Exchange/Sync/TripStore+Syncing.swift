public import LogExchange

extension TripStore {
    /// Stays in sync with a server: pushes each commit as it is written, takes those of others as they come, and connects again
    /// whenever the connection is lost. Live queries follow.
    ///
    /// It begins at once and goes on as long as the result, or an iterator of it, is retained. It holds the store. Nothing that happens
    /// to the connection puts at risk what is written here: see `SyncState`.
    public func stayInSync(with connector: any FrameConnector, options: SyncOptions = SyncOptions()) -> StoreSync {
        StoreSync(SyncEngine(self, connector, options))
    }
}
