import EventLog
import Events
import StoreSupport
import Testing

extension TestReplica {
    /// Its own newest commit that is signed.
    func newestCommit() throws -> CommitID {
        try #require(try log.read { try $0.signedHeads(of: $0.journal()) }.first { $0.replica == id })
    }

    func erasureDigest() throws -> Digest? { try log.read { try $0.erasureDigest() } }

    /// The part of a commit that is not shown here: what is missing, and what is hidden.
    func erased(_ commit: CommitID) throws -> ErasedLeaves? {
        try log.read { log in
            let position = try #require(try log.position(of: commit, in: log.journal()))
            return try #require(try log.commit(at: position)).view.erased
        }
    }

    /// The part of a commit whose bytes are missing here.
    func missing(_ commit: CommitID) throws -> ErasedLeaves? {
        try log.read { log in
            let position = try #require(try log.position(of: commit, in: log.journal()))
            return try #require(try log.storedCommit(at: position)).view.erased
        }
    }
}

extension ErasedLeaves {
    static let firstEvent = ErasedLeaves.some(LeafSet(events: [0]))
}
