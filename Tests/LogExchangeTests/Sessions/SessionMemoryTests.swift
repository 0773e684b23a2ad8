import EventLog
import Events
import StoreSupport
import Synchronization
import Testing

@testable import LogExchange

@Suite("The memory of a server's clients", .timeLimit(.minutes(10)))
struct SessionMemoryTests {
    private let time = ManualTime()

    private func memory(_ most: Int) -> SessionMemory {
        SessionMemory(most: most, patience: .seconds(1), dependencies: time.dependencies)
    }

    /// A share with what a test decides of its client.
    private final class Client: Sendable {
        let moved = Mutex<UInt64>(0)
        let isEnded = Atomic(false)
        let granted = Mutex<[Bool]>([])
        private let made = Mutex<MemoryShare?>(nil)

        var share: MemoryShare? { made.withLock { $0 } }
        var ended: Bool { isEnded.load(ordering: .acquiring) }
        var grants: [Bool] { granted.withLock { $0 } }

        init(_ memory: SessionMemory, isServed: Bool = true) {
            let share = memory.share { [weak self] in
                self?.moved.withLock { $0 } ?? 0
            } end: { [weak self] in
                self?.isEnded.store(true, ordering: .releasing)
                self?.share?.end()
            }
            if isServed { share.serve() }
            made.withLock { $0 = share }
        }

        /// Whether the bytes are held at once.
        func take(_ bytes: Int) -> Bool {
            share?.take(bytes) { isGranted in self.granted.withLock { $0.append(isGranted) } } ?? false
        }
    }

    private static let small = SessionMemory.smallest
    private static let large = 16 * small

    @Test("Bytes are held while there is room, and those that wait get theirs in their order once there is room again")
    func room() {
        let memory = memory(Self.large * 8)
        let clients = (0..<9).map { _ in Client(memory) }
        // An eighth is for small amounts alone.
        for client in clients[..<7] { #expect(client.take(Self.large)) }
        #expect(!clients[7].take(Self.large) && !clients[8].take(Self.large))
        #expect(memory.held == 7 * Self.large && memory.waiting == 2)
        clients[0].share?.give(Self.large)
        #expect(clients[7].grants == [true] && clients[8].grants == [])
        clients[1].share?.end()
        #expect(clients[8].grants == [true] && memory.waiting == 0)
        for client in clients { client.share?.end() }
        #expect(memory.held == 0)
    }

    @Test("Small amounts do not wait for large ones")
    func small() {
        let memory = memory(Self.large * 8)
        let (holder, waiter, member) = (Client(memory), Client(memory), Client(memory))
        #expect(holder.take(7 * Self.large))
        #expect(!waiter.take(Self.large))
        for _ in 0..<16 { #expect(member.take(Self.small)) }
        #expect(!member.take(Self.small))
        #expect(memory.held == memory.most)
    }

    @Test("Strangers have a quarter of it together, and members the rest")
    func strangers() {
        let memory = memory(Self.large * 8)
        let strangers = (0..<3).map { _ in Client(memory, isServed: false) }
        let member = Client(memory)
        #expect(strangers[0].take(Self.large) && strangers[1].take(Self.large))
        #expect(!strangers[2].take(Self.small))
        #expect(member.take(5 * Self.large))
        // One that is served makes room for the others.
        strangers[0].share?.serve()
        #expect(strangers[2].grants == [true])
    }

    @Test(
        "Bytes for which there is no room beside so many connections are held by one at a time, and keep nothing else waiting"
    )
    func alone() {
        let memory = memory(Self.large * 8)
        let clients = (0..<4).map { _ in Client(memory) }
        for _ in 0..<10_000 { memory.connected() }
        #expect(clients[0].take(3 * Self.large) && !clients[1].take(3 * Self.large))
        #expect(clients[2].take(Self.small) && clients[3].take(Self.large))
        clients[0].share?.give(3 * Self.large)
        #expect(clients[1].grants == [true])
        clients[1].share?.end()
        let stranger = Client(memory, isServed: false)
        #expect(stranger.take(3 * Self.large))
    }

    @Test("More than three eighths of the bound waits until there are fewer connections")
    func largest() {
        let memory = memory(Self.large * 8)
        let client = Client(memory)
        for _ in 0..<10_000 { memory.connected() }
        #expect(!client.take(3 * Self.large + 1) && !client.ended)
        for _ in 0..<10_000 { memory.disconnected() }
        #expect(client.grants == [true])
    }

    @Test("More bytes than the bound end the share that asks for them")
    func beyond() {
        let memory = memory(Self.large)
        let client = Client(memory)
        #expect(client.take(Self.small) && !client.ended)
        #expect(!client.take(Self.large + 1) && client.ended && client.grants == [false])
        #expect(memory.held == 0)
    }

    @Test("What open connections take by themselves is not there for bytes, but for a quarter")
    func connections() {
        let memory = memory(Self.large * 8)
        let (one, other) = (Client(memory), Client(memory))
        for _ in 0..<10_000 { memory.connected() }
        #expect(one.take(Self.large) && !other.take(Self.large))
        for _ in 0..<10_000 { memory.disconnected() }
        #expect(other.grants == [true])
    }

    @Test("While others wait, one that is waited for and does not move is ended; one at work or on the move is not")
    func stopped() async throws {
        let memory = memory(Self.large * 8)
        let (stopped, moving, handled) = (Client(memory), Client(memory), Client(memory))
        for client in [stopped, moving, handled] { #expect(client.take(2 * Self.large)) }
        stopped.share?.awaits(.taking, true)
        moving.share?.awaits(.rest, true)
        let waiter = Client(memory)
        #expect(!waiter.take(2 * Self.large))
        for _ in 0..<2 {
            #expect(!stopped.ended)
            try await eventually { !time.due.isEmpty }
            moving.moved.withLock { $0 += 1024 }
            time.advance(by: .seconds(1))
        }
        try await eventually { stopped.ended && waiter.grants == [true] }
        #expect(!moving.ended && !handled.ended)
        // Nobody waits any more, and nobody looks.
        if !time.due.isEmpty { time.advance(by: .seconds(1)) }
        try await eventually { time.due.isEmpty }
        #expect(memory.waiting == 0)
    }

    @Test("After ten looks at which none was too slow, the one is ended that holds most for what it moved")
    func slow() async throws {
        let memory = memory(Self.large * 8)
        let (slow, fast) = (Client(memory), Client(memory))
        for client in [slow, fast] {
            #expect(client.take(3 * Self.large))
            client.share?.awaits(.rest, true)
        }
        let waiter = Client(memory)
        #expect(!waiter.take(2 * Self.large))
        for look in 0..<11 {
            #expect(!slow.ended, "look \(look)")
            try await eventually { !time.due.isEmpty }
            slow.moved.withLock { $0 += 1024 }
            fast.moved.withLock { $0 += 65_536 }
            time.advance(by: .seconds(1))
            if slow.ended { break }
        }
        try await eventually { slow.ended && waiter.grants == [true] }
        #expect(!fast.ended)
    }

    @Test("A share that has ended takes nothing, and what waited for it fails")
    func ended() async throws {
        let memory = memory(2 * Self.large)
        let (holder, waiter) = (Client(memory), Client(memory))
        #expect(holder.take(Self.large))
        let taking = Task { [share = waiter.share] in try await share?.take(Self.large) }
        try await eventually { memory.waiting == 1 }
        waiter.share?.end()
        #expect(await failure { try await taking.value } as? ExchangeError != nil)
        #expect(await failure { try await waiter.share?.take(1) } as? ExchangeError != nil)
        #expect(memory.waiting == 0 && memory.held == Self.large)
    }

    @Test("A session holds its request until it is answered, and nothing afterwards")
    func requests() async throws {
        var fixture = try await SessionFixture()
        let memory = SessionMemory(most: 64 << 20)
        let member = try await fixture.replica("member")
        let most = Atomic(0)
        fixture.serve { server in
            server.observe = { _ in most.store(max(most.load(ordering: .relaxed), memory.held), ordering: .relaxed) }
        }
        fixture.network.setMemory(memory)
        try await fixture.exchange(member)
        try await member.write(20, bytes: 1000)
        try await fixture.exchange(member)
        // Seen while the segments were stored.
        let held = most.load(ordering: .relaxed)
        #expect(held > 20_000)
        try await eventually { memory.held == 0 }
        try await expectEqual([fixture.founder, member])
    }

    @Test("A client that takes no answer holds no more than one, and is ended once others wait")
    func unread() async throws {
        let fixture = try await SessionFixture()
        for _ in 0..<8 {
            try await fixture.founder.write(1, bytes: 400_000)
            try await fixture.founder.log.signHead()
        }
        let memory = SessionMemory(most: 2 << 20, patience: .milliseconds(1))
        let network = MemoryNetwork(fixture.server, capacity: 1)
        network.setMemory(memory)
        let (silent, other) = (try await fixture.replica("silent"), try await fixture.replica("other"))
        let session = try await fixture.connect(silent, over: network)
        let frontier = try await SessionPeer(session, for: silent.log, remembers: false).greetAndAsk(silent)
        let request = SegmentRequest(journal: fixture.founder.log.journal, wanted: frontier.heads, held: [])
        let (released, release) = AsyncStream<Never>.makeStream()
        let taking = Task {
            try await MessagePeer(session).segments(request) { _ in for await _ in released {} }
        }
        try await eventually { memory.held > 1_000_000 }
        #expect(memory.held < 2_000_000)
        let served = try await fixture.connect(other, over: network)
        try await other.exchange(with: SessionPeer(served, for: other.log, remembers: false))
        release.finish()
        #expect(await failure { try await taking.value } != nil)
        try await expectEqual([fixture.founder, other])
        try await eventually { memory.held == 0 }
    }

    @Test("A frame costs what it becomes, by what it says first; one that says it late costs as much as it may")
    func costs() throws {
        let bytes = [UInt8](repeating: 7, count: 1_000_000)
        let frame = SessionFrame.request(bytes).encoded()
        let packed = try #require(PackedMessage.packed(frame, with: .zlib, .system))
        var writer = WireWriter(reservingCapacity: packed.count + 16)
        writer.bytes(SessionFrame.packedField, packed)
        let sent = writer.finish()
        #expect(sent.count < 10_000)
        let cost = SessionFrame.cost(ofLength: sent.count, beginning: sent.prefix(SessionFrame.beginning))
        #expect(cost > bytes.count && cost < 2 * bytes.count)
        #expect(SessionFrame.cost(ofLength: 1000, beginning: frame.prefix(32)) < 4000)
        let late = [sent[0]] + [200, 3] + [0x1a, 100] + [UInt8](repeating: 0, count: 27)
        #expect(SessionFrame.cost(ofLength: 10_000, beginning: late) > 10_000 * 1024)
    }
}
