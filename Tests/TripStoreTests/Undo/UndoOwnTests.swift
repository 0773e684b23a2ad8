import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Undo without an author")
struct UndoOwnTests {
    private static func isNothing(_ error: any Error) -> Bool {
        guard let error = error as? TripStoreError else { return false }
        return error.code == .nothingToUndo && error.message.hasPrefix("This device wrote no commit without an author ")
    }

    @Test("An undo and a redo without an author take what this replica wrote, and leave newer commits of another one")
    func own() async throws {
        let pair = try await ConflictPair()
        try await pair.ana.edit(pair.lisbon) { $0.notes = "here" }
        try await pair.exchange()
        try await pair.ben.edit(pair.lisbon) { $0.name = "Porto" }
        try await pair.exchange()
        for target in [UndoTarget.last(), .lastWork()] {
            let report = try await pair.ana.undo(target)
            #expect(report.changes.map(\.old?.text) == ["here"])
            #expect(throws: TripStoreError.self) { try pair.ana.undoPlan(target) }
            await #expect { try await pair.ana.undo(target) } throws: { Self.isNothing($0) }
            try await pair.exchange()
            await #expect { try await pair.ben.redo() } throws: { Self.isNothing($0) }
            try await pair.ana.redo()
            try await pair.exchange()
            let trip = try pair.ben.trip(pair.lisbon)
            #expect(trip?.notes == "here" && trip?.name == "Porto")
        }
        try await pair.expectInvariants()
    }

    @Test(
        "An undo that names an author takes that author's newest commit of any replica, and of those without one by an empty name"
    )
    func named() async throws {
        let pair = try await ConflictPair()
        try await pair.ben.edit(pair.lisbon, by: "ana") { $0.notes = "there" }
        try await pair.ben.edit(pair.lisbon) { $0.name = "Porto" }
        try await pair.exchange()
        #expect(try pair.ana.undoPlan(.last(by: "ana")).changes.map(\.old?.text) == ["there"])
        #expect(try pair.ana.undoPlan(.last(by: "")).changes.map(\.old?.text) == ["Porto"])
        #expect(try pair.ben.undoPlan(.last()).changes.map(\.old?.text) == ["Porto"])
        await #expect { try await pair.ana.undo(.last()) } throws: { Self.isNothing($0) }
        // What another replica undid and did again is no reason why nothing is left to be done again here.
        try await pair.ben.undo(.last())
        try await pair.ben.redo()
        try await pair.exchange()
        #expect(try pair.ana.redoElsewhere(by: Authorship()) == nil)
        #expect(try pair.ana.redoElsewhere(by: Authorship(author: "")) != nil)
        try await pair.expectInvariants()
    }
}
