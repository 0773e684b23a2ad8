import Events

/// Re-derives every hash, sequence, timestamp and signature of a log from its commits, and compares the log's other
/// tables with the result.
///
/// It continues after a fault, so that one run names all of them. Memory grows with the number of lines and of
/// signatures, not with that of commits.
public struct LogVerifier {
    /// What the commits of one line yield.
    struct Line {
        var sequence: UInt64 = 0
        var hash = Digest.zero
        var timestamp = Timestamp.zero
        var position: UInt64 = 0
        /// The newest signed commit, and the number and bytes of the commits since.
        var signed: UInt64 = 0
        var unsigned: (commits: UInt64, bytes: UInt64) = (0, 0)
        /// Whether a missing signature was reported, which happens once.
        var lacksSignature = false
    }

    let rows: any LogRows
    private let progress: (Position) -> Void
    var lines: [LineID: Line] = [:]
    /// First sequence and first position of every run of a line.
    var runs: [LineID: [UInt64: UInt64]] = [:]
    var numbers: [UInt32: LineID] = [:]
    /// Positions of commits that hold statements about members, or introduce a replica: all, and those of each journal.
    var memberPositions: [JournalID: [UInt64]] = [:]
    private var branches = BranchTable()
    private var publicKeys: [LineID: [UInt8]] = [:]
    var erasures = HeldErasures()
    var members = VerifiedMembers()
    /// Positions of commits that hold statements about erasing, of each journal.
    var erasingPositions: [JournalID: Set<UInt64>] = [:]
    private var report = VerificationReport()

    private init(_ rows: any LogRows, _ progress: @escaping (Position) -> Void) {
        self.rows = rows
        self.progress = progress
    }

    /// Verifies a log. `progress` is called every few thousand commits.
    ///
    /// Throws only what the reader throws: damage is reported.
    public static func verify(
        _ rows: any LogRows, progress: @escaping (Position) -> Void = { _ in }
    ) throws -> VerificationReport {
        // One snapshot: concurrent writes would not be consistent with it.
        try rows.atOneMoment { rows in
            var verifier = LogVerifier(rows, progress)
            try verifier.run()
            return verifier.report
        }
    }

    private mutating func run() throws {
        for fault in rows.fileFaults { find("structure", fault) }
        try readLineNumbers()
        try readSignatures()
        try readErasures()
        try checkCommits()
        try checkErasures()
        try checkHeads()
        try checkRuns()
        try checkMembers()
        try checkMeta()
        checkUnused()
        report.replicas = Set(lines.keys.map(\.replica)).count
    }

    mutating func find(
        _ code: String, _ message: String, at position: UInt64? = nil, _ line: LineID? = nil, _ sequence: UInt64? = nil
    ) {
        report.findings.append(
            Finding(
                code, message, position: position.map { Position($0) }, replica: line?.replica,
                sequence: sequence.map { SequenceNumber($0) }))
    }

    // MARK: Signatures

    /// Signatures by line and sequence; those left at the end belong to no commit.
    private var signatures: [LineID: [UInt64: [UInt8]]] = [:]

    private mutating func readLineNumbers() throws {
        var numbers: [UInt32: LineID] = [:]
        var branches = BranchTable()
        try rows.forEachRow(of: .heads) { key, value in
            guard let line = LineID(key), let head = LineHead(value) else { return }
            numbers[head.line] = line
            if let point = head.branch { branches.add(line, point) }
        }
        self.numbers = numbers
        self.branches = branches
        try checkLineNumbers()
    }

    private mutating func readSignatures() throws {
        var orphans = 0
        var found = signatures
        try rows.forEachRow(of: .signatures) { key, value in
            guard key.count == 12, value.count == 64, let line = numbers[key.bigEndian(UInt32.self)] else {
                orphans += 1
                return
            }
            found[line, default: [:]][key.bigEndian(UInt64.self, at: 4)] = [UInt8](value)
        }
        signatures = found
        if orphans > 0 { find("strayRow", "\(orphans) rows of signatures belong to no line.") }
    }

    // MARK: Commits

    private mutating func checkCommits() throws {
        var expected: UInt64 = 1
        // The closure may not capture `self` while it is mutated, so the work is done on a copy.
        var verifier = self
        try rows.forEachRow(of: .log) { key, value in
            guard key.count == 8 else {
                verifier.find("badPosition", "A row of the log has a key of \(key.count) bytes and not 8.")
                return
            }
            let position = key.bigEndian(UInt64.self)
            if position != expected {
                verifier.find(
                    "gap", "Position \(position) follows \(expected &- 1): commits between are missing.", at: position)
            }
            expected = position &+ 1
            verifier.checkCommit(value, at: position)
            if position % 4096 == 0 { verifier.progress(Position(position)) }
        }
        self = verifier
        report.position = Position(expected &- 1)
    }

    private mutating func checkCommit(_ value: UnsafeRawBufferPointer, at position: UInt64) {
        report.commits += 1
        guard value.count > Digest.size, let stored = Digest(value.part(0..<Digest.size)) else {
            return find("malformedCommit", "The row has \(value.count) bytes, too few for a commit.", at: position)
        }
        let commit: CommitView
        do {
            commit = try CommitView(value.part(from: Digest.size))
        } catch {
            // Its erasures cannot be judged: the one fault is reported once.
            erasures.passOver(stored)
            return find("malformedCommit", "The commit cannot be read: \(error).", at: position)
        }
        let header = commit.header
        if MembershipFacts.concern(header) { memberPositions[header.journal, default: []].append(position) }
        if header.isErasing { erasingPositions[header.journal, default: []].insert(position) }
        let line = branches.line(of: commit, stored) { line in lines[line].map { ($0.sequence, $0.hash) } }
        var state = lines[line] ?? start(of: line)
        let sequence = header.sequence.rawValue
        if header.format > CommitHeader.currentFormat {
            find(
                "newerFormat", "The commit has format \(header.format), newer than this version.", at: position, line,
                sequence)
        }
        if commit.weight > CommitView.sizeLimit {
            find(
                "tooLarge", "The commit has \(commit.weight) bytes, over \(CommitView.sizeLimit).",
                at: position, line, sequence)
        }
        if sequence != state.sequence + 1 {
            find(
                "sequence", "The line of replica \(header.replica) goes from commit \(state.sequence) to \(sequence).",
                at: position, line, sequence)
        }
        if header.timestamp <= state.timestamp {
            find(
                "timestamp",
                "The timestamp \(header.timestamp.rawValue) is not later than \(state.timestamp.rawValue) before it.",
                at: position, line, sequence)
        }
        let hash = commit.hash(after: state.hash)
        if hash != stored {
            find("hash", "The hash is \(hash) by the chain and stored as \(stored).", at: position, line, sequence)
        }
        checkPayload(commit, stored, at: position, line)
        if state.sequence == 0 || state.position &+ 1 != position { runs[line, default: [:]][sequence] = position }
        state.sequence = sequence
        // The stored hash: so a fault is named once and not at every commit after it.
        state.hash = stored
        state.timestamp = header.timestamp
        state.position = position
        branches.pass(line, BranchTable.Point(sequence: sequence, hash: stored, timestamp: header.timestamp), numbers)
        state.unsigned.commits += 1
        state.unsigned.bytes += UInt64(commit.weight)
        checkSignature(line, &state, at: position)
        lines[line] = state
    }

    /// The state of a line before its first own commit: at the start, or where it leaves another.
    private func start(of line: LineID) -> Line {
        guard let point = branches.point(before: line) else { return Line() }
        return Line(sequence: point.sequence, hash: point.hash, timestamp: point.timestamp)
    }

    private mutating func checkPayload(
        _ commit: CommitView, _ hash: Digest, at position: UInt64, _ line: LineID
    ) {
        let sequence = commit.header.sequence.rawValue
        guard commit.payloadMatches else {
            erasures.passOver(hash)
            return find(
                "payload", "The payload is not the one whose hash the header names.", at: position, line, sequence)
        }
        erasures.note(commit, hash, at: position, line)
        members.add(commit, hash)
        switch commit.erased {
        case .all?: report.erasedCommits += 1
        case .some(let leaves)?: report.erasedEvents += leaves.events.count
        case nil: break
        }
        if commit.header.isErasing, commit.leafCount ?? 1 > 1 {
            find(
                "malformedPayload", "The commit says what is erased, and has events, which nobody could erase.",
                at: position, line, sequence)
        }
        if sequence == 1, commit.header.features != 0 {
            find(
                "introduction",
                "The first commit of replica \(line.replica) has the features \(commit.header.features), and it must have none.",
                at: position, line, sequence)
        }
        guard commit.erased != .all else { return }
        guard commit.header.isUnderstood else {
            guard sequence == 1 else { return }
            return find(
                "introduction", "The first commit of replica \(line.replica) says what this version cannot read.",
                at: position, line, sequence)
        }
        do {
            guard let payload = try commit.payload?.copy() else { return }
            report.events += payload.events.count
            guard sequence == 1 else { return }
            guard let key = payload.introduction?.publicKey, ReplicaID(publicKey: key) == line.replica else {
                return find(
                    "introduction", "The first commit of replica \(line.replica) does not carry the key of that id.",
                    at: position, line, sequence)
            }
            publicKeys[LineID(journal: line.journal, replica: line.replica)] = key
        } catch {
            find("malformedPayload", "The payload cannot be read: \(error).", at: position, line, sequence)
        }
    }

    private mutating func checkSignature(_ line: LineID, _ state: inout Line, at position: UInt64) {
        let limit = (commits: LineSignature.commitsBetween, bytes: LineSignature.bytesBetween)
        guard let signature = signatures[line]?.removeValue(forKey: state.sequence) else {
            if !state.lacksSignature, state.unsigned.commits >= limit.commits || state.unsigned.bytes >= limit.bytes {
                state.lacksSignature = true
                find(
                    "unsigned",
                    "\(state.unsigned.commits) commits of \(state.unsigned.bytes) bytes are not followed by a signature.",
                    at: position, line, state.sequence)
            }
            return
        }
        state.unsigned = (0, 0)
        state.signed = state.sequence
        state.lacksSignature = false
        let message = LineSignature.message(
            journal: line.journal, replica: line.replica, sequence: SequenceNumber(state.sequence), hash: state.hash)
        guard let key = publicKeys[LineID(journal: line.journal, replica: line.replica)],
            LineSignature.isValid(signature, publicKey: key, message: message)
        else {
            return find(
                "signature", "The signature is not that of replica \(line.replica) over this commit.", at: position,
                line,
                state.sequence)
        }
    }

    private mutating func checkUnused() {
        if erasures.count > 0 {
            let count = erasures.count
            find(
                "strayRow",
                "\(count.counted("erasure")) \(count.agreeing("is of a commit that is", "are of commits that are")) not here."
            )
        }
        for (line, rest) in signatures.sorted(by: { $0.key.replica < $1.key.replica }) {
            for sequence in rest.keys.sorted() {
                find("strayRow", "There is a signature over a commit that is not here.", line, sequence)
            }
        }
    }

    mutating func find(_ code: String, _ message: String, _ line: LineID, _ sequence: UInt64) {
        find(code, message, at: nil, line, sequence)
    }
}
