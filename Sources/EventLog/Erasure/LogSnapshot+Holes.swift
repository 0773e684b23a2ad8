public import Events

/// A commit of which bytes are missing that no standing erasure hides: a carrier removed them, the file lost them, or
/// their erasure was taken back.
public struct Hole: Hashable, Sendable {
    public let commit: CommitID
    /// The state of the missing bytes: two replicas with the same one lack the same.
    public let missing: ErasureState
    /// Whether held erasures of replicas that erase the commit name all of the missing bytes: then these were erased,
    /// by a statement that is not held, or counts no longer, and are not lost. Of a hole of this log's; two holes that
    /// lack the same are equal.
    package let isExplained: Bool

    public init(commit: CommitID, missing: ErasureState) {
        self.init(commit: commit, missing: missing, isExplained: false)
    }

    init(commit: CommitID, missing: ErasureState, isExplained: Bool) {
        self.commit = commit
        self.missing = missing
        self.isExplained = isExplained
    }

    public static func == (a: Hole, b: Hole) -> Bool { a.commit == b.commit && a.missing == b.missing }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(commit)
        hasher.combine(missing)
    }
}

extension Collection where Element == Hole {
    /// SHA-256 of all their states, ordered by the commits' hashes: replicas with the same one lack the same.
    public var digest: Digest {
        var builder = DigestBuilder()
        for state in map(\.missing).sorted(by: { $0.commit < $1.commit }) { builder.add(state.bytes) }
        return builder.finish()
    }
}

extension LogSnapshot {
    /// The known holes of the log's own journal, among the commits that its frontier lists, in the order of their
    /// hashes.
    ///
    /// A commit that came without its bytes has an erasure, so these are looked through: O(erasures). What a file lost
    /// is known after a search: see `searchedHoles`.
    public func holes() throws -> [Hole] {
        var suspects = Set(try notedHoles())
        let journal = try journal()
        if try hasErasures() {
            let erasing = try erasing()
            try forEachErasure { erasure in
                // It fits the commit, so that one which names no later leaf does, too.
                let hidden = erasing?.fates[erasure.commit]?.hidden(erasure.leaves.leastLeafCount) ?? .none
                if erasure.journal == journal, !LeafSelection(erasure.leaves).isSubset(of: hidden) {
                    suspects.insert(erasure.commit)
                }
            }
        }
        return suspects.isEmpty ? [] : try holes(among: suspects)
    }

    /// All holes, of listed commits. O(commits).
    public func searchedHoles() throws -> [Hole] {
        let journal = try journal()
        var suspects: Set<CommitID> = []
        try asStored().forEachCommit(after: .start) { commit in
            let header = commit.header
            if header.journal == journal, !commit.view.isWhole {
                suspects.insert(CommitID(replica: header.replica, sequence: header.sequence, hash: commit.hash))
            }
            return true
        }
        return try holes(among: suspects)
    }

    private func holes(among commits: Set<CommitID>) throws -> [Hole] {
        let journal = try journal()
        var listed = ListedCommits(journal: journal, own: try replica(), try verdicts())
        let (erasing, rights) = (try erasing(), ErasingRights(membership: try membership()))
        return try commits.sorted { $0.hash < $1.hash }.compactMap { id in
            guard let position = try position(of: id, in: journal), let view = try storedCommit(at: position)?.view,
                let missing = view.erased, try listed.contains(id, self)
            else { return nil }
            let hidden = erasing?.fates[id]?.hidden(view.leafCount) ?? .none
            guard !LeafSelection(missing).isSubset(of: hidden) else { return nil }
            let named = CommitErasures.explained(try erasures(of: id.hash), rights)
            return Hole(
                commit: id, missing: ErasureState(id.hash, missing),
                isExplained: missing.isSubset(of: hidden.leaves(of: view.leafCount).union(named)))
        }
    }

    /// The commit before another on its line; nil for the first.
    package func predecessor(of commit: CommitID) throws -> CommitID? {
        let family = try family(of: commit.replica, in: journal())
        guard commit.sequence.rawValue > 1, let owner = try family.owner(of: commit, self) else { return nil }
        let sequence = SequenceNumber(commit.sequence.rawValue - 1)
        return try family.hash(of: sequence, on: owner, self).map {
            CommitID(replica: commit.replica, sequence: sequence, hash: $0)
        }
    }

    /// Commits as they are stored.
    package func restored(_ commits: [CommitID]) throws -> [RestoredCommit] {
        let journal = try journal()
        return try commits.compactMap { id in
            guard let position = try position(of: id, in: journal), let commit = try storedCommit(at: position) else {
                return nil
            }
            return RestoredCommit(commit: id, bytes: [UInt8](commit.view.bytes))
        }
    }

    /// The commits that the last search noted, one after the other.
    private func notedHoles() throws -> [CommitID] {
        guard let bytes = try meta(Log.noteKey(Self.holesNote)) else { return [] }
        return stride(from: 0, to: bytes.count - bytes.count % CommitID.size, by: CommitID.size).compactMap {
            CommitID(bytes: bytes[$0..<$0 + CommitID.size])
        }
    }

    fileprivate static let holesNote = "holes"
}

extension Log {
    /// Searches the whole log for holes, and notes them, so that each exchange from now on mends them. O(commits).
    ///
    /// Throws what the medium refuses.
    package func searchForHoles() async throws {
        let found = try read { try $0.searchedHoles() }
        guard try found != read({ try $0.holes() }) else { return }
        let bytes = found.flatMap { $0.commit.bytes }
        try await worker.run { [self] in try setNote(LogSnapshot.holesNote, bytes.isEmpty ? nil : bytes) }
    }
}

extension CommitID {
    fileprivate static let size = 16 + 8 + Digest.size

    fileprivate var bytes: [UInt8] { replica.bytes + sequence.rawValue.bigEndianBytes + hash.bytes }

    fileprivate init?(bytes: ArraySlice<UInt8>) {
        let bytes = Array(bytes)
        guard let replica = ReplicaID(Array(bytes[..<16])),
            let hash = bytes[24...].withUnsafeBytes({ Digest($0) })
        else { return nil }
        let sequence = bytes[16..<24].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        self.init(replica: replica, sequence: SequenceNumber(sequence), hash: hash)
    }
}
