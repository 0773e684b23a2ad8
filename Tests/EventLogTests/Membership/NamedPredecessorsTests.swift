import Events
import Foundation
import Testing

@testable import EventLog

/// First commits that name others as their predecessors, which any key holder can write.
@Suite("Bounds of named predecessors")
struct NamedPredecessorsTests {
    @Test("Strangers that name each other stay within the bound of strangers")
    func chainOfStrangers() async throws {
        let fixture = LogFixture()
        let log = try fixture.open(founding: true)
        _ = try await log.append(.sample("founder's"))
        let lines = try (0...80).map { try ForgedLine(log.journal, seed: UInt8(100 + $0)) }
        var stored = 0
        var quota: EventLogError.Quota?
        for (line, named) in zip(lines, lines.dropFirst()) where quota == nil {
            let introduction = Payload.Introduction(
                publicKey: line.identity.publicKey, name: "stranger", previous: named.identity.id,
                handover: [UInt8](repeating: 7, count: 64))
            do {
                try await log.store(line.segment([line.commit(Payload(), introducedBy: introduction)]))
                stored += 1
            } catch let error as EventLogError { quota = error.quota }
        }
        #expect(quota == .strangerLines && stored == ReceivingQuotas.strangerLines)
        try fixture.expectIntact()
    }

    @Test("A successor of a revoked admin may say no more of members than a stranger", arguments: [false, true])
    func successorOfRevoked(isRevoked: Bool) async throws {
        let fixture = LogFixture()
        let log = try fixture.open(founding: true)
        _ = try await log.append(.sample("founder's"))
        let admin = try ForgedLine(log.journal, seed: 20)
        try await log.grant(.admin, to: admin.identity.id)
        try await log.store(admin.segment([admin.commit(.sample("admin's"))]))
        if isRevoked { try await log.revoke(admin.identity.id) }
        let successor = try ForgedLine(log.journal, seed: 21)
        var commits = [try successor.firstCommit(after: admin.identity)]
        for number in 0...ReceivingQuotas.strangerStatements {
            let statement = MembershipStatement.withdrawal([UInt8](repeating: UInt8(number), count: 32))
            commits.append(try successor.commit(Payload(membership: [statement.encoded()]), after: commits.last))
        }
        let segment = try successor.segment(commits)
        if isRevoked {
            let error = await #expect(throws: EventLogError.self) { try await log.store(segment) }
            #expect(error?.quota == .strangerStatements)
        } else {
            try await log.store(segment)
        }
        try fixture.expectIntact()
    }
}
