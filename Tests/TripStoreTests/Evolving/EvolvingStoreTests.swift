import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Fields that replace others, in a store")
struct EvolvingStoreTests {
    @Test("An old and a new version of an app go on beside each other, and the later write counts on every replica")
    func beside() async throws {
        let clock = ManualClock()
        let old = try await TripStore.test(clock: clock, schema: [Trip.budgetText])
        let lisbon = try await old.create(Trip(name: "Lisbon"))
        try await old.edit(lisbon) { $0[Trip.budgetText] = "12.50" }
        let new = try await TripStore.test(journal: old.journal, clock: clock, schema: Trip.evolving)
        try await old.exchange(with: .store(new))
        #expect(try new.trip(lisbon)?[Trip.budget] == Money("12.50", "EUR"))
        clock.advance(by: 1_000)
        try await new.edit(lisbon) { $0[Trip.budget] = Money("20.00", "EUR") }
        try await old.exchange(with: .store(new))
        #expect(try old.trip(lisbon)?[Trip.budgetText] == "20.00")
        clock.advance(by: 1_000)
        try await old.edit(lisbon) { $0[Trip.budgetText] = "30.00" }
        try await old.exchange(with: .store(new))
        // Rows of views and entities read by themselves agree.
        for trip in [try new.trip(lisbon), try new.trips(.undated).rows.first?.trip] {
            #expect(trip?[Trip.budget] == Money("30.00", "EUR") && trip?[Trip.limit] == 30)
        }
        #expect(try old.trip(lisbon) == new.trip(lisbon))
        try await old.expectInvariants()
        try await new.expectInvariants()
    }

    @Test("A value that stands in the field already is written if another is shown, and not if it is shown")
    func again() async throws {
        let store = try await TripStore.test(schema: Trip.evolving)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        try await store.edit(lisbon) { $0[Trip.limit] = 40 }
        try await store.edit(lisbon) { $0[Trip.budgetText] = "30" }
        #expect(try store.trip(lisbon)?[Trip.limit] == 30)
        let written = try await store.edit(lisbon) { $0[Trip.limit] = 40 }
        #expect(try store.trip(lisbon)?[Trip.limit] == 40)
        // The author saw what was shown: no one's write was lost.
        #expect(try store.conflicts(of: lisbon).rows.isEmpty)
        let again = try await store.edit(lisbon) { $0[Trip.limit] = 40 }
        #expect(again.isUnchanged && !written.isUnchanged)
        // Cleared, and not written before: a write as well.
        try await store.append([TripEvent(.edited, lisbon, [.set(Trip.budget, nil)])])
        #expect(try store.trip(lisbon)?[Trip.budget] == nil && store.trip(lisbon)?[Trip.budgetText] == nil)
        try await store.expectInvariants()
    }

    @Test("An app's kind: read, written, validated and undone past a first version")
    func ownKind() async throws {
        let store = try await TripStore.test(schema: Trip.evolving)
        let tram = try await store.create(Ticket("Tram", Money("2.00", "EUR")))
        try await store.append([TripEvent(.edited, tram, [Ticket.writing("3.00")])])
        #expect(try store.entity(tram)?.price == Money("3.00", "EUR"))
        let edit = try await store.edit(tram) { $0.price = Money("2.00", "EUR") }
        #expect(try store.entity(tram)?.price == Money("2.00", "EUR"))
        #expect(try store.conflicts().rows.isEmpty)
        let blame = try store.blame(tram.reference).lines.map { "\($0.field.name) \($0.field.text)" }
        #expect(blame == ["what Tram", "priceText 2.00", "price 2.00 EUR"])
        try await store.undo(edit)
        #expect(try store.entity(tram)?.price == Money("3.00", "EUR"))
        let past = try await store.asOf(.position(edit.position))
        #expect(try past.entity(tram)?.price == Money("2.00", "EUR"))
        try await store.expectInvariants()
    }

    @Test("Whatever three replicas with both versions write, all show the same in the end", arguments: Array(1...6))
    func converging(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let clock = ManualClock()
        let first = try await TripStore.test(clock: clock, schema: Trip.evolving)
        let lisbon = try await first.create(Trip(name: "Lisbon"))
        let tram = try await first.create(Ticket("Tram", nil))
        var stores = [first]
        for _ in 0..<2 {
            stores.append(try await TripStore.test(journal: first.journal, clock: clock, schema: Trip.evolving))
        }
        for store in stores.dropFirst() { try await store.exchange(with: .store(first)) }
        // The last step that wrote each field: what a plain model of the rule makes of them.
        struct Write { let step: Int, amount: Int? }
        var model: [String: Write] = [:]
        for step in 0..<40 {
            clock.advance(by: 1_000)
            let store = stores[Int.random(in: 0..<3, using: &random)]
            // What is written is another value than any that is shown, so that nothing is left out as unchanged.
            let amount = step % 7 == 6 ? nil : step + 1
            let money = amount.map { Money(minorUnits: Int64($0) * 100, "EUR") }
            let isWritten: (Receipt) -> Bool = { !$0.isUnchanged }
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                if isWritten(try await store.edit(lisbon) { $0[Trip.budgetText] = amount.map { "\($0)" } }) {
                    model["text"] = Write(step: step, amount: amount)
                }
            case 1:
                if isWritten(try await store.edit(lisbon) { $0[Trip.budget] = money }) {
                    model["text"] = Write(step: step, amount: amount)
                    model["budget"] = Write(step: step, amount: amount)
                }
            case 2:
                if isWritten(try await store.edit(lisbon) { $0[Trip.limit] = amount }) {
                    model["limit"] = Write(step: step, amount: amount)
                }
            case 3:
                if isWritten(try await store.edit(tram) { $0.price = money }) {
                    model["price"] = Write(step: step, amount: amount)
                }
            case 4:
                let event = TripEvent(.edited, tram, [Ticket.writing(amount.map { "\($0)" })])
                if isWritten(try await store.append([event])) { model["price"] = Write(step: step, amount: amount) }
            default:
                let other = stores[Int.random(in: 0..<3, using: &random)]
                if other !== store { try await store.exchange(with: .store(other)) }
            }
        }
        for _ in 0..<2 { for store in stores.dropFirst() { try await store.exchange(with: .store(first)) } }
        func shown(_ names: String...) -> Int? {
            names.compactMap { model[$0] }.max { $0.step < $1.step }.flatMap(\.amount)
        }
        for store in stores {
            let (trip, ticket) = (try store.trip(lisbon), try store.entity(tram))
            #expect(trip?[Trip.budget]?.minorUnits == shown("text", "budget").map { Int64($0) * 100 }, "seed \(seed)")
            #expect(trip?[Trip.limit] == shown("text", "limit"), "seed \(seed)")
            #expect(ticket?.price?.minorUnits == shown("price").map { Int64($0) * 100 }, "seed \(seed)")
            #expect(try store.trips(.undated).rows.first?.trip == trip)
            try await store.expectInvariants()
        }
    }
}
