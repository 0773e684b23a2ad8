import Events
import LMDB

/// Stores verified segments of other replicas' lines inside one write transaction.
struct SegmentReceiver {
    private let tables: LogTables
    private let journal: JournalID
    private var families: [ReplicaID: LineFamily] = [:]
    private var changed: [LineID: LineHead] = [:]
    private var lineCount: Int
    private var last: Position
    private(set) var stored = Stored()
    /// The commits that were not held, as segments.
    private(set) var added: [LedgerEntry.Segment] = []
    /// Held commits of which bytes were restored.
    private(set) var healed: [CommitID] = []
    private var keeper: ErasureKeeper
    /// Received erasures, by the positions of their commits: judged at the end, when the members and all statements are
    /// known.
    private var erasures: [(position: Position, statements: [Erasure])] = []
    private var members: MembershipKeeper
    private var erasing: ErasingKeeper
    /// When the commits arrive, in milliseconds since 1970.
    private let now: Int64
    private var quotas: QuotaKeeper

    /// `now`, in milliseconds since 1970, decides which day's quotas the commits count against, and when their
    /// statements arrived.
    init(
        _ log: borrowing LogSnapshot, journal: JournalID, _ quotas: ReceivingQuotas, now: Int64,
        enforcesQuotas: Bool = true
    ) throws {
        tables = log.tables
        self.quotas = QuotaKeeper(quotas, log.tables, now: now, enforces: enforcesQuotas)
        last = try log.lastPosition()
        members = MembershipKeeper(log, try log.verdicts(), last: last)
        try members.noteHeads(log)
        erasing = try ErasingKeeper(log, of: journal)
        self.now = now
        self.journal = journal
        lineCount = try log.transaction.count(of: log.tables.heads)
        keeper = ErasureKeeper(log.tables, newAfter: last)
    }

    /// Stores the commits of a segment that are not held yet.
    ///
    /// A commit that differs from the one held under its number begins a branch. Throws `EventLogError.missingStart` if
    /// the commit that the segment follows is not held, and `.rejected` if it is older than that.
    mutating func store(_ verified: VerifiedSegment, _ transaction: borrowing WriteTransaction) throws {
        let segment = verified.segment
        let log = LogSnapshot(transaction.reading.alias(), tables)
        var family = try families[segment.replica] ?? log.family(of: segment.replica, in: journal)
        let verdicts = try log.verdicts()
        let mayBeTaken = try verdicts.mayBeTaken(segment, family, log)
        var owner: LineFamily.Member?
        do { owner = try anchor(of: segment, in: family, log) } catch let error as EventLogError
            where error.code == .missingStart && !mayBeTaken
        {
            // The preceding commits of a cut-off line were skipped as well.
            return passOver(segment)
        }
        var held = 0
        while held < verified.commits.count,
            let next = try line(with: verified.commits[held], after: owner, family, log)
        {
            owner = next
            try takeErasures(of: verified.commits[held], heldOn: next, family, log, transaction)
            held += 1
        }
        defer { families[segment.replica] = family }
        guard held < verified.commits.count else { return try sign(segment, owner, &family, transaction) }
        guard mayBeTaken else { return passOver(segment) }
        let rest = verified.commits[held...]
        let first = verified.commits[held]
        try checkTime(
            of: first, after: held > 0 ? verified.commits[held - 1].timestamp : nil, owner, family, log, segment)
        // Commits that lead to a commit which a cut names count, however many branches and statements came before them.
        let isWanted = try verdicts.isWanted(segment, family, log)
        try quotas.admit(
            rest, of: segment.replica, isNew: family.members.isEmpty, isWanted: isWanted, verdicts, log)
        var (line, head) = try extended(by: first, owner, family, isBounded: !isWanted)
        for commit in rest {
            let position = last.next
            try head.extend(
                with: (commit.sequence, commit.timestamp), commit.hash, commit.hash.bytes, commit.bytes, at: position,
                after: last,
                transaction, tables)
            last = position
            if !commit.erasures.isEmpty { erasures.append((position, commit.erasures)) }
            try members.stored(commit.header, commit.hash, at: position, transaction)
            try erasing.stored(commit.header, commit.hash, at: position, now: now, transaction)
        }
        let key = head.line.bigEndianBytes + head.sequence.rawValue.bigEndianBytes
        try transaction.put(key, segment.signature, in: tables.signatures)
        head.signed = head.sequence
        head.unsignedBytes = 0
        try transaction.put(line.bytes, head.encoded(), in: tables.heads)
        family.set(head, for: line)
        try members.grown(line, head, transaction)
        note(rest, family, line, segment)
        added.append(
            LedgerEntry.Segment(
                segment: held == 0 ? segment : segment.part(rest, after: verified.commits[held - 1].hash),
                first: first.hash, last: head.hash))
    }

    /// Once it is finished: the erasures that are new of commits that were held before, and which of these have other
    /// bytes now.
    var changesOfHeld: ([Erasure], [CommitID]) { (keeper.addedToHeld, keeper.rewrittenHeld) }

    private mutating func passOver(_ segment: LineSegment) {
        stored.passedOver[segment.replica, default: 0] += 1024 + segment.byteCount
    }

    /// For a held commit: the received copy may have bytes that are missing here and that no erasure hides, or an
    /// erasure that arrived with it may explain what is missing.
    private mutating func takeErasures(
        of commit: VerifiedSegment.Commit, heldOn owner: LineFamily.Member, _ family: LineFamily,
        _ log: borrowing LogSnapshot, _ transaction: borrowing WriteTransaction
    ) throws {
        guard let position = try family.position(of: commit.sequence, in: owner.id, log) else { return }
        // The number of leaves is known once the bytes are here.
        let isHealed = try commit.bytes.withUnsafeBytes {
            try keeper.heal(try CommitView($0), at: position, transaction)
        }
        if isHealed {
            healed.append(CommitID(replica: family.replica, sequence: commit.sequence, hash: commit.hash))
            try members.healed(commit.header, commit.hash, transaction)
            try erasing.healed(commit.header, commit.hash, transaction)
        }
        if isHealed || !commit.erasures.isEmpty { erasures.append((position, commit.erasures)) }
    }

    /// A held segment may end where no signature was: for example that of a replica whose key was lost here.
    private func sign(
        _ segment: LineSegment, _ owner: LineFamily.Member?, _ family: inout LineFamily,
        _ transaction: borrowing WriteTransaction
    ) throws {
        let log = LogSnapshot(transaction.reading.alias(), tables)
        guard let owner, owner.head.first <= segment.last else { return }
        let key = owner.head.line.bigEndianBytes + segment.last.rawValue.bigEndianBytes
        guard owner.head.signed < segment.last else {
            // Forwarded where what follows was replaced.
            if try log.transaction.get(key, in: tables.signatures) == nil {
                try transaction.put(key, segment.signature, in: tables.signatures)
            }
            return
        }
        var head = owner.head
        head.signed = segment.last
        head.unsignedBytes = 0
        var sequence = segment.last
        while sequence < head.sequence {
            sequence = sequence.next
            guard let position = try family.position(of: sequence, in: owner.id, log),
                let commit = try log.storedCommit(at: position)
            else { throw LogSnapshot.damaged("commit \(sequence) of replica \(segment.replica)") }
            head.unsignedBytes += UInt64(commit.view.weight)
        }
        try transaction.put(key, segment.signature, in: tables.signatures)
        try transaction.put(owner.id.bytes, head.encoded(), in: tables.heads)
        family.set(head, for: owner.id)
    }

    /// The line with the commit before a segment; nil if it begins with commit 1.
    private func anchor(
        of segment: LineSegment, in family: LineFamily, _ log: borrowing LogSnapshot
    ) throws -> LineFamily.Member? {
        guard segment.first.rawValue > 1 else { return nil }
        let before = CommitID(
            replica: segment.replica, sequence: SequenceNumber(segment.first.rawValue - 1), hash: segment.previous)
        if let owner = try family.owner(of: before, log) { return owner }
        throw segment.missingStart(family.members.map(\.head.sequence).max() ?? .start)
    }

    /// The line on which a commit is held as the next of another; nil if it is not.
    private func line(
        with commit: VerifiedSegment.Commit, after owner: LineFamily.Member?, _ family: LineFamily,
        _ log: borrowing LogSnapshot
    ) throws -> LineFamily.Member? {
        if let owner {
            if try family.hash(of: commit.sequence, on: owner, log) == commit.hash { return owner }
        } else if let line = family.members.first(where: { $0.head.first.rawValue == 1 && $0.id.branch == nil }),
            try family.hash(of: commit.sequence, on: line, log) == commit.hash
        {
            return line
        }
        let name = CommitID(replica: family.replica, sequence: commit.sequence, hash: commit.hash)
        return family.branch(with: name, leaving: owner?.head.line ?? 0)
    }

    /// The verification saw the segment alone.
    private func checkTime(
        of commit: VerifiedSegment.Commit, after known: Timestamp?, _ owner: LineFamily.Member?, _ family: LineFamily,
        _ log: borrowing LogSnapshot, _ segment: LineSegment
    ) throws {
        var before = known ?? .zero
        if known == nil, let owner, commit.sequence.rawValue > 1 {
            let sequence = SequenceNumber(commit.sequence.rawValue - 1)
            if let position = try family.position(of: sequence, in: owner.id, log),
                let previous = try log.storedCommit(at: position)
            {
                before = previous.header.timestamp
            }
        }
        guard commit.timestamp > before else {
            throw segment.rejected("goes back in time at commit \(commit.sequence)")
        }
    }

    /// The line that a commit is appended to: the one that ends before it, or a new branch.
    private mutating func extended(
        by commit: VerifiedSegment.Commit, _ owner: LineFamily.Member?, _ family: LineFamily, isBounded: Bool
    ) throws -> (LineID, LineHead) {
        if let owner, owner.head.sequence.next == commit.sequence { return (owner.id, owner.head) }
        // A cut names at most this many commits.
        let most = LineFamily.mostBranches + (isBounded ? 0 : MembershipStatement.mostCuts)
        guard family.members.count <= most else {
            throw EventLogError(
                .tooManyBranches,
                "The commits of replica \(family.replica) fork into more than \(LineFamily.mostBranches) branches: whoever has its "
                    + "key writes them on purpose. Its further branches are not taken in; everything else is.")
        }
        lineCount += 1
        var head = LineHead.new(line: UInt32(lineCount))
        guard !family.members.isEmpty else { return (LineID(journal: journal, replica: family.replica), head) }
        head.branch = LineHead.BranchPoint(parent: owner?.head.line ?? 0, first: commit.sequence)
        return (LineID(journal: journal, replica: family.replica, branch: commit.hash), head)
    }

    private mutating func note(
        _ commits: ArraySlice<VerifiedSegment.Commit>, _ family: LineFamily, _ line: LineID, _ segment: LineSegment
    ) {
        stored.commits += commits.count
        stored.bytes += commits.reduce(0) { $0 + $1.bytes.count }
        stored.lines.insert(line)
        if let newest = commits.last?.timestamp { stored.newest = max(stored.newest ?? .zero, newest) }
        for commit in commits { stored.events += LineSegment.eventCount(of: commit.bytes) }
    }

    /// Stores the newest timestamp that was seen, and returns what was stored, with the forks among it.
    mutating func finish(_ transaction: borrowing WriteTransaction) throws -> Stored {
        let log = LogSnapshot(transaction.reading.alias(), tables)
        if let newest = stored.newest, try newest > log.newestSeen() {
            try transaction.put(MetaKey.seen, newest.rawValue.bigEndianBytes, in: tables.meta)
        }
        for replica in Set(stored.lines.filter { $0.branch != nil }.map(\.replica)).sorted() {
            stored.forks += try families[replica]?.forks(log) ?? []
        }
        stored.position = last
        try quotas.finish(transaction)
        for (position, statements) in erasures { try keeper.judge(position, adding: statements, transaction) }
        let isJudgedAnew = try keeper.finish(members, erasing, transaction)
        stored.rewritten = keeper.rewritten + (isJudgedAnew ? 1 : 0)
        return stored
    }
}

extension LineSegment {
    /// Its last commits, which follow the commit with a hash.
    fileprivate func part(_ commits: ArraySlice<VerifiedSegment.Commit>, after previous: Digest) -> LineSegment {
        LineSegment(
            journal: journal, replica: replica, first: commits.first?.sequence ?? first, previous: previous,
            commits: commits.map(\.bytes), signature: signature,
            erasures: commits.flatMap { $0.erasures.map(\.bytes) })
    }
}

extension LogSnapshot {
    /// The newest timestamp received from other replicas.
    func newestSeen() throws -> Timestamp {
        Timestamp(
            rawValue: try meta(MetaKey.seen)?.withUnsafeBytes { $0.count == 8 ? $0.bigEndian(UInt64.self) : 0 } ?? 0)
    }
}
