import EventLog
import Events
import Foundation
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import LogExchange

@Suite("Proofs of keys in sessions", .timeLimit(.minutes(10)))
struct SessionProofTests {
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
        // A proof of the right client.
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
}
