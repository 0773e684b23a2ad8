public import EventLog
public import Events

/// What a log's replica knows of others, kept beside the log.
///
/// Where an exchange changed nothing but times and what the other acknowledged, the medium gets it with the next commit
/// and at the latest, by the next exchange, after a minute: what a crash takes is learned again when the two next meet.
public struct PeerBook: Sendable {
    private static let prefix = "peer/"
    /// Names and reasons come from others, and are shown to people: bytes of UTF-8.
    private static let longestName = 1024
    private static let longestMessage = 4096
    /// The most peers that are remembered: anybody may call themselves anything.
    static let mostPeers = 1000
    /// The most heads of one replica that are remembered of what a peer acknowledged, and the most of all those that are not known here.
    static let mostHeads = 65
    /// How old what is on the medium may grow while exchanges go on, in milliseconds.
    private static let longestDelay: Int64 = 60_000

    private let log: Log
    private let writesAtOnce: Bool

    public init(_ log: Log) { self.init(log, writesAtOnce: false) }

    /// `writesAtOnce` is for a log that is open only as long as the exchange lasts.
    init(_ log: Log, writesAtOnce: Bool) {
        self.log = log
        self.writesAtOnce = writesAtOnce
    }

    /// All peers, by replica. A peer in whose place another replica writes is left out, unless it was met after that one first was.
    /// Records that cannot be read are passed over: the next exchange makes them anew.
    public func records() throws -> [PeerRecord] {
        let records = try allRecords()
        let met = Dictionary(records.map { ($0.replica, $0.lastExchange ?? .min) }, uniquingKeysWith: max)
        var replaced: Set<ReplicaID> = []
        try log.read { log in
            for record in records {
                guard let time = record.firstExchange else { continue }
                for former in try log.predecessors(of: record.replica) {
                    // One that was met later lives on, and the other began as its copy.
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

    /// What is known of a replica; nil if nothing is.
    public func record(of replica: ReplicaID) throws -> PeerRecord? {
        try log.note(Self.prefix + "\(replica)").flatMap { bytes in bytes.withUnsafeBytes { try? PeerRecord($0) } }
    }

    /// Forgets a replica, that of a device that is gone, say. Throws what the medium refuses.
    public func forget(_ replica: ReplicaID) async throws {
        try await log.worker.run { [log] in try log.setNote(Self.prefix + "\(replica)", nil) }
    }

    /// `isFirstHand` says that the replica itself acknowledged it, just now. What a file says was so when it was written:
    /// it takes back nothing that was acknowledged since.
    func noteExchange(
        with acknowledgement: Acknowledgement, isFirstHand: Bool = true, at time: Int64
    ) async throws {
        try await change(acknowledgement.replica) { [log] record in
            record.name = acknowledgement.name.clipped(to: Self.longestName)
            record.acknowledged = try record.acknowledged.followed(
                by: acknowledgement.frontier, isFirstHand: isFirstHand, log)
            record.firstExchange = record.firstExchange ?? time
            record.lastExchange = time
            record.lastTried = time
            record.lastError = nil
        }
    }

    func noteFailure(
        _ message: String, of greeting: Greeting, holding acknowledged: Frontier = .empty, at time: Int64
    ) async throws {
        try await change(greeting.replica) { [log] record in
            if !acknowledged.isEmpty {
                // A file says what was so when it was written, and a replica what is so now.
                record.acknowledged = try record.acknowledged.followed(
                    by: acknowledged, isFirstHand: greeting.clock != nil, log)
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
            // A replica is not its own peer; a copy of it that nobody told apart has its id.
            if replica == log.replica { return }
            let before = try self.record(of: replica)
            if before == nil { try makeRoom() }
            var record = before ?? PeerRecord(replica: replica)
            try body(&record)
            guard record != before else { return }
            let name = Self.prefix + "\(replica)"
            if try before.map({ try canWait(record, after: $0, name) }) ?? false {
                try log.setNoteLater(name, record.encoded())
            } else {
                try log.setNote(name, record.encoded())
            }
        }
    }

    /// Forgets those that were met the longest ago. On the log's worker.
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
    /// What is remembered once another was acknowledged: that one, if who holds it says so itself.
    fileprivate func followed(by newer: Frontier, isFirstHand: Bool, _ log: Log) throws -> Frontier {
        if isFirstHand && newer.heads.count <= PeerBook.mostHeads { return newer }
        return try log.read { log in
            let frontier = try newer.remembered(log)
            return isFirstHand ? frontier : try joined(with: frontier, log).remembered(log)
        }
    }

    /// What is kept of it: of each replica that is known here so many heads as it may have branches, those that are held here first,
    /// and as many of all others together. A peer may acknowledge anything.
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

    /// What somebody holds who holds both, as far as the log can tell; what comes before something else is left out.
    fileprivate func joined(with other: Frontier, _ log: borrowing LogSnapshot) throws -> Frontier {
        guard let journal = other.journal, self.journal == nil || self.journal == journal else { return other }
        return Frontier(journal: journal, heads: try log.withoutPredecessors(Set(heads + other.heads), in: journal))
    }
}

extension PeerRecord {
    /// How many commits of a log the peer does not hold, as far as it has said. O(lines).
    public func commitsToSend(_ log: borrowing LogSnapshot) throws -> Int {
        try lacking(log).reduce(0) { $0 + $1.count }
    }

    /// Their bytes. O(commits).
    public func bytesToSend(_ log: borrowing LogSnapshot) throws -> Int {
        let journal = try log.journal()
        return try lacking(log).reduce(0) { $0 + (try log.byteCount(of: $1, in: journal)) }
    }

    /// How many commits the peer has said that it holds, and are not held here. Where lines fork it is an estimate.
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

    /// Whether the peer holds a commit, as far as it has said.
    public func holds(_ commit: CommitID, _ log: borrowing LogSnapshot) throws -> Bool {
        let journal = try log.journal()
        return try acknowledged.heads.contains { try log.precedes(commit, $0, in: journal) }
    }

    private func lacking(_ log: borrowing LogSnapshot) throws -> [LineStretch] {
        let journal = try log.journal()
        return try log.stretches(
            towards: log.newestCommits(of: journal), lackedBy: acknowledged.heads, in: journal)
    }
}

extension String {
    /// So many bytes at most, whole characters.
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
