import EventLog
import Events
import Foundation
import StoreSupport
import Testing

/// The search for the commit of an earlier attempt: how far back it goes, and across which lines.
@Suite("Append ids")
struct AppendIDTests {
    private func append(_ id: AppendID?, to log: Log, _ text: String = "x") async throws -> Appended {
        var payload = Payload.sample(text)
        payload.appendID = id
        return try #require(try await log.append(payload))
    }

    private func find(_ id: AppendID, in log: Log) throws -> Appended? {
        try log.read { try $0.commit(bearing: id)?.appended }
    }

    @Test("A commit is found by its id among the last 1,024 of the line, and not beyond")
    func reach() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        let (old, new) = (AppendID(), AppendID())
        let first = try await append(old, to: log)
        #expect(try find(old, in: log) == first)
        #expect(try find(new, in: log) == nil)
        _ = try await log.append((0..<1022).map { .sample("\($0)") })
        let last = try await append(new, to: log)
        #expect(try find(new, in: log) == last)
        #expect(try find(old, in: log) == first)
        _ = try await append(nil, to: log)
        #expect(try find(old, in: log) == nil)
        #expect(try find(new, in: log) == last)
        try fixture.expectIntact()
    }

    @Test("Commits of others between those of the line are passed over")
    func amongOthers() async throws {
        let (fixture, other) = (LogFixture(seed: 1), LogFixture(seed: 2))
        let journal = JournalID(UUID())
        let log = try fixture.open(journal: journal)
        let stranger = try other.open(journal: journal)
        let (mine, theirs) = (AppendID(), AppendID())
        let first = try await append(mine, to: log)
        for round in 0..<5 {
            _ = try await append(round == 2 ? theirs : nil, to: stranger)
            for segment in try await stranger.allSegments(of: stranger.replica) { try await log.store(segment) }
            _ = try await append(nil, to: log)
        }
        #expect(try find(mine, in: log) == first)
        // Another replica's append is no attempt of ours.
        #expect(try find(theirs, in: log) == nil)
        try fixture.expectIntact()
    }

    @Test("In one transaction a later append finds an earlier one")
    func oneTransaction() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        let id = AppendID()
        var payload = Payload.sample("once")
        payload.appendID = id
        let hashed = try log.hashed(payload)
        let stored = try await withThrowingTaskGroup(of: Appended?.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    try await log.appendHashed { try $0.commit(bearing: id) == nil ? hashed : nil }
                }
            }
            var stored: [Appended] = []
            for try await appended in group { if let appended { stored.append(appended) } }
            return stored
        }
        #expect(stored.count == 1)
        #expect(try log.commits().count { $0.payload?.appendID == id } == 1)
        try fixture.expectIntact()
    }

    @Test("A store that continues as another replica finds the appends of its predecessors, 1,024 commits in all")
    func renewed() async throws {
        var fixture = LogFixture(seed: 1)
        let machine = TemporaryFolder()
        fixture.dependencies.machineFolder = machine.url.path
        let ids = [AppendID(), AppendID(), AppendID()]
        var written: [Appended] = []
        var replicas: Set<ReplicaID> = []
        for (number, id) in ids.enumerated() {
            let log = try fixture.open()
            replicas.insert(log.replica)
            // Before the new replica has written anything, and after.
            for (earlier, appended) in zip(ids, written) { #expect(try find(earlier, in: log) == appended) }
            written.append(try await append(id, to: log))
            for (earlier, appended) in zip(ids, written) { #expect(try find(earlier, in: log) == appended) }
            if number == 2 {
                // With the introductions of two lines and the commits before.
                _ = try await log.append((0..<1019).map { .sample("\($0)") })
                #expect(try find(ids[0], in: log) == written[0])
                _ = try await append(nil, to: log)
                #expect(try find(ids[0], in: log) == nil)
                #expect(try find(ids[1], in: log) == written[1])
            }
            await log.closed()
            try FileManager.default.removeItem(atPath: fixture.folder.path("replica.key"))
        }
        #expect(replicas.count == 3)
        try fixture.expectIntact()
    }
}

extension Log {
    /// Waits for the writer's thread, so that nothing of the log is in use.
    fileprivate func closed() async { _ = try? await worker.run {} }
}
