import Events
import LMDB

/// Records, inside a write transaction, new commits with statements about erasing, and determines how that changes what
/// is hidden of held commits.
struct ErasingKeeper {
    private let tables: LogTables
    private let journal: JournalID
    /// The erasures that stood when the transaction began.
    private let before: ResolvedErasing?
    private var isChanged = false

    init(_ log: borrowing LogSnapshot, of journal: JournalID) throws {
        tables = log.tables
        self.journal = journal
        before = try log.erasing()
    }

    /// Records a stored commit, at a time in milliseconds since 1970; `isWrittenHere` if it was not received.
    mutating func stored(
        _ header: CommitHeader, _ hash: Digest, at position: Position, now: Int64, isWrittenHere: Bool = false,
        _ transaction: borrowing WriteTransaction
    ) throws {
        guard header.isErasing, header.journal == journal else { return }
        try ErasingIndex.put(hash, at: position, arrival: now, isWrittenHere: isWrittenHere, tables, transaction)
        isChanged = true
    }

    /// The statements of a restored commit can be read again.
    mutating func healed(_ header: CommitHeader, _ hash: Digest, _ transaction: borrowing WriteTransaction) throws {
        guard header.isErasing, header.journal == journal else { return }
        try ErasingIndex.mix(hash, tables, transaction)
        isChanged = true
    }

    /// The held commits of which other leaves are hidden than before; `membersChanged` says that other statements may
    /// count.
    func changed(membersChanged: Bool, _ log: borrowing LogSnapshot) throws -> [Position] {
        guard isChanged || membersChanged && before != nil else { return [] }
        let (old, new) = (before?.fates ?? [:], try log.erasing()?.fates ?? [:])
        let differing =
            new.filter { !$0.value.hidesLike(old[$0.key]) }.map(\.key)
            + old.filter { new[$0.key] == nil && !$0.value.hidesLike(nil) }.map(\.key)
        return try differing.compactMap { try log.position(of: $0, in: journal) }
    }
}
