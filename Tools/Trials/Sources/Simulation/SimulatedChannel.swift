import LogExchange
import Synchronization
import TripStoreTestSupport

/// Carries messages as a bad network does: some are lost, cut, repeated or delayed.
final class SimulatedChannel: MessageChannel {
    private enum Fault: CaseIterable {
        case requestLost, responseLost, requestRepeated, responsesCut, messageCut, requestDelayed
    }

    private let server: MessageServer
    private let random: Mutex<SeededRandom>
    private let faults: Int
    private let delayed = Mutex<[[UInt8]]>([])

    /// `faults` of a thousand requests go wrong.
    init(_ server: MessageServer, faults: Int, seed: UInt64) {
        self.server = server
        self.faults = faults
        random = Mutex(SeededRandom(seed: seed))
    }

    func call(_ request: [UInt8], _ body: ([UInt8]) async throws -> Void) async throws {
        // Delayed requests arrive now, before or instead of the one that follows them.
        while let late = delayed.withLock({ $0.popLast() }) { try await server.respond(to: late) { _ in } }
        guard draw(0..<1000) < faults else { return try await server.respond(to: request, body) }
        let fault = Fault.allCases[draw(0..<Fault.allCases.count)]
        switch fault {
        case .requestLost: throw Self.lost
        case .responseLost:
            try await server.respond(to: request) { _ in }
            throw Self.lost
        case .requestRepeated:
            try await server.respond(to: request) { _ in }
            try await server.respond(to: request, body)
        case .requestDelayed:
            delayed.withLock { $0.append(request) }
            throw Self.lost
        case .responsesCut:
            let responses = try await responses(to: request)
            for response in responses.prefix(draw(0..<responses.count + 1)) { try await body(response) }
            throw Self.lost
        case .messageCut:
            for response in try await responses(to: request) {
                try await body(Array(response.prefix(draw(0..<response.count + 1))))
            }
        }
    }

    private func draw(_ range: Range<Int>) -> Int { random.withLock { Int.random(in: range, using: &$0) } }

    private func responses(to request: [UInt8]) async throws -> [[UInt8]] {
        var responses: [[UInt8]] = []
        try await server.respond(to: request) { responses.append($0) }
        return responses
    }

    private static var lost: ExchangeError { ExchangeError(.cut, "The simulated connection was lost.") }
}
