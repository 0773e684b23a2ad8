import EventLog
import Events

/// Puts segments together from parts that come in order, and keeps aside what has come of one that is not whole.
///
/// Each commit is checked against chain and payload hash as it comes. Commits of a segment with a wrong one are kept no longer, and the whole
/// segment is passed on, so that the log says what is wrong with it.
struct SegmentAssembly {
    /// A segment of which some parts have come.
    private struct Current {
        let start: SequenceNumber
        let journal: JournalID
        let replica: ReplicaID
        var prefix: PartKeeper.Prefix
        /// The last commit.
        var last: (sequence: SequenceNumber, hash: Digest)
        var bytes: Int
        /// Whether all commits were right so far.
        var isSound = true
        /// Whether all of them are kept aside.
        var isKept = true
    }

    private let keeper: PartKeeper?
    private var current: Current?
    private var piece: PieceAssembly?

    /// Whether parts of a segment have come, and not all.
    var isWithin: Bool { current != nil }

    /// Without a keeper nothing is kept.
    init(_ keeper: PartKeeper?) { self.keeper = keeper }

    /// Adds a part, or a whole segment. Returns the segment if it is whole now.
    ///
    /// Throws `ExchangeError`: `.malformed` if the part does not follow the last one; `.notKept` if it goes on from what is not kept any more.
    mutating func add(_ part: SegmentPart) throws -> LineSegment? {
        let segment = part.segment
        guard let start = part.start else {
            guard current == nil else { throw Self.outOfOrder(segment) }
            return segment
        }
        var now = try current ?? begin(segment, start)
        guard now.start == start, now.journal == segment.journal, now.replica == segment.replica,
            now.last.sequence.next == segment.first, now.last.hash == segment.previous || !now.isSound
        else { throw Self.outOfOrder(segment) }
        current = now
        guard let commits = try commits(of: part) else { return nil }
        check(commits, &now)
        let added = LineSegment(
            journal: segment.journal, replica: segment.replica, first: segment.first, previous: segment.previous,
            commits: commits, signature: [], erasures: segment.erasures)
        now.prefix.commits += commits
        now.prefix.erasures += segment.erasures
        now.bytes += added.erasures.reduce(added.byteCount) { $0 + $1.count }
        guard now.prefix.commits.count <= LineSegment.largestCommitCount, now.bytes <= LineSegment.largestMessage
        else {
            throw ExchangeError(
                .malformed,
                "The other sent \(now.prefix.commits.count) commits of replica \(segment.replica) from \(start) on without a signature: more than a segment has."
            )
        }
        guard part.isLast else {
            if commits.isEmpty { throw Self.outOfOrder(segment) }
            keep(added, &now)
            current = now
            return nil
        }
        current = nil
        // What was kept is stored next, or was wrong.
        for (file, last) in now.prefix.files where last <= now.last.sequence { keeper?.folder.remove(file) }
        return LineSegment(
            journal: now.journal, replica: now.replica, first: start, previous: now.prefix.previous,
            commits: now.prefix.commits, signature: segment.signature, erasures: now.prefix.erasures)
    }

    /// The most bytes that are kept aside and read with some parts: before those that begin a segment or a commit.
    func loads(_ parts: [SegmentPart], _ keeper: PartKeeper) -> Int {
        var (bytes, isWithin, isWithinPiece) = (0, isWithin, piece != nil)
        for part in parts {
            if !isWithin, let start = part.start, start < part.segment.first {
                bytes += keeper.size(of: part.segment.replica, before: part.segment.first)
            }
            if !isWithinPiece, let piece = part.piece { bytes += piece.offset }
            isWithin = part.start != nil && !part.isLast
            isWithinPiece = part.piece.map { $0.offset + (part.segment.commits.first?.count ?? 0) < $0.size } ?? false
        }
        return bytes
    }

    private func begin(_ segment: LineSegment, _ start: SequenceNumber) throws -> Current {
        var prefix = PartKeeper.Prefix(previous: segment.previous)
        if start < segment.first {
            let end = CommitID(
                replica: segment.replica, sequence: SequenceNumber(segment.first.rawValue - 1), hash: segment.previous)
            guard let keeper, segment.journal == keeper.journal, let kept = keeper.prefix(from: start, to: end) else {
                throw ExchangeError.notKept
            }
            prefix = kept
        }
        return Current(
            start: start, journal: segment.journal, replica: segment.replica, prefix: prefix,
            last: (SequenceNumber(segment.first.rawValue - 1), segment.previous),
            bytes: (prefix.commits + prefix.erasures).reduce(0) { $0 + $1.count })
    }

    /// The whole commits of a part; nil for a piece that is not the last one of its commit.
    private mutating func commits(of part: SegmentPart) throws -> [[UInt8]]? {
        guard let sent = part.piece else {
            guard piece == nil else { throw Self.outOfOrder(part.segment) }
            return part.segment.commits
        }
        // Taken out, so that its bytes are not copied with each piece.
        var assembly = try piece.take() ?? PieceAssembly(sent.digest, size: sent.size, from: sent.offset, keeper)
        try assembly.add(part.segment.commits.first ?? [], at: sent.offset, of: sent.digest)
        guard assembly.isWhole else {
            guard !part.isLast else { throw Self.outOfOrder(part.segment) }
            piece = assembly
            return nil
        }
        return [assembly.bytes]
    }

    private func check(_ commits: [[UInt8]], _ now: inout Current) {
        for bytes in commits {
            let sequence = now.last.sequence.next
            let hash: Digest? = bytes.withUnsafeBytes {
                try? CommitView($0).hash(as: sequence, of: now.replica, in: now.journal, after: now.last.hash)
            }
            now.isSound = now.isSound && hash != nil
            now.last = (sequence, hash ?? .zero)
        }
        guard !now.isSound else { return }
        for (file, _) in now.prefix.files where file.owner == keeper?.owner { keeper?.folder.remove(file) }
    }

    /// Keeps the commits of a part aside, behind those that the peer's file has.
    private func keep(_ part: LineSegment, _ now: inout Current) {
        guard let keeper, now.isSound, now.isKept, part.journal == keeper.journal else { return }
        let record = KeptRun.record(part)
        let (file, size) =
            now.prefix.continued ?? (keeper.run(of: part.replica, from: part.first, after: part.previous), 0)
        now.isKept = keeper.folder.keep(record, in: file, at: size)
        guard now.isKept else { return }
        now.prefix.continued = (file, size + record.count)
        now.prefix.files.removeAll { $0.file == file }
        now.prefix.files.append((file, now.last.sequence))
    }

    private static func outOfOrder(_ segment: LineSegment) -> ExchangeError {
        ExchangeError(
            .malformed,
            "The other sent a part of a segment of replica \(segment.replica) from commit \(segment.first) that does not follow the last one."
        )
    }
}
