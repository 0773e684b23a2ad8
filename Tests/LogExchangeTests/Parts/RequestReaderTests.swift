import EventLog
import Events
import StoreSupport
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
}
