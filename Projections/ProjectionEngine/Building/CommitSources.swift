import EventLog
import Events

/// The commits whose events are referred to: what a merge needs to know of each, without its header being read again.
///
/// The payloads lie in the log's map for as long as the read goes on that they were found in.
///
/// `@unchecked Sendable`: a value, but for pointers into memory that nobody writes to.
struct CommitSources: @unchecked Sendable {
    private struct Source {
        let timestamp: Timestamp
        let hash: Digest
        let sequence: SequenceNumber
        let payload: UnsafeRawPointer?
        let size: UInt32
        /// The place of its replica among `replicas`.
        let replica: Int32
    }

    private var sources: [Source] = []
    private var positions: [Position] = []
    private var replicas: [ReplicaID] = []
    private var places: [ReplicaID: Int32] = [:]
    /// The leaves that were erased, of those commits of which some were.
    private var erased: [Int: UnsafeRawBufferPointer] = [:]
    private let first: Position
    /// Whether every commit from `first` on is here, so that a place tells the position.
    private var isDense = true

    init(after first: Position) { self.first = first }

    var count: Int { sources.count }

    /// How many bytes the payloads have.
    private(set) var payloadSize = 0

    mutating func append(_ commit: StoredCommit) {
        let stamp = commit.stamp
        // What this version cannot know counts as a commit without events, as it does when commits come one by one.
        let payload = commit.countingPayload ?? UnsafeRawBufferPointer(start: nil, count: 0)
        let replica = place(of: stamp.replica)
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

    private mutating func place(of replica: ReplicaID) -> Int32 {
        if let last = sources.last, replicas[Int(last.replica)] == replica { return last.replica }
        if let place = places[replica] { return place }
        let place = Int32(replicas.count)
        replicas.append(replica)
        places[replica] = place
        return place
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

    /// What is left of a payload, to be read.
    func view(_ commit: Int) -> PayloadView { PayloadView(payload(commit), without: erased[commit]) }

    /// An event's message.
    @inline(__always)
    func bytes(_ reference: EventReference) -> UnsafeRawBufferPointer {
        payload(Int(reference.commit)).part(reference.offset..<reference.offset + reference.length)
    }

    /// An event; it was read before. Throws `WireError` if it cannot be read.
    @inline(__always)
    func event(_ reference: EventReference) throws(WireError) -> EventView {
        reference.isPlain ? try EventView(plain: bytes(reference)) : try EventView(bytes(reference))
    }

    /// The place of an event in the history.
    @inline(__always)
    func place(_ reference: EventReference, of event: borrowing EventView) -> EventPlace {
        let commit = Int(reference.commit)
        return EventPlace(
            stamp: stamp(commit).moved(to: event.original), sequence: sources[commit].sequence,
            index: Int(reference.index))
    }
}
