import EventLog
import Events
import StoreSupport
import Synchronization
import Testing

@testable import LogExchange

@Suite("The memory of requests in parts", .timeLimit(.minutes(5)))
struct RequestReaderTests {
    @Test("Bytes that are kept aside take room of the server's memory before a request goes on from them")
    func kept() async throws {
        let fixture = try await SessionFixture()
        let member = try await fixture.replica("member")
        let memory = SessionMemory(most: 64 << 20)
        fixture.network.setMemory(memory)
        let kept = [UInt8](repeating: 1, count: 2 << 20)
        let digest = kept.withUnsafeBytes { ContentTree.leaf($0) }
        let folder = PartFolder.beside(fixture.founder.log)
        let file = PartFolder.File(owner: "\(member.id)", name: "piece-\(digest)")
        #expect(folder.keep(kept, in: file, at: 0))
        let session = try await fixture.connect(member)
        _ = try await MessagePeer(session).greet(member.log.greeting().greeting)
        let piece = SegmentPart(
            LineSegment(
                journal: fixture.founder.log.journal, replica: member.id, first: SequenceNumber(1), previous: .zero,
                commits: [[1]], signature: []), start: SequenceNumber(1),
            piece: SegmentPart.Piece(digest: digest, size: kept.count + 2, offset: kept.count))
        let request = ExchangeMessage.part(.segmentParts([piece])).encoded()
        // Nothing responds: the request goes on.
        let call = Task { try await session.call(request) { _ in } }
        try await eventually { folder.size(file) == kept.count + 1 }
        #expect(memory.held >= AnswerRoom.cost(of: kept.count))
        session.close()
        _ = await call.result
        try await eventually { memory.held == 0 }
        for replica in [fixture.founder, member] { try replica.expectIntact() }
    }

    @Test("Members that push large segments at once get their room one after another, and none waits for the other")
    func pushers() async throws {
        let fixture = try await SessionFixture()
        var members: [TestReplica] = []
        for number in 0..<40 {
            let member = try await fixture.replica("member \(number)")
            try await fixture.exchange(member)
            try await member.write(35, bytes: 30_000)
            try await member.log.signHead()
            members.append(member)
        }
        // Its time stands still, so that it ends nobody.
        let memory = SessionMemory(most: 64 << 20, dependencies: ManualTime().dependencies)
        fixture.network.setMemory(memory)
        // All send some 20 parts of 35, which are more than there is room for, before one sends the rest.
        let isFull = Atomic(false)
        fixture.network.setHook { _, direction, number in
            while direction == .toServer, number > 36, !isFull.load(ordering: .relaxed) {
                if Task.isCancelled { return .cut }
                if memory.waiting > 0 { isFull.store(true, ordering: .relaxed) }
                await Task.yield()
            }
            return .arrives
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for member in members {
                let session = try await fixture.connect(member)
                group.addTask {
                    let peer = MessagePeer(session)
                    _ = try await peer.greet(member.log.greeting().greeting)
                    _ = try await peer.store(try await member.allSegments().filter { $0.replica == member.id })
                    session.close()
                }
            }
            try await group.waitForAll()
        }
        let wasFull = isFull.load(ordering: .relaxed)
        #expect(wasFull)
        try await eventually { memory.held == 0 }
        let held = Set(try fixture.founder.hashes())
        for member in members {
            #expect(Set(try member.hashes()).isSubset(of: held))
            try member.expectIntact()
        }
        try fixture.founder.expectIntact()
    }

    @Test("A message of a request that brings nothing is malformed", arguments: [[SegmentPart]?.none, []])
    func empty(_ parts: [SegmentPart]?) {
        var intake = RequestIntake()
        let message = ExchangeMessage.part(parts.map { .segmentParts($0) } ?? .segments([]))
        let error = #expect(throws: ExchangeError.self) { try intake.add(message, keeping: nil) }
        #expect(error?.code == .malformed)
    }
}
