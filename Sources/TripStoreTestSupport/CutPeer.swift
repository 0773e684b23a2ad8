package import EventLog
package import Events
package import LogExchange
import Synchronization

/// A peer whose connection ends after a number of steps, a step being a call or an arriving segment.
///
/// A sent message may or may not have arrived when its response is lost.
package final class CutPeer: ExchangePeer {
    private let peer: any ExchangePeer
    private let steps: Mutex<Int>
    private let losesResponses: Bool
    private let error: any Error

    package init(
        _ peer: any ExchangePeer, after steps: Int, losesResponses: Bool = false,
        error: any Error = ExchangeError(.cut, "The connection was cut.")
    ) {
        self.peer = peer
        self.steps = Mutex(steps)
        self.losesResponses = losesResponses
        self.error = error
    }

    private func step() throws {
        let isCut = steps.withLock { steps in
            steps -= 1
            return steps < 0
        }
        if isCut { throw error }
    }

    private func call<T>(_ body: () async throws -> T) async throws -> T {
        if !losesResponses { try step() }
        let response = try await body()
        if losesResponses { try step() }
        return response
    }

    package func greet(_ greeting: Greeting) async throws -> Greeting {
        try await call { try await peer.greet(greeting) }
    }

    package func frontier() async throws -> Frontier { try await call { try await peer.frontier() } }

    package var required: Frontier { peer.required }

    package func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {
        try step()
        try await peer.segments(request) { segment in
            try step()
            try await body(segment)
        }
    }

    package func store(_ segments: [LineSegment]) async throws -> Acknowledgement {
        try await call { try await peer.store(segments) }
    }

    package func acknowledge(_ acknowledgement: Acknowledgement) async throws {
        try await call { try await peer.acknowledge(acknowledgement) }
    }

    package func holes(after: Digest?) async throws -> [Hole]? { try await call { try await peer.holes(after: after) } }
}
