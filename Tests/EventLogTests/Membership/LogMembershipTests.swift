import Events
import Foundation
import LMDB
import Platform
import StoreSupport
import Testing

@testable import EventLog

@Suite("Members of a log")
struct LogMembershipTests {
    @Test("Who founds a journal is its admin with the first commit; another waits, and sees its own edits alone")
    func founding() async throws {
        let pair = try await LogPair()
        #expect(pair.founder.journal.isFounded)
        #expect(try pair.founder.membership()?.members.isEmpty == true)
        _ = try await pair.founder.append(.sample("founder's"))
        _ = try await pair.other.append(.sample("other's"))
        #expect(try pair.founder.membership()?.role(of: pair.founder.replica) == .admin)
        try await pair.meet()
        #expect(try pair.founder.texts() == ["founder's"])
        #expect(Set(try pair.other.texts()) == ["founder's", "other's"])
        // It was offered and kept, and is forwarded to no replica.
        #expect(try pair.founder.read { try $0.newestCommits(of: pair.founder.journal).count } == 2)
        #expect(try pair.founder.read { try $0.listedHeads(of: pair.founder.journal).count } == 1)
        let before = try pair.founder.read { try $0.rewriteCount() }
        try await pair.founder.grant(.write, to: pair.other.replica)
        #expect(Set(try pair.founder.texts()) == ["founder's", "other's"])
        #expect(try pair.founder.read { try $0.rewriteCount() } == before + 1, "what is derived is to be derived anew")
        #expect(try await pair.founder.grant(.read, to: pair.other.replica) == nil)
        try await pair.meet()
        #expect(try pair.other.membership()?.role(of: pair.other.replica) == .write)
        try pair.expectIntact()
    }

    @Test(
        "A revocation leaves what it names, what was written later counts nowhere, and who was revoked writes no more")
    func revocation() async throws {
        let pair = try await LogPair()
        try await pair.founder.grant(.write, to: pair.other.replica)
        _ = try await pair.other.append(.sample("kept"))
        try await pair.meet()
        #expect(try pair.founder.texts() == ["kept"])
        _ = try await pair.other.append(.sample("late"))
        let revoked = pair.other.replica
        try await pair.founder.revoke(revoked)
        // The late one was written while offline, and is offered; and so are commits after another signature.
        try await pair.other.pass(to: pair.founder)
        _ = try await pair.other.append(.sample("later"))
        try await pair.other.pass(to: pair.founder)
        #expect(try pair.founder.commits().count == 5, "it is not taken in")
        try await pair.founder.pass(to: pair.other)
        #expect(try pair.other.texts() == ["kept"])
        #expect(try pair.other.commits().contains { !$0.counts && $0.payload?.events.isEmpty == false })
        let heads = try [pair.founder, pair.other].map { log in try log.read { try $0.listedHeads(of: log.journal) } }
        #expect(heads[0] == heads[1])
        let error = await #expect(throws: EventLogError.self) { try await pair.other.append(.sample("more")) }
        #expect(error?.code == .notAMember)
        let again = await #expect(throws: EventLogError.self) { try await pair.founder.grant(.admin, to: revoked) }
        #expect(again?.code == .noEffect)
        // With an invitation it returns, as another.
        let code = try await pair.founder.invite(.write)
        try await pair.other.join(code)
        #expect(pair.other.replica != revoked)
        _ = try await pair.other.append(.sample("again"))
        try await pair.meet()
        #expect(try await pair.founder.admitRequests() == [pair.other.replica])
        try await pair.meet()
        for log in [pair.founder, pair.other] { #expect(try log.texts() == ["kept", "again"]) }
        try pair.expectIntact()
    }

    @Test("An invitation is honoured as often as it says, until it expires, and not once it is taken back")
    func invitations() async throws {
        let pair = try await LogPair()
        let late = try await pair.founder.invite(.write, expiry: pair.fixtures.0.clock.now - 1)
        try await pair.other.join(late)
        try await pair.meet()
        #expect(try pair.founder.membership()?.requests.keys.contains(pair.other.replica) == true)
        #expect(try await pair.founder.admitRequests() == [])
        try await pair.founder.withdraw(late.key)
        #expect(try pair.founder.membership()?.requests.isEmpty == true)
        let gone = await #expect(throws: EventLogError.self) { try await pair.founder.withdraw(late.key) }
        #expect(gone?.code == .noEffect)
        let code = try await pair.founder.invite(.admin, uses: 1)
        try await pair.other.join(code)
        let third = LogFixture(seed: 3)
        let log = try third.open(journal: pair.founder.journal)
        try await log.join(InvitationCode(code.description))
        try await pair.meet()
        try await log.pass(to: pair.founder)
        let admitted = try await pair.founder.admitRequests()
        #expect(admitted == [min(pair.other.replica, log.replica)])
        #expect(try await pair.founder.admitRequests() == [])
        #expect(try pair.founder.membership()?.admins.count == 2)
        try pair.expectIntact()
        try third.expectIntact()
    }

    @Test("A void commit does not count until that is reverted, and other commits are unaffected")
    func void() async throws {
        let pair = try await LogPair()
        try await pair.founder.grant(.write, to: pair.other.replica)
        try await pair.meet()
        _ = try await pair.other.append(.sample("one"))
        let two = try #require(try await pair.other.append(.sample("two")))
        let name = CommitID(replica: two.replica, sequence: two.sequence, hash: two.hash)
        try await pair.meet()
        try await pair.founder.void(name)
        try await pair.meet()
        for log in [pair.founder, pair.other] { #expect(try log.texts() == ["one"]) }
        let error = await #expect(throws: EventLogError.self) { try await pair.founder.void(name) }
        #expect(error?.code == .noEffect)
        // The author's statement does not lift an admin's.
        try await pair.other.void(name, isVoid: false)
        try await pair.meet()
        #expect(try pair.founder.texts() == ["one"])
        try await pair.founder.void(name, isVoid: false)
        try await pair.meet()
        for log in [pair.founder, pair.other] { #expect(try log.texts() == ["one", "two"]) }
        // Only its author and admins may, and never a commit with statements about members.
        let first = try #require(try pair.founder.commits().first { $0.header.isMembership })
        let statement = CommitID(replica: first.header.replica, sequence: first.header.sequence, hash: first.hash)
        #expect(await #expect(throws: EventLogError.self) { try await pair.other.void(statement) }?.code == .notAMember)
        #expect(await #expect(throws: EventLogError.self) { try await pair.founder.void(statement) }?.code == .noEffect)
        #expect(
            await #expect(throws: EventLogError.self) { try await pair.founder.erase(.all, in: statement) }?.code
                == .notErasable)
        try pair.expectIntact()
    }

    @Test(
        "A copied store continues as another with its former role; without the key it waits",
        arguments: [true, false])
    func handover(hasKey: Bool) async throws {
        let fixture = LogFixture(seed: 4)
        let former: ReplicaID
        do {
            let log = try fixture.open(founding: true)
            _ = try await log.append(.sample("before"))
            former = log.replica
            try await log.worker.run { try log.prepareClose() }
        }
        let copy = try fixture.copied(seed: 5)
        if !hasKey { try FileManager.default.removeItem(atPath: copy.folder.path("replica.key")) }
        var dependencies = copy.dependencies
        dependencies.fileOrigin = { _ in FileOrigin(inode: 77, birthTime: 0) }
        var moved = copy
        moved.dependencies = dependencies
        let log = try moved.open()
        #expect(log.replica != former)
        _ = try await log.append(.sample("after"))
        let membership = try #require(try log.membership())
        #expect(membership.role(of: former) == .admin)
        #expect(membership.role(of: log.replica) == (hasKey ? .admin : nil))
        #expect(membership.members[log.replica]?.predecessor == (hasKey ? former : nil))
        #expect(try log.texts() == ["before", "after"])
        let original = try fixture.open()
        for segment in try await log.allSegments(of: log.replica) { try await original.store(segment) }
        #expect(try original.texts() == (hasKey ? ["before", "after"] : ["before"]))
        try await original.grant(.write, to: log.replica)
        #expect(try original.texts() == ["before", "after"])
        try moved.expectIntact()
        try fixture.expectIntact()
    }

    @Test("No more lines of strangers are kept than the bound, and none of them is forwarded")
    func strangers() async throws {
        let fixture = LogFixture()
        let log = try fixture.open(founding: true)
        _ = try await log.append(.sample("founder's"))
        var refused = 0
        for seed in 0..<UInt8(ReceivingQuotas.strangerLines + 6) {
            let line = try ForgedLine(log.journal, seed: seed &+ 100)
            let segment = try line.segment([line.commit(.sample("stranger's"))])
            do { try await log.store(segment) } catch let error as EventLogError where error.code == .quotaExceeded {
                refused += 1
            }
        }
        #expect(refused == 6)
        #expect(try log.texts() == ["founder's"])
        try await log.signHead()
        #expect(try log.read { try $0.listedHeads(of: log.journal) }.map(\.replica) == [log.replica])
        // A member's commits are accepted all the same, and a stranger that is granted makes room.
        let member = try ForgedLine(log.journal, seed: 100)
        try await log.grant(.write, to: member.identity.id)
        let late = try ForgedLine(log.journal, seed: 90)
        try await log.store(late.segment([late.commit(.sample("stranger's"))]))
        #expect(try log.texts() == ["founder's", "stranger's"])
        try fixture.expectIntact()
    }

    @Test("No more statements of a non-admin are accepted than the bound, and it writes no more itself")
    func statements() async throws {
        let pair = try await LogPair()
        _ = try await pair.founder.append(.sample("founder's"))
        let line = try ForgedLine(pair.founder.journal, seed: 8)
        var previous: ForgedLine.Commit?
        var refused: [Int] = []
        for number in 1...12 {
            let statement = MembershipStatement.withdrawal([UInt8](repeating: UInt8(number), count: 32))
            let commit = try line.commit(
                previous == nil ? Payload() : Payload(membership: [statement.encoded()]), after: previous)
            do { try await pair.founder.store(line.segment([commit], after: previous)) } catch let error
                as EventLogError
                where error.code == .quotaExceeded || error.code == .missingStart
            { refused.append(number) }
            previous = commit
        }
        #expect(refused == [10, 11, 12])
        // A waiting replica may redeem this many.
        var codes: [InvitationCode] = []
        for _ in 0..<10 { codes.append(try await pair.founder.invite(.write)) }
        var joined = 0
        for code in codes {
            do {
                try await pair.other.join(code)
                joined += 1
            } catch let error as EventLogError where error.code == .quotaExceeded {}
        }
        #expect(joined == ReceivingQuotas.strangerStatements)
        try pair.expectIntact()
    }

    @Test("Of strangers no more bytes are kept than the bound")
    func strangersBytes() async throws {
        let fixture = LogFixture()
        let log = try fixture.open(founding: true)
        let text = String(repeating: "x", count: 900_000)
        var stored = 0
        let line = try ForgedLine(log.journal, seed: 3)
        var previous: ForgedLine.Commit?
        for number in 0..<20 {
            let commit = try line.commit(
                .sample(text), after: previous, milliseconds: 1_700_000_000_000 + UInt64(number))
            do {
                try await log.store(line.segment([commit], after: previous))
                stored += 1
            } catch let error as EventLogError where error.code == .quotaExceeded {}
            previous = commit
            if stored <= number { break }
        }
        #expect(stored == ReceivingQuotas.strangerBytes / 900_000)
        try fixture.expectIntact()
    }

    @Test("One replica's bytes a day are bounded, and the next day starts at zero")
    func bytesADay() async throws {
        let fixture = LogFixture()
        var options = Log.Options(
            environment: Environment.Options(.creating, mapSize: 1 << 30), dependencies: fixture.dependencies)
        options.foundsJournal = false
        options.quotas.bytesADay = 2_000
        let log = try Log.open(
            at: fixture.folder.path("log"), keyPath: fixture.folder.path("replica.key"), options: options)
        let line = try ForgedLine(log.journal, seed: 3)
        let first = try line.commit(.sample(String(repeating: "x", count: 1_200)))
        let second = try line.commit(.sample(String(repeating: "y", count: 1_200)), after: first)
        try await log.store(line.segment([first]))
        let error = await #expect(throws: EventLogError.self) {
            try await log.store(line.segment([second], after: first))
        }
        #expect(error?.code == .quotaExceeded && error?.message.contains("2000") == true)
        fixture.clock.advance(by: 86_400_000)
        try await log.store(line.segment([second], after: first))
        try fixture.expectIntact()
    }

    @Test("In an open journal every replica may write, and statements are refused")
    func open() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        _ = try await log.append(.sample("anybody's"))
        #expect(try log.membership() == nil)
        let error = await #expect(throws: EventLogError.self) { try await log.grant(.write, to: log.replica) }
        #expect(error?.code == .noEffect)
        try fixture.expectIntact()
    }

    @Test("What is derived of members is held against the commits", arguments: ["row", "stray", "state"])
    func verified(fault: String) async throws {
        let fixture = LogFixture()
        let log = try fixture.open(founding: true)
        _ = try await log.append(.sample("one"))
        let tables = log.tables
        try log.environment.write { transaction in
            switch fault {
            case "row": try transaction.delete(UInt64(1), in: tables.members)
            case "stray": try transaction.put(UInt64(2), [], in: tables.members)
            default: try transaction.delete(MetaKey.membership, in: tables.meta)
            }
        }
        let report = try LogVerifier.verify(EnvironmentRows(at: fixture.folder.path("log")))
        #expect(report.findings.map(\.code) == [fault == "state" ? "meta" : "member"])
    }
}
