import TripStore

/// A store that stays open between commands, which neither open nor close it.
///
/// The inspector answers by running commands of the tool: opening the store for each would cost more than most answers do.
enum SharedStore {
    @TaskLocal static var current: TripStore?
}

extension TripStore {
    /// The same, with names of kinds and fields for what the running command prints.
    var described: TripStore {
        try? useDescriptions()
        return self
    }

    func closeUnlessShared() async { if SharedStore.current == nil { await close() } }
}
