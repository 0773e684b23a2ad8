internal import Events

/// A stretch of a line that ends at a signature: what replicas hand to each other, whole.
public struct LineSegment: Sendable, Hashable {
    public let line: LineID
    /// The number of its first commit.
    public let first: SequenceNumber
    /// The commits' bytes, in order, without gaps.
    public let commits: [[UInt8]]
    /// The line's signature over the last of them.
    public let signature: [UInt8]

    public init(line: LineID, first: SequenceNumber, commits: [[UInt8]], signature: [UInt8]) {
        self.line = line
        self.first = first
        self.commits = commits
        self.signature = signature
    }
}

/// A commit of another replica that passed every check.
struct VerifiedCommit {
    let bytes: [UInt8]
    let header: CommitHeader
    let hash: Digest
}

extension LineSegment {
    /// Checks every commit against the head that it is to follow, and the signature at the end, before anything is
    /// stored.
    ///
    /// Throws `EventLogError.rejected` at the first thing that is not right.
    func verified(after head: LineHead?, publicKey known: [UInt8]?) throws -> [VerifiedCommit] {
        var sequence = head?.sequence ?? .start
        var hash = head?.hash ?? .zero
        var timestamp = head?.timestamp ?? .zero
        var publicKey = known
        guard !commits.isEmpty, first == sequence.next else {
            throw rejected("begins with commit \(first) and not with \(sequence.next)")
        }
        var verified: [VerifiedCommit] = []
        for bytes in commits {
            guard bytes.count <= CommitView.sizeLimit else { throw rejected("has a commit of \(bytes.count) bytes") }
            try bytes.withUnsafeBytes { raw in
                let commit: CommitView
                do { commit = try CommitView(raw) } catch {
                    throw rejected("has a commit that cannot be read: \(error)")
                }
                let header = commit.header
                guard header.format <= CommitHeader.currentFormat else { throw rejected("has format \(header.format)") }
                guard header.journal == line.journal, header.replica == line.replica else {
                    throw rejected("has a commit of replica \(header.replica) in journal \(header.journal)")
                }
                guard header.sequence == sequence.next else {
                    throw rejected("goes from commit \(sequence) to \(header.sequence)")
                }
                guard header.timestamp > timestamp else {
                    throw rejected("goes back in time at commit \(header.sequence)")
                }
                guard commit.payloadMatches else { throw rejected("has another payload in commit \(header.sequence)") }
                if sequence == .start { publicKey = try introducedKey(commit) }
                hash = commit.hash(after: hash)
                sequence = header.sequence
                timestamp = header.timestamp
                verified.append(VerifiedCommit(bytes: bytes, header: header, hash: hash))
            }
        }
        let message = LineSignature.message(
            journal: line.journal, replica: line.replica, sequence: sequence, hash: hash)
        guard let publicKey, LineSignature.isValid(signature, publicKey: publicKey, message: message) else {
            throw rejected("is not signed by the replica at commit \(sequence)")
        }
        return verified
    }

    private func introducedKey(_ commit: CommitView) throws -> [UInt8] {
        guard let key = (try? commit.payload?.copy())?.introduction?.publicKey,
            ReplicaID(publicKey: key) == line.replica
        else { throw rejected("does not begin with the replica's key") }
        return key
    }

    private func rejected(_ what: String) -> EventLogError {
        EventLogError(
            .rejected, "The stretch of replica \(line.replica) from commit \(first) \(what). Nothing of it was stored.")
    }
}
