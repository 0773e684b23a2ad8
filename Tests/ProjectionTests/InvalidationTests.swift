import EventLog
import Events
import Foundation
import ProjectionEngine
import StoreSupport
import TestSupport
import Testing
import TripProjections
import Trips

@Suite("Invalidations")
struct InvalidationTests {
    @Test(
        "Whatever number of commits a batch has, it names the rows that it changed, each once, and no other (V6)",
        arguments: Seeds.some(8))
    func exactness(seed: UInt64) async throws {
        let fixture = try EngineFixture(seed: seed)
        let group = try await fixture.group("exact", [ByValue(), Tally()] + BuiltInProjections.all)
        var nonsense = Nonsense(seed: seed)
        var before = try group.rows()
        for _ in 0..<40 {
            let position = try group.position
            for _ in 0..<Int.random(in: 1...6, using: &nonsense.generator) {
                try await fixture.append(nonsense.events())
            }
            await group.applyPending()
            let after = try group.rows()
            let found = try #require(try group.read { try $0.invalidations(since: position) })
            #expect(found.count == 1)
            #expect(try found.first?.position == group.position)
            let keys = try #require(found.first?.keys)
            for (view, keys) in keys { #expect(Set(keys).count == keys.count, "\(view)") }
            #expect(keys.mapValues { Set($0) }.filter { !$0.value.isEmpty } == changedKeys(before, after))
            before = after
        }
        #expect(group.fault == nil)
    }

    @Test("Changes of two entities that cancel each other out in a sum are no change of it (V6)")
    func cancellation() async throws {
        let fixture = try EngineFixture()
        let group = try await fixture.group("cancel", [Tally()])
        let (a, b) = (UUID(), UUID())
        try await fixture.append([.sample(.created, a, "left"), .sample(.created, b, "right")])
        await group.applyPending()
        let before = try group.rows()
        let position = try group.position
        try await fixture.append([.sample(.edited, a, "right")])
        try await fixture.append([.sample(.edited, b, "left")])
        await group.applyPending()
        #expect(try group.rows()["tally"] == before["tally"])
        let keys = try #require(try group.read { try $0.invalidations(since: position) }?.first?.keys)
        #expect(keys["tally"] ?? [] == [])
        #expect(keys["entities"]?.count == 2)
    }

    @Test("A batch that changed more keys than can be named says that everything changed")
    func tooMany() async throws {
        let fixture = try EngineFixture()
        let group = try await fixture.group("many", [ByValue()])
        let value = String(repeating: "x", count: 100)
        try await fixture.append((0..<8000).map { _ in .sample(.created, UUID(), value) })
        await group.applyPending()
        let found = try #require(try group.read { try $0.invalidations(since: .start) })
        #expect(found == [Invalidation(position: Position(2), keys: nil)])
    }

    @Test("A rebuilt view names no change from before it was built, and those that come after")
    func afterRebuild() async throws {
        let fixture = try EngineFixture()
        let group = try await fixture.group("rebuilt", [Tally()])
        for _ in 0..<3 { try await fixture.append([.sample(.created, UUID(), "one")]) }
        await group.applyPending()
        #expect(try group.read { try $0.invalidations(since: Position(3)) }?.count == 1)
        _ = try await group.replace { _ in }
        #expect(try group.read { try $0.invalidations(since: Position(3)) } == nil)
        #expect(try group.read { try $0.invalidations(since: Position(4)) } == [])
        try await fixture.append([.sample(.created, UUID(), "two")])
        await group.applyPending()
        let found = try #require(try group.read { try $0.invalidations(since: Position(4)) })
        #expect(found.map(\.position) == [Position(5)])
        // The rows of its value and of the first letters.
        #expect(found.first?.keys?["tally"]?.count == 2)
    }
}
