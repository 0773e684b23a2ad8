import Events
import LMDB

/// The index of the commits with statements about erasing: derived data, in `meta`.
///
/// Its token, 16 bytes, changes with every such commit; zeros if there is none. A row for each commit has the time when
/// this log stored it, and a byte 1 if it wrote it. A version that does not know the feature writes none of this.
enum ErasingIndex {
    static let noStatements = [UInt8](repeating: 0, count: 16)
    private static let prefix = Array("erasing/".utf8)

    static func key(_ position: Position) -> [UInt8] { prefix + position.rawValue.bigEndianBytes }

    /// Marks a new state of the statements: the token is a hash over all of them, so that no two states share one.
    static func mix(_ hash: Digest, _ tables: LogTables, _ transaction: borrowing WriteTransaction) throws {
        let token = try transaction.reading.get(MetaKey.erasing, in: tables.meta).map { [UInt8]($0) } ?? noStatements
        var builder = DigestBuilder()
        builder.add(token)
        builder.add(hash.bytes)
        try transaction.put(MetaKey.erasing, Array(builder.finish().bytes.prefix(16)), in: tables.meta)
    }

    static func put(
        _ hash: Digest, at position: Position, arrival: Int64, isWrittenHere: Bool = false, _ tables: LogTables,
        _ transaction: borrowing WriteTransaction
    ) throws {
        let row = UInt64(bitPattern: arrival).bigEndianBytes + (isWrittenHere ? [1] : [])
        try transaction.put(key(position), row, in: tables.meta)
        try mix(hash, tables, transaction)
    }

    /// How many commits an opening reads again rather than note that it has: a note is a write, and one that syncs.
    private static let mostReadAgain: UInt64 = 1_000

    /// Lists the statements that a version which does not know the feature stored since an earlier opening, as if they
    /// had arrived now. O(commits since then, and at most those that are read again).
    static func complete(
        _ log: borrowing LogSnapshot, now: Int64, _ transaction: borrowing WriteTransaction
    ) throws {
        let tables = log.tables
        guard let journal = try? log.journal() else { return }
        let last = try log.lastPosition()
        var end = Position.start
        if try log.meta(MetaKey.erasing) == nil {
            try transaction.put(MetaKey.erasing, noStatements, in: tables.meta)
        } else if let bytes = try log.meta(MetaKey.erasingEnd), bytes.count == 8 {
            end = min(last, Position(bytes.withUnsafeBytes { $0.bigEndian(UInt64.self) }))
        }
        guard end < last else { return }
        let isNoted = last.rawValue - end.rawValue > mostReadAgain
        var found: [(position: Position, hash: Digest)] = []
        while end < last {
            end = end.next
            // A damaged commit is found by those who read it, and keeps no log from being opened.
            guard let commit = try? log.bytes(at: end.rawValue) else { continue }
            if commit.view.header.isErasing, commit.view.header.journal == journal, try log.meta(key(end)) == nil {
                found.append((end, commit.hash))
            }
        }
        for (position, hash) in found { try put(hash, at: position, arrival: now, tables, transaction) }
        if !found.isEmpty { try LogSnapshot.countRewrite(tables, transaction) }
        guard isNoted || !found.isEmpty else { return }
        try transaction.put(MetaKey.erasingEnd, last.rawValue.bigEndianBytes, in: tables.meta)
    }

    /// A row: where the commit is, when the log stored it, and whether it wrote it.
    struct Row {
        let position: UInt64
        let arrival: Int64
        let isWrittenHere: Bool
    }

    static func forEachRow(_ log: borrowing LogSnapshot, _ body: (Row) throws -> Void) throws {
        var cursor = try log.transaction.cursor(on: log.tables.meta)
        var row = try cursor.seek(atOrAfter: prefix)
        while let current = row, current.key.starts(with: prefix) {
            guard let entry = entry(current.key, current.value) else {
                throw LogSnapshot.damaged("the index of what is erased")
            }
            try body(entry)
            row = try cursor.next()
        }
    }

    /// The contents of a row of `meta`; nil if it is none of the index.
    static func entry(
        _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) -> Row? {
        guard key.starts(with: prefix), key.count == prefix.count + 8,
            value.count == 8 || value.count == 9 && value[8] == 1
        else { return nil }
        return Row(
            position: key.bigEndian(UInt64.self, at: prefix.count),
            arrival: Int64(bitPattern: value.bigEndian(UInt64.self)), isWrittenHere: value.count == 9)
    }
}

extension LogSnapshot {
    /// What the held commits state about erasing; nil if nothing is stated. O(1) while no statement arrives, then
    /// O(statements).
    func erasing() throws -> ResolvedErasing? {
        guard let tokens = try erasingTokens() else { return nil }
        if let known = tables.erasing.resolved(for: tokens) { return known }
        let verdicts = try verdicts()
        let resolved = try ErasureResolver.resolve(try erasingFacts(), verdicts.membership) { fact in
            try verdicts.stands(fact.commit, self)
        }
        tables.erasing.keep(resolved, for: tokens)
        return resolved
    }

    /// Bytes that change with the statements and with the members; nil if nothing is stated. O(1).
    func erasingTokens() throws -> [UInt8]? {
        guard let token = try transaction.get(MetaKey.erasing, in: tables.meta),
            !token.allSatisfy({ $0 == 0 })
        else { return nil }
        return [UInt8](token) + (try meta(MetaKey.membership) ?? [])
    }

    /// Bytes that also change with each commit; nil if nothing is stated. O(1).
    func erasingState() throws -> [UInt8]? {
        try erasingTokens().map { try $0 + lastPosition().rawValue.bigEndianBytes }
    }

    /// What the counting erasures leave of a commit; nil if there are none.
    func fate(of commit: CommitID) throws -> CommitFate? { try erasing()?.fates[commit] }

    /// The statements about erasing, whether they count or not. O(statements).
    private func erasingFacts() throws -> [ErasingFact] {
        var found: [ErasingFact] = []
        try ErasingIndex.forEachRow(self) { row in
            guard let commit = try bytes(at: row.position) else { throw Self.damaged("the index of what is erased") }
            if let known = tables.erasing.facts(at: row.position, commit.hash) {
                found += known
                return
            }
            let facts = ErasingFact.all(
                in: commit.view.header, commit.hash, commit.view.payload, arrival: row.arrival,
                isWrittenHere: row.isWrittenHere)
            if commit.view.isWhole { tables.erasing.keep(facts, at: row.position) }
            found += facts
        }
        return found
    }
}

extension Verdicts {
    /// Whether the commit of a statement about erasing stands: it is a member's, whatever its role, within each cut,
    /// and was not replaced. What a revoked member stated within the cuts goes on counting. Of a replica that is no
    /// member the statements count as its events do: for itself alone.
    func stands(_ commit: CommitID, _ log: borrowing LogSnapshot) throws -> Bool {
        guard let membership else { return true }
        if waiting.contains(commit.replica) { return true }
        guard let member = membership.members[commit.replica] else { return false }
        let journal = try log.journal()
        for cut in member.cuts where try !cut.contains(where: { try log.precedes(commit, $0, in: journal) }) {
            return false
        }
        return try !(replaced[commit.replica]?.includes(commit, log) ?? false)
    }
}
