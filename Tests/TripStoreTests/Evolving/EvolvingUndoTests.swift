import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Undoing writes of fields that replace others")
struct EvolvingUndoTests {
    @Test("An undo brings back what was shown, and leaves what was written later to the other field")
    func undo() async throws {
        let store = try await TripStore.test(schema: Trip.evolving)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        try await store.edit(lisbon) { $0[Trip.budgetText] = "30" }
        let first = try await store.edit(lisbon) { $0[Trip.limit] = 40 }
        try await store.undo(first)
        #expect(try store.trip(lisbon)?[Trip.limit] == 30)
        let text = try await store.edit(lisbon) { $0[Trip.budgetText] = "50" }
        try await store.edit(lisbon) { $0[Trip.limit] = 60 }
        try await store.undo(text)
        #expect(try store.trip(lisbon)?[Trip.budgetText] == "30" && store.trip(lisbon)?[Trip.limit] == 60)
        // Shown is what was written later to the old field.
        let hidden = try await store.edit(lisbon) { $0[Trip.limit] = 70 }
        try await store.edit(lisbon) { $0[Trip.budgetText] = "80" }
        let report = try await store.undo(hidden)
        #expect(report.kept.map(\.field) == ["limit"] && report.changes.isEmpty)
        #expect(try store.trip(lisbon)?[Trip.limit] == 80)
        try await store.expectInvariants()
    }

    @Test("What several commits wrote is undone at once, or in part, and what was shown before comes back")
    func undoingParts() async throws {
        let store = try await TripStore.test(schema: Trip.evolving)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let correlation = UUID()
        let grouped = Authorship(author: "ana", correlation: correlation)
        try await store.edit(lisbon) { $0[Trip.budgetText] = "30" }
        try await store.edit(lisbon, by: grouped) { $0[Trip.limit] = 40 }
        try await store.edit(lisbon, by: grouped) { $0.notes = "Tram" }
        try await store.undo(.correlation(correlation))
        #expect(try store.trip(lisbon)?[Trip.limit] == 30)
        let later = try await store.edit(lisbon) { $0[Trip.limit] = 60 }
        try await store.undo(later)
        #expect(try store.trip(lisbon)?[Trip.limit] == 30)
        // Of the first its limit was overwritten, so that it stays.
        let both = try await store.edit(lisbon) { ($0[Trip.limit], $0.name) = (70, "Porto") }
        let last = try await store.edit(lisbon) { $0[Trip.limit] = 80 }
        try await store.undo(both)
        try await store.undo(last)
        #expect(try store.trip(lisbon)?[Trip.limit] == 70 && store.trip(lisbon)?.name == "Lisbon")
        try await store.expectInvariants()
    }

    @Test("Undoing an undo that others followed goes as for any field")
    func undoneUndo() async throws {
        let store = try await TripStore.test(schema: Trip.evolving)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        try await store.edit(lisbon) { ($0[Trip.limit], $0.notes) = (10, "10") }
        let second = try await store.edit(lisbon) { ($0[Trip.limit], $0.notes) = (20, "20") }
        let undone = try #require(try await store.undo(second).receipts.first)
        let third = try await store.edit(lisbon) { ($0[Trip.limit], $0.notes) = (30, "30") }
        try await store.undo(third)
        try await store.undo(undone)
        #expect(try store.trip(lisbon)?.notes == "20" && store.trip(lisbon)?[Trip.limit] == 20)
        try await store.expectInvariants()
    }

    @Test("An undo ends whatever others wrote as undos", arguments: [0, 1, 2])
    func foreign(variant: Int) async throws {
        let store = try await TripStore.test(schema: Trip.evolving)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let first = try await store.edit(lisbon) { $0[Trip.limit] = 40 }
        try await store.undo(first)
        let timestamp = try #require(first.timestamp)
        let number = try #require(Trip.limit.fieldDescriptions.first?.number)
        let path = FieldPath(field: number)
        // One event that writes the field twice, and says that it undoes a commit that is not there.
        let seen = [Seen(timestamp: timestamp, replica: store.replica), Seen(timestamp: .zero, replica: store.replica)]
        let changes = [seen, seen.reversed(), [seen[0], seen[0]]][variant].map {
            Change(path: path, value: [80], seen: $0)
        }
        let mark = UndoMark(.undo, of: .zero).causation
        try await store.appendUnchecked(
            [Event(verb: .edited, entity: lisbon.reference, changes: changes)], by: Authorship(causation: mark))
        let last = try await store.edit(lisbon) { $0[Trip.limit] = 50 }
        try await store.undo(last)
        #expect(try store.trip(lisbon)?[Trip.limit] == 40)
        try await store.expectInvariants()
    }

    @Test("An edit that is undone and done again many times")
    func toggling() async throws {
        let store = try await TripStore.test(schema: Trip.evolving)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        try await store.edit(lisbon) { $0[Trip.budgetText] = "30" }
        var receipt = try await store.edit(lisbon) { $0[Trip.limit] = 40 }
        for step in 0..<120 {
            receipt = try #require(try await store.undo(receipt).receipts.first)
            #expect(try store.trip(lisbon)?[Trip.limit] == (step % 2 == 0 ? 30 : 40))
        }
        for _ in 0..<60 {
            let edit = try await store.edit(lisbon) { $0[Trip.limit] = 50 }
            try await store.undo(edit)
        }
        #expect(try store.trip(lisbon)?[Trip.limit] == 40)
        try await store.expectInvariants()
    }

    @Test("Undoing one edit after another, the last first, shows what was shown before each", arguments: Array(1...12))
    func undoingAll(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let store = try await TripStore.test(schema: Trip.evolving)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let ticket = try await store.create(Ticket("Tram", nil))
        func shown() throws -> [String] {
            let (trip, ticket) = (try store.trip(lisbon), try store.entity(ticket))
            return [
                "\(trip?[Trip.budgetText] ?? "-")", "\(trip?[Trip.budget]?.amount ?? "-")",
                "\(trip?[Trip.limit].map { "\($0)" } ?? "-")", "\(ticket?.price?.amount ?? "-")",
            ]
        }
        // As a first version, which leaves out what changes nothing for it.
        func write(_ price: String?) async throws -> Receipt? {
            let held = try store.blame(ticket).lines.first { $0.field.name == "priceText" }?.field.text
            if held == price { return nil }
            return try await store.append([TripEvent(.edited, ticket, [Ticket.writing(price)])])
        }
        var before: [(receipt: Receipt, shown: [String])] = []
        for _ in 0..<30 {
            let held = try shown()
            let amount = [nil, 10, 20, 30].randomElement(using: &random) ?? nil
            let money = amount.map { Money(minorUnits: Int64($0) * 100, "EUR") }
            let receipt: Receipt? =
                switch Int.random(in: 0..<5, using: &random) {
                case 0: try await store.edit(lisbon) { $0[Trip.budgetText] = amount.map { "\($0)" } }
                case 1: try await store.edit(lisbon) { $0[Trip.budget] = money }
                case 2: try await store.edit(lisbon) { $0[Trip.limit] = amount }
                case 3: try await store.edit(ticket) { $0.price = money }
                default:
                    try await write(amount.map { "\($0)" })
                }
            if let receipt, !receipt.isUnchanged { before.append((receipt, held)) }
        }
        var undoings: [(receipts: [Receipt], shown: [String])] = []
        for (receipt, held) in before.reversed() {
            let undone = try shown()
            undoings.append((try await store.undo(receipt).receipts, undone))
            try #require(try shown() == held, "seed \(seed)")
        }
        for (receipts, held) in undoings.reversed() {
            for receipt in receipts { try await store.undo(receipt) }
            try #require(try shown() == held, "seed \(seed)")
        }
        try await store.expectInvariants()
    }
}
