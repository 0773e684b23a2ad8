import EventLog
import LogExchange

/// Another peer, of which is only read: it is told nothing, and does not get to know who asks.
struct ReadingPeer: ExchangePeer {
    private let peer: any ExchangePeer

    init(_ peer: any ExchangePeer) { self.peer = peer }

    func greet(_ greeting: Greeting) async throws -> Greeting {
        var answer = try await peer.greet(greeting)
        answer.isWritable = false
        return answer
    }

    var required: Frontier { peer.required }

    func frontier() async throws -> Frontier { try await peer.frontier() }

    func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {
        try await peer.segments(request, body)
    }

    func store(_ segments: [LineSegment]) async throws -> Acknowledgement {
        throw ExchangeError(.notWritable, "The other is only read from.")
    }

    func acknowledge(_ acknowledgement: Acknowledgement) async throws {}
}
