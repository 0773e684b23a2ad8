import Testing

@testable import LogExchange

@Suite("A handoff", .timeLimit(.minutes(1)))
struct HandoffTests {
    private struct Broken: Error {}
    private let handoff = Handoff<Int>()

    @Test("hands elements over in order")
    func order() async throws {
        async let sent: Void = {
            for number in 0..<1000 { try await handoff.put(number) }
            handoff.finish()
        }()
        for number in 0..<1000 { #expect(try await handoff.take() == number) }
        #expect(try await handoff.take() == nil)
        try await sent
    }

    @Test("that has ended with an error throws it at both sides, and no later one")
    func failed() async {
        handoff.finish(throwing: Broken())
        handoff.finish()
        await #expect(throws: Broken.self) { try await handoff.put(1) }
        await #expect(throws: Broken.self) { try await handoff.take() }
    }

    @Test("that has ended in order has no more elements, and takes none")
    func ended() async throws {
        handoff.finish()
        #expect(try await handoff.take() == nil)
        await #expect(throws: ExchangeError.self) { try await handoff.put(1) }
    }

    @Test("ends the calls that wait", arguments: [true, false])
    func waiting(putting: Bool) async throws {
        let call = Task { if putting { try await handoff.put(1) } else { _ = try await handoff.take() } }
        await Task.yield()
        handoff.finish(throwing: Broken())
        await #expect(throws: Broken.self) { try await call.value }
    }

    @Test("ends when a call is cancelled", arguments: [true, false])
    func cancelled(putting: Bool) async throws {
        let call = Task { if putting { try await handoff.put(1) } else { _ = try await handoff.take() } }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        await #expect(throws: CancellationError.self) { try await handoff.put(1) }
    }

    @Test("refuses a second task in one direction")
    func twoAtOnce() async throws {
        let (first, second) = (Task { try await handoff.take() }, Task { try await handoff.take() })
        // One of them waits and gets the element, the other is refused.
        var results: [Result<Int?, any Error>] = []
        await withTaskGroup(of: Result<Int?, any Error>.self) { group in
            for task in [first, second] { group.addTask { await task.result } }
            if let result = await group.next() { results.append(result) }
            try? await handoff.put(7)
            if let result = await group.next() { results.append(result) }
        }
        #expect(throws: ExchangeError.self) { try results[0].get() }
        #expect(try results[1].get() == 7)
    }
}
