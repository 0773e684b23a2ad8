public import EventLog
import Events

/// Answers the messages of a `MessagePeer`: what a network carrier calls on the other side.
public struct MessageServer: Sendable {
    private let peer: any ExchangePeer

    /// Answers for a log.
    public init(_ log: Log) { peer = LogPeer(log) }

    /// Answers for anything that can be exchanged with.
    public init(_ peer: any ExchangePeer) { self.peer = peer }

    /// Hands the answers to a request to `body`, in order. What goes wrong here is an answer as well; only what `body`
    /// throws is thrown, and ends it.
    public func answer(_ request: [UInt8], _ body: ([UInt8]) async throws -> Void) async throws {
        var sendingFailed = false
        do {
            try await answer(try ExchangeMessage(request)) { message in
                do { try await body(message.encoded()) } catch {
                    sendingFailed = true
                    throw error
                }
            }
        } catch {
            if sendingFailed { throw error }
            try await body(Self.failure(error).encoded())
        }
    }

    private func answer(_ request: ExchangeMessage, _ body: (ExchangeMessage) async throws -> Void) async throws {
        switch request {
        case .greeting(let greeting): try await body(.greeting(try await peer.greet(greeting)))
        case .frontierRequest: try await body(.frontier(try await peer.frontier()))
        case .segmentRequest(let request):
            var count: UInt64 = 0
            try await peer.segments(request) { segment in
                count += 1
                try await body(.segments([segment]))
            }
            try await body(.end(count: count))
        case .segments(let segments): try await body(.acknowledgement(try await peer.store(segments)))
        case .acknowledgement(let acknowledgement):
            try await peer.acknowledge(acknowledgement)
            try await body(.end(count: 0))
        case .frontier, .end, .failure: throw ExchangeError(.malformed, "The message is an answer and no request.")
        }
    }

    private static func failure(_ error: any Error) -> ExchangeMessage {
        switch error {
        case let error as ExchangeError: .failure(code: error.code.rawValue, message: error.description)
        case let error as EventLogError: .failure(code: error.code.rawValue, message: error.description)
        default: .failure(code: "failed", message: "\(error)")
        }
    }
}
