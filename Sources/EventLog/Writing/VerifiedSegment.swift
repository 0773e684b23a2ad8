import Events

/// A stretch of a replica's line whose commits, chain and signature are right, if it follows what it says it follows.
struct VerifiedSegment: Sendable {
    struct Commit: Sendable {
        let bytes: [UInt8]
        let sequence: SequenceNumber
        let timestamp: Timestamp
        let hash: Digest
    }

    let segment: LineSegment
    let commits: [Commit]
    /// The replica's.
    let publicKey: [UInt8]

    /// Checks all that can be told without the log: every commit but for its payload, the chain from `previous` on, and the
    /// signature. `checkPayloads` does the rest.
    ///
    /// `publicKey` is the replica's, unless the stretch begins with commit 1, which carries it. Throws
    /// `EventLogError.rejected` at the first thing that is not right.
    init(_ segment: LineSegment, publicKey: [UInt8]?) throws {
        self.segment = segment
        try Self.checkSize(segment)
        var publicKey = publicKey
        var hash = segment.previous
        var sequence = segment.first.rawValue
        var timestamp = Timestamp.zero
        var commits: [Commit] = []
        commits.reserveCapacity(segment.commits.count)
        for bytes in segment.commits {
            try bytes.withUnsafeBytes { raw in
                let commit = try Self.commit(raw, of: segment)
                let header = commit.header
                guard header.sequence.rawValue == sequence else {
                    throw segment.rejected("has commit \(header.sequence) where \(sequence) belongs")
                }
                guard header.timestamp > timestamp else {
                    throw segment.rejected("goes back in time at commit \(header.sequence)")
                }
                if sequence == 1 { publicKey = try segment.introducedKey(commit) }
                hash = commit.hash(after: hash)
                timestamp = header.timestamp
                commits.append(Commit(bytes: bytes, sequence: header.sequence, timestamp: timestamp, hash: hash))
                sequence += 1
            }
        }
        let message = LineSignature.message(
            journal: segment.journal, replica: segment.replica, sequence: segment.last, hash: hash)
        guard let publicKey, LineSignature.isValid(segment.signature, publicKey: publicKey, message: message) else {
            throw segment.rejected("is not signed by the replica at commit \(segment.last)")
        }
        self.commits = commits
        self.publicKey = publicKey
    }

    private static func checkSize(_ segment: LineSegment) throws {
        guard !segment.commits.isEmpty else { throw segment.rejected("has no commits") }
        guard segment.first > .start, segment.first.rawValue < 1 << 62 else {
            throw segment.rejected("begins with a number that no commit has")
        }
        guard (segment.first.rawValue == 1) == (segment.previous == .zero) else {
            throw segment.rejected("says that it follows \(segment.previous)")
        }
        let before = segment.byteCount - (segment.commits.last?.count ?? 0)
        guard segment.commits.count <= LineSegment.largestCommitCount, before < LineSignature.bytesBetween else {
            throw segment.rejected(
                "has \(segment.commits.count) commits, of \(before) bytes but for the last; a line is signed after "
                    + "\(LineSignature.commitsBetween) commits or \(LineSignature.bytesBetween) bytes at the latest")
        }
    }

    private static func commit(_ bytes: UnsafeRawBufferPointer, of segment: LineSegment) throws -> CommitView {
        guard bytes.count <= CommitView.sizeLimit else {
            throw segment.rejected("has a commit of \(bytes.count) bytes, and \(CommitView.sizeLimit) are the most")
        }
        let commit: CommitView
        do { commit = try CommitView(bytes) } catch {
            throw segment.rejected("has a commit that cannot be read: \(error)")
        }
        let header = commit.header
        guard header.format <= CommitHeader.currentFormat else {
            throw segment.rejected("has format \(header.format), newer than this version")
        }
        guard commit.isWhole else {
            throw segment.rejected(
                "has commit \(header.sequence) without its payload, which nothing says was erased: somebody on the way took it out"
            )
        }
        guard header.journal == segment.journal, header.replica == segment.replica else {
            throw segment.rejected("has a commit of replica \(header.replica) in journal \(header.journal)")
        }
        return commit
    }
}

extension VerifiedSegment {
    /// Fewer bytes than these are not worth a task.
    private static let pieceBytes = 256 << 10

    /// Checks that the payloads are those that the headers name, which takes longest of all and can be done on several
    /// threads.
    static func checkPayloads(of segments: [VerifiedSegment]) async throws {
        var pieces: [(segment: Int, commits: Range<Int>)] = []
        var bytes = pieceBytes
        for (index, segment) in segments.enumerated() {
            for (number, commit) in segment.commits.enumerated() {
                if bytes >= pieceBytes || number == 0 {
                    pieces.append((index, number..<number))
                    bytes = 0
                }
                pieces[pieces.count - 1].commits = pieces[pieces.count - 1].commits.lowerBound..<number + 1
                bytes += commit.bytes.count
            }
        }
        guard segments.reduce(0, { $0 + $1.segment.byteCount }) > pieceBytes else {
            for piece in pieces { try segments[piece.segment].checkPayloads(piece.commits) }
            return
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for piece in pieces {
                group.addTask { try segments[piece.segment].checkPayloads(piece.commits) }
            }
            try await group.waitForAll()
        }
    }

    private func checkPayloads(_ range: Range<Int>) throws {
        for commit in commits[range] {
            let matches = commit.bytes.withUnsafeBytes { (try? CommitView($0))?.payloadMatches ?? false }
            guard matches else { throw segment.rejected("has another payload in commit \(commit.sequence)") }
        }
    }
}

extension LineSegment {
    fileprivate func introducedKey(_ commit: CommitView) throws -> [UInt8] {
        guard let key = (try? commit.payload?.copy())?.introduction?.publicKey, ReplicaID(publicKey: key) == replica
        else { throw rejected("does not begin with the replica's key") }
        return key
    }

    /// What it follows is not held, but the replica's commits up to `newest`.
    func missingStart(_ newest: SequenceNumber) -> EventLogError {
        EventLogError(
            .missingStart,
            "The stretch of replica \(replica) from commit \(first) follows commit \(first.rawValue &- 1) with the hash "
                + "\(previous), which is not here: the replica's commits are held up to \(newest). Get what comes before "
                + "first. Nothing of the stretch was stored.")
    }

    func rejected(_ what: String) -> EventLogError {
        EventLogError(
            .rejected, "The stretch of replica \(replica) from commit \(first) \(what). Nothing of it was stored.")
    }
}
