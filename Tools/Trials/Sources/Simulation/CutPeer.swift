import EventLog
import Events
import LogExchange
import Synchronization
import TripStore

/// A peer whose connection is cut, after that many calls and segments.
final class CutPeer: ExchangePeer {
    private let peer: any ExchangePeer
    private let rest: Mutex<Int>

    init(_ peer: any ExchangePeer, after calls: Int) {
        self.peer = peer
        rest = Mutex(calls)
    }

    private func step() throws {
        let isUp = rest.withLock { rest in
            rest -= 1
            return rest >= 0
        }
        guard isUp else { throw ExchangeError(.cut, "The simulated connection was cut.") }
    }

    func greet(_ greeting: Greeting) async throws -> Greeting {
        try step()
        return try await peer.greet(greeting)
    }

    func frontier() async throws -> Frontier {
        try step()
        return try await peer.frontier()
    }

    func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {
        try await peer.segments(request) { segment in
            try step()
            try await body(segment)
        }
    }

    func store(_ segments: [LineSegment]) async throws -> Acknowledgement {
        try step()
        return try await peer.store(segments)
    }

    func acknowledge(_ acknowledgement: Acknowledgement) async throws {
        try step()
        try await peer.acknowledge(acknowledgement)
    }

    func erasures(_ request: ErasureRequest, _ body: (ErasureBatch) async throws -> Void) async throws {
        try step()
        try await peer.erasures(request, body)
    }

    func holes(after: Digest?) async throws -> [Hole]? {
        try step()
        return try await peer.holes(after: after)
    }

    func keep(_ erasures: ErasureBatch) async throws {
        try step()
        try await peer.keep(erasures)
    }
}
