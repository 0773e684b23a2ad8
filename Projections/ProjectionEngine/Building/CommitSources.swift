import EventLog
import Events

/// The commits whose events are referenced: what a merge needs of each, so that it need not read headers again.
///
/// The payloads lie in the log's map; they are valid during the read that found them. A copy of a payload is valid only
/// while the log passes the commit on: its owner moves it elsewhere.
///
/// `@unchecked Sendable`: a value apart from pointers into memory that no thread writes to.
struct CommitSources: @unchecked Sendable {
    private struct Source {
        let timestamp: Timestamp
        let hash: Digest
        let sequence: SequenceNumber
        var payload: UnsafeRawPointer?
        let size: UInt32
        /// The index of its replica in `replicas`.
        let replica: Int32
    }

    private var sources: [Source] = []
    private var positions: [Position] = []
    private var replicas: [ReplicaID] = []
    private var indexes: [ReplicaID: Int32] = [:]
    /// The erased leaves of partly erased commits, by the commit's index.
    private var erased: [Int: UnsafeRawBufferPointer] = [:]
    private let first: Position
    /// Whether every commit after `first` is here, so that the index determines the position.
    private var isDense = true

    init(after first: Position) { self.first = first }

    var count: Int { sources.count }

    /// The total size of the payloads in bytes.
    private(set) var payloadSize = 0

    mutating func append(_ commit: StoredCommit) {
        let stamp = commit.stamp
        // A payload of a kind that this version does not know counts as one without events, as it does when commits are applied
        // one by one.
        let payload = commit.countingPayload ?? UnsafeRawBufferPointer(start: nil, count: 0)
        let replica = index(of: stamp.replica)
        if isDense, commit.position.rawValue != first.rawValue + UInt64(sources.count) + 1 {
            isDense = false
            positions = sources.indices.map { Position(first.rawValue + UInt64($0) + 1) }
        }
        if !isDense { positions.append(commit.position) }
        payloadSize += payload.count
        if let leaves = commit.view.erasedLeaves { erased[sources.count] = leaves }
        sources.append(
            Source(
                timestamp: stamp.timestamp, hash: stamp.hash, sequence: commit.header.sequence,
                payload: payload.baseAddress, size: UInt32(payload.count), replica: replica))
    }

    /// Takes a payload, and the set of leaves that it lacks, from where they lie by now.
    mutating func move(_ commit: Int, to payload: UnsafeRawBufferPointer, without leaves: UnsafeRawBufferPointer?) {
        sources[commit].payload = payload.baseAddress
        if let leaves { erased[commit] = leaves }
    }

    private mutating func index(of replica: ReplicaID) -> Int32 {
        if let last = sources.last, replicas[Int(last.replica)] == replica { return last.replica }
        if let index = indexes[replica] { return index }
        let index = Int32(replicas.count)
        replicas.append(replica)
        indexes[replica] = index
        return index
    }

    func position(_ commit: Int) -> Position {
        isDense ? Position(first.rawValue + UInt64(commit) + 1) : positions[commit]
    }

    @inline(__always)
    func stamp(_ commit: Int) -> Stamp {
        let source = sources[commit]
        return Stamp(
            timestamp: source.timestamp, replica: replicas[Int(source.replica)], hash: source.hash)
    }

    @inline(__always)
    func payload(_ commit: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: sources[commit].payload, count: Int(sources[commit].size))
    }

    /// A view of a payload without its erased leaves.
    func view(_ commit: Int) -> PayloadView { PayloadView(payload(commit), without: erased[commit]) }

    /// An event's message.
    @inline(__always)
    func bytes(_ reference: EventReference) -> UnsafeRawBufferPointer {
        payload(Int(reference.commit)).part(reference.offset..<reference.offset + reference.length)
    }

    /// An event that was validated before. Throws `WireError` if it cannot be read.
    @inline(__always)
    func event(_ reference: EventReference) throws(WireError) -> EventView {
        reference.isPlain ? try EventView(plain: bytes(reference)) : try EventView(bytes(reference))
    }

    /// The position of an event in the history.
    @inline(__always)
    func position(_ reference: EventReference, of event: borrowing EventView) -> EventPosition {
        let commit = Int(reference.commit)
        return EventPosition(
            stamp: stamp(commit).moved(to: event.original), sequence: sources[commit].sequence,
            index: Int(reference.index))
    }
}
