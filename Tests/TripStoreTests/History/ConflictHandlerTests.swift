import Foundation
import StoreSupport
import Synchronization
import Testing

@testable import TripStore

@Suite("Handlers of conflicts")
struct ConflictHandlerTests {
    /// Both edit the notes of a trip without having seen the other's edit; Ben's counts.
    private func disagree(_ pair: ConflictPair, _ field: WritableKeyPath<Trip, String> = \.notes) async throws {
        try await pair.ana.edit(pair.lisbon, by: "ana") { $0[keyPath: field] = "A" }
        try await pair.ben.edit(pair.lisbon, by: "ben") { $0[keyPath: field] = "B" }
        try await pair.exchange()
    }

    private static func both(_ conflict: Conflict) -> ConflictResolution {
        guard let lost = conflict.superseded.value(as: String.self), let won = conflict.winner.value(as: String.self)
        else { return .leaving }
        return .writing("\(won)+\(lost)")
    }

    /// Runs a handler until it has handled so many conflicts, and its last is written.
    private func run(
        _ store: TripStore, _ name: String, _ handled: TripStore.HandledConflicts = .ownEdits, until count: Int = 1,
        _ handler: @escaping @Sendable (Conflict) throws -> ConflictResolution
    ) async throws -> [Conflict] {
        let calls = Calls()
        let task = Task {
            do {
                try await store.resolveConflicts(name, handled, by: "handler") { conflict in
                    let resolution = try handler(conflict)
                    calls.add(conflict)
                    return resolution
                }
            } catch { calls.end(error) }
        }
        func wait() async throws {
            if let failure = calls.failure { throw failure }
            try await Task.sleep(for: .milliseconds(5))
        }
        while calls.all.count < count { try await wait() }
        // The commit of the last call is acknowledged after its resolution was written.
        let position = try store.status().position
        func acknowledged() throws -> Position {
            try store.subscriptions().first { $0.name == "conflicts/\(name)" }?.position ?? .start
        }
        while try acknowledged() < position {
            try await wait()
        }
        task.cancel()
        _ = await task.result
        return calls.all
    }

    /// What a handler was called with.
    private final class Calls: Sendable {
        private let state = Mutex<(conflicts: [Conflict], failure: (any Error)?)>(([], nil))
        var all: [Conflict] { state.withLock { $0.conflicts } }
        /// Why it ended by itself.
        var failure: (any Error)? { state.withLock { $0.failure } }
        func add(_ conflict: Conflict) { state.withLock { $0.conflicts.append(conflict) } }
        func end(_ error: any Error) { state.withLock { $0.failure = error } }
    }

    @Test("The replica whose edit was superseded resolves it, and names the conflict", .timeLimit(.minutes(10)))
    func superseded() async throws {
        let pair = try await ConflictPair()
        try await disagree(pair)
        let conflict = try #require(try pair.ana.conflicts(of: pair.lisbon).first)
        #expect(conflict.superseded.commit.author == "ana")
        #expect(try await run(pair.ana, "notes", .ownEdits, Self.both) == [conflict])
        #expect(try pair.ana.trip(pair.lisbon)?.notes == "B+A")
        #expect(try pair.ana.conflicts(of: pair.lisbon).isEmpty)
        let commit = try #require(try pair.ana.history(of: pair.lisbon).last).commit
        #expect(commit.author == "handler" && commit.causation == ConflictMark(of: conflict.id).causation)
        try await pair.exchange()
        #expect(try pair.ben.trip(pair.lisbon)?.notes == "B+A")
        try await pair.expectInvariants()
    }

    @Test(
        "Two that write the same are in no conflict; if they write differently, no handler is called again",
        .timeLimit(.minutes(10)), arguments: [true, false])
    func all(isSame: Bool) async throws {
        let pair = try await ConflictPair()
        try await disagree(pair)
        let (first, second) = (
            try await run(pair.ana, "all", .all, Self.both),
            try await run(pair.ben, "all", .all) {
                isSame ? Self.both($0) : .writing("other")
            }
        )
        #expect(first.map(\.id) == second.map(\.id) && first.count == 1)
        try await pair.exchange()
        #expect(try pair.ana.trip(pair.lisbon)?.notes == pair.ben.trip(pair.lisbon)?.notes)
        let open = try pair.ana.conflicts(of: pair.lisbon).rows
        #expect(open.count == (isSame ? 0 : 1))
        // A later conflict is handled, and the one between the resolutions is not.
        try await disagree(pair, \.destination)
        let later = try await run(pair.ana, "all", .all) { _ in .leaving }
        #expect(later.map(\.field) == ["destination"])
        try await pair.expectInvariants()
    }

    @Test("A handler that throws is called again in the next run, one that returns is not", .timeLimit(.minutes(10)))
    func again() async throws {
        let pair = try await ConflictPair()
        try await disagree(pair)
        await #expect(throws: CancellationError.self) {
            try await pair.ana.resolveConflicts("notes") { _ in throw CancellationError() }
        }
        #expect(try await run(pair.ana, "notes") { _ in .leaving }.count == 1)
        #expect(try pair.ana.conflicts(of: pair.lisbon).count == 1)
        try await disagree(pair, \.destination)
        // The clocks are one by now: which edit counts depends on the replicas' ids.
        let later = try await run(pair.ana, "notes", .all) { _ in .taking(.superseded) }
        #expect(later.map(\.field) == ["destination"])
        #expect(try pair.ana.trip(pair.lisbon)?.destination == later.first?.superseded.value.text)
        try await pair.expectInvariants()
    }

    @Test(
        "A handler that a restored copy does not know is called for the conflicts that are open",
        .timeLimit(.minutes(10)))
    func restored() async throws {
        let pair = try await ConflictPair()
        try await disagree(pair)
        #expect(try await run(pair.ana, "notes") { _ in .leaving }.count == 1)
        try await pair.ana.removeSubscription("conflicts/notes")
        #expect(try await run(pair.ana, "notes", .ownEdits, Self.both).count == 1)
        #expect(try pair.ana.conflicts(of: pair.lisbon).isEmpty)
        try await pair.expectInvariants()
    }

    @Test("What is written while a handler decides stays")
    func meanwhile() async throws {
        let pair = try await ConflictPair()
        try await disagree(pair)
        let conflict = try #require(try pair.ana.conflicts(of: pair.lisbon).first)
        try await pair.ana.edit(pair.lisbon) { $0.notes = "C" }
        let error = await #expect(throws: TripStoreError.self) {
            try await pair.ana.resolve(conflict, writing: "D")
        }
        #expect(error?.code == .conflictResolved)
        #expect(try pair.ana.trip(pair.lisbon)?.notes == "C")
        try await pair.expectInvariants()
    }

    /// Saves a form that began with another state than is there.
    private func save(_ store: TripStore, _ original: Trip, notes: String) async throws {
        var draft = original
        draft.notes = notes
        try await store.save(draft, from: original, by: "ana")
    }

    @Test("Of several edits that one superseded all come into what is written", .timeLimit(.minutes(10)))
    func several() async throws {
        let pair = try await ConflictPair()
        let original = try #require(try pair.ana.trip(pair.lisbon))
        for notes in ["1", "2"] { try await save(pair.ana, original, notes: notes) }
        try await pair.ben.edit(pair.lisbon, by: "ben") { $0.notes = "B" }
        try await pair.exchange()
        let calls = try await run(pair.ana, "notes", .ownEdits, until: 2, Self.both)
        #expect(
            calls.map { $0.superseded.value.text } == ["1", "2"] && calls.map { $0.winner.value.text } == ["B", "B+1"])
        #expect(try pair.ana.trip(pair.lisbon)?.notes == "B+1+2")
        #expect(try pair.ana.conflicts(of: pair.lisbon).isEmpty)
        // If one stays open, all do: any write would resolve it.
        let later = try #require(try pair.ana.trip(pair.lisbon))
        for notes in ["3", "4", "5"] { try await save(pair.ana, later, notes: notes) }
        _ = try await run(pair.ana, "notes", .ownEdits) { conflict in
            conflict.superseded.value.text == "4" ? .leaving : Self.both(conflict)
        }
        #expect(try pair.ana.trip(pair.lisbon)?.notes == "5")
        #expect(try pair.ana.conflicts(of: pair.lisbon).count == 2)
        try await pair.expectInvariants()
    }

    @Test("An edit that the resolving author has not seen is not written over")
    func unseenWinner() async throws {
        let pair = try await ConflictPair()
        let original = try #require(try pair.ana.trip(pair.lisbon))
        for notes in ["A", "B"] { try await save(pair.ana, original, notes: notes) }
        let conflict = try #require(try pair.ana.conflicts(of: pair.lisbon).first)
        try await save(pair.ana, original, notes: "C")
        let error = await #expect(throws: TripStoreError.self) {
            try await pair.ana.resolve(conflict, taking: .superseded)
        }
        #expect(error?.code == .conflictResolved)
        #expect(try pair.ana.trip(pair.lisbon)?.notes == "C")
        try await pair.expectInvariants()
    }

    @Test("What cannot be written stays open, and the next conflict is handled", .timeLimit(.minutes(10)))
    func unwritable() async throws {
        let pair = try await ConflictPair()
        try await disagree(pair)
        try await pair.ana.delete(pair.lisbon)
        #expect(try await run(pair.ana, "notes", .ownEdits, Self.both).count == 1)
        #expect(try pair.ana.conflicts(of: pair.lisbon).count == 1)
        try await pair.ana.restore(pair.lisbon)
        try await pair.exchange()
        try await disagree(pair, \.destination)
        let later = try await run(pair.ana, "notes", .all) { conflict in
            conflict.field == "destination" ? .taking(.superseded) : .leaving
        }
        let superseded = later.first { $0.field == "destination" }?.superseded.value.text
        #expect(try pair.ana.trip(pair.lisbon)?.destination == superseded)
        try await pair.expectInvariants()
    }

    @Test("A value resolves no deletion, and is checked like any other")
    func refused() async throws {
        let pair = try await ConflictPair()
        try await disagree(pair, \.name)
        let conflict = try #require(try pair.ana.conflicts(of: pair.lisbon).first)
        for value in ["", String(repeating: "x", count: 2_000_000)] {
            let error = await #expect(throws: TripStoreError.self) {
                try await pair.ana.resolve(conflict, writing: value)
            }
            #expect(error?.code == .invalidValue)
        }
        try await pair.ana.resolve(conflict, writing: "Both")
        try await pair.exchange()
        try await pair.ana.delete(pair.lisbon)
        try await pair.ben.edit(pair.lisbon) { $0.notes = "later" }
        try await pair.exchange()
        let deletion = try #require(try pair.ana.conflicts(of: pair.lisbon).first)
        let error = await #expect(throws: TripStoreError.self) { try await pair.ana.resolve(deletion, writing: "x") }
        #expect(error?.code == .unusableOption)
        let named = Authorship(author: "ana", causation: UUID())
        for (name, authorship) in [("notes", named), ("", "ana"), (String(repeating: "n", count: 91), "ana")] {
            await #expect(throws: TripStoreError.self) {
                try await pair.ana.resolveConflicts(name, by: authorship) { _ in .leaving }
            }
        }
        try await pair.expectInvariants()
    }
}
