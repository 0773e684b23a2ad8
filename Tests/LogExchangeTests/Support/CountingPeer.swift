import EventLog
import Events
import LogExchange
import Synchronization

/// Observes the requests to a peer, and how much is in flight at a time.
final class CountingPeer: ExchangePeer {
    private struct State {
        var calls: [String] = []
        var delivered = 0
        var largestBacklog = 0
        var largestBatch = 0
    }

    private let peer: any ExchangePeer
    private let watched: Log?
    private let meanwhile: @Sendable () async throws -> Void
    private let state = Mutex(State())

    /// `watched` is the receiving log; `meanwhile` is run before each call.
    init(
        _ peer: any ExchangePeer, watching watched: Log? = nil,
        meanwhile: @escaping @Sendable () async throws -> Void = {}
    ) {
        self.peer = peer
        self.watched = watched
        self.meanwhile = meanwhile
    }

    var calls: [String] { state.withLock { $0.calls } }
    /// The most bytes that had arrived and were not stored when more arrived.
    var largestBacklog: Int { state.withLock { $0.largestBacklog } }
    /// The most bytes that were sent at once.
    var largestBatch: Int { state.withLock { $0.largestBatch } }

    var required: Frontier { peer.required }

    private func note(_ call: String) async throws {
        state.withLock { $0.calls.append(call) }
        try await meanwhile()
    }

    func greet(_ greeting: Greeting) async throws -> Greeting {
        try await note("greet")
        return try await peer.greet(greeting)
    }

    func frontier() async throws -> Frontier {
        try await note("frontier")
        return try await peer.frontier()
    }

    func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {
        try await note("segments")
        let start = try watched.map { try Self.size(of: $0) } ?? 0
        try await peer.segments(request) { segment in
            let stored = try watched.map { try Self.size(of: $0) - start } ?? 0
            state.withLock { state in
                state.delivered += segment.byteCount
                if watched != nil { state.largestBacklog = max(state.largestBacklog, state.delivered - stored) }
            }
            try await body(segment)
        }
    }

    private static func size(of log: Log) throws -> Int {
        try log.read { log in
            var bytes = 0
            try log.forEachCommit(after: .start) { commit in
                bytes += commit.view.bytes.count
                return true
            }
            return bytes
        }
    }

    func store(_ segments: [LineSegment]) async throws -> Acknowledgement {
        try await note("store")
        let bytes = segments.reduce(0) { $0 + $1.byteCount }
        state.withLock { $0.largestBatch = max($0.largestBatch, bytes) }
        return try await peer.store(segments)
    }

    func acknowledge(_ acknowledgement: Acknowledgement) async throws {
        try await note("acknowledge")
        try await peer.acknowledge(acknowledgement)
    }

    func holes(after: Digest?) async throws -> [Hole]? {
        try await note("holes")
        return try await peer.holes(after: after)
    }
}
