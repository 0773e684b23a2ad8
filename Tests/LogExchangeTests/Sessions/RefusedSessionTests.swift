import EventLog
import Events
import Foundation
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import LogExchange

@Suite("Replicas that a session refuses", .timeLimit(.minutes(10)))
struct RefusedSessionTests {
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
        // A server serves it later, as any other does.
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
}
