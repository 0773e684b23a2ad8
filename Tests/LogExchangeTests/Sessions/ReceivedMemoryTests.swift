import StoreSupport
import Synchronization
import Testing

@testable import LogExchange

@Suite("The memory of what was received")
struct ReceivedMemoryTests {
    private final class Reader {}

    private let time = ManualTime()

    private func memory(_ most: Int) -> ReceivedMemory {
        ReceivedMemory(most: most, turn: .seconds(5)) { [time] in time.now }
    }

    /// Who was resumed, in order.
    private final class Resumed: Sendable {
        private let names = Mutex<[String]>([])
        var all: [String] { names.withLock { $0 } }
        func note(_ name: String) -> @Sendable () -> Void { { self.names.withLock { $0.append(name) } } }
    }

    @Test("Anybody may read while there is room, and all that wait once there is room again")
    func room() {
        let (memory, resumed) = (memory(100), Resumed())
        let readers = (0..<3).map { _ in Reader() }
        #expect(memory.mayRead(readers[0]) {})
        memory.add(100)
        #expect(memory.mayRead(readers[0]) {})
        #expect(!memory.mayRead(readers[1], resume: resumed.note("1")))
        #expect(!memory.mayRead(readers[2], resume: resumed.note("2")))
        #expect(memory.waitingReaders == 2)
        memory.remove(1)
        #expect(resumed.all == ["1", "2"] && memory.waitingReaders == 0 && memory.held == 99)
        #expect(memory.mayRead(readers[1]) {})
    }

    @Test("One reader may exceed the bound until it has a whole frame, then the one that has waited longest")
    func exempt() {
        let (memory, resumed) = (memory(100), Resumed())
        let readers = (0..<3).map { _ in Reader() }
        memory.add(150)
        #expect(memory.mayRead(readers[0]) {})
        #expect(!memory.mayRead(readers[1], resume: resumed.note("1")))
        #expect(!memory.mayRead(readers[2], resume: resumed.note("2")))
        memory.add(50)
        #expect(memory.mayRead(readers[0]) {})
        memory.yield(readers[0])
        #expect(resumed.all == ["1"])
        #expect(memory.mayRead(readers[1]) {})
        #expect(!memory.mayRead(readers[0], resume: resumed.note("0")))
        // A stream that ends leaves its place, and its right.
        memory.yield(readers[2])
        memory.yield(readers[1])
        #expect(resumed.all == ["1", "0"])
    }

    @Test("A slow reader does not keep that right for ever")
    func slow() {
        let memory = memory(100)
        let (slow, other) = (Reader(), Reader())
        memory.add(100)
        #expect(memory.mayRead(slow) {})
        #expect(!memory.mayRead(other) {})
        time.advance(by: .seconds(4))
        #expect(!memory.mayRead(other) {})
        time.advance(by: .seconds(1))
        #expect(memory.mayRead(other) {})
        #expect(!memory.mayRead(slow) {})
    }

    @Test("A request counts until it is answered, and nothing is left of a session that is cut")
    func requests() async throws {
        var fixture = try await SessionFixture()
        let memory = ReceivedMemory(most: 1 << 20)
        fixture.serve { $0.memory = memory }
        let member = try await fixture.replica("member")
        let most = Atomic(0)
        fixture.serve { server in
            server.observe = { _ in most.store(max(most.load(ordering: .relaxed), memory.held), ordering: .relaxed) }
        }
        try await fixture.exchange(member)
        try await member.write(20, bytes: 1000)
        try await fixture.exchange(member)
        // Seen while the segments were stored.
        let held = most.load(ordering: .relaxed)
        #expect(held > 20_000)
        try await eventually { memory.held == 0 }
        try await expectEqual([fixture.founder, member])
    }
}
