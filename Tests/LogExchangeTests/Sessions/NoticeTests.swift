import EventLog
import Events
import StoreSupport
import TestSupport
import Testing

@testable import LogExchange

@Suite("Notices of sessions", .timeLimit(.minutes(1)))
struct NoticeTests {
    private func connected(
        _ fixture: SessionFixture, _ name: String = "member"
    ) async throws -> (TestReplica, SessionPeer, AsyncStream<SessionNotice>.Iterator) {
        let member = try await fixture.replica(name)
        let peer = SessionPeer(try await fixture.connect(member), for: member.log, remembers: true)
        try await member.exchange(with: peer)
        try await peer.flush()
        return (member, peer, peer.session.notices.makeAsyncIterator())
    }

    @Test("What changes at the server is told with what it holds then, and an exchange takes one round trip")
    func told() async throws {
        let fixture = try await SessionFixture()
        var (member, peer, notices) = try await connected(fixture)
        try await fixture.founder.write(1)
        let notice = try #require(await notices.next())
        #expect(try await notice.frontier == fixture.founder.frontier())
        _ = fixture.network.takeFrames()
        peer.note(notice)
        #expect(try await member.exchange(with: peer).received.commits == 1)
        #expect(fixture.network.takeFrames().ofClient.count == 1)
        try await peer.flush()
        #expect(fixture.network.takeFrames().ofClient.count == 1)
        try await expectEqual([fixture.founder, member])
    }

    @Test("A commit is sent in one round trip, and its author gets no notice of it; others do")
    func pushed() async throws {
        let fixture = try await SessionFixture()
        let (member, peer, _) = try await connected(fixture)
        let (_, other, iterator) = try await connected(fixture, "other")
        var notices = iterator
        // The grant of the other.
        try await eventually {
            fixture.network.takeFrames().ofServer.contains { if case .notice = $0 { true } else { false } }
        }
        try await member.exchange(with: peer)
        peer.forget()
        try await member.exchange(with: peer)
        try await member.write(1)
        _ = fixture.network.takeFrames()
        #expect(try await member.exchange(with: peer).sent.commits >= 1)
        let notice = await notices.next()
        #expect(notice != nil && other.session.failure == nil)
        let frames = fixture.network.takeFrames()
        #expect(frames.ofClient.count == 1)
        try await peer.flush()
        #expect(frames.ofServer.count <= 3)
    }

    @Test("Many changes in a row are told by few notices, the last of them of all")
    func coalesced() async throws {
        let fixture = try await SessionFixture()
        var (member, peer, notices) = try await connected(fixture)
        try await fixture.founder.write(200)
        let all = try await fixture.founder.frontier()
        var last: SessionNotice?
        while last?.frontier != all {
            let next = await notices.next()
            let notice = try #require(next)
            last = notice
        }
        if let last { peer.note(last) }
        try await member.exchange(with: peer)
        try await expectEqual([fixture.founder, member])
    }

    @Test("A notice names an erasure as it names every commit")
    func erasures() async throws {
        let fixture = try await SessionFixture()
        var (member, peer, notices) = try await connected(fixture)
        try await fixture.founder.write(2)
        let commit = try #require(try await fixture.founder.frontier().heads.first { $0.replica == fixture.founder.id })
        try await fixture.founder.log.erase(.all, in: commit)
        let all = try await fixture.founder.frontier()
        while let notice = await notices.next() {
            peer.note(notice)
            if notice.frontier == all { break }
        }
        #expect(try await member.exchange(with: peer).received.commits == 3)
        #expect(try member.erased(commit) == .all)
        try await expectEqual([fixture.founder, member])
    }

    @Test(
        "A frame is read as it was written, whatever it is, and damage is refused or harmless",
        arguments: Seeds.some(200))
    func frames(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let digest = MemoryNetwork.certificate(4)
        let frames: [SessionFrame] = [
            .clientHello(random.bytes(upTo: 200)), .serverHello(random.bytes(upTo: 200)),
            .clientProof(claims: random.bytes(upTo: 50), signature: [UInt8](repeating: 3, count: 64)),
            .welcome(admission: random.bytes(upTo: 50), signature: [UInt8](repeating: 3, count: 64)),
            .refusal(code: "code", message: "words"), .request(random.bytes(upTo: 300)),
            .response(random.bytes(upTo: 300)),
            .lastResponse([]), .ping(random.next()), .pong(0), .stop,
            .ending(SessionEnding(.revoked, "words", revokedBy: ReplicaID(publicKey: []))),
            .notice(SessionNotice(.empty, holes: digest)),
        ]
        for frame in frames {
            #expect(try SessionFrame(frame.encoded()) == frame)
            _ = try? SessionFrame(random.damaged(frame.encoded()))
        }
        let hello = ClientHello(
            journal: nil, key: [UInt8](repeating: 1, count: 32), nonce: [UInt8](repeating: 2, count: 32),
            certificate: digest)
        #expect(try ClientHello(hello.encoded()) == hello)
        _ = try? ClientHello(random.damaged(hello.encoded()))
        let admission = SessionAdmission(
            journal: Lines.journal, key: [UInt8](repeating: 1, count: 32), revokedBy: ReplicaID(publicKey: []),
            needsGrant: true)
        #expect(try SessionAdmission(admission.encoded()) == admission)
        _ = try? SessionAdmission(random.damaged(admission.encoded()))
        _ = try? SessionClaims(random.bytes(upTo: 300))
    }
}
