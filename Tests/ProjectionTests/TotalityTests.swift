import EventLog
import Events
import Foundation
import ProjectionEngine
import StoreSupport
import TestSupport
import Testing
import TripProjections

@Suite("Views of what makes no sense")
struct TotalityTests {
    @Test(
        "The views take whatever peers may write, and however it is cut into batches they equal a rebuild (V1, V3)",
        arguments: Seeds.some(12))
    func nonsense(seed: UInt64) async throws {
        let fixture = try EngineFixture(seed: seed)
        var nonsense = Nonsense(seed: seed)
        let eager = try await fixture.group("eager", BuiltInProjections.all)
        let lazy = try await fixture.group("lazy", BuiltInProjections.all)
        for _ in 0..<120 {
            try await fixture.append(nonsense.events())
            await eager.applyPending()
            if Int.random(in: 0...9, using: &nonsense.generator) == 0 { await lazy.applyPending() }
        }
        await lazy.applyPending()
        #expect(eager.fault == nil)
        #expect(try eager.position == Position(121))
        #expect(try eager.rows() == lazy.rows())
        // The rows are worth comparing: two of the rarer kinds may be missing at most.
        #expect(try eager.rows().filter { $0.value.isEmpty }.count <= 2)
        try await eager.expectRebuildEquals()
        try await lazy.expectRebuildEquals()
        let before = try eager.rows()
        _ = try await eager.replace { _ in }
        #expect(try eager.rows() == before)
    }
}
