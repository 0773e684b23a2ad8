import EventLog
import Events
import StoreSupport
import Testing

@testable import LogExchange

/// Members that were copied or restored, before and after they have written their first commit.
@Suite("Restored members")
struct RestoredMembersTests {
    /// A founder, another admin and a writer, who know of each other.
    private static func admins() async throws -> (founder: TestReplica, second: TestReplica, writer: TestReplica) {
        let founder = try TestReplica("founder", founding: true)
        try await founder.write(1)
        let second = try TestReplica("second", journal: founder.log.journal)
        let writer = try TestReplica("writer", journal: founder.log.journal)
        try await founder.log.grant(.admin, to: second.id)
        try await founder.log.grant(.write, to: writer.id)
        try await second.write(1)
        try await writer.write(1)
        try await Carrier.inProcess.exchange(founder, second)
        try await Carrier.inProcess.exchange(founder, writer)
        try await Carrier.inProcess.exchange(founder, second)
        return (founder, second, writer)
    }

    @Test("An admin's grants from before its first commit are accepted with that")
    func grants() async throws {
        let (founder, second, _) = try await Self.admins()
        let restored = try await second.succeeded(as: "restored")
        for number in 0...ReceivingQuotas.strangerStatements {
            try await restored.log.grant(.write, to: ReplicaID(publicKey: [UInt8(number)]))
        }
        try await Carrier.inProcess.exchange(founder, restored)
        #expect(try founder.log.membership()?.role(of: restored.id) == .admin)
        #expect(try founder.log.membership()?.role(of: ReplicaID(publicKey: [0])) == .write)
        try await expectEqual([founder, restored])
    }

    @Test("A lower role that it was granted meanwhile keeps nothing away that an admin says")
    func lowerRole() async throws {
        let (founder, second, writer) = try await Self.admins()
        let restored = try await second.succeeded(as: "restored")
        try await founder.log.grant(.write, to: restored.id)
        let cut = try Set(
            (1...120).map {
                CommitID(replica: writer.id, sequence: SequenceNumber($0), hash: try writer.newestCommit().hash)
            })
        try await restored.log.revoke(writer.id, cut: cut)
        try await Carrier.inProcess.exchange(founder, restored)
        #expect(try founder.log.membership()?.role(of: restored.id) == .admin)
        #expect(try founder.log.membership()?.role(of: writer.id) == nil)
        try await expectEqual([founder, restored])
    }

    @Test("What a member erased stays erased when an admin revokes it that has written nothing yet")
    func erasures() async throws {
        let (founder, second, writer) = try await Self.admins()
        let commit = try writer.newestCommit()
        try await writer.log.erase(.all, in: commit)
        try await Carrier.inProcess.exchange(second, writer)
        let restored = try await second.succeeded(as: "restored")
        #expect(try restored.erased(commit) == .all)
        try await restored.log.revoke(writer.id)
        #expect(try restored.erased(commit) == .all)
        try await Carrier.inProcess.exchange(founder, restored)
        #expect(try founder.erased(commit) == .all)
        try await expectEqual([founder, restored])
    }

    @Test("A successor of a revoked member writes nothing, and joins under another id")
    func revoked() async throws {
        let (founder, _, writer) = try await Self.admins()
        let restored = try await writer.succeeded(as: "restored")
        try await Carrier.inProcess.exchange(founder, writer)
        try await founder.log.revoke(writer.id)
        try await Carrier.inProcess.exchange(founder, restored)
        let former = restored.id
        let error = await failure { try await restored.write(1) } as? EventLogError
        #expect(error?.code == .notAMember)
        #expect(try restored.log.membership()?.members[former] == nil)
        try await restored.log.join(founder.log.invite(.write))
        #expect(restored.id != former)
        for _ in 0..<2 { try await Carrier.inProcess.exchange(founder, restored) }
        #expect(try founder.log.membership()?.role(of: restored.id) == .write)
        try await restored.write(1)
        try await Carrier.inProcess.exchange(founder, restored)
        try await expectEqual([founder, restored])
    }

    @Test("Peers are listed without those whose successor was met, unless they still write")
    func peers() async throws {
        let (founder, second, _) = try await Self.admins()
        func peers() throws -> Set<ReplicaID> { Set(try PeerBook(founder.log).records().map(\.replica)) }
        #expect(try peers().contains(second.id))
        let restored = try await second.succeeded(as: "restored")
        try await restored.write(1)
        founder.clock.advance(by: 1_000)
        try await Carrier.inProcess.exchange(founder, restored)
        #expect(try peers().contains(restored.id) && !peers().contains(second.id))
        founder.clock.advance(by: 1_000)
        try await Carrier.inProcess.exchange(founder, second)
        founder.clock.advance(by: 1_000)
        try await Carrier.inProcess.exchange(founder, restored)
        #expect(try peers().isSuperset(of: [restored.id, second.id]))
        try await expectEqual([founder, restored])
    }
}
