public import EventLog
import Events

/// A peer that is reached by messages.
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
        try await many(.segmentRequest(request)) { answer in
            // An empty message would allow an endless stream of them.
            guard case .segments(let segments) = answer, !segments.isEmpty else { throw Self.unexpected(answer) }
            for segment in segments { try await body(segment) }
            return UInt64(segments.count)
        }
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

    public func erasures(_ request: ErasureRequest, _ body: (ErasureBatch) async throws -> Void) async throws {
        try await many(.erasureRequest(request)) { answer in
            guard case .erasures(let batch) = answer, !batch.erasures.isEmpty || !batch.lacking.isEmpty else {
                throw Self.unexpected(answer)
            }
            try await body(batch)
            return 1
        }
    }

    public func keep(_ erasures: ErasureBatch) async throws {
        let answer = try await one(.erasures(erasures))
        guard case .end = answer else { throw Self.unexpected(answer) }
    }

    /// Sends a request with any number of response messages; `body` returns how many items each held.
    private func many(
        _ request: ExchangeMessage, _ body: (ExchangeMessage) async throws -> UInt64
    ) async throws {
        var count: UInt64 = 0
        var isComplete = false
        try await channel.call(request.encoded()) { bytes in
            let answer = try Self.answer(bytes)
            guard !isComplete else { throw Self.unexpected(answer) }
            guard case .end(let expected) = answer else {
                count += try await body(answer)
                return
            }
            guard expected == count else {
                throw ExchangeError(
                    .cut,
                    "The other says that it sent \(expected) parts, and \(count) came. What came was kept; try again.")
            }
            isComplete = true
        }
        if !isComplete { throw Self.cut }
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
