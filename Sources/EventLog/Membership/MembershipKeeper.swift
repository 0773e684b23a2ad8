import Events
import LMDB

/// Records, inside a write transaction, what new commits say about members, and determines how that changes held
/// commits.
struct MembershipKeeper {
    private let tables: LogTables
    /// Which commits counted when the transaction began.
    let before: Verdicts
    /// The lines as they were when the transaction began.
    private var heads: [LineID: LineHead]?
    /// The newest commit when the transaction began.
    private let last: Position
    /// Whether the members may have changed since it began.
    private(set) var isChanged = false

    /// An open journal needs none of this. `last` is the newest position.
    init(_ log: borrowing LogSnapshot, _ verdicts: Verdicts, last: Position) {
        tables = log.tables
        before = verdicts
        self.last = last
    }

    var isOpen: Bool { before.isOpen }

    /// Records a stored commit. Most first commits introduce a replica and do not change the members: resolving again
    /// for each would make a clone quadratic in its replicas.
    mutating func stored(
        _ header: CommitHeader, _ hash: Digest, at position: Position, _ transaction: borrowing WriteTransaction
    ) throws {
        guard !isOpen, MembershipFacts.concern(header) else { return }
        let log = LogSnapshot(transaction.reading.alias(), tables)
        try noteHeads(log)
        try transaction.put(position.rawValue, [], in: tables.members)
        guard try header.isMembership || isDecisive(header.replica, at: position, log) else { return }
        isChanged = true
        try Self.mix(hash.bytes, tables, transaction)
    }

    /// Whether a first commit founds the journal, names a predecessor, or is named as one; or says whom a replica succeeds of
    /// which this log, as no member, counts the commits.
    private func isDecisive(
        _ replica: ReplicaID, at position: Position, _ log: borrowing LogSnapshot
    ) throws -> Bool {
        let verdicts = try log.verdicts()
        if verdicts.membership?.unknownPredecessors.contains(replica) == true { return true }
        if try !verdicts.waiting.isEmpty && log.identityChanges().contains(where: { $0.previous == replica }) {
            return true
        }
        guard
            let introduction = try log.bytes(at: position.rawValue)?.view.payload.flatMap({ try? $0.copy() })?
                .introduction
        else { return false }
        return introduction.nonce != nil || introduction.handover != nil
    }

    /// The statements of a restored commit can be read again.
    mutating func healed(
        _ header: CommitHeader, _ hash: Digest, _ transaction: borrowing WriteTransaction
    ) throws {
        guard !isOpen, MembershipFacts.concern(header) else { return }
        try noteHeads(LogSnapshot(transaction.reading.alias(), tables))
        isChanged = true
        try Self.mix(hash.bytes, tables, transaction)
    }

    /// The log goes on as another replica: if it is no member, its own commits and those of its predecessors count here.
    mutating func renewed(as replica: ReplicaID, _ transaction: borrowing WriteTransaction) throws {
        isChanged = true
        try Self.mix(replica.bytes, tables, transaction)
    }

    /// A line grew on which a cut may lie, or commits that are replaced.
    mutating func grown(_ line: LineID, _ head: LineHead, _ transaction: borrowing WriteTransaction) throws {
        guard !isOpen else { return }
        let log = LogSnapshot(transaction.reading.alias(), tables)
        let membership = try log.verdicts().membership
        let isCut = membership?.members[line.replica].map { !$0.cuts.isEmpty } ?? false
        guard isCut || membership?.replacements[line.replica] != nil else { return }
        isChanged = true
        try Self.mix(head.hash.bytes, tables, transaction)
    }

    /// The lines' extent, before the transaction writes any head.
    mutating func noteHeads(_ log: borrowing LogSnapshot) throws {
        if !isOpen && heads == nil { heads = try log.heads() }
    }

    /// Whether any commit that was held before now counts and did not, or the other way round. O(lines).
    func finish(_ transaction: borrowing WriteTransaction) throws -> Bool {
        guard isChanged else { return false }
        let log = LogSnapshot(transaction.reading.alias(), tables)
        let after = try log.verdicts()
        let journal = try log.journal()
        let voids = [before, after].map { Set(($0.membership?.voids ?? [:]).keys) }
        // Any member may void commits that are not held anywhere.
        for commit in voids[0].symmetricDifference(voids[1]) {
            if let position = try log.position(of: commit, in: journal), position <= last { return true }
        }
        var ends: [UInt32: SequenceNumber] = [:]
        for (line, head) in heads ?? [:] where line.journal == journal { ends[head.line] = head.sequence }
        return try log.families(of: journal).contains { family in
            let replaced = [before, after].map { $0.replaced[family.replica]?.parts(upTo: ends) ?? [:] }
            return replaced[0] != replaced[1]
                || before.ends(of: family, upTo: ends) != after.ends(of: family, upTo: ends)
        }
    }

    /// Marks a new state of the members: the token is a hash over all statements, so that no two states share one.
    static func mix(_ bytes: [UInt8], _ tables: LogTables, _ transaction: borrowing WriteTransaction) throws {
        let token = try transaction.reading.get(MetaKey.membership, in: tables.meta).map { [UInt8]($0) } ?? []
        var builder = DigestBuilder()
        builder.add(token)
        builder.add(bytes)
        try transaction.put(MetaKey.membership, Array(builder.finish().bytes.prefix(16)), in: tables.meta)
    }
}
