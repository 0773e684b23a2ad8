import Events
import Foundation
import LMDB
import StoreSupport
import TestSupport
import Testing

@testable import EventLog
@testable import LogExchange

/// Erasures go wherever their commits are.
@Suite("Exchanging erasures")
struct ErasureExchangeTests {
    /// The newest commit of a replica.
    private static func newest(_ replica: TestReplica) throws -> CommitID {
        let head = try #require(
            try replica.log.read { try $0.signedHeads(of: $0.journal()) }.first { $0.replica == replica.id })
        return head
    }

    private static func digest(_ replica: TestReplica) throws -> Digest? {
        try replica.log.read { try $0.erasureDigest() }
    }

    private static func erased(_ replica: TestReplica, _ id: CommitID) throws -> ErasedLeaves? {
        try replica.log.read { log in
            let position = try #require(try log.position(of: id, in: log.journal()))
            return try #require(try log.commit(at: position)).view.erased
        }
    }

    private static let event = ErasedLeaves.some(LeafSet(events: [0]))

    @Test("Where both hold the commit, the erasure comes alone", arguments: Carrier.allCases)
    func alone(_ carrier: Carrier) async throws {
        let (one, two) = try twoReplicas(over: carrier)
        try await one.write(3)
        try await carrier.exchange(one, two)
        try await one.log.signHead()
        let id = try Self.newest(one)
        try await one.log.erase(Self.event, in: id)
        #expect(try Self.erased(two, id) == nil)
        // Whichever side begins.
        let report = try await two.exchange(with: carrier.peer(one, for: two))
        #expect(report.erasures == 1 && report.received.commits == 0)
        #expect(try Self.erased(two, id) == Self.event)
        #expect(try Self.digest(one) == Self.digest(two))
        try await expectEqual([one, two])
        // And then there is nothing to say.
        let peer = CountingPeer(LogPeer(one.log))
        try await two.exchange(with: peer)
        #expect(peer.calls == ["greet"])
    }

    @Test("It is pushed as well", arguments: [Carrier.inProcess, .folder, .messages, .sharedTable])
    func pushed(_ carrier: Carrier) async throws {
        let (one, two) = try twoReplicas(over: carrier)
        try await one.write(3)
        try await carrier.exchange(one, two)
        let id = try Self.newest(one)
        try await one.log.erase(.all, in: id)
        try await carrier.exchange(one, two)
        #expect(try Self.erased(two, id) == .all)
        try await expectEqual([one, two])
    }

    @Test("Who joins later gets what is left, and the erasure with it", arguments: Carrier.allCases)
    func later(_ carrier: Carrier) async throws {
        let (one, two) = try twoReplicas(over: carrier)
        try await one.write(3)
        let id = try await {
            try await one.log.signHead()
            return try Self.newest(one)
        }()
        try await one.log.erase(Self.event, in: id)
        try await carrier.exchange(one, two)
        #expect(try Self.erased(two, id) == Self.event)
        #expect(try Self.digest(one) == Self.digest(two))
        try await expectEqual([one, two])
    }

    @Test("Whoever knows of it tells those who do not, through whatever hands, also with new commits beside it")
    func throughHands() async throws {
        let (one, two) = try twoReplicas()
        let three = try TestReplica("three", journal: one.log.journal)
        try await one.write(3)
        for other in [two, three] { try await one.exchange(with: LogPeer(other.log)) }
        let id = try Self.newest(one)
        try await one.log.erase(Self.event, in: id)
        try await two.write(2)
        try await three.write(2)
        try await two.exchange(with: LogPeer(one.log))
        try await three.exchange(with: MessagePeer(LoopbackChannel(two.log)))
        for replica in [two, three] { #expect(try Self.erased(replica, id) == Self.event) }
        try await one.exchange(with: LogPeer(three.log))
        try await expectEqual([one, two, three])
    }

    @Test("Erasures of one replica by two of its hands come together, in whatever order")
    func united() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(1)
        let entity = EntityReference(kind: EntityKind(rawValue: 1), id: UUID())
        let payload = Payload(events: (0..<4).map { _ in Event(verb: .edited, entity: entity) })
        _ = try await one.log.append(payload)
        try await one.exchange(with: LogPeer(two.log))
        let copy = try one.copied(as: "copy")
        let id = try Self.newest(one)
        try await one.log.erase(.some(LeafSet(events: [0, 1])), in: id)
        try await copy.log.erase(.some(LeafSet(events: [1, 3])), in: id)
        try await two.exchange(with: LogPeer(copy.log))
        try await one.exchange(with: LogPeer(two.log))
        try await copy.exchange(with: LogPeer(one.log))
        for replica in [one, two, copy] { #expect(try Self.erased(replica, id) == .some(LeafSet(events: [0, 1, 3]))) }
        #expect(try Set([one, two, copy].map(Self.digest)).count == 1)
        try await expectEqual([one, two, copy])
    }

    /// Takes payloads out of a log behind its back: of commits with some numbers.
    private static func strip(_ numbers: [UInt64], of replica: TestReplica) async throws {
        let log = replica.log
        try await log.signHead()
        for number in numbers {
            let id = try log.read { log in
                let position = try #require(
                    try log.position(
                        of: SequenceNumber(number), in: LineID(journal: log.journal(), replica: replica.id)))
                let commit = try #require(try log.commit(at: position))
                return CommitID(replica: commit.header.replica, sequence: commit.header.sequence, hash: commit.hash)
            }
            try await log.erase(number.isMultiple(of: 2) ? .all : Self.event, in: id)
            let key = try #require(try log.read { try $0.erasures(of: id.hash) }.first).key
            let table = log.tables.erasures
            try log.environment.write { transaction in _ = try transaction.delete(key, in: table) }
        }
    }

    @Test(
        "Bytes that are missing and that no erasure names are healed by whoever has them", arguments: Carrier.allCases)
    func healed(_ carrier: Carrier) async throws {
        let (one, two) = try twoReplicas(over: carrier)
        for _ in 0..<3 {
            try await one.write(2)
            try await carrier.exchange(one, two)
        }
        try await Self.strip([2, 5, 6], of: one)
        let journal = one.log.journal
        let lost = { (replica: TestReplica) in
            try replica.log.read { try $0.lostBytes(of: journal).map(\.commit.sequence.rawValue) }
        }
        #expect(try lost(one) == [2, 5, 6])
        // Both hold the same commits, so that nothing is asked for unless somebody looks for what is lost.
        let usual = try await one.exchange(with: carrier.peer(two, for: one))
        #expect(usual.healed == 0)
        #expect(try lost(one).count == 3)
        var peer = try await carrier.peer(two, for: one)
        if carrier == .bundle {
            // For somebody who holds nothing: one for who holds the commits has none of them.
            let file = try two.bundle("whole.bundle")
            _ = try await BundleWriter.write(two.log, lacking: .empty, to: file)
            peer = try await BundlePeer(file)
        }
        let report = try await ExchangeSession(one.log, with: peer, healing: true).run()
        #expect(report.healed == 3 && report.received.commits == 0)
        #expect(try lost(one).isEmpty)
        try await expectEqual([one, two])
    }

    @Test("What the other lacks as well stays missing, and the commits around it are healed")
    func healedInPart() async throws {
        let (one, two) = try twoReplicas()
        let three = try TestReplica("three", journal: one.log.journal)
        // One signature for all of them.
        try await one.write(6)
        for other in [two, three] { try await other.exchange(with: LogPeer(one.log)) }
        let copy = try one.copied(as: "copy")
        try await Self.strip([2, 5, 6], of: one)
        try await Self.strip([3, 5], of: copy)
        let session = ExchangeSession(one.log, with: LogPeer(copy.log), healing: true)
        let report = try await session.run()
        #expect(report.healed == 2 && report.lost == 1)
        let lost = try one.log.read { try $0.lostBytes(of: $0.journal()).map(\.commit.sequence.rawValue) }
        #expect(lost == [5])
        let rest = try await ExchangeSession(one.log, with: LogPeer(three.log), healing: true).run()
        #expect(rest.healed == 1 && rest.lost == 0)
        try await expectEqual([one, two, three])
    }

    @Test("On a line that forks each branch is healed", arguments: [Carrier.inProcess, .bundle])
    func healedOnAFork(_ carrier: Carrier) async throws {
        let (one, two) = try twoReplicas(over: carrier)
        try await one.write(2)
        let copy = try one.copied(as: "copy")
        let id = one.id
        try await one.write(2)
        try await copy.write(6)
        for branch in [one, copy] { try await carrier.exchange(branch, two) }
        // The commits of both branches, of the first of which one goes on as another replica.
        try await carrier.exchange(two, one)
        let forked = try one.log.read { log in
            var found: [CommitID] = []
            try log.forEachCommit(after: .start) { commit in
                let header = commit.header
                if header.replica == id, [4, 5, 7].contains(header.sequence.rawValue) {
                    found.append(CommitID(replica: id, sequence: header.sequence, hash: commit.hash))
                }
                return true
            }
            return found
        }
        #expect(forked.count == 5)
        try await Self.strip(forked, of: one)
        let journal = one.log.journal
        #expect(try one.log.read { try $0.lostBytes(of: journal).count } == 5)
        var peer = try await carrier.peer(two, for: one)
        if carrier == .bundle {
            let file = try two.bundle("whole.bundle")
            _ = try await BundleWriter.write(two.log, lacking: .empty, to: file)
            peer = try await BundlePeer(file)
        }
        let report = try await ExchangeSession(one.log, with: peer, healing: true).run()
        #expect(report.healed == 5 && report.lost == 0)
        try await expectEqual([one, two])
    }

    /// Takes the payloads of commits out of a log behind its back, whoever wrote them.
    private static func strip(_ commits: [CommitID], of replica: TestReplica) async throws {
        let log = replica.log
        let table = log.tables.log
        try log.environment.write { transaction in
            let snapshot = LogSnapshot(transaction.reading.alias(), log.tables)
            for id in commits {
                let position = try #require(try snapshot.position(of: id, in: snapshot.journal()))
                let bytes = try #require(try snapshot.commit(at: position)).view.without(.all)
                try transaction.put(position.rawValue, id.hash.bytes, bytes, in: table)
            }
        }
    }

    @Test("Who heals learns as well why the other lacks the bytes")
    func healedByReason() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(3)
        try await one.log.signHead()
        let id = try Self.newest(one)
        try await one.log.erase(Self.event, in: id)
        try await two.exchange(with: LogPeer(one.log))
        let statement = try #require(try one.log.read { try $0.erasures(of: id.hash) }.first)
        let table = one.log.tables.erasures
        try one.log.environment.write { transaction in _ = try transaction.delete(statement.key, in: table) }
        let journal = one.log.journal
        #expect(try one.log.read { try $0.lostBytes(of: journal).map(\.commit) } == [id])
        for segment in try await two.allSegments() { #expect(try await one.log.heal([id], from: segment) == []) }
        #expect(try one.log.read { try $0.lostBytes(of: journal) } == [])
        try await expectEqual([one, two])
    }

    @Test("Of more commits than a request has room for it is asked in several")
    func requests() throws {
        var random = SeededGenerator(seed: 1)
        let states = (0..<7).compactMap { _ in
            ErasureState((0..<48).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        }.sorted { $0.commit < $1.commit }
        let journal = JournalID(UUID())
        for count in 1...8 {
            let requests = ErasureRequest.requests(journal: journal, states: states, atMost: count)
            #expect(requests.count == (7 + count - 1) / count && requests.flatMap(\.states) == states)
            // Each commit, known or not, is the affair of one of them.
            for state in states + [0, 255].compactMap({ ErasureState([UInt8](repeating: $0, count: 48)) }) {
                #expect(requests.count { $0.isAbout(state) } == 1)
            }
            for request in requests { #expect(request.states.allSatisfy(request.isAbout)) }
        }
        #expect(ErasureRequest.requests(journal: journal, states: []).count == 1)
        let largest = ErasureRequest.mostStates * ErasureState.size
        #expect(max(largest, ErasureRequest.mostStates * (Digest.size + 2)) + (4 << 20) < ExchangeMessage.largest)
    }

    @Test("What is erased of commits that are handed on to nobody keeps nobody from being done")
    func unlisted() async throws {
        let one = try TestReplica("one", founding: true)
        try await one.write(1)
        let stranger = try TestReplica("stranger", journal: one.log.journal)
        try await stranger.write(2)
        try await stranger.exchange(with: LogPeer(one.log))
        let id = try #require(try await stranger.frontier().heads.first { $0.replica == stranger.id })
        let two = try TestReplica("two", journal: one.log.journal)
        try await one.log.grant(.write, to: two.id)
        try await two.write(1)
        for _ in 0..<2 { try await two.exchange(with: LogPeer(one.log)) }
        // A stranger's word of its own commits counts, and goes nowhere.
        try await stranger.log.erase(.all, in: id)
        try await one.log.keep(try stranger.log.read { try $0.erasures(of: id.hash) })
        #expect(try Self.erased(one, id) == .all)
        let peer = CountingPeer(LogPeer(one.log))
        try await two.exchange(with: peer)
        #expect(peer.calls == ["greet"])
        for replica in [one, two] { try replica.expectIntact() }
    }

    @Test(
        "Five statements that say different things go together, over whatever carries them", arguments: Carrier.allCases
    )
    func fiveStatements(_ carrier: Carrier) async throws {
        let (one, two) = try twoReplicas(over: carrier)
        try await one.write(1)
        let entity = EntityReference(kind: EntityKind(rawValue: 1), id: UUID())
        _ = try await one.log.append(Payload(events: (0..<6).map { _ in Event(verb: .edited, entity: entity) }))
        try await carrier.exchange(one, two)
        let id = try Self.newest(one)
        let identity = try #require(try KeyFile(path: one.folder.path("replica.key")).read().first)
        let statements = try (0..<5).map { event in
            try Erasure(of: .some(LeafSet(events: [event])), in: id, of: one.log.journal, at: 1, by: identity)
        }
        // One of them makes the others superfluous, had they not come together.
        try await two.log.keep([
            try Erasure(
                of: .some(LeafSet(events: 0..<5)), in: id, of: one.log.journal, at: 1, number: 1, by: identity)
        ])
        for statement in statements { try await one.log.keep([statement]) }
        #expect(try Self.erased(one, id) == .some(LeafSet(0..<7)))
        try await two.exchange(with: carrier.peer(one, for: two))
        #expect(try Self.erased(two, id) == .some(LeafSet(0..<7)))
        #expect(try Self.digest(one) == Self.digest(two))
        try await expectEqual([one, two])
    }

    @Test(
        "What is refused of one replica keeps neither erasures nor the acknowledgement back", arguments: [false, true])
    func refusedLine(isReceived: Bool) async throws {
        let (one, two) = try twoReplicas()
        try await one.write(3)
        try await Carrier.inProcess.exchange(one, two)
        let id = try Self.newest(one)
        try await one.log.erase(Self.event, in: id)
        // Of a clock that one of the two takes for right, and the other does not.
        one.clock.advance(by: 20 * RefusedStretchesTests.hour)
        let ahead = try TestReplica("ahead", journal: one.log.journal)
        ahead.clock.advance(by: 40 * RefusedStretchesTests.hour)
        try await ahead.write(2)
        try await one.exchange(with: LogPeer(ahead.log))
        let (asking, asked) = isReceived ? (two, one) : (one, two)
        let error = await failure { try await asking.exchange(with: LogPeer(asked.log)) }
        #expect(code(error) == "implausibleTime")
        #expect(try Self.erased(two, id) == Self.event)
        let acknowledged = try PeerBook(asked.log).record(of: asking.id)?.acknowledged
        #expect(try await acknowledged == asking.frontier())
        for replica in [one, two] { try replica.expectIntact() }
    }

    @Test("A bundle for who holds the commit brings the erasure")
    func bundle() async throws {
        let (one, two) = try twoReplicas(over: .bundle)
        try await one.write(3)
        try await Carrier.bundle.exchange(one, two)
        let id = try Self.newest(one)
        try await one.log.erase(Self.event, in: id)
        let file = try one.bundle("since.bundle")
        let summary = try await BundleWriter.write(one.log, lacking: two.frontier(), to: file)
        #expect(summary.commits == 0)
        try await two.exchange(with: BundlePeer(file))
        #expect(try Self.erased(two, id) == Self.event)
        try await expectEqual([one, two])
    }

    @Test(
        "What a carrier took out under a key of its own is put back by the next exchange with whoever has it, unasked")
    func strippedUnderAnyKey() async throws {
        let founder = try TestReplica("founder", founding: true)
        try await founder.write(4)
        let member = try TestReplica("member", journal: founder.log.journal)
        try await founder.log.grant(.write, to: member.id)
        try await founder.log.signHead()
        let carrier = try #require(ReplicaIdentity(seed: [UInt8](repeating: 6, count: 32)))
        for segment in try await founder.log.allSegments() {
            var (commits, erasures) = (segment.commits, segment.erasures)
            for (index, commit) in segment.commitIDs().enumerated() where (2...4).contains(commit.sequence.rawValue) {
                commits[index] = try commits[index].withUnsafeBytes { try CommitView($0).without(.all) }
                erasures.append(
                    try Erasure(of: .all, in: commit, of: segment.journal, at: 1, by: carrier).bytes)
            }
            let stripped = LineSegment(
                journal: segment.journal, replica: segment.replica, first: segment.first, previous: segment.previous,
                commits: commits, signature: segment.signature, erasures: erasures)
            try await member.log.store(stripped)
        }
        #expect(try member.log.read { try $0.wronglyErased(of: $0.journal()).count } == 3)
        let report = try await member.exchange(with: LogPeer(founder.log))
        #expect(report.healed == 3 && report.lost == 0)
        try await expectEqual([founder, member])
    }
}
