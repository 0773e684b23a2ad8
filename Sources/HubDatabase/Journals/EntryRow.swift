import EventLog
import Events
import LogExchange

/// A row of the table `entry`: a segment as it came, erasures by which bytes were removed, or commits of which bytes were restored.
struct EntryRow: Sendable {
    enum Kind: Int64, Sendable {
        case segment = 1
        case erasures = 2
        case restored = 3
    }

    /// The first and the last commit of a segment.
    struct Range: Sendable {
        let replica: ReplicaID
        let firstSequence: UInt64
        let first: Digest
        let last: Digest
    }

    var entry: Int64 = 0
    let operation: [UInt8]
    let kind: Kind?
    /// Of its first commit: 1, 2, 3… in the journal, without gaps.
    var position: Int64 = 0
    let commits: Int64
    let range: Range?
    /// Milliseconds since 1970.
    let time: Int64
    /// Whether the next entry is of the same operation.
    let isContinued: Bool
    /// Why it is not used; nil if it is.
    var setAside: String?
    let body: [UInt8]

    /// Of an operation of a log: one for each segment, and one for erasures.
    static func rows(of entry: LedgerEntry) -> [EntryRow] {
        var rows: [EntryRow] = []
        let isRestoring = !entry.restored.isEmpty
        let hasErasures = !entry.erasures.isEmpty || entry.segments.isEmpty && !isRestoring
        for (index, added) in entry.segments.enumerated() {
            let segment = added.segment
            rows.append(
                EntryRow(
                    operation: entry.operation, kind: .segment, commits: Int64(segment.commits.count),
                    range: Range(
                        replica: segment.replica, firstSequence: segment.first.rawValue, first: added.first,
                        last: added.last),
                    time: entry.time,
                    isContinued: index + 1 < entry.segments.count || isRestoring || hasErasures,
                    body: segment.encoded()))
        }
        if isRestoring {
            rows.append(
                EntryRow(
                    operation: entry.operation, kind: .restored, commits: 0, range: nil, time: entry.time,
                    isContinued: hasErasures, body: RestoredBatch.encoded(entry.restored)))
        }
        // An operation that only changed stored bytes is an entry as well, so that copies know that there was one.
        if hasErasures {
            rows.append(
                EntryRow(
                    operation: entry.operation, kind: .erasures, commits: 0, range: nil, time: entry.time,
                    isContinued: false, body: RemovedBatch.encoded(entry.erasures)))
        }
        return rows
    }

    init(
        operation: [UInt8], kind: Kind, commits: Int64, range: Range?, time: Int64, isContinued: Bool, body: [UInt8]
    ) {
        self.operation = operation
        self.kind = kind
        self.commits = commits
        self.range = range
        self.time = time
        self.isContinued = isContinued
        self.body = body
    }

    /// The columns that `init(_:)` reads.
    static let columns =
        "entry, operation, kind, position, commits, replica, first_sequence, first_hash, last_hash, stored_at, continued, set_aside, body"

    init(_ row: DatabaseRow) throws(DatabaseError) {
        entry = try row.integer(0)
        operation = try row.needed(1)
        kind = Kind(rawValue: try row.integer(2))
        position = try row.integer(3)
        commits = try row.integer(4)
        if let replica = row.bytes(5).flatMap({ ReplicaID($0) }),
            let first = row.bytes(7).flatMap({ $0.withUnsafeBytes { Digest($0) } }),
            let last = row.bytes(8).flatMap({ $0.withUnsafeBytes { Digest($0) } })
        {
            range = Range(
                replica: replica, firstSequence: UInt64(clamping: try row.integer(6)), first: first, last: last)
        } else {
            range = nil
        }
        time = try row.integer(9)
        isContinued = try row.boolean(10)
        setAside = row.text(11)
        body = try row.needed(12)
    }

    /// What it holds. Throws `WireError` if the body cannot be read.
    func contents() throws -> (segment: LineSegment?, erasures: [Erasure], restored: [RestoredCommit]) {
        switch kind {
        case .segment:
            let segment = try body.withUnsafeBytes { try LineSegment($0) }
            guard Int64(segment.commits.count) == commits else {
                throw DatabaseError(
                    .damaged, "Entry \(entry) says that it has \(commits) commits, and has \(segment.commits.count).")
            }
            return (segment, [], [])
        case .erasures: return (nil, try body.withUnsafeBytes { try RemovedBatch.erasures($0) }, [])
        case .restored: return (nil, [], try body.withUnsafeBytes { try RestoredBatch.commits($0) })
        case nil: throw DatabaseError(.damaged, "Entry \(entry) is of a kind that this hub does not know.")
        }
    }

    /// As parameters, in the order of `JournalRows.insertedColumns`, without the journal, the entry and the position.
    var parameters: [DatabaseValue] {
        [
            .bytes(operation), .integer(kind?.rawValue ?? 0), .integer(commits),
            range.map { .bytes($0.replica.bytes) } ?? .null, range.map { .integer($0.firstSequence) } ?? .null,
            range.map { .bytes($0.first.bytes) } ?? .null, range.map { .bytes($0.last.bytes) } ?? .null,
            .integer(time), .boolean(isContinued), .bytes(body),
        ]
    }
}
