import Events
import LMDB

extension Log {
    /// Erases a payload, or leaves of it: see `erase(_:naming:)`.
    public func erase(_ leaves: ErasedLeaves, in commit: CommitID) async throws {
        _ = try await erase([commit: leaves])
    }

    /// States that payloads, or leaves of them, are erased, and returns the commits of this replica that say so. From
    /// then on no replica that holds these shows what is erased. Every proof stays valid.
    ///
    /// A replica erases commits of its own and of the replicas that it succeeds; an admin erases any. What a replica
    /// wrote itself is removed here at once, and elsewhere some days later; what others wrote goes everywhere after the
    /// journal's period. Until then it can be taken back. What is erased already is not stated again.
    ///
    /// Of the entities that are named as wholes `sweep()` erases what arrives later, and imports leave out what is named.
    /// With `causes`, commits that state erasures, this erases what arrived late for these, and stands as long as one does.
    ///
    /// The log's file keeps the bytes in pages that it no longer uses, until the log is next opened for writing while no
    /// other process has it open. Backups keep them.
    ///
    /// Throws `EventLogError`, and then nothing was stated: `.notErasable` if a commit is not held, if this replica may
    /// not erase it, if it is the first of its line or holds statements, or if it was erased in parts too often;
    /// `.commitTooLarge` for too many names; `.readOnly`; or what the medium refuses.
    @discardableResult
    package func erase(
        _ parts: [CommitID: ErasedLeaves], naming names: [ErasedName] = [], causes: [CommitID] = []
    ) async throws -> [CommitID] {
        guard let writer else { throw Self.cannotErase }
        try await introduceSuccessor()
        // An erased commit must lie before a signature, which vouches for the rest of it.
        try await signHead()
        try read { log in
            for (commit, leaves) in parts.sorted(by: { $0.key < $1.key }) {
                _ = try log.erasable(leaves, in: commit, causes: causes)
            }
        }
        guard names.count <= Self.mostNames else {
            throw EventLogError(
                .commitTooLarge,
                "\(names.count) entities and fields are named with what is erased of \(parts.count) commits, and a commit that "
                    + "says so has room for "
                    + "\(Self.mostNames). Erase them one after the other.")
        }
        var stated: [CommitID] = []
        for batch in Self.batches(parts, besides: causes.count * ErasingStatement.causeBytes) {
            // All names go with the first statement that is new, so that after a crash the rest needs none.
            let named = stated.isEmpty ? names : []
            let appended = try await append { log in
                let statements = try writer.erasures(batch, naming: named, causes, at: self.wallClock, log)
                return statements.isEmpty ? nil : Payload(erasing: statements)
            }
            if let appended { stated.append(appended.id) }
        }
        if !stated.isEmpty { _ = try await removeDue() }
        return stated
    }

    /// Throws `EventLogError`: `.notErasable` if this replica may not erase one of these commits; `.readOnly`.
    package func checkErasable(_ commits: [CommitID]) throws {
        guard writer != nil else { throw Self.cannotErase }
        try read { log in for commit in commits { _ = try log.erasable(.none, in: commit) } }
    }

    /// Keeps erasures that explain missing bytes of commits that are held. They hide and remove nothing: statements do.
    /// Those of other commits are ignored. Returns how many were new.
    ///
    /// Throws `EventLogError`, or what the medium refuses; nothing is then kept.
    @discardableResult
    public func keep(_ erasures: [Erasure]) async throws -> Int {
        guard let writer else { throw Self.cannotErase }
        return try await repeatingOnConflict { try await keep(erasures, writer) }
    }

    private func keep(_ erasures: [Erasure], _ writer: LogWriter) async throws -> Int {
        let own = journal
        // Cheap checks come before those of signatures, which need no transaction.
        let explaining = try read { log in
            try Dictionary(grouping: erasures.lazy.filter { $0.journal == own }, by: \.commit)
                .compactMapValues { erasures -> [Erasure]? in
                    let commit = erasures[0].commit
                    guard let position = try log.position(of: commit, in: own),
                        try log.storedCommit(at: position)?.view.isWhole == false,
                        try CommitErasures(held: log.erasures(of: commit.hash)).isChanged(by: erasures.bounded)
                    else { return nil }
                    return erasures.bounded.filter(\.isSigned)
                }
        }
        return explaining.isEmpty ? 0 : try await writer.keep(explaining)
    }

    /// Writes the first commit of a replica that succeeds another, if it is not there yet: what it may state follows
    /// from that commit.
    func introduceSuccessor() async throws {
        guard try read({ try $0.isUnwrittenSuccessor() }) else { return }
        _ = try await append { log in try log.isUnwrittenSuccessor() ? Payload() : nil }
    }

    /// The most entities and fields that go with the statements of one commit: under half of the bytes that these may
    /// have.
    package static let mostNames = 4096

    /// Parts whose statements have room in one commit, each with some bytes besides. What is repeated of earlier
    /// statements is at most as large again.
    private static func batches(
        _ parts: [CommitID: ErasedLeaves], besides others: Int
    ) -> [[CommitID: ErasedLeaves]] {
        var batches: [[CommitID: ErasedLeaves]] = []
        var room = 0
        for (commit, leaves) in parts.sorted(by: { $0.key < $1.key }) {
            let bytes = 2 * leaves.encodedCount + Erasure.largestFrame + others
            if room < bytes || batches.last?.count == Payload.mostErasingStatements {
                batches.append([:])
                room = Payload.mostErasingBytes / 2
            }
            room -= bytes
            batches[batches.count - 1][commit] = leaves
        }
        return batches
    }

    static var cannotErase: EventLogError {
        EventLogError(.readOnly, "The store was opened for reading. Open it for writing to erase anything.")
    }
}

extension Payload {
    init(membership: [[UInt8]] = [], erasing: [ErasingStatement]) {
        self.init(membership: membership)
        self.erasing = erasing.map { $0.encoded() }
    }
}

extension Appended {
    var id: CommitID { CommitID(replica: replica, sequence: sequence, hash: hash) }
}

extension LogSnapshot {
    /// The leaves of a commit that are to be named so that some leaves of it are erased by this replica: those, and
    /// what it erased of the commit before, with the same causes. Nil if all of them are, or without causes. Throws
    /// `EventLogError.notErasable`.
    fileprivate func erasable(
        _ leaves: ErasedLeaves, in commit: CommitID, causes: [CommitID] = []
    ) throws -> (leaves: ErasedLeaves, number: UInt32)? {
        let (journal, own) = try authorship()
        guard try !heldSigned([commit], in: journal).isEmpty, let position = try position(of: commit, in: journal),
            let stored = try storedCommit(at: position)
        else {
            throw EventLogError(
                .notErasable,
                "Commit \(commit.sequence) of replica \(commit.replica) with the hash \(commit.hash) is not held here, "
                    + "and so it cannot "
                    + "be erased. Nothing was changed.")
        }
        guard stored.header.isErasable else {
            throw EventLogError(
                .notErasable,
                "Commit \(commit.sequence) of replica \(commit.replica) is the first of its line, or says who may "
                    + "write or what is erased, "
                    + "and cannot be erased. Nothing was changed.")
        }
        guard try verdicts().mayErase(own, commitsOf: commit.replica) else {
            throw EventLogError(
                .notErasable,
                "Commit \(commit.sequence) of replica \(commit.replica) cannot be erased by replica \(own), which "
                    + "neither wrote it nor is "
                    + "an admin. Nothing was changed.")
        }
        let known = try fate(of: commit)?.erasures.filter { $0.eraser == own } ?? []
        let earlier = known.filter { $0.fact.causes == causes }
        let standing = earlier.reduce(LeafSelection.none) { $0.union($1.standing) }
        let anyway = known.filter(\.fact.causes.isEmpty).reduce(standing) { $0.union($1.standing) }
        let leafCount = stored.view.leafCount
        let named = LeafSelection(leafCount.map { leaves.within($0) } ?? leaves)
        guard !named.isSubset(of: anyway) else { return nil }
        let number = UInt32(clamping: (earlier.map { Int($0.erasure.number) }.max() ?? -1) + 1)
        // Of a payload that is gone nothing else can be named.
        let all = leaves == .all || leafCount == nil ? .all : named.union(standing).leaves(of: leafCount)
        guard number <= Erasure.greatestNumber || all == .all else {
            throw EventLogError(
                .notErasable,
                "Commit \(commit.sequence) of replica \(commit.replica) was erased in parts \(number) times, and no "
                    + "more of it can be erased "
                    + "in parts. Erase all of it.")
        }
        return (all, min(number, Erasure.greatestNumber))
    }
}

extension LogWriter {
    /// The statements that this replica erases parts of commits, inside a transaction.
    func erasures(
        _ parts: [CommitID: ErasedLeaves], naming names: [ErasedName], _ causes: [CommitID], at time: Int64,
        _ log: borrowing LogSnapshot
    ) throws -> [ErasingStatement] {
        let own = try author.author(in: log)
        var statements: [ErasingStatement] = []
        for (commit, leaves) in parts.sorted(by: { $0.key < $1.key }) {
            guard let (leaves, number) = try log.erasable(leaves, in: commit, causes: causes) else { continue }
            let erasure = try Erasure(
                of: leaves, in: commit, of: own.journal, at: time, number: number, by: own.identity)
            statements.append(.erasure(erasure, naming: statements.isEmpty ? names : [], causes: causes))
        }
        return statements
    }

    func keep(_ erasures: [CommitID: [Erasure]]) async throws -> Int {
        try await changeHeld { [self] transaction in try keep(erasures, removingAt: nil, transaction) }.kept
    }

    /// Keeps erasures that are signed, inside a transaction. With a time, also removes of their commits what was due
    /// then: another log recorded that it did, and stored the statements at the same times.
    func keep(
        _ erasures: [CommitID: [Erasure]], removingAt time: Int64?, _ transaction: borrowing WriteTransaction
    ) throws -> ErasureKeeper {
        let log = LogSnapshot(transaction.reading.alias(), tables)
        var keeper = ErasureKeeper(tables, newAfter: try log.lastPosition())
        let journal = try log.journal()
        var due: [Position: LeafSelection] = [:]
        if let time, !erasures.isEmpty {
            due = Dictionary(try log.removable(at: time).map { ($0.position, $0.leaves) }) { first, _ in first }
        }
        for (commit, erasures) in erasures {
            // A commit that no signature here vouches for may not be the one that was erased.
            guard try !log.heldSigned([commit], in: journal).isEmpty,
                let position = try log.position(of: commit, in: journal)
            else { continue }
            try keeper.judge(position, adding: erasures, removing: due[position] ?? .none, transaction)
        }
        try keeper.finish(transaction)
        return keeper
    }

    /// Runs a transaction that changes the bytes of held commits, and announces it. `time` is the one by which it decides
    /// what is due: a log that replays it decides by the recorded time.
    func changeHeld(
        at time: Int64? = nil,
        _ body: @escaping @Sendable (borrowing WriteTransaction) throws -> ErasureKeeper
    ) async throws -> (kept: Int, rewritten: Int) {
        try await worker.run { [self] in
            var result = (kept: 0, rewritten: 0)
            let entry = newEntry(at: time)
            let last = try environment.write { transaction in
                // Another attempt starts over.
                let keeper = try body(transaction)
                if ledger != nil {
                    var entry = entry
                    (entry.erasures, entry.rewritten) = (keeper.addedToHeld, keeper.rewrittenHeld)
                    try record(entry, transaction)
                }
                result = (keeper.kept, keeper.rewritten)
                return try LogSnapshot(transaction.reading.alias(), tables).lastPosition()
            }
            if result.kept > 0 || result.rewritten > 0 { changes.raise() }
            if result.rewritten > 0 { observer?.received(upTo: last) }
            return result
        }
    }
}
