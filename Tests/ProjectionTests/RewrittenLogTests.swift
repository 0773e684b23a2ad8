import EventLog
import Events
import Foundation
import LMDB
import StoreSupport
import Synchronization
import Testing

@testable import ProjectionEngine

@Suite("Views of a log whose stored commits change")
struct RewrittenLogTests {
    /// A commit of one event, and its id.
    private static func append(_ value: String, to fixture: EngineFixture) async throws -> CommitID {
        let payload = Payload(events: [.sample(.created, UUID(), value)])
        let appended = try #require(try await fixture.log.append(payload))
        return CommitID(replica: appended.replica, sequence: appended.sequence, hash: appended.hash)
    }

    private static func values(_ group: ProjectionGroup) throws -> Set<String> {
        let rows = try group.rows()["by-value"] ?? [:]
        return Set(rows.keys.map { String(decoding: $0.dropFirst().dropLast(18), as: UTF8.self) })
    }

    @Test("A group that watches sees a change that left the log no longer", .timeLimit(.minutes(10)))
    func watching() async throws {
        let fixture = try EngineFixture()
        let group = try await fixture.group("watching", [ByValue()])
        let secret = try await Self.append("secret", to: fixture)
        _ = try await Self.append("known", to: fixture)
        await group.applyPending()
        #expect(try Self.values(group) == ["secret", "known"])
        let watch = group.signal.watch()
        // The group is not notified, as if another process had done it and ended.
        try await fixture.log.erase(.some(LeafSet(events: [0])), in: secret)
        var tick = group.signal.tick
        while try Self.values(group) != ["known"] { tick = try #require(await group.signal.wait(after: tick)) }
        withExtendedLifetime(watch) {}
        try await group.expectRebuildEquals()
    }

    @Test("Views show commits without what is hidden of them and still held, whether merged or built anew")
    func hidden() async throws {
        let fixture = try EngineFixture()
        let folder = TemporaryFolder()
        let member = try Log.open(
            at: folder.path("log"), keyPath: folder.path("replica.key"),
            options: Log.Options(
                journal: fixture.log.journal,
                environment: Environment.Options(durability: .unsynced, mapSize: 1 << 30),
                dependencies: ManualClock(seed: 2).dependencies))
        _ = try await Self.append("founded", to: fixture)
        try await fixture.log.grant(.write, to: member.replica)
        for segment in try await fixture.log.allSegments() { try await member.store(segment) }
        var secrets: [CommitID: ErasedLeaves] = [:]
        var kept: Set = ["founded"]
        for number in 0..<40 {
            let values = ["first \(number)", "secret \(number)", "last \(number)"]
            let written = try #require(
                try await member.append(Payload(events: values.map { .sample(.created, UUID(), $0) })))
            let name = CommitID(replica: written.replica, sequence: written.sequence, hash: written.hash)
            secrets[name] = .some(LeafSet(events: [1]))
            kept.formUnion([values[0], values[2]])
        }
        let whole = try await member.allSegments(of: member.replica)
        try await member.erase(secrets)
        let group = try await fixture.group("hidden", [ByValue()])
        for segment in try await whole + member.allSegments(of: member.replica) { try await fixture.log.store(segment) }
        try await group.catchUp(to: fixture.log.read { try $0.lastPosition() })
        #expect(try Self.values(group) == kept)
        try await group.expectRebuildEquals()
        let copies = try fixture.log.read { log in
            var copies = 0
            try log.forEachCommit(after: .start) { commit in
                if commit.isCopy { copies += 1 }
                return true
            }
            return copies
        }
        #expect(copies == 40)
    }

    @Test(
        "A change while views are built has them built once more, and many in a row do so one after the other",
        arguments: [1, 12, 30])
    func whileBuilding(changes: Int) async throws {
        let fixture = try EngineFixture()
        let group = try await fixture.group("building", [ByValue()])
        var secrets: [CommitID] = []
        for number in 0..<changes { secrets.append(try await Self.append("secret \(number)", to: fixture)) }
        _ = try await Self.append("known", to: fixture)
        let left = Mutex(secrets)
        let log = fixture.log
        _ = try await group.replace { progress in
            // Once in each build: after its read of the log began.
            guard progress.stage == .reading, let secret = left.withLock({ $0.popLast() }) else { return }
            let isErased = DispatchSemaphore(value: 0)
            Task {
                try? await log.erase(.some(LeafSet(events: [0])), in: secret)
                isErased.signal()
            }
            isErased.wait()
        }
        let kept = max(changes - ProjectionGroup.mostBuilds, 0)
        let known = Set((0..<kept).map { "secret \($0)" } + ["known"])
        #expect(left.withLock { $0.count } == kept)
        // The last change came during the last build of as many as there may be.
        let unseen = kept > 0 ? ["secret \(kept)"] : []
        #expect(try Self.values(group) == known.union(unseen))
        try await group.catchUp(to: fixture.log.read { try $0.lastPosition() })
        #expect(try Self.values(group) == known)
        #expect(group.fault == nil)
        try await group.expectRebuildEquals()
    }
}
