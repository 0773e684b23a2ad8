import Events

/// A segment of a replica's line whose commits, chain and signature are right, provided that it follows the commit it
/// names.
struct VerifiedSegment: Sendable {
    struct Commit: Sendable {
        let bytes: [UInt8]
        let sequence: SequenceNumber
        let timestamp: Timestamp
        let hash: Digest
        let header: CommitHeader
        var isMembership: Bool { header.isMembership }
        /// The missing part of the payload; nil if it is whole.
        let missing: ErasedLeaves?
        /// Those received with the segment.
        var erasures: [Erasure] = []

        /// The bytes that are stored of it and with it.
        var size: Int { erasures.reduce(bytes.count) { $0 + $1.bytes.count } }

        /// The number of its payload's leaves; nil if all of it was erased.
        var leafCount: Int? { bytes.withUnsafeBytes { try? CommitView($0).leafCount } }
    }

    let segment: LineSegment
    let commits: [Commit]
    /// The replica's.
    let publicKey: [UInt8]

    /// Checks everything that needs no log: every commit but for its payload, the chain from `previous` on, and the
    /// signature. `checkPayloads` does the rest.
    ///
    /// `publicKey` is the replica's, unless the segment begins with commit 1, which carries it. Throws
    /// `EventLogError.rejected` at the first fault.
    init(_ segment: LineSegment, publicKey: [UInt8]?) throws {
        self.segment = segment
        try Self.checkNumbers(segment)
        var publicKey = publicKey
        var hash = segment.previous
        var sequence = segment.first.rawValue
        var timestamp = Timestamp.zero
        var weightBefore = 0
        var weight = 0
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
                // Such a commit is never erased or voided, and neither would its events be.
                guard !header.isErasing || commit.leafCount == 1 else {
                    throw segment.rejected("has events in commit \(header.sequence), which says what is erased")
                }
                if sequence == 1 { publicKey = try segment.introducedKey(commit) }
                hash = commit.hash(after: hash)
                timestamp = header.timestamp
                commits.append(
                    Commit(
                        bytes: bytes, sequence: header.sequence, timestamp: timestamp, hash: hash, header: header,
                        missing: commit.erased))
                sequence += 1
                weightBefore += weight
                weight = commit.weight
            }
        }
        guard weightBefore < LineSignature.bytesBetween else {
            throw segment.rejected(
                "has \(weightBefore) bytes before its last commit; a line is signed after \(LineSignature.bytesBetween) at the latest"
            )
        }
        let message = LineSignature.message(
            journal: segment.journal, replica: segment.replica, sequence: segment.last, hash: hash)
        guard let publicKey, LineSignature.isValid(segment.signature, publicKey: publicKey, message: message) else {
            throw segment.rejected("is not signed by the replica at commit \(segment.last)")
        }
        try Self.add(segment.erasures, to: &commits, of: segment)
        self.commits = commits
        self.publicKey = publicKey
    }

    /// Erasures may name only the segment's commits, and only what they name may be missing. They explain it, and decide
    /// nothing: which bytes are rightly missing follows from the statements that are held.
    private static func add(_ erasures: [[UInt8]], to commits: inout [Commit], of segment: LineSegment) throws {
        let size = erasures.reduce(0) { $0 + $1.count }
        guard size <= LineSegment.largestErasureBytes else {
            throw segment.rejected("has \(size) bytes of erasures, and \(LineSegment.largestErasureBytes) are the most")
        }
        for bytes in erasures {
            let erasure: Erasure
            do { erasure = try Erasure(bytes) } catch {
                throw segment.rejected("has an erasure that cannot be read: \(error)")
            }
            let name = erasure.commit
            let (index, overflow) = name.sequence.rawValue.subtractingReportingOverflow(segment.first.rawValue)
            guard !overflow, index < commits.count, commits[Int(index)].hash == name.hash,
                name.replica == segment.replica, erasure.journal == segment.journal
            else { throw segment.wrongErasure(of: name) }
            commits[Int(index)].erasures.append(erasure)
            guard commits[Int(index)].erasures.count <= LineSegment.mostErasures else {
                throw segment.rejected(
                    "has over \(LineSegment.mostErasures) erasures of commit \(name.sequence), and these are enough")
            }
        }
        for commit in commits where !commit.erasures.isEmpty || commit.missing != nil {
            let leafCount = commit.leafCount
            if let wrong = commit.erasures.first(where: { erasure in
                // In an open journal the author alone erases.
                let isByAuthor = erasure.eraser == segment.replica
                return !commit.header.isErasable || !erasure.leaves.areWithin(leafCount)
                    || !isByAuthor && !segment.journal.isFounded || !erasure.isSigned
            }) {
                throw segment.wrongErasure(of: wrong.commit)
            }
            guard let missing = commit.missing else { continue }
            var named = CommitErasures()
            named.add(commit.erasures)
            guard missing.isSubset(of: named.leaves) else {
                throw segment.rejected(
                    "lacks bytes of commit \(commit.sequence) that no erasure names: somebody on the way took them out")
            }
        }
    }

    private static func checkNumbers(_ segment: LineSegment) throws {
        guard !segment.commits.isEmpty else { throw segment.rejected("has no commits") }
        guard segment.first > .start, segment.first.rawValue < 1 << 62 else {
            throw segment.rejected("begins with a number that no commit has")
        }
        guard (segment.first.rawValue == 1) == (segment.previous == .zero) else {
            throw segment.rejected("says that it follows \(segment.previous)")
        }
        guard segment.commits.count <= LineSegment.largestCommitCount else {
            throw segment.rejected(
                "has \(segment.commits.count) commits; a line is signed after \(LineSignature.commitsBetween) at the latest"
            )
        }
    }

    private static func commit(_ bytes: UnsafeRawBufferPointer, of segment: LineSegment) throws -> CommitView {
        let commit: CommitView
        do { commit = try CommitView(bytes) } catch {
            throw segment.rejected("has a commit that cannot be read: \(error)")
        }
        guard commit.weight <= CommitView.sizeLimit else {
            throw segment.rejected("has a commit of \(commit.weight) bytes, and \(CommitView.sizeLimit) are the most")
        }
        let header = commit.header
        guard header.format <= CommitHeader.currentFormat else {
            throw segment.rejected("has format \(header.format), newer than this version")
        }
        guard header.journal == segment.journal, header.replica == segment.replica else {
            throw segment.rejected("has a commit of replica \(header.replica) in journal \(header.journal)")
        }
        return commit
    }
}

extension VerifiedSegment {
    /// Fewer bytes are not worth a task.
    private static let pieceBytes = 256 << 10

    /// Checks that the payloads are those that the headers name, which takes longest and can run on several threads.
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

    /// The same on this thread.
    func checkPayloads() throws { try checkPayloads(commits.indices) }

    private func checkPayloads(_ range: Range<Int>) throws {
        for commit in commits[range] {
            let matches = commit.bytes.withUnsafeBytes { (try? CommitView($0))?.payloadMatches ?? false }
            guard matches else { throw segment.rejected("has another payload in commit \(commit.sequence)") }
        }
    }
}

extension LineSegment {
    fileprivate func introducedKey(_ commit: CommitView) throws -> [UInt8] {
        guard commit.header.features == 0 else {
            throw rejected("has the features \(commit.header.features) in its first commit, which has none")
        }
        guard let key = (try? commit.payload?.copy())?.introduction?.publicKey, ReplicaID(publicKey: key) == replica
        else { throw rejected("does not begin with the replica's key") }
        return key
    }

    /// The commit that it follows is not held; the replica's commits up to `newest` are.
    func missingStart(_ newest: SequenceNumber) -> EventLogError {
        EventLogError(
            .missingStart,
            "The segment of replica \(replica) from commit \(first) follows commit \(first.rawValue &- 1) with the hash "
                + "\(previous), which is not here: the replica's commits are held up to \(newest). Get what comes before "
                + "first. Nothing of the segment was stored.")
    }

    fileprivate func wrongErasure(of commit: CommitID) -> EventLogError {
        rejected(
            "has an erasure of commit \(commit.sequence) with the hash \(commit.hash) that is not signed by who may erase it, names "
                + "what the commit does not have or what says who may write, or is of no commit in it")
    }

    func rejected(_ what: String) -> EventLogError {
        EventLogError(
            .rejected, "The segment of replica \(replica) from commit \(first) \(what). Nothing of it was stored.")
    }
}
