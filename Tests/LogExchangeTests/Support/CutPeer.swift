import EventLog
import Events
import LogExchange
import Synchronization

/// The connection was cut.
struct Cut: Error {}

/// A peer whose connection ends after a number of steps, a step being a call or an arriving segment.
///
/// A sent message may or may not have arrived when its response is lost.
final class CutPeer: ExchangePeer {
    private let peer: any ExchangePeer
    private let steps: Mutex<Int>
    private let losesResponses: Bool

    init(_ peer: any ExchangePeer, after steps: Int, losesResponses: Bool = false) {
        self.peer = peer
        self.steps = Mutex(steps)
        self.losesResponses = losesResponses
    }

    private func step() throws {
        let isCut = steps.withLock { steps in
            steps -= 1
            return steps < 0
        }
        if isCut { throw Cut() }
    }

    private func call<T>(_ body: () async throws -> T) async throws -> T {
        if !losesResponses { try step() }
        let response = try await body()
        if losesResponses { try step() }
        return response
    }

    func greet(_ greeting: Greeting) async throws -> Greeting { try await call { try await peer.greet(greeting) } }

    func frontier() async throws -> Frontier { try await call { try await peer.frontier() } }

    var required: Frontier { peer.required }

    func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {
        try step()
        try await peer.segments(request) { segment in
            try step()
            try await body(segment)
        }
    }

    func store(_ segments: [LineSegment]) async throws -> Acknowledgement {
        try await call { try await peer.store(segments) }
    }

    func acknowledge(_ acknowledgement: Acknowledgement) async throws {
        try await call { try await peer.acknowledge(acknowledgement) }
    }

    func erasures(_ request: ErasureRequest, _ body: (ErasureBatch) async throws -> Void) async throws {
        try await call { try await peer.erasures(request, body) }
    }

    func holes(after: Digest?) async throws -> [Hole]? { try await call { try await peer.holes(after: after) } }

    func keep(_ erasures: ErasureBatch) async throws { try await call { try await peer.keep(erasures) } }
}
