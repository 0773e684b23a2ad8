import Events
import Platform
import StoreSupport
import Testing

@testable import EventLog

/// Devices that request membership: restored ones, readers, and those with a wrong clock.
@Suite("Joining a journal that has members")
struct JoiningTests {
    @Test("A device that waits and is restored sees what it wrote before, and all of it counts once it is granted")
    func waitingAndRestored() async throws {
        let pair = try await LogPair()
        _ = try await pair.founder.append(.sample("founder's"))
        let code = try await pair.founder.invite(.write)
        _ = try await pair.other.append(.sample("before"))
        let former = pair.other.replica
        try await pair.other.worker.run { try pair.other.prepareClose() }
        var copy = try pair.fixtures.1.copied(seed: 9)
        copy.dependencies.fileOrigin = { _ in FileOrigin(inode: 77, birthTime: 0) }
        let again = try copy.open()
        #expect(again.replica != former)
        #expect(try again.texts() == ["before"])
        _ = try await again.append(.sample("after"))
        #expect(try again.texts() == ["before", "after"])
        // Its deletions are made in view of what it wrote before.
        #expect(try again.read { try $0.held() }.times.contains { $0.replica == former })
        try await again.join(code)
        for _ in 0..<2 { try await again.pass(to: pair.founder) }
        #expect(Set(try await pair.founder.admitRequests()) == [former, again.replica])
        #expect(Set(try pair.founder.texts()) == ["founder's", "before", "after"])
        try await pair.founder.pass(to: again)
        #expect(Set(try again.texts()) == ["founder's", "before", "after"])
        try pair.fixtures.0.expectIntact()
        try copy.expectIntact()
    }

    @Test("A reader that joins with an invitation keeps its id", arguments: [MemberRole.read, .relay])
    func readerJoins(role: MemberRole) async throws {
        let pair = try await LogPair()
        try await pair.founder.grant(role, to: pair.other.replica)
        _ = try await pair.founder.append(.sample("founder's"))
        let code = try await pair.founder.invite(.write)
        try await pair.founder.pass(to: pair.other)
        let before = pair.other.replica
        let error = await #expect(throws: EventLogError.self) { try await pair.other.join(code) }
        #expect(error?.code == .noEffect || error?.code == .notAMember)
        #expect(pair.other.replica == before)
        try pair.expectIntact()
    }

    @Test("A request that was written under a clock that stood wrong is not counted as one")
    func requestAheadOfTime() async throws {
        let pair = try await LogPair()
        _ = try await pair.founder.append(.sample("founder's"))
        let code = try await pair.founder.invite(.write, uses: 3)
        pair.fixtures.1.clock.advance(by: 400 * 86_400_000)
        _ = try await pair.other.append(.sample("ahead"))
        try await pair.other.join(code)
        let former = pair.other.replica
        pair.fixtures.1.clock.advance(by: -400 * 86_400_000)
        _ = try await pair.other.append(.sample("right"))
        #expect(pair.other.replica != former, "nobody would take in what it wrote")
        #expect(try pair.other.membership()?.claims[pair.other.replica] == nil)
        try await pair.other.join(code)
        // Commits far ahead are offered, and refused.
        for segment in try await pair.other.allSegments(of: pair.other.replica) {
            try await pair.founder.store(segment)
        }
        // Its key shows the former one too.
        let admitted = try await pair.founder.admitRequests()
        #expect(Set(admitted) == [pair.other.replica, former])
        #expect(try pair.founder.texts() == ["founder's", "ahead", "right"])
        try pair.expectIntact()
    }
}
