import EventLog
import Events
import LogExchange
import Synchronization
import TripStoreTestSupport

/// An honest replica behind a hostile carrier, which changes segments in both directions.
final class TamperingPeer: ExchangePeer {
    private let peer: any ExchangePeer
    private let tampering: Tampering
    private let state: Mutex<(random: SeededRandom, altered: Int)>

    init(_ peer: any ExchangePeer, _ tampering: Tampering, seed: UInt64) {
        self.peer = peer
        self.tampering = tampering
        state = Mutex((SeededRandom(seed: seed), 0))
    }

    /// How many segments were changed in transit.
    var altered: Int { state.withLock { $0.altered } }

    private func tamper(_ segments: [LineSegment]) -> [LineSegment] {
        state.withLock { state in
            let (segments, altered) = tampering.apply(to: segments, &state.random)
            state.altered += altered
            return segments
        }
    }

    func greet(_ greeting: Greeting) async throws -> Greeting { try await peer.greet(greeting) }

    func frontier() async throws -> Frontier { try await peer.frontier() }

    func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {
        var honest: [LineSegment] = []
        try await peer.segments(request) { honest.append($0) }
        for segment in tamper(honest) { try await body(segment) }
    }

    func store(_ segments: [LineSegment]) async throws -> Acknowledgement { try await peer.store(tamper(segments)) }

    func acknowledge(_ acknowledgement: Acknowledgement) async throws { try await peer.acknowledge(acknowledgement) }

    func holes(after: Digest?) async throws -> [Hole]? { try await peer.holes(after: after) }
}
