import Events
import StoreSupport
import Testing

@testable import EventLog

@Suite("What a writer names as held")
struct HeldTests {
    /// A replica that requests membership, with branches of its line, which follow the request.
    private static func ask(
        _ code: InvitationCode, seed: UInt8, branches: Int, milliseconds: UInt64, _ log: Log
    ) async throws -> ReplicaID {
        let line = try ForgedLine(log.journal, seed: seed)
        let first = try line.commit(Payload(), milliseconds: milliseconds)
        let asked = try line.request(code, after: first, milliseconds: milliseconds)
        try await log.store(line.segment([first, asked]))
        for number in 0..<branches {
            let branch = try line.commit(
                .sample("\(number)"), after: asked, milliseconds: milliseconds + UInt64(number))
            try await log.store(line.segment([branch], after: asked))
        }
        return line.identity.id
    }

    @Test("Members that may write come before replicas that wait, and each has a branch named before any has two")
    func ranks() async throws {
        let fixture = LogFixture()
        let log = try fixture.open(founding: true)
        let member = try ForgedLine(log.journal, seed: 1)
        try await log.grant(.write, to: member.identity.id)
        try await log.store(member.segment([member.commit(Payload(), milliseconds: 1_600_000_000_000)]))
        let reader = try ForgedLine(log.journal, seed: 2)
        try await log.grant(.read, to: reader.identity.id)
        try await log.store(reader.segment([reader.commit(Payload())]))
        let now = UInt64(fixture.clock.now)
        let code = try await log.invite(.write)
        let waiting = try await Self.ask(code, seed: 3, branches: 6, milliseconds: now + 3_600_000, log)

        let held = try log.read { try $0.held() }
        #expect(Set(held.newest.keys) == [log.replica, member.identity.id, reader.identity.id, waiting])
        let times = (UInt64(0)...5).reversed().map { branch in now + 3_600_003 + branch }
        #expect(held.times(of: waiting).map(\.milliseconds) == times)
        // Without room for all.
        let few = try log.read { try $0.held(atMost: 4) }
        #expect(Set(few.newest.keys) == [log.replica, member.identity.id, reader.identity.id, waiting])
        #expect(few.times(of: waiting).count == 1)
        let fewest = try log.read { try $0.held(atMost: 2) }
        #expect(Set(fewest.newest.keys) == [log.replica, member.identity.id])
        try fixture.expectIntact()
    }
}
