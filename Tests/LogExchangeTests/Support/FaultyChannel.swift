import LogExchange
import Synchronization
import TestSupport

/// The connection was cut.
struct Cut: Error {}

/// A channel that loses, cuts short, repeats and reorders, drawn from a seed.
final class FaultyChannel: MessageChannel {
    private struct State {
        var random: SeededGenerator
        var late: [[UInt8]] = []
        var isHealthy = false
    }

    private enum Fault { case none, lost, responseLost, truncated, repeated, swapped }

    private let channel: any MessageChannel
    private let state: Mutex<State>

    init(_ channel: any MessageChannel, seed: UInt64) {
        self.channel = channel
        state = Mutex(State(random: SeededGenerator(seed: seed)))
    }

    func heal() { state.withLock { $0.isHealthy = true } }

    private func draw() -> Fault {
        state.withLock { state in
            if state.isHealthy { return .none }
            return switch Int.random(in: 0..<20, using: &state.random) {
            case 0: .lost
            case 1: .responseLost
            case 2: .truncated
            case 3: .repeated
            case 4: .swapped
            default: .none
            }
        }
    }

    func call(_ request: [UInt8], _ body: ([UInt8]) async throws -> Void) async throws {
        // An earlier request arrives once more, late.
        if let late = state.withLock({ $0.late.popLast() }) { try await channel.call(late) { _ in } }
        switch draw() {
        case .lost: throw Cut()
        case .responseLost:
            try await channel.call(request) { _ in }
            throw Cut()
        case .repeated: state.withLock { $0.late.append(request) }
        case .none, .truncated, .swapped: break
        }
        var held: [UInt8]?
        try await channel.call(request) { response in
            switch draw() {
            case .lost, .responseLost: return
            case .truncated: try await body(Array(response.prefix(response.count / 2)))
            case .repeated:
                try await body(response)
                try await body(response)
            case .swapped where held == nil: held = response
            case .none, .swapped:
                try await body(response)
                if let late = held {
                    held = nil
                    try await body(late)
                }
            }
        }
        if let held { try await body(held) }
    }
}
