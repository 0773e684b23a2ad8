import EventLog
import Events
import Foundation
import Testing

@testable import ProjectionEngine

@Suite("Generations that another process retires")
struct RetiredGenerationTests {
    @Test("What was to be applied to one does not count as applied, and is shown by the next", .timeLimit(.minutes(10)))
    func retiredMeanwhile() async throws {
        let fixture = try EngineFixture()
        let group = try await fixture.group("retired", [ByValue()])
        // More than one batch.
        for batch in 0..<3 {
            try await fixture.append((0..<10_001).map { .sample(.created, UUID(), "\(batch) \($0)") })
        }
        let end = try fixture.log.read { try $0.lastPosition() }
        let generation = try #require(group.slot.serving)
        #expect(throws: GenerationRetired.self) {
            try generation.applyPending(from: fixture.log) { _ in try? generation.retire() }
        }
        #expect(try group.position < end)
        // There is no named successor: this process builds one.
        try await group.catchUp(to: end)
        #expect(try group.position == end)
        #expect(group.slot.serving?.folder.path != generation.folder.path)
        try await group.expectRebuildEquals()
    }

    @Test("A group goes over to the successor that another has built, and applies what that lacks")
    func successor() async throws {
        let fixture = try EngineFixture()
        let group = try await fixture.group("retired", [ByValue()])
        let other = try await fixture.group("retired", [ByValue()])
        try await fixture.append([.sample(.created, UUID(), "one")])
        _ = try await other.replace { _ in }
        let end = try await fixture.append([.sample(.created, UUID(), "two")])
        await group.applyPending()
        #expect(try group.position == end)
        #expect(group.slot.serving?.folder.path == other.slot.serving?.folder.path)
        try await group.expectRebuildEquals()
    }

    @Test("Inside of a read of the log, too, a group goes over to the successor that the read names")
    func besideLog() async throws {
        let fixture = try EngineFixture()
        let group = try await fixture.group("retired", [ByValue()])
        let other = try await fixture.group("retired", [ByValue()])
        let end = try await fixture.append([.sample(.created, UUID(), "one")])
        _ = try await other.replace { _ in }
        let position = try fixture.log.read { log in try group.read(beside: log) { $0.position } }
        #expect(position == end)
        let successor = try #require(other.slot.serving)
        #expect(group.slot.serving?.folder.path == successor.folder.path)
        // Retired, and no successor is named yet: its state is still valid up to its checkpoint.
        try fixture.log.read { log in
            try successor.retire()
            #expect(try group.read(beside: log) { $0.position } == end)
        }
        try await group.expectRebuildEquals()
    }

    @Test("What a query read is followed up inside of a read of the log, also if the views were retired meanwhile")
    func cursorBesideLog() async throws {
        let fixture = try EngineFixture()
        let group = try await fixture.group("retired", [ByValue()])
        let other = try await fixture.group("retired", [ByValue()])
        try await fixture.append([.sample(.created, UUID(), "one")])
        let origin = try group.slot.read { $0.origin }
        _ = try await other.replace { _ in }
        let cursor = try fixture.log.read { log in try group.feed.cursor(of: origin, beside: log) }
        // What was read belongs to no current views.
        #expect(cursor.epoch == 0)
        try await group.expectRebuildEquals()
    }
}
