import DatabaseSupport
import EventLog
import Events
import Foundation
import HubDatabase
import StoreSupport
import TestSupport
import Testing

@testable import LogExchange

@Suite(
    "Rows that were damaged, removed, erased or restored", .timeLimit(.minutes(10)),
    .enabled(if: TestServer.isAvailable, "\(TestServer.hint)"))
struct DatabaseRepairTests {
    /// How long a hub keeps what an author erases, and a minute more.
    private static let week: Int64 = 7 * 86_400_000 + 60_000

    /// A founder with several entries in a database.
    private func filled() async throws -> (DatabaseHubs, TestReplica) {
        let hubs = try await DatabaseHubs.start()
        let founder = try TestReplica("founder", founding: true)
        for _ in 0..<4 {
            try await founder.write(2)
            try await hubs[0].exchange(founder)
        }
        return (hubs, founder)
    }

    @Test(
        "Rows that were damaged or removed are never sent to anybody, and any member brings them back",
        arguments: [
            "UPDATE tripstore.entry SET body = overlay(body placing '\\x5a'::bytea from octet_length(body) / 2) WHERE entry = 2",
            "UPDATE tripstore.entry SET body = substr(body, 1, 100) WHERE entry = 2",
            "DELETE FROM tripstore.entry WHERE entry = 1",
            "DELETE FROM tripstore.entry WHERE entry >= 3", "DELETE FROM tripstore.entry",
        ])
    func healing(_ damage: String) async throws {
        let (hubs, founder) = try await filled()
        _ = try await hubs.sql(damage)
        let later = try await hubs.another()
        defer { later.database.close() }
        // A hub that runs may begin an epoch meanwhile, which ends the session.
        try await eventually { (try? await later.exchange(founder)) != nil }
        // One that never saw the damage.
        let reader = try TestReplica("reader", journal: founder.log.journal)
        try await founder.log.grant(.write, to: reader.id)
        try await eventually { (try? await later.exchange(founder)) != nil }
        let last = try await hubs.another()
        defer { last.database.close() }
        try await eventually { (try? await last.exchange(reader)) != nil }
        try await expectEqual([founder, reader])
        // Those that ran before go on.
        try await founder.write(1)
        try await eventually { (try? await last.exchange(founder)) != nil }
        for hub in hubs.hubs { try await eventually { (try? await hub.exchange(reader)) != nil } }
        try await expectEqual([founder, reader])
    }

    /// Damages the newest entry, which a hub that comes later sets aside. Returns its number and the hub.
    private func setAside(
        _ hubs: DatabaseHubs, _ founder: TestReplica, at clock: ManualClock = ManualClock()
    ) async throws -> (String, DatabaseHubs.Hub) {
        let newest = try await hubs.sql("SELECT max(entry) FROM tripstore.entry")
        _ = try await hubs.sql(
            """
            UPDATE tripstore.entry
            SET body = overlay(body placing '\\x5a'::bytea from octet_length(body) / 2) WHERE entry = \(newest)
            """)
        return (newest, try await hubs.another { $0.dependencies.now = { clock.now } })
    }

    @Test("Verification finds what was set aside until members have sent it again, and changes nothing")
    func verification() async throws {
        let (hubs, founder) = try await filled()
        let journal = founder.log.journal
        let (damaged, later) = try await setAside(hubs, founder)
        defer { later.database.close() }
        let place = TemporaryFolder()
        let found = try await later.database.verify(journal, in: place.url)
        #expect(found.entries.map(\.entry) == [Int64(damaged)])
        #expect(try await hubs.sql("SELECT count(*) FROM tripstore.entry WHERE set_aside IS NOT NULL") == "0")
        try await later.exchange(founder)
        #expect(try await hubs.sql("SELECT entry FROM tripstore.entry WHERE set_aside IS NOT NULL") == damaged)
        let healed = try await later.database.verify(journal, in: place.url)
        #expect(healed.isIntact, "\(healed)")
        // Nobody else looks at the rows.
        for hub in hubs.hubs + [later] {
            await hub.folder.close()
            hub.database.close()
        }
        let epoch = try await hubs.sql("SELECT epoch FROM tripstore.hub")
        _ = try await hubs.sql("UPDATE tripstore.journal SET next_entry = 2")
        let auditor = try await HubDatabase.open(
            hubs.address, options: HubDatabase.Options(poll: .seconds(3600), allowsUnsynced: true))
        defer { auditor.close() }
        let wrong = try await auditor.verify(journal, in: place.url)
        #expect(wrong.entries.contains { $0.message.contains("entry 2 comes next") }, "\(wrong)")
        #expect(try await hubs.sql("SELECT epoch FROM tripstore.hub") == epoch)
    }

    @Test(
        "Payloads that were withheld from hubs are put back by the first member that has them, in the rows and in every hub's copy"
    )
    func withheld() async throws {
        let clock = ManualClock()
        let hubs = try await DatabaseHubs.start { $0.dependencies.now = { clock.now } }
        let founder = try TestReplica("founder", founding: true)
        try await founder.write(3)
        try await founder.exchange(with: WithholdingPeer(try await hubs[0].peer(for: founder)))
        let erased = try founder.newestCommit()
        let report = try await hubs[1].exchange(founder)
        #expect(report.healedThere == 3 && report.shortcomings.isEmpty)
        #expect(try await hubs.sql("SELECT count(*) FROM tripstore.entry WHERE kind = 3") == "1")
        let later = try await hubs.another()
        defer { later.database.close() }
        for (number, hub) in (hubs.hubs + [later]).enumerated() {
            let reader = try TestReplica("reader \(number)", journal: founder.log.journal)
            try await founder.log.grant(.write, to: reader.id)
            try await hubs[1].exchange(founder)
            let report = try await hub.exchange(reader)
            #expect(report.shortcomings.isEmpty && report.received.commits > 3)
            #expect(try reader.log.read { try $0.searchedHoles() } == [])
        }
        #expect(try await hubs.gaps() == [])
        // What is erased later goes from there as well, when its time has come.
        let bytes = "SELECT sum(octet_length(body)) FROM tripstore.entry WHERE kind = 3"
        let before = try #require(Int(try await hubs.sql(bytes)))
        try await founder.log.erase(.all, in: erased)
        try await hubs[0].exchange(founder)
        #expect(try #require(Int(try await hubs.sql(bytes))) == before)
        clock.advance(by: Self.week)
        #expect(try await hubs[0].folder.removeDue() == 1)
        #expect(try #require(Int(try await hubs.sql(bytes))) < before)
    }

    @Test("Erased bytes go from rows that were set aside as well")
    func erasingSetAside() async throws {
        let (hubs, founder) = try await filled()
        let clock = ManualClock()
        let (damaged, later) = try await setAside(hubs, founder, at: clock)
        defer { later.database.close() }
        try await later.exchange(founder)
        let size = "SELECT octet_length(body) FROM tripstore.entry WHERE set_aside IS NOT NULL AND entry = \(damaged)"
        #expect(try #require(Int(try await hubs.sql(size))) > 0)
        // A row of restored bytes whose body was damaged.
        _ = try await hubs.sql(
            """
            INSERT INTO tripstore.entry
                (journal, entry, operation, kind, position, commits, stored_at, continued, set_aside, body)
            SELECT journal, 0, operation, 3, position, 0, stored_at, false, 'damaged', body FROM tripstore.entry
            WHERE entry = \(damaged)
            """)
        try await founder.log.erase(.all, in: try founder.newestCommit())
        try await later.exchange(founder)
        #expect(try #require(Int(try await hubs.sql(size))) > 0)
        clock.advance(by: Self.week)
        #expect(try await later.folder.removeDue() == 1)
        #expect(try await hubs.sql(size) == "0")
        let restored = "DELETE FROM tripstore.entry WHERE entry = 0 RETURNING octet_length(body)"
        #expect(try await hubs.sql(restored).hasPrefix("0"))
        #expect(try await hubs.gaps() == [])
    }

    @Test(
        "A transaction that the database rolls back for the sake of another is repeated", arguments: ["40001", "40P01"])
    func serialisation(_ state: String) async throws {
        let hubs = try await DatabaseHubs.start(1)
        let founder = try TestReplica("founder", founding: true)
        try await founder.write(2)
        try await hubs[0].exchange(founder)
        _ = try await hubs.sql(
            """
            CREATE SEQUENCE tried;
            CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF nextval('tried') = 1 THEN RAISE EXCEPTION 'a test' USING ERRCODE = '\(state)'; END IF;
                RETURN NEW; END $$;
            CREATE TRIGGER fail BEFORE INSERT ON tripstore.entry FOR EACH ROW EXECUTE FUNCTION fail()
            """)
        try await founder.write(1)
        #expect(try await hubs[0].exchange(founder).sent.commits == 1)
        #expect(try await hubs.sql("SELECT last_value > 1 FROM tried") == "t")
        #expect(try await hubs.gaps() == [])
    }

    @Test("Erased bytes go from the rows when their time has come, and from what every hub has of them")
    func erasing() async throws {
        let clock = ManualClock()
        let hubs = try await DatabaseHubs.start { $0.dependencies.now = { clock.now } }
        let founder = try TestReplica("founder", founding: true)
        try await founder.write(4, bytes: 2000)
        // Each holds the whole commit before.
        for hub in hubs.hubs { try await hub.exchange(founder) }
        let commit = try founder.newestCommit()
        try await founder.log.erase(.all, in: commit)
        for hub in hubs.hubs { try await hub.exchange(founder) }
        let stored = "SELECT sum(octet_length(body)) FROM tripstore.entry WHERE kind = 1"
        let before = try #require(Int(try await hubs.sql(stored)))
        clock.advance(by: 7 * 86_400_000)
        try await hubs[0].exchange(founder)
        let after = try #require(Int(try await hubs.sql(stored)))
        #expect(after < before - 1500)
        let later = try await hubs.another()
        defer { later.database.close() }
        for hub in [hubs[1], later] {
            let reader = try TestReplica("reader", journal: founder.log.journal)
            try await founder.log.grant(.write, to: reader.id)
            try await hubs[0].exchange(founder)
            try await hub.exchange(reader)
            #expect(try reader.missing(commit) == .all)
            #expect(try reader.erasureDigest() == founder.erasureDigest())
        }
        #expect(try await hubs.gaps() == [])
    }

    @Test("Of a journal that no client visits any more, a hub removes what is due, once for all hubs of the database")
    func unvisited() async throws {
        let clock = ManualClock()
        let hubs = try await DatabaseHubs.start { $0.dependencies.now = { clock.now } }
        let founder = try TestReplica("founder", founding: true)
        try await founder.write(4, bytes: 2000)
        for hub in hubs.hubs { try await hub.exchange(founder) }
        let commit = try founder.newestCommit()
        try await founder.log.erase(.all, in: commit)
        try await hubs[0].exchange(founder)
        let stored = "SELECT sum(octet_length(body)) FROM tripstore.entry WHERE kind = 1"
        let before = try #require(Int(try await hubs.sql(stored)))
        for hub in hubs.hubs { #expect(try await hub.folder.removeDue() == 0) }
        #expect(try #require(Int(try await hubs.sql(stored))) == before)
        clock.advance(by: Self.week)
        // One that begins by then finds it as well, and has nothing left to do after the first.
        let later = try await hubs.another { $0.dependencies.now = { clock.now } }
        defer { later.database.close() }
        #expect(try await later.folder.removeDue() == 1)
        #expect(try #require(Int(try await hubs.sql(stored))) < before - 1500)
        for hub in hubs.hubs { #expect(try await hub.folder.removeDue() == 0) }
        #expect(try await hubs.gaps() == [])
        let reader = try TestReplica("reader", journal: founder.log.journal)
        try await founder.log.grant(.write, to: reader.id)
        try await hubs[0].exchange(founder)
        try await hubs[1].exchange(reader)
        #expect(try reader.missing(commit) == .all)
        for replica in [founder, reader] { try replica.expectIntact() }
    }

    @Test(
        "A database that was restored to an earlier point begins an epoch: its hubs are another replica, and devices heal it"
    )
    func restoring() async throws {
        let (hubs, founder) = try await filled()
        let former = try await hubs[1].exchange(founder).peer.replica
        let peer = try await hubs[1].peer(for: founder)
        try await founder.exchange(with: peer)
        _ = try await hubs.sql(
            """
            DELETE FROM tripstore.entry WHERE entry > 2;
            UPDATE tripstore.journal j SET next_entry = 3, next_position =
                (SELECT position + commits FROM tripstore.entry e WHERE e.journal = j.journal AND entry = 2)
            """)
        try await eventually { peer.session.failure != nil }
        let report = try await hubs[0].exchange(founder)
        #expect(report.peer.replica != former && report.sent.commits > 0)
        #expect(try await hubs[1].exchange(founder).sent.commits == 0)
        #expect(try await hubs.gaps() == [])
    }

    @Test(
        "Without its database a hub says so, and goes on when it is back; nothing acknowledged is lost",
        .timeLimit(.minutes(3)))
    func crash() async throws {
        let server = try await TestServer(syncs: true)
        let hubs = try await DatabaseHubs.start(over: server)
        let founder = try TestReplica("founder", founding: true)
        try await founder.write(2)
        try await hubs[0].exchange(founder)
        server.kill()
        try await founder.write(2)
        // One hub has a copy of the journal and the other has none, and a stranger hears the same: to try again later.
        let stranger = try await TestReplica("stranger", founding: true).write(1)
        for replica in [founder, stranger] {
            for hub in hubs.hubs { #expect(await hub.refusal(replica) == "cut") }
        }
        try await server.start()
        let report = try await hubs[1].exchange(founder)
        #expect(report.sent.commits == 2)
        #expect(try await hubs[0].exchange(founder).sent.commits == 0)
        #expect(try await server.gaps(in: "postgres") == [])
    }
}
