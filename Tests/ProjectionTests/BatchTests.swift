import EventLog
import Events
import Foundation
import ProjectionEngine
import StoreSupport
import TestSupport
import Testing

@Suite("Batches of commits")
struct BatchTests {
    @Test(
        "A projection's fault stops its group before the commit at fault, names it, and leaves another group alone (V2)",
        arguments: [1, 2, 7, 19])
    func failure(place: Int) async throws {
        let fixture = try EngineFixture()
        let fails = Switch()
        let group = try await fixture.group("faulty", [Tally(), ByValue(fails: fails)])
        let other = try await fixture.group("sound", [Tally()])
        let ids = (0..<20).map { _ in UUID() }
        for id in ids { try await fixture.append([.sample(.created, id, "one")]) }
        await group.applyPending()
        await other.applyPending()
        #expect(try group.position == Position(21))

        // All of these are one batch, of which one event in the middle fails.
        fails.isOn = true
        for (number, id) in ids.enumerated() {
            try await fixture.append([.sample(.edited, id, number == place ? "poison" : "two")])
        }
        await group.applyPending()
        await other.applyPending()
        let end = Position(UInt64(21 + place))
        #expect(group.fault?.description.contains("on purpose") == true)
        #expect(group.fault?.view == "by-value")
        #expect(group.fault?.position == end.next)
        #expect(try group.position == end)
        let edited = try group.rows()["by-value"]?.keys.filter { $0.dropFirst().starts(with: Array("two".utf8)) }
        #expect(edited?.count == place)
        await #expect { try await group.catchUp(to: Position(41)) } throws: { "\($0)".contains("on purpose") }
        // Later commits are not applied until a retry is requested.
        let stopped = try group.rows()
        try await fixture.append([.sample(.edited, ids[0], "three")])
        await group.applyPending()
        #expect(try group.rows() == stopped)
        #expect(other.fault == nil)
        #expect(try other.position == Position(41))
        try await other.expectRebuildEquals()

        // Once it works again, everything is applied, and the fault is cleared.
        fails.isOn = false
        try await group.catchUp(to: Position(42))
        #expect(try group.position == Position(42))
        #expect(group.fault == nil)
        #expect(try group.rows()["by-value"]?.count == 20)
        try await group.expectRebuildEquals()
    }

    @Test("Work of more events than a batch may have is cut into batches, each with its own invalidation (V2)")
    func largeWork() async throws {
        let fixture = try EngineFixture()
        let group = try await fixture.group("large", [Tally()])
        var generator = SeededGenerator(seed: 1)
        let ids = (0..<500).map { _ in UUID() }
        for _ in 0..<25 {
            try await fixture.append(
                ids.flatMap { id in
                    (0..<2).map { _ in .sample(.created, id, "\(Int.random(in: 0...9, using: &generator))") }
                })
        }
        await group.applyPending()
        let invalidations = try #require(try group.read { try $0.invalidations(since: .start) })
        #expect(invalidations.map(\.position) == [Position(6), Position(11), Position(16), Position(21), Position(26)])
        #expect(invalidations.allSatisfy { $0.keys?["entities"]?.count == 500 })
        try await group.expectRebuildEquals()
    }

    @Test("Work of more bytes than a batch may have is cut into batches, however few its events are")
    func largeEvents() async throws {
        let fixture = try EngineFixture()
        let group = try await fixture.group("large", [Tally()])
        for _ in 0..<5 {
            try await fixture.append([.sample(.created, UUID(), String(repeating: "x", count: 150_000))])
        }
        await group.applyPending()
        let invalidations = try #require(try group.read { try $0.invalidations(since: .start) })
        #expect(invalidations.map(\.position) == [Position(3), Position(5), Position(6)])
        try await group.expectRebuildEquals()
    }

    /// One row a value: two entities must not share one.
    private struct Owners: Projection {
        let name = "owners"
        let version: UInt32 = 1
        func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink)
            throws(WireError)
        {
            guard try record.isPresent() else { return }
            try record.forEachRegister { register throws(WireError) in
                if register.field == 1, let value = register.value { sink.put([UInt8](value), entity.bytes) }
            }
        }
    }

    @Test("Keys that change hands within a batch are their new owners' afterwards (V3)")
    func changingHands() async throws {
        let fixture = try EngineFixture()
        let group = try await fixture.group("owners", [Owners()])
        let ids = (0..<12).map { _ in UUID() }
        for (number, id) in ids.enumerated() { try await fixture.append([.sample(.created, id, "key \(number)")]) }
        await group.applyPending()
        for round in 1...20 {
            // Every entity gives up a key and takes that of another, one commit each and all in one batch.
            for id in ids { try await fixture.append([.sample(.edited, id, "\(id)")]) }
            for (number, id) in ids.enumerated() {
                try await fixture.append([.sample(.edited, id, "key \((number + round) % ids.count)")])
            }
            await group.applyPending()
        }
        #expect(group.fault == nil)
        #expect(try group.rows()["owners"]?.count == 12)
        try await group.expectRebuildEquals()
    }

    @Test("Two entities under one unique key are a fault, whether they come in one batch or in two", arguments: [1, 2])
    func sharedKey(batches: Int) async throws {
        let fixture = try EngineFixture()
        let group = try await fixture.group("owners", [Owners()])
        try await fixture.append([.sample(.created, UUID(), "one")])
        if batches == 2 { await group.applyPending() }
        let end = try await fixture.append([.sample(.created, UUID(), "one")])
        await group.applyPending()
        let fault = try #require(group.fault)
        #expect(fault.view == "owners")
        #expect(fault.position == end)
        #expect(fault.description.contains("two rows"))
        #expect(try group.position == Position(end.rawValue - 1))
    }
}
