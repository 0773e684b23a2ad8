public import Events
public import TripStore

/// What tests compare of stores that are to hold the same.
extension TripStore {
    /// The hashes of the commits beyond a position, in order. Takes time in proportion to them.
    public func hashesOfCommits(after position: Position) throws -> [Digest] { try commitHashes(after: position) }

    /// A digest of what is erased, equal for stores with the same erasures; nil if nothing is.
    public func digestOfErasures() throws -> Digest? { try erasureDigest() }
}

extension TripStore.Options {
    /// The options for a store whose journal has no members: every replica that has the journal's id may write. For tests of replicas
    /// that need none.
    public var withoutMembers: TripStore.Options {
        var options = self
        options.foundsJournal = false
        return options
    }
}
