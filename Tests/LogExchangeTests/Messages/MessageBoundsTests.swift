import EventLog
import Events
import Foundation
import Platform
import StoreSupport
import Synchronization
import Testing

@testable import LogExchange

/// The peer of a connection is not trusted.
@Suite("What a stranger may ask of a store")
struct MessageBoundsTests {
    private static func response(_ server: MessageServer, _ request: ExchangeMessage) async throws -> ExchangeMessage {
        let responses = Mutex<[[UInt8]]>([])
        try await server.respond(to: request.encoded()) { response in responses.withLock { $0.append(response) } }
        return try ExchangeMessage(try #require(responses.withLock { $0.last }))
    }

    private static func refusal(_ server: MessageServer, _ request: ExchangeMessage) async throws -> String? {
        guard case .failure(let code, _) = try await response(server, request) else { return nil }
        return code
    }

    private static func greet(_ server: MessageServer, as replica: ReplicaID = ReplicaID(publicKey: [1])) async throws {
        let greeting = Greeting(journal: nil, replica: replica, name: "", clock: nil, digest: .zero)
        _ = try await response(server, .greeting(greeting))
    }

    @Test("A store that holds nothing joins no journal that is pushed to its server", arguments: [false, true])
    func joining(ofPeer: Bool) async throws {
        let (one, other) = (try TestReplica("one"), try TestReplica("other"))
        try await one.write(2)
        let server =
            ofPeer
            ? MessageServer(LogPeer(other.log), authorizer: OpenAuthorizer())
            : MessageServer(other.log, authorizer: OpenAuthorizer())
        try await Self.greet(server)
        let segments = try await one.allSegments()
        #expect(try await Self.refusal(server, .segments(segments)) == "empty")
        #expect(try other.log.isEmpty())
        try other.expectIntact()
    }

    @Test("Acknowledgements for whatever replica take no more room than that of the peers met last")
    func acknowledgements() async throws {
        let replica = try TestReplica("one")
        try await replica.write(1)
        for number in 0..<PeerBook.mostPeers + 20 {
            let stranger = ReplicaID(publicKey: [UInt8(number & 0xFF), UInt8(number >> 8)])
            let server = MessageServer(replica.log, authorizer: OpenAuthorizer())
            try await Self.greet(server, as: stranger)
            let said = Acknowledgement(replica: stranger, name: "stranger", frontier: .empty)
            _ = try await Self.response(server, .acknowledgement(said))
        }
        #expect(try PeerBook(replica.log).records().count == PeerBook.mostPeers)
        // A peer speaks only for itself.
        let server = MessageServer(replica.log, authorizer: OpenAuthorizer())
        let said = Acknowledgement(replica: replica.id, name: "", frontier: .empty)
        #expect(try await Self.refusal(server, .acknowledgement(said)) == "notAuthorized")
        try await Self.greet(server)
        #expect(try await Self.refusal(server, .acknowledgement(said)) == "notAuthorized")
        try replica.expectIntact()
    }

    /// Fails like a store on a failing disk.
    private struct FailingPeer: ExchangePeer {
        static let path = "/home/ana/Trips/log/data.mdb"
        private var error: StorageError {
            StorageError(.inputOutput, "\(Self.path) could not be read. Check the medium.")
        }
        func greet(_ greeting: Greeting) async throws -> Greeting { throw error }
        func frontier() async throws -> Frontier {
            throw EventLogError(.damaged, "\(Self.path) is damaged.", cause: error)
        }
        func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {
            throw error
        }
        func store(_ segments: [LineSegment]) async throws -> Acknowledgement { throw error }
        func acknowledge(_ acknowledgement: Acknowledgement) async throws { throw error }
    }

    @Test("Of what is wrong on this side a stranger learns no path")
    func paths() async throws {
        let server = MessageServer(FailingPeer(), authorizer: OpenAuthorizer())
        try await Self.greet(server)
        guard case .failure(let code, let message) = try await Self.response(server, .frontierRequest) else {
            Issue.record("no failure")
            return
        }
        #expect(code == "failed" && !message.contains("/"))
    }

    @Test("A peer that repeats held commits is refused in the end, and new ones are stored again")
    func idleBatches() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(2)
        let server = MessageServer(LogPeer(two.log), authorizer: OpenAuthorizer())
        try await Self.greet(server)
        let segments = try await one.allSegments()
        var refused = 0
        for _ in 0..<MessageServer.mostIdleBatches + 3 {
            if try await Self.refusal(server, .segments(segments)) == "unannounced" { refused += 1 }
        }
        #expect(refused == 1)
        #expect(try await Self.refusal(server, .segments([])) == "malformed")
        // On another connection.
        let other = MessageServer(two.log, authorizer: OpenAuthorizer())
        #expect(try await Self.refusal(other, .segments(segments)) == "notAuthorized", "it has not greeted")
        try await Self.greet(other)
        #expect(try await Self.refusal(other, .segments(segments)) == nil)
        try two.expectIntact()
    }

    /// Responds to a request for segments with messages without any, endlessly.
    private struct EndlessChannel: MessageChannel {
        func call(_ request: [UInt8], _ body: ([UInt8]) async throws -> Void) async throws {
            for _ in 0..<1_000_000 { try await body(ExchangeMessage.segments([]).encoded()) }
        }
    }

    @Test("Empty responses come to an end")
    func endlessResponses() async throws {
        let request = SegmentRequest(journal: JournalID(UUID()), wanted: [], held: [])
        let error = await #expect(throws: ExchangeError.self) {
            try await MessagePeer(EndlessChannel()).segments(request) { _ in }
        }
        #expect(error?.code == .malformed)
    }

    @Test("Of a batch what is right is stored, whatever another replica's part of it is")
    func partlyRight() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(2)
        let stranger = try TestReplica("stranger", journal: one.log.journal)
        try await stranger.write(1)
        var segments = try await stranger.allSegments()
        let bad = segments[0]
        segments[0] = LineSegment(
            journal: bad.journal, replica: bad.replica, first: bad.first, previous: bad.previous, commits: bad.commits,
            signature: [UInt8](repeating: 1, count: 64))
        let server = MessageServer(LogPeer(two.log), authorizer: OpenAuthorizer())
        try await Self.greet(server)
        #expect(try await Self.refusal(server, .segments(segments + one.allSegments())) == "rejected")
        #expect(
            try two.log.read {
                try $0.holds(one.log.read { try $0.signedHeads(of: $0.journal()) }[0], in: one.log.journal)
            })
        try two.expectIntact()
    }
}
