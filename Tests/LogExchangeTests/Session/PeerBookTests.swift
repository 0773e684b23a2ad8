import EventLog
import Events
import Foundation
import LogExchange
import StoreSupport
import Testing
import TripStoreTestSupport

@Suite("What is remembered of peers")
struct PeerBookTests {
    @Test(
        "Both sides know of each other after an exchange, whichever side began",
        arguments: [Carrier.inProcess, .messages])
    func bothRemember(_ carrier: Carrier) async throws {
        let (one, two) = try twoReplicas()
        try await one.write(2)
        try await two.write(3)
        two.clock.advance(by: 60_000)
        try await carrier.exchange(one, two)
        let frontier = try await one.frontier()
        for (own, other) in [(one, two), (two, one)] {
            let records = try PeerBook(own.log).records()
            #expect(records.count == 1)
            let record = try #require(records.first)
            #expect(record.replica == other.id && record.name == other.name)
            #expect(record.lastExchange == own.clock.now && record.lastTried == own.clock.now)
            #expect(record.acknowledged == frontier && record.lastError == nil)
            #expect(try own.log.read { try record.commitsToSend($0) + record.commitsToReceive($0) } == 0)
        }
        // Also when there is nothing to do.
        one.clock.advance(by: 1000)
        two.clock.advance(by: 1000)
        try await carrier.exchange(one, two)
        for (own, other) in [(one, two), (two, one)] {
            #expect(try PeerBook(own.log).record(of: other.id)?.lastExchange == own.clock.now)
        }
    }

    @Test("Meeting again with nothing to do is known at once, and writes nothing to the medium within a minute")
    func meetingAgain() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(2)
        try await one.exchange(with: LogPeer(two.log))
        let stored = try PeerBook(one.readOnly()).record(of: two.id)
        let before = try (one.log.changeCount(), two.log.changeCount())
        for _ in 0..<5 {
            one.clock.advance(by: 1000)
            try await one.exchange(with: LogPeer(two.log))
        }
        #expect(try (one.log.changeCount(), two.log.changeCount()) == before)
        #expect(try PeerBook(one.log).record(of: two.id)?.lastExchange == one.clock.now)
        // Another process sees the stored record.
        #expect(try PeerBook(one.readOnly()).record(of: two.id) == stored)
        one.clock.advance(by: 60_000)
        try await one.exchange(with: LogPeer(two.log))
        #expect(try PeerBook(one.readOnly()).record(of: two.id)?.lastExchange == one.clock.now)
    }

    @Test("What waits to be written goes to the medium with the next commit")
    func writtenWithNextCommit() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(1)
        try await one.exchange(with: LogPeer(two.log))
        one.clock.advance(by: 1000)
        try await one.exchange(with: LogPeer(two.log))
        let known = try PeerBook(one.log).record(of: two.id)
        #expect(try PeerBook(one.readOnly()).record(of: two.id) != known)
        let before = try one.log.changeCount()
        try await one.write(1)
        #expect(try one.log.changeCount() == before + 1)
        #expect(try PeerBook(one.readOnly()).record(of: two.id) == known)
        #expect(try PeerBook(one.log).record(of: two.id) == known)
    }

    @Test("What is still to be sent is counted, in commits and bytes")
    func toSend() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(2)
        try await one.exchange(with: LogPeer(two.log))
        try await one.write(3, bytes: 1000)
        let record = try #require(try PeerBook(one.log).record(of: two.id))
        #expect(try one.log.read { try record.commitsToSend($0) } == 3)
        let bytes = try one.log.read { try record.bytesToSend($0) }
        #expect(bytes > 3000 && bytes < 4000)
    }

    @Test("Which commits are safe elsewhere is known, commit by commit")
    func safeCopies() async throws {
        let (one, two) = try twoReplicas()
        let three = try TestReplica("three", journal: one.log.journal)
        try await one.write(2)
        for other in [two, three] { try await one.exchange(with: LogPeer(other.log)) }
        let safe = try #require(try await one.frontier().heads.first)
        try await one.write(1)
        try await one.exchange(with: LogPeer(two.log))
        let newer = try #require(try await one.frontier().heads.first)
        try await one.write(1)
        let newest = try #require(try await one.frontier().heads.first)
        let records = try PeerBook(one.log).records()
        let copies = try [safe, newer, newest].map { commit in
            try one.log.read { log in try records.filter { try $0.holds(commit, log) }.count }
        }
        #expect(copies == [2, 1, 0])
    }

    @Test("A failure is remembered with what to do, until an exchange ends well")
    func failures() async throws {
        let (one, two) = try twoReplicas()
        try await two.write(2)
        try await one.exchange(with: LogPeer(two.log))
        let before = try #require(try PeerBook(one.log).record(of: two.id))
        try await two.write(1)
        one.clock.advance(by: 5000)
        _ = await failure { try await one.exchange(with: CutPeer(LogPeer(two.log), after: 2, error: Cut())) }
        let failed = try #require(try PeerBook(one.log).record(of: two.id))
        #expect(failed.lastError?.isEmpty == false && failed.lastTried == one.clock.now)
        // The other's acknowledgement holds all the same, and it has the commits.
        let theirs = try await two.frontier()
        #expect(failed.lastExchange == before.lastExchange && failed.acknowledged == theirs)
        #expect(try one.log.read { try failed.commitsToReceive($0) } == 1)
        try await one.exchange(with: LogPeer(two.log))
        #expect(try PeerBook(one.log).record(of: two.id)?.lastError == nil)
    }

    @Test("Records are there when the log is opened again, and can be forgotten")
    func durable() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(1)
        try await one.exchange(with: LogPeer(two.log))
        let record = try PeerBook(one.log).record(of: two.id)
        #expect(record != nil)
        #expect(try PeerBook(one.readOnly()).record(of: two.id) == record)
        try await PeerBook(one.log).forget(two.id)
        #expect(try PeerBook(one.log).records() == [])
    }

    @Test("Rows that cannot be read are passed over")
    func damagedRows() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(1)
        try await one.exchange(with: LogPeer(two.log))
        try await one.log.worker.run { try one.log.setNote("peer/\(SomeDigest.any)", [1, 2, 3]) }
        #expect(try PeerBook(one.log).records().map(\.replica) == [two.id])
    }

    @Test("A bundle of long ago takes nothing back of what its writer acknowledged since")
    func oldBundle() async throws {
        let (one, two) = try twoReplicas()
        try await two.write(1)
        let file = try one.bundle("old.bundle")
        _ = try await BundleWriter.write(two.log, to: file)
        try await one.write(2)
        try await one.exchange(with: LogPeer(two.log))
        let acknowledged = try PeerBook(one.log).record(of: two.id)?.acknowledged
        try await one.exchange(with: BundlePeer(file))
        #expect(try PeerBook(one.log).record(of: two.id)?.acknowledged == acknowledged)
    }

    @Test("Of what a peer acknowledges is kept what this log can know of, and little more")
    func manyHeads() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(2)
        try await one.exchange(with: LogPeer(two.log))
        let held = try await one.frontier()
        let invented = (1...UInt64(5000)).map { number -> CommitID in
            let replica = number % 2 == 0 ? one.id : ReplicaID(publicKey: number.bigEndianBytes)
            return CommitID(replica: replica, sequence: SequenceNumber(number), hash: .zero)
        }
        let said = Frontier(journal: held.journal, heads: held.heads + invented)
        try await LogPeer(one.log).acknowledge(Acknowledgement(replica: two.id, name: "two", frontier: said))
        let record = try #require(try PeerBook(one.log).record(of: two.id))
        #expect(record.acknowledged.heads.count == 130)
        #expect(record.acknowledged.heads.contains(held.heads[0]))
        #expect(try one.log.read { try record.commitsToSend($0) } == 0)
    }
}
