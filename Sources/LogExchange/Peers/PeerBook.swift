public import EventLog
public import Events

/// The records that a log's replica has of its peers, stored beside the log.
///
/// If an exchange changed only times and the peer's acknowledgement, the record is deferred until the next commit, and
/// at most, by the next exchange, for a minute: after a crash the two learn it again when they next exchange.
public struct PeerBook: Sendable {
    private static let prefix = "peer/"
    /// Names and reasons come from peers, and are shown to people: bytes of UTF-8.
    private static let longestName = 1024
    private static let longestMessage = 4096
    /// The most peers that are remembered: peers may use any name.
    static let mostPeers = 1000
    /// The most heads of one replica that are remembered of a peer's acknowledgement, and the most of all unknown
    /// replicas together.
    static let mostHeads = 65
    /// The longest that a record is deferred while exchanges go on, in milliseconds.
    private static let longestDelay: Int64 = 60_000

    private let log: Log
    private let writesAtOnce: Bool

    public init(_ log: Log) { self.init(log, writesAtOnce: false) }

    /// `writesAtOnce` is for a log that is open only during the exchange.
    init(_ log: Log, writesAtOnce: Bool) {
        self.log = log
        self.writesAtOnce = writesAtOnce
    }

    /// All peers, by replica. A peer with a successor is left out, unless it was met after the first meeting with the
    /// successor. Unreadable records are skipped: the next exchange writes them again.
    public func records() throws -> [PeerRecord] {
        let records = try allRecords()
        let met = Dictionary(records.map { ($0.replica, $0.lastExchange ?? .min) }, uniquingKeysWith: max)
        var replaced: Set<ReplicaID> = []
        try log.read { log in
            for record in records {
                guard let time = record.firstExchange else { continue }
                for former in try log.predecessors(of: record.replica) {
                    // A predecessor that was met later still writes, and the successor began as its copy.
                    if let last = met[former], last <= time { replaced.insert(former) }
                }
            }
        }
        return records.filter { !replaced.contains($0.replica) }
    }

    private func allRecords() throws -> [PeerRecord] {
        try log.notes(Self.prefix).values
            .compactMap { bytes in bytes.withUnsafeBytes { try? PeerRecord($0) } }
            .sorted { $0.replica < $1.replica }
    }

    /// The record of a replica; nil if there is none.
    public func record(of replica: ReplicaID) throws -> PeerRecord? {
        try log.note(Self.prefix + "\(replica)").flatMap { bytes in bytes.withUnsafeBytes { try? PeerRecord($0) } }
    }

    /// Forgets a replica, for example that of a discarded device. Throws what the medium refuses.
    public func forget(_ replica: ReplicaID) async throws {
        try await log.worker.run { [log] in try log.setNote(Self.prefix + "\(replica)", nil) }
    }

    /// `isFirstHand` means that the replica itself acknowledged it, just now. A file states what was so when it was
    /// written: it withdraws nothing that was acknowledged since.
    func noteExchange(
        with acknowledgement: Acknowledgement, isFirstHand: Bool = true, lackingToo: Set<Digest>? = nil,
        unacknowledged: [CommitID: Int64]? = nil, at time: Int64
    ) async throws {
        try await change(acknowledgement.replica) { [log] record in
            record.name = acknowledgement.name.clipped(to: Self.longestName)
            record.acknowledged = try record.acknowledged.followed(
                by: acknowledgement.frontier, isFirstHand: isFirstHand, log)
            record.firstExchange = record.firstExchange ?? time
            record.lastExchange = time
            record.lastTried = time
            record.lastError = nil
            if let lackingToo { record.lacksToo = lackingToo }
            if let unacknowledged { record.unacknowledged = unacknowledged }
        }
    }

    /// The holes here whose bytes no known peer has: each that holds the commit said so when it was last met, and one did at least. Not those
    /// that an erasure explains.
    public func lost() throws -> [Hole] {
        let holes = try log.read { try $0.holes().filter { !$0.isExplained } }
        guard !holes.isEmpty else { return [] }
        let records = try records()
        return try log.read { log in
            try holes.filter { hole in
                var isKnown = false
                for record in records {
                    if record.lacksToo.contains(hole.commit.hash) {
                        isKnown = true
                    } else if try record.holds(hole.commit, log) {
                        return false
                    }
                }
                return isKnown
            }
        }
    }

    func noteFailure(
        _ message: String, of greeting: Greeting, isFirstHand: Bool, holding acknowledged: Frontier = .empty,
        at time: Int64
    ) async throws {
        try await change(greeting.replica) { [log] record in
            if !acknowledged.isEmpty {
                // A file states the past, a replica the present.
                record.acknowledged = try record.acknowledged.followed(
                    by: acknowledged, isFirstHand: isFirstHand, log)
            }
            if !greeting.name.isEmpty { record.name = greeting.name.clipped(to: Self.longestName) }
            record.lastTried = time
            record.lastError = message.clipped(to: Self.longestMessage)
        }
    }

    private func change(_ replica: ReplicaID, _ body: @escaping @Sendable (inout PeerRecord) throws -> Void)
        async throws
    {
        try await log.worker.run { [self] in
            // A replica is not its own peer; an unnoticed copy of it has its id.
            if replica == log.replica { return }
            let before = try self.record(of: replica)
            if before == nil { try makeRoom() }
            var record = before ?? PeerRecord(replica: replica)
            try body(&record)
            guard record != before else { return }
            let name = Self.prefix + "\(replica)"
            if try before.map({ try canWait(record, after: $0, name) }) ?? false {
                try log.deferNote(name, record.encoded())
            } else {
                try log.setNote(name, record.encoded())
            }
        }
    }

    /// Forgets the peers met the longest ago. On the log's worker.
    private func makeRoom() throws {
        let records = try allRecords()
        guard records.count >= Self.mostPeers else { return }
        let oldest = records.sorted { ($0.lastTried ?? .min, $0.replica) < ($1.lastTried ?? .min, $1.replica) }
        for record in oldest.prefix(records.count - Self.mostPeers + 1) {
            try log.setNote(Self.prefix + "\(record.replica)", nil)
        }
    }

    private func canWait(_ record: PeerRecord, after before: PeerRecord, _ name: String) throws -> Bool {
        guard !writesAtOnce, record.name == before.name, record.lastError == before.lastError,
            let tried = record.lastTried,
            let stored = try log.storedNote(name).flatMap({ bytes in bytes.withUnsafeBytes { try? PeerRecord($0) } }),
            let written = stored.lastTried
        else { return false }
        let (age, overflow) = tried.subtractingReportingOverflow(written)
        return !overflow && (0..<Self.longestDelay).contains(age)
    }
}

extension Frontier {
    /// What is remembered after a newer acknowledgement: that one, if it is first-hand.
    fileprivate func followed(by newer: Frontier, isFirstHand: Bool, _ log: Log) throws -> Frontier {
        if isFirstHand && newer.heads.count <= PeerBook.mostHeads { return newer }
        return try log.read { log in
            let frontier = try newer.remembered(log)
            return isFirstHand ? frontier : try joined(with: frontier, log).remembered(log)
        }
    }

    /// The part of it that is kept: of each known replica as many heads as it may have branches, those held here first,
    /// and as many of all unknown replicas together. A peer may acknowledge anything.
    fileprivate func remembered(_ log: borrowing LogSnapshot) throws -> Frontier {
        guard heads.count > PeerBook.mostHeads else { return self }
        let own = try log.journal()
        let membership = try log.membership()
        let known = Set(try log.newestCommits(of: own).map(\.replica))
        var kept: [CommitID] = []
        var others: [CommitID] = []
        for (replica, heads) in byReplica {
            guard known.contains(replica) || membership?.members[replica] != nil else {
                others += heads
                continue
            }
            guard heads.count > PeerBook.mostHeads else {
                kept += heads
                continue
            }
            let held = try log.heldSigned(heads, in: own)
            kept += (held.sorted() + heads.filter { !held.contains($0) }).prefix(PeerBook.mostHeads)
        }
        return Frontier(journal: journal, heads: kept + others.sorted().prefix(PeerBook.mostHeads))
    }

    /// The frontier of a holder of both, as far as the log can tell, without commits that come before others.
    fileprivate func joined(with other: Frontier, _ log: borrowing LogSnapshot) throws -> Frontier {
        guard let journal = other.journal, self.journal == nil || self.journal == journal else { return other }
        return Frontier(journal: journal, heads: try log.withoutPredecessors(Set(heads + other.heads), in: journal))
    }
}

extension PeerRecord {
    /// How many commits of a log the peer does not hold, by its acknowledgement. O(lines).
    public func commitsToSend(_ log: borrowing LogSnapshot) throws -> Int {
        try lacking(log).reduce(0) { $0 + $1.count }
    }

    /// Their bytes. O(commits).
    public func bytesToSend(_ log: borrowing LogSnapshot) throws -> Int {
        let journal = try log.journal()
        return try lacking(log).reduce(0) { $0 + (try log.byteCount(of: $1, in: journal)) }
    }

    /// How many commits the peer holds, by its acknowledgement, that are not held here. Where lines fork it is an
    /// estimate.
    public func commitsToReceive(_ log: borrowing LogSnapshot) throws -> Int {
        let journal = try log.journal()
        let newest = Dictionary(grouping: try log.newestCommits(of: journal), by: \.replica)
        var count = 0
        for head in acknowledged.heads where try !log.holds(head, in: journal) {
            let held = newest[head.replica]?.map(\.sequence).max()?.rawValue ?? 0
            count = count.addingUpTo(head.sequence.rawValue > held ? Int(clamping: head.sequence.rawValue - held) : 1)
        }
        return count
    }

    /// Whether the peer holds a commit, by its acknowledgement.
    public func holds(_ commit: CommitID, _ log: borrowing LogSnapshot) throws -> Bool {
        let journal = try log.journal()
        return try acknowledged.heads.contains { try log.precedes(commit, $0, in: journal) }
    }

    private func lacking(_ log: borrowing LogSnapshot) throws -> [LineRange] {
        let journal = try log.journal()
        return try log.ranges(
            towards: log.newestCommits(of: journal), lackedBy: acknowledged.heads, in: journal)
    }
}

extension String {
    /// At most that many bytes, in whole characters.
    func clipped(to count: Int) -> String {
        guard utf8.count > count else { return self }
        var (clipped, size) = ("", 0)
        for scalar in unicodeScalars {
            size += UTF8.width(scalar)
            guard size <= count - 3 else { break }
            clipped.unicodeScalars.append(scalar)
        }
        return clipped + "…"
    }
}
