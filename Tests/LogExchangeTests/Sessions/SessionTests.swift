import EventLog
import Events
import Foundation
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import LogExchange

@Suite("Sessions", .timeLimit(.minutes(10)))
struct SessionTests {
    @Test("A member and the server prove their keys, and exchange over one connection")
    func members() async throws {
        let fixture = try await SessionFixture()
        let member = try await fixture.replica("member")
        try await member.write(2)
        let session = try await fixture.connect(member)
        #expect(session.server == fixture.founder.id && session.replica == member.id)
        #expect(session.journal == fixture.founder.log.journal)
        let peer = SessionPeer(session, for: member.log, remembers: false)
        #expect(try await member.exchange(with: peer).sent.commits == 3)
        try await fixture.founder.write(1)
        #expect(try await member.exchange(with: peer).received.commits == 1)
        #expect(fixture.network.connectionCount == 1)
        try await expectEqual([fixture.founder, member])
        session.close()
        try await eventually { fixture.server.connections == (0, 0) }
    }

    @Test("A replica that holds nothing takes the journal, by the id that it was told or without one")
    func cloning() async throws {
        let fixture = try await SessionFixture()
        for name in ["told", "not told"] {
            let clone = try TestReplica(name, founding: true)
            try await fixture.founder.log.grant(.write, to: clone.id)
            let network = MemoryNetwork(
                fixture.server, journal: name == "told" ? fixture.founder.log.journal : nil)
            let session = try await SessionClient.connect(network, as: clone.log)
            try await clone.exchange(with: SessionPeer(session, for: clone.log, remembers: false))
            try await expectEqual([fixture.founder, clone])
        }
    }

    @Test("The holder of an invitation is admitted, and is a member once its request is there")
    func invited() async throws {
        let fixture = try await SessionFixture()
        let guest = try TestReplica("guest")
        try await guest.log.join(try await fixture.founder.log.invite(.write))
        try await fixture.exchange(guest)
        #expect(try guest.log.membership()?.role(of: guest.id) == .write)
        try await expectEqual([fixture.founder, guest])
    }

    @Test("Two that share a key, because one is a copy that does not know it, still meet and part")
    func copies() async throws {
        let fixture = try await SessionFixture()
        let copy = try fixture.founder.copied(as: "copy")
        try await copy.write(1)
        try await fixture.founder.write(1)
        let connect = { @Sendable in try await fixture.connect(copy) }
        let peer = SessionPeer(try await connect(), for: copy.log, remembers: false, reconnecting: connect)
        try await copy.exchange(with: peer)
        #expect(copy.id != fixture.founder.id)
        try await expectEqual([fixture.founder, copy])
    }

    // MARK: Who stands in between

    @Test("A greeting that is relayed to the server by another one is refused")
    func relayed() async throws {
        let fixture = try await SessionFixture()
        let member = try await fixture.replica("member")
        // The client sees the certificate of who stands in between, and the server's frames come through.
        let relay = MemoryNetwork(fixture.server, showing: MemoryNetwork.certificate(9))
        #expect(await fixture.refusal(of: member, over: relay)?.code == .notAuthorized)
        #expect(await fixture.refusal(of: member, over: MemoryNetwork(fixture.server, certificate: nil)) == nil)
        try await fixture.exchange(member)
    }

    @Test("Where a server has a certificate, a client that names none is refused")
    func withoutCertificate() async throws {
        let fixture = try await SessionFixture()
        let client = try await RawClient(fixture.network)
        let key = try fixture.founder.log.publicKey()
        let hello = ClientHello(
            journal: fixture.founder.log.journal, key: key, nonce: [UInt8](repeating: 1, count: 32), certificate: nil
        ).encoded()
        #expect(try await refusal(of: client, hello) { try fixture.founder.log.sign($0, as: .client, with: key) })
    }

    /// Whether a client that signs with a closure is refused.
    private func refusal(
        of client: RawClient, _ hello: [UInt8], claims: [UInt8] = [], _ sign: (Digest) throws -> [UInt8]?
    ) async throws -> Bool {
        try await client.send(.clientHello(hello))
        guard case .serverHello(let answer) = try await client.receive() else { return false }
        var transcript = SessionTranscript(clientHello: hello, serverHello: answer)
        transcript.add(claims)
        let signature = try sign(transcript.digest) ?? []
        try await client.send(.clientProof(claims: claims, signature: signature))
        guard case .refusal("notAuthorized", SessionServer.refusal) = try await client.receive() else { return false }
        client.port.close()
        return true
    }

    @Test("A greeting that is said again is refused, and so is one that is signed by another key, or as a server")
    func forged() async throws {
        let fixture = try await SessionFixture()
        let member = try await fixture.replica("member")
        _ = fixture.network.takeFrames()
        let session = try await fixture.connect(member)
        session.close()
        let said = fixture.network.takeFrames().ofClient
        guard case .clientHello(let hello)? = said.first, case .clientProof(let claims, let signature)? = said.last
        else {
            Issue.record("no greeting")
            return
        }
        let journal = fixture.founder.log.journal
        let key = try member.log.publicKey()
        let again = try await RawClient(fixture.network)
        #expect(try await refusal(of: again, hello, claims: claims) { _ in signature })
        let other = try await RawClient(fixture.network)
        let stranger = try TestReplica("stranger")
        #expect(
            try await refusal(of: other, other.hello(journal, key: key)) {
                try stranger.log.sign($0, as: .client, with: stranger.log.publicKey())
            })
        let server = try await RawClient(fixture.network)
        #expect(
            try await refusal(of: server, server.hello(journal, key: key)) {
                try member.log.sign($0, as: .server, with: key)
            })
        // The same client, said right.
        let right = try await RawClient(fixture.network)
        #expect(
            try await !refusal(of: right, right.hello(journal, key: key)) {
                try member.log.sign($0, as: .client, with: key)
            })
        right.port.close()
    }

    @Test("A greeting of which any byte is changed on its way admits nobody", arguments: Seeds.some(40))
    func tampered(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let fixture = try await SessionFixture()
        let member = try await fixture.replica("member")
        let place = Int.random(in: 0..<4, using: &random)
        let damaged = Mutex(random)
        let wasChanged = Mutex(false)
        fixture.network.setHook { frame, _, number in
            guard number == place else { return .arrives }
            let other = damaged.withLock { $0.damaged(frame) }
            wasChanged.withLock { $0 = other != frame }
            return .changed(other)
        }
        let error = await failure { _ = try await fixture.connect(member) }
        #expect(error != nil || !wasChanged.withLock { $0 })
        #expect((error as? ExchangeError)?.code != .revoked)
    }

    @Test("A signature of a session is none of the log, and none of the other end")
    func domains() async throws {
        let replica = try TestReplica("replica")
        let key = try replica.log.publicKey()
        let digest = MemoryNetwork.certificate(3)
        let signature = try #require(try replica.log.sign(digest, as: .client, with: key))
        #expect(SessionSignature.isValid(signature, publicKey: key, over: digest, as: .client))
        #expect(!SessionSignature.isValid(signature, publicKey: key, over: digest, as: .server))
        let tags = [SessionSignature.Role.client, .server].map { SessionSignature.message(digest, as: $0).prefix(20) }
        let line = LineSignature.message(
            journal: replica.log.journal, replica: replica.id, sequence: SequenceNumber(1), hash: digest)
        #expect(
            tags.allSatisfy {
                $0 != line.prefix(20)
                    && String(decoding: $0, as: UTF8.self) == "TripStore session \($0 == tags[0] ? "cl" : "se")"
            })
        #expect(try replica.log.sign(digest, as: .client, with: MemoryNetwork.certificate(1).bytes) == nil)
    }

    // MARK: Who is told what

    @Test("Strangers hear the same, whether the journal is here, is another's, or is none, and at the same time")
    func strangers() async throws {
        let time = ManualTime()
        let fixture = try await SessionFixture(time: time)
        let other = try TestReplica("other", founding: true)
        var heard: [[SessionFrame]] = []
        for journal in [fixture.founder.log.journal, other.log.journal, nil] {
            let client = try await RawClient(fixture.network)
            let hello = client.hello(journal)
            let stranger = try TestReplica("stranger")
            let key = try stranger.log.publicKey()
            let signed = client.hello(journal, key: key)
            try await client.send(.clientHello(signed))
            guard case .serverHello(let answer) = try await client.receive() else {
                Issue.record("no hello")
                return
            }
            #expect(try ServerHello(answer).version == 1 && hello != signed)
            var transcript = SessionTranscript(clientHello: signed, serverHello: answer)
            transcript.add([])
            let signature = try #require(try stranger.log.sign(transcript.digest, as: .client, with: key))
            try await client.send(.clientProof(claims: [], signature: signature))
            let start = time.now
            let task = Task { try await client.receive() }
            // The limit of the greeting, and the refusal.
            try await eventually { time.due.contains(start + .milliseconds(500)) }
            time.advance(by: .milliseconds(499))
            #expect(!(task.isCancelled))
            time.advance(by: .milliseconds(1))
            heard.append([try #require(try await task.value)])
            client.port.close()
        }
        #expect(
            heard
                == [[SessionFrame]](
                    repeating: [.refusal(code: "notAuthorized", message: SessionServer.refusal)], count: 3))
    }

    @Test(
        "A replica that was revoked is shown so, after the server's proof, by its own log, and learns nothing that was written later"
    )
    func revoked() async throws {
        let fixture = try await SessionFixture()
        let member = try await fixture.replica("member")
        try await fixture.exchange(member)
        try await eventually { fixture.server.connections == (0, 0) }
        try await fixture.founder.write(1)
        try await fixture.founder.log.revoke(member.id)
        let revocation = try await fixture.founder.frontier()
        try await fixture.founder.write(2)
        _ = fixture.network.takeFrames()
        let error = await fixture.refusal(of: member)
        #expect(error?.code == .revoked && error?.replica == fixture.founder.id)
        let head = try #require(revocation.heads.first { $0.replica == fixture.founder.id })
        #expect(try member.log.read { try $0.newestCommits(of: $0.journal()) }.contains(head))
        // Not what the founder wrote meanwhile, though it is on the way.
        #expect(try member.log.read { try $0.searchedHoles().map(\.commit.replica) } == [fixture.founder.id])
        // Again it needs nothing.
        #expect(await fixture.refusal(of: member)?.code == .revoked)
        // Nobody who stands in between can say it.
        fixture.network.setHook { frame, direction, number in
            guard direction == .toClient, number == 3,
                case .welcome(let admission, let signature) = try? SessionFrame(frame),
                var forged = try? SessionAdmission(admission)
            else { return .arrives }
            forged.revokedBy = member.id
            return .changed(SessionFrame.welcome(admission: forged.encoded(), signature: signature).encoded())
        }
        #expect(await fixture.refusal(of: member)?.code == .notTrusted)
    }

    @Test("A server that says that a replica was revoked, and cannot show it, is not believed, and named")
    func claimedRevocation() async throws {
        let fixture = try await SessionFixture()
        let member = try await fixture.replica("member")
        let liar = fixture.founder.log
        let greeting = Mutex<(hello: [UInt8], answer: [UInt8], claims: [UInt8])>(([], [], []))
        fixture.network.setHook { bytes, _, _ in
            switch try? SessionFrame(bytes) {
            case .clientHello(let hello): greeting.withLock { $0.hello = hello }
            case .serverHello(let answer): greeting.withLock { $0.answer = answer }
            case .clientProof(let claims, _): greeting.withLock { $0.claims = claims }
            case .welcome(let admission, _):
                guard var forged = try? SessionAdmission(admission) else { return .arrives }
                forged.revokedBy = member.id
                let parts = greeting.withLock { $0 }
                var transcript = SessionTranscript(clientHello: parts.hello, serverHello: parts.answer)
                transcript.add(parts.claims)
                transcript.add(forged.encoded())
                guard let signature = try? liar.sign(transcript.digest, as: .server, with: liar.publicKey()) else {
                    return .arrives
                }
                return .changed(SessionFrame.welcome(admission: forged.encoded(), signature: signature).encoded())
            default: break
            }
            return .arrives
        }
        let error = await fixture.refusal(of: member)
        #expect(error?.code == .unproven && error?.message.contains(fixture.network.address) == true)
        #expect(try member.log.membership()?.members[member.id]?.isRevoked != true)
        // The same server later, and any other, serve it.
        fixture.network.setHook { _, _, _ in .arrives }
        try await fixture.exchange(member)
        try await expectEqual([fixture.founder, member])
    }

    @Test("A replica whose invitation ran out before it was granted hears that it needs a grant")
    func needsGrant() async throws {
        let fixture = try await SessionFixture()
        let courier = try await fixture.replica("courier")
        try await fixture.exchange(courier)
        let code = try await fixture.founder.log.invite(.write, expiry: fixture.founder.clock.now + 1000)
        try await fixture.exchange(courier)
        // The courier serves, and is no admin.
        let network = MemoryNetwork(SessionFixture.server(SingleLogHost(courier.log)))
        let guest = try TestReplica("guest")
        try await guest.log.join(code)
        let session = try await fixture.connect(guest, over: network)
        try await guest.exchange(with: SessionPeer(session, for: guest.log, remembers: false))
        courier.clock.advance(by: 2000)
        #expect(await fixture.refusal(of: guest, over: network)?.code == .needsGrant)
        try await fixture.founder.log.grant(.write, to: guest.id)
        try await fixture.exchange(courier)
        #expect(await fixture.refusal(of: guest, over: network) == nil)
    }

    @Test(
        "Who is revoked in a session hears so at the next request, or without one, gets nothing more, and is shown why when it connects again"
    )
    func revokedMeanwhile() async throws {
        let fixture = try await SessionFixture()
        let member = try await fixture.replica("member")
        let session = try await fixture.connect(member)
        let peer = SessionPeer(session, for: member.log, remembers: false)
        try await member.exchange(with: peer)
        _ = fixture.network.takeFrames()
        try await fixture.founder.log.revoke(member.id)
        try await eventually { session.failure != nil }
        #expect((session.failure as? ExchangeError)?.code == .cut)
        #expect(fixture.network.takeFrames().ofServer.count == 1)
        try await fixture.founder.write(1)
        #expect(code(await failure { _ = try await peer.frontier() }) == "cut")
        let error = await fixture.refusal(of: member)
        #expect(error?.code == .revoked && error?.replica == fixture.founder.id)
    }

    @Test("A session is that of one replica: greeting or acknowledging as another is refused")
    func ownNameOnly() async throws {
        let fixture = try await SessionFixture()
        let (member, other) = (try await fixture.replica("member"), try await fixture.replica("other"))
        let channel = MessagePeer(try await fixture.connect(member))
        let refusal = await failure { _ = try await channel.greet(other.log.greeting().greeting) } as? ExchangeError
        #expect(refusal?.refusal == "notAuthorized")
        _ = try await channel.greet(member.log.greeting().greeting)
        let wrong = await failure { try await channel.acknowledge(try await other.log.acknowledgement()) }
        #expect((wrong as? ExchangeError)?.refusal == "notAuthorized")
    }

    @Test("When the server goes on as another replica its sessions end, and clients connect again")
    func serverChanges() async throws {
        let fixture = try await SessionFixture()
        let member = try await fixture.replica("member")
        let session = try await fixture.connect(member)
        let copy = try fixture.founder.copied(as: "copy")
        try await copy.write(1)
        try await fixture.founder.write(1)
        let former = fixture.founder.id
        try await fixture.founder.exchange(with: LogPeer(copy.log))
        #expect(fixture.founder.id != former)
        try await eventually { session.failure != nil }
        #expect((session.failure as? ExchangeError)?.code == .identityChanged)
        let next = try await fixture.connect(member)
        #expect(next.server == fixture.founder.id)
    }
}
