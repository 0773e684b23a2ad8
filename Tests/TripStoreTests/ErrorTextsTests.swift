import EventLog
import Events
import Foundation
import LogExchange
import ProjectionEngine
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Texts of errors for people")
struct ErrorTextsTests {
    /// An error that a call throws, and whether it says what to do.
    private struct Sample: CustomTestStringConvertible {
        let name: String
        var hasAdvice = true
        let provoke: @Sendable (TripStore, Trip.ID) async throws -> Void

        var testDescription: String { name }
    }

    private static let samples = [
        Sample(name: "an unknown entity") { store, _ in try await store.delete(Trip.ID.new()) },
        Sample(name: "a deleted entity") { store, trip in
            try await store.delete(trip)
            try await store.edit(trip) { $0.name = "Porto" }
        },
        Sample(name: "an entity that is not deleted", hasAdvice: false) { store, trip in try await store.restore(trip)
        },
        Sample(name: "an entity that exists") { store, trip in try await store.create(Trip(id: trip, name: "Lisbon")) },
        Sample(name: "an item of no trip") { store, _ in
            try await store.create(Activity(name: "Tram", in: .new()))
        },
        Sample(name: "an empty name") { store, _ in try await store.create(Trip(name: " ")) },
        Sample(name: "a value of its own") { _, _ in _ = try Money(parsing: "one", "EUR") },
        Sample(name: "a day of its own") { _, _ in _ = try ClosedRange<Day>(parsing: "2027-13") },
        Sample(name: "an unknown position", hasAdvice: false) { store, _ in try await store.undo(.commit(Position(99)))
        },
        Sample(name: "nothing to undo", hasAdvice: false) { store, _ in try await store.undo(.last(by: "nobody")) },
        Sample(name: "an unexpected version") { store, trip in
            try await store.append([.deleted(trip)], expecting: [trip.reference: .none])
        },
        Sample(name: "an append id of a copy") { store, trip in
            try await store.copy(trip, by: Authorship(author: "ana", appendID: AppendID()))
        },
        Sample(name: "another journal") { store, _ in
            let other = try await TripStore.test(clock: ManualClock(seed: 2))
            try await other.create(Trip(name: "Porto"))
            try await store.exchange(with: .store(other))
        },
        Sample(name: "the store itself") { store, _ in try await store.exchange(with: .store(store)) },
        Sample(name: "no bundle") { store, _ in
            try await store.exchange(with: .bundle(URL(fileURLWithPath: "/nowhere/at-all")))
        },
        Sample(name: "no frontier") { store, _ in _ = try store.frontier("nonsense") },
        Sample(name: "no invitation") { _, _ in _ = try InvitationCode("TRIP1-AAAAA") },
        Sample(name: "an unknown view", hasAdvice: false) { store, _ in try await store.rebuildViews(["none"]) },
        Sample(name: "a closed store") { store, _ in
            await store.close()
            _ = try store.trips()
        },
    ]

    /// Names of types of the modules as they would stand in a text: two capitals within one word.
    private static var typeName: Regex<Substring> { #/\b[A-Z][a-z]+[A-Z][A-Za-z]+\b|\w\(\w*:|Optional\(|\(\)/# }

    @Test("An error of a call says what happened and what to do, and names no type", arguments: samples.indices)
    func calls(index: Int) async throws {
        let sample = Self.samples[index]
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        do {
            try await sample.provoke(store, trip)
            Issue.record("nothing was thrown")
        } catch let error as any ExplainedError {
            try Self.check(error, sample.name)
            #expect(!sample.hasAdvice || error.recoverySuggestion != nil, "\(sample.name): \(error)")
        }
    }

    /// One error of each type, as its layer makes it.
    private static let errors: [any ExplainedError] = [
        TripStoreError(.noStore, "There is no store at /s. Check the path."),
        EventLogError(
            .damaged, "In the log the commit at position 3 is not intact. Verify the log.",
            cause: WireError("a change names no field")),
        ExchangeError(.cut, "The connection ended. Nothing was stored. Try again."),
        ContentError(.damaged, "The file /f does not have the bytes of its name. Remove it."),
        ProjectionError(.damaged, "In the views a row is not intact. Build them anew.", cause: WireError("cut off")),
        ValidationError(.emptyName, "A name has no visible character. Give one.", field: "name"),
        WireError("a change names no field"),
    ]

    @Test("Every type of error has its texts, and none names a type", arguments: errors.indices)
    func types(index: Int) throws {
        let error = Self.errors[index]
        try Self.check(error, "\(type(of: error))")
        #expect(error is WireError || error.recoverySuggestion != nil)
        #expect(
            !(error is EventLogError || error is ProjectionError || error is ExchangeError)
                || error.failureReason != nil)
    }

    @Test("An undo that was stopped says what it did, what stopped it, and what to do")
    func incompleteUndo() throws {
        for (cause, reason) in [
            (CancellationError() as any Error, "The task was cancelled."),
            (TripStoreError(.diskFull, "The disk is full. Free some room."), "The disk is full."),
        ] {
            let report = UndoReport(commits: [], changes: [], kept: [], receipts: [])
            let error = IncompleteUndoError(report: report, remaining: [], cause: cause)
            #expect(error.code == .incompleteUndo && error.failureReason == reason)
            #expect(error.recoverySuggestion == "Undo or redo the same once more for the rest.")
            #expect(error.description.contains("\(cause)"))
        }
    }

    private static func check(_ error: any ExplainedError, _ name: String) throws {
        let happened = try #require(error.errorDescription, "\(name)")
        #expect(!happened.isEmpty && error.localizedDescription == happened, "\(name)")
        let texts = [happened, error.failureReason, error.recoverySuggestion].compactMap { $0 }
        for text in texts { #expect(text.firstMatch(of: typeName) == nil && text.contains(" "), "\(name): \(text)") }
        #expect(texts.allSatisfy { error.explanation.contains($0.prefix(20)) }, "\(name)")
    }
}
