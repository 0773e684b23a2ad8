import EventLog
import Events
import LogExchange
import StoreSupport

/// A database that a replica reaches through one hub, and its peer through another.
struct DatabasePeer: ExchangePeer {
    let hubs: DatabaseHubs
    private let peer: SessionPeer

    init(_ hubs: DatabaseHubs, for replica: TestReplica, in journal: JournalID) async throws {
        self.hubs = hubs
        let network = MemoryNetwork(hubs[1].server, journal: journal)
        let connect = { @Sendable in try await SessionClient.connect(network, as: replica.log, limits: .patient) }
        peer = SessionPeer(try await connect(), for: replica.log, remembers: false, reconnecting: connect)
    }

    func greet(_ greeting: Greeting) async throws -> Greeting { try await peer.greet(greeting) }

    func frontier() async throws -> Frontier { try await peer.frontier() }

    func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {
        try await peer.segments(request, body)
    }

    func store(_ segments: [LineSegment]) async throws -> Acknowledgement { try await peer.store(segments) }

    func acknowledge(_ acknowledgement: Acknowledgement) async throws { try await peer.acknowledge(acknowledgement) }
}
