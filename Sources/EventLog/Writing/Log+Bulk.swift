public import Events
import Synchronization

extension Log {
    /// The most commits of a bulk append in progress: enough to encode and hash some while others wait for the medium,
    /// and few enough to take little memory.
    private static let underWay = 8

    /// Appends many commits in order, and returns where each was stored, once all are durable.
    ///
    /// They are encoded and hashed on several threads, in parallel with the writer, and several share a transaction and
    /// a sync: for many commits it takes about half the time of appending one after the other.
    ///
    /// Throws like `append(_:)` for one that could not be stored. Those before it may have been stored, and none after
    /// it.
    @discardableResult
    public func append(_ payloads: [Payload]) async throws -> [Appended] {
        let turn = Turn()
        return try await withThrowingTaskGroup(of: (Int, Appended?).self) { group in
            var appended = [Appended?](repeating: nil, count: payloads.count)
            var next = 0
            func begin() {
                guard next < payloads.count else { return }
                let (index, payload) = (next, payloads[next])
                next += 1
                group.addTask { (index, try await self.append(payload, number: index, turn)) }
            }
            for _ in 0..<Self.underWay { begin() }
            while let (index, stored) = try await group.next() {
                appended[index] = stored
                begin()
            }
            return appended.compactMap { $0 }
        }
    }

    private func append(_ payload: Payload, number: Int, _ turn: Turn) async throws -> Appended? {
        let hashed: HashedPayload
        do { hashed = try self.hashed(payload) } catch {
            turn.end()
            throw error
        }
        // The reason why it cannot be stored is thrown for the failing commit.
        guard await turn.comes(number) else { return nil }
        return try await withCheckedThrowingContinuation { continuation in
            enqueue { _ in
                // A commit queued behind another which could not be stored.
                turn.hasFailed ? nil : hashed
            } _: { outcome in
                // On the writer's thread, before it begins with the next.
                if case .failure = outcome { turn.fail() }
                continuation.resume(with: outcome)
            }
            turn.pass(from: number)
        }
    }
}

/// Lets tasks take turns in the order of their numbers.
private final class Turn: Sendable {
    private struct State {
        var next = 0
        var hasEnded = false
        var hasFailed = false
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Waits for the turn of a number; returns false if there are no more turns.
    func comes(_ number: Int) async -> Bool {
        await withCheckedContinuation { continuation in
            let value: Bool? = state.withLock { state in
                if state.hasEnded { return false }
                if state.next == number { return true }
                state.waiting[number] = continuation
                return nil
            }
            if let value { continuation.resume(returning: value) }
        }
    }

    /// Passes the turn to the next number.
    func pass(from number: Int) {
        let waiting = state.withLock { state in
            state.next = number + 1
            return state.waiting.removeValue(forKey: number + 1)
        }
        waiting?.resume(returning: true)
    }

    /// Whether a commit could not be stored.
    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// A commit could not be stored: those queued behind it must not be, and there are no further turns.
    func fail() {
        state.withLock { $0.hasFailed = true }
        end()
    }

    /// Ends the turns.
    func end() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume(returning: false) }
    }
}
