public import EventLog
import Events

/// A replica that is reached by messages.
public struct MessagePeer: ExchangePeer {
    private let channel: any MessageChannel

    public init(_ channel: any MessageChannel) { self.channel = channel }

    public func greet(_ greeting: Greeting) async throws -> Greeting {
        let answer = try await one(.greeting(greeting))
        guard case .greeting(let greeting) = answer else { throw Self.unexpected(answer) }
        return greeting
    }

    public func frontier() async throws -> Frontier {
        let answer = try await one(.frontierRequest)
        guard case .frontier(let frontier) = answer else { throw Self.unexpected(answer) }
        return frontier
    }

    public func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {
        var count: UInt64 = 0
        var isComplete = false
        try await channel.call(ExchangeMessage.segmentRequest(request).encoded()) { bytes in
            let answer = try Self.answer(bytes)
            switch answer {
            // One without any would let them come without an end.
            case .segments(let segments) where !isComplete && !segments.isEmpty:
                for segment in segments {
                    count += 1
                    try await body(segment)
                }
            case .end(let expected) where !isComplete:
                guard expected == count else {
                    throw ExchangeError(
                        .cut, "The other sent \(expected) stretches and \(count) came. What came was kept; try again.")
                }
                isComplete = true
            default: throw Self.unexpected(answer)
            }
        }
        if !isComplete { throw Self.cut }
    }

    public func store(_ segments: [LineSegment]) async throws -> Acknowledgement {
        let answer = try await one(.segments(segments))
        guard case .acknowledgement(let acknowledgement) = answer else { throw Self.unexpected(answer) }
        return acknowledgement
    }

    public func acknowledge(_ acknowledgement: Acknowledgement) async throws {
        let answer = try await one(.acknowledgement(acknowledgement))
        guard case .end = answer else { throw Self.unexpected(answer) }
    }

    private func one(_ request: ExchangeMessage) async throws -> ExchangeMessage {
        var found: ExchangeMessage?
        try await channel.call(request.encoded()) { bytes in
            let answer = try Self.answer(bytes)
            guard found == nil else { throw Self.unexpected(answer) }
            found = answer
        }
        guard let found else { throw Self.cut }
        return found
    }

    private static func answer(_ bytes: [UInt8]) throws -> ExchangeMessage {
        let answer = try ExchangeMessage(bytes)
        guard case .failure(let code, let message) = answer else { return answer }
        throw ExchangeError(
            .refused, "The other refused (\(code.clipped(to: 64))): \(message.clipped(to: 4096))",
            refusal: code.clipped(to: 64))
    }

    private static func unexpected(_ answer: ExchangeMessage) -> ExchangeError {
        ExchangeError(.malformed, "The other gave an answer that does not belong to the question.")
    }

    private static var cut: ExchangeError {
        ExchangeError(.cut, "The connection ended before the answer was complete. What came was kept; try again.")
    }
}
