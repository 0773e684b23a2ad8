import EventLog
import Events
import Foundation
import LogExchange
import Synchronization
import TestSupport
import Testing

@Suite("Messages")
struct MessageTests {
    @Test("What goes wrong there arrives as an error with its reason")
    func failuresTravel() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(1)
        let other = try TestReplica("other")
        let peer = MessagePeer(LoopbackChannel(other.log))
        try await other.write(1)
        let segments = try await one.allSegments()
        let greeting = Greeting(journal: nil, replica: one.id, name: "", clock: nil, digest: .zero)
        _ = try await peer.greet(greeting)
        let error = await failure { _ = try await peer.store(segments) }
        #expect(code(error) == "refused" || code(error) == "otherJournal")
        #expect("\(String(describing: error))".contains("\(one.log.journal)"))
        // And the connection still works.
        let (told, held) = (try await peer.frontier(), try await other.frontier())
        #expect(told == held)
        try await one.exchange(with: MessagePeer(LoopbackChannel(two.log)))
        try await expectEqual([one, two])
    }

    @Test("Noise is refused with a response, and nothing more", arguments: Seeds.some(60))
    func noise(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let replica = try TestReplica("one")
        let server = MessageServer(replica.log, authorizer: OpenAuthorizer())
        let responses = Mutex<[[UInt8]]>([])
        try await server.respond(to: random.bytes(upTo: 80)) { response in responses.withLock { $0.append(response) } }
        for response in responses.withLock({ $0 }) { _ = try ExchangeMessage(response) }
        #expect(responses.withLock { $0.count } >= 1)
        #expect(try replica.log.isEmpty())
    }

    @Test("Requests that are nearly right do no harm", arguments: Seeds.some(30))
    func damagedRequests(seed: UInt64) async throws {
        let random = Mutex(SeededGenerator(seed: seed))
        let (one, two) = try twoReplicas()
        for replica in [one, two] { try await replica.write(2) }
        let server = MessageServer(two.log, authorizer: OpenAuthorizer())
        let channel = ChangingChannel(LoopbackChannel(server)) { bytes in
            random.withLock { Bool.random(using: &$0) ? $0.damaged(bytes) : bytes }
        } response: {
            $0
        }
        _ = await failure { try await one.exchange(with: MessagePeer(channel)) }
        try one.expectIntact()
        try two.expectIntact()
        try await one.exchange(with: LogPeer(two.log))
        // A damaged name or acknowledgement may have been recorded; no commit was invented.
        try await expectEqual([one, two])
        #expect(try one.hashes().count == 6)
    }

    @Test("Nearly valid responses are refused or do no harm", arguments: Seeds.some(30))
    func damagedResponses(seed: UInt64) async throws {
        let random = Mutex(SeededGenerator(seed: seed))
        let (one, two) = try twoReplicas()
        for replica in [one, two] { try await replica.write(2) }
        let channel = ChangingChannel(LoopbackChannel(two.log)) {
            $0
        } response: { bytes in
            random.withLock { Int.random(in: 0..<3, using: &$0) == 0 ? $0.damaged(bytes) : bytes }
        }
        _ = await failure { try await one.exchange(with: MessagePeer(channel)) }
        try one.expectIntact()
        try two.expectIntact()
        #expect(try one.hashes().count <= 6)
    }

    @Test("The largest segment that there may be fits a message")
    func largestFits() throws {
        let commit = [UInt8](repeating: 1, count: LineSegment.largestByteCount / LineSegment.largestCommitCount)
        let largest = LineSegment(
            journal: Lines.journal, replica: Lines.replica("a:"), first: SequenceNumber((1 << 62) - 1),
            previous: SomeDigest.any, commits: Array(repeating: commit, count: LineSegment.largestCommitCount),
            signature: [UInt8](repeating: 2, count: 64))
        let bytes = ExchangeMessage.segments([largest]).encoded()
        #expect(bytes.count <= ExchangeMessage.largest)
        guard case .segments(let read) = try ExchangeMessage(bytes) else {
            Issue.record("it is read as something else")
            return
        }
        #expect(read == [largest])
    }

    @Test("A response that lacks a segment in the middle is detected")
    func lostResponse() async throws {
        let (one, two) = try twoReplicas()
        for _ in 0..<4 {
            try await two.write(1, bytes: 1_200_000)
            try await two.log.signHead()
        }
        // Each of the first segments is a response of its own.
        for lost in 0..<4 {
            let count = Mutex(0)
            let channel = LosingChannel(LoopbackChannel(two.log)) { message in
                guard case .segments = message else { return false }
                return count.withLock { count in
                    count += 1
                    return count == lost + 1
                }
            }
            let three = try TestReplica("three", journal: one.log.journal)
            let error = await failure { try await three.exchange(with: MessagePeer(channel)) }
            #expect(["cut", "missingStart", "withheld"].contains(code(error)))
            try three.expectIntact()
        }
    }
}

/// A channel on which bytes change.
private struct ChangingChannel: MessageChannel {
    let channel: any MessageChannel
    let request: @Sendable ([UInt8]) -> [UInt8]
    let response: @Sendable ([UInt8]) -> [UInt8]

    init(
        _ channel: any MessageChannel, request: @escaping @Sendable ([UInt8]) -> [UInt8],
        response: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) {
        self.channel = channel
        self.request = request
        self.response = response
    }

    func call(_ request: [UInt8], _ body: ([UInt8]) async throws -> Void) async throws {
        try await channel.call(self.request(request)) { try await body(response($0)) }
    }
}

/// A channel that loses some responses.
private struct LosingChannel: MessageChannel {
    let channel: any MessageChannel
    let loses: @Sendable (ExchangeMessage) -> Bool

    init(_ channel: any MessageChannel, loses: @escaping @Sendable (ExchangeMessage) -> Bool) {
        self.channel = channel
        self.loses = loses
    }

    func call(_ request: [UInt8], _ body: ([UInt8]) async throws -> Void) async throws {
        try await channel.call(request) { bytes in
            if !loses(try ExchangeMessage(bytes)) { try await body(bytes) }
        }
    }
}
