import EventLog
import Events
import Foundation
import LMDB
import Testing

@testable import ProjectionEngine

@Suite("The position of the newest snapshot")
struct KnownPositionTests {
    @Test("It is returned for its own transaction and no other, also if another thread stores a newer one meanwhile")
    func concurrency() async {
        let known = KnownPosition()
        let wrong = await withTaskGroup(of: Int.self) { group in
            group.addTask {
                for number in 1...20_000 { known.note(Position(UInt64(number) * 10), at: number) }
                return 0
            }
            for _ in 0..<2 {
                group.addTask {
                    (1...20_000).count { number in
                        known.value(at: number).map { $0 != Position(UInt64(number) * 10) } ?? false
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
        #expect(known.value(at: 20_000) == Position(200_000))
        #expect(known.value(at: 19_999) == nil)
    }

    @Test("An older snapshot's position does not replace a newer one's")
    func order() {
        let known = KnownPosition()
        #expect(known.value(at: 1) == nil)
        known.note(Position(50), at: 5)
        known.note(Position(30), at: 3)
        #expect(known.value(at: 3) == nil)
        #expect(known.value(at: 5) == Position(50))
    }

    @Test("It is neither kept nor looked up for a snapshot whose number may be that of an older state")
    func inexact() async throws {
        let fixture = try EngineFixture()
        let group = try await fixture.group("views", [Tally()])
        try await fixture.append([.sample(.created, UUID(), "one")])
        await group.applyPending()
        let generation = try #require(group.slot.serving)
        try generation.environment.write { transaction in
            // Like a reader that two commits have overtaken, a writer shows another state than its number's.
            let isExact = transaction.reading.isNumberExact
            #expect(!isExact)
            let checkpoint = try generation.checkpoint(transaction.reading)
            for position in [Position(7), Position(9), checkpoint.position] {
                try generation.setCheckpoint(Checkpoint(position: position, hash: checkpoint.hash), transaction)
                let shown = try generation.servedPosition(transaction.reading)
                #expect(shown == position)
            }
        }
        let isExact = try generation.environment.read { $0.isNumberExact }
        #expect(isExact)
        try await group.expectRebuildEquals()
    }
}
