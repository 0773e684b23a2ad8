import EventLog
import Events
import LogExchange
import StoreSupport
import TestSupport
import Testing
import TripStoreTestSupport

@Suite("Exchange that ends early")
struct InterruptionTests {
    /// Two with several segments for each other. Over responding carriers those of the first are so large that each is
    /// sent by itself.
    private static func full(over carrier: Carrier = .inProcess) async throws -> (TestReplica, TestReplica) {
        let (one, two) = try twoReplicas(over: carrier)
        let large = [.inProcess, .messages, .session].contains(carrier) ? 1_100_000 : 16
        for size in [16, large, large] {
            try await one.write(1, bytes: size)
            try await two.write(2)
            // A signature ends a segment.
            try await one.log.signHead()
            try await two.log.signHead()
        }
        return (one, two)
    }

    @Test(
        "Cut at any segment or call, whole segments stay, and the next exchange continues from there (X1)",
        arguments: Carrier.allCases, [false, true])
    func cutAnywhere(_ carrier: Carrier, losesResponses: Bool) async throws {
        var (cuts, received) = (0, [Int]())
        while true {
            let (one, two) = try await Self.full(over: carrier)
            let theirs = Set(try two.hashes())
            let peer = CutPeer(
                try await carrier.peer(two, for: one), after: cuts, losesResponses: losesResponses, error: Cut())
            let error = await failure { try await one.exchange(with: peer) }
            try one.expectIntact()
            try two.expectIntact()
            let held = try one.hashes().filter { theirs.contains($0) }
            // The held commits are the beginning of the other's line.
            #expect(Array(try two.hashes().filter { theirs.contains($0) }.prefix(held.count)) == held)
            guard let error else { break }
            #expect(error is Cut)
            received.append(held.count)
            let report = try await carrier.exchange(one, two)
            #expect(report.received.commits == theirs.count - held.count)
            try await expectEqual([one, two])
            cuts += 1
        }
        // Some cuts were in the middle of the received commits, and a later cut never left fewer.
        #expect(received == received.sorted() && Set(received).count >= 3)
    }

    @Test("Cut again and again, an exchange of branches ends as if it had not been", arguments: Seeds.some(8))
    func cutBranches(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let original = try TestReplica("original")
        try await original.write(3)
        let copies = try (0..<3).map { try original.copied(as: "copy \($0)") }
        let replicas = [original] + copies
        for replica in replicas { try await replica.write(Int.random(in: 0...4, using: &random)) }
        for _ in 0..<12 {
            let one = Int.random(in: 0..<4, using: &random)
            let other = (one + Int.random(in: 1..<4, using: &random)) % 4
            let peer = CutPeer(
                LogPeer(replicas[other].log), after: Int.random(in: 0..<8, using: &random),
                losesResponses: Bool.random(using: &random), error: Cut())
            _ = await failure { try await replicas[one].exchange(with: peer) }
            try replicas[one].expectIntact()
        }
        for _ in 0..<2 { for copy in copies { try await Carrier.inProcess.exchange(original, copy) } }
        try await expectEqual(replicas)
    }

    @Test("A cancelled exchange leaves whole segments and can be done again")
    func cancelled() async throws {
        let (one, two) = try await Self.full()
        let peer = LogPeer(two.log)
        let task = Task {
            try await one.exchange(with: peer) { progress in
                // As soon as something arrived.
                if progress.received.commits > 0 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        let result = await task.result
        let error = await failure { _ = try result.get() }
        #expect(error is CancellationError)
        #expect(try one.hashes().count > 4)
        try one.expectIntact()
        try await one.exchange(with: peer)
        try await expectEqual([one, two])
    }

    @Test("Messages that are lost, cut short, repeated and put off do no harm", arguments: Seeds.some(12))
    func faultyChannel(seed: UInt64) async throws {
        let (one, two) = try await Self.full()
        let channel = FaultyChannel(LoopbackChannel(two.log), seed: seed)
        var attempts = 0
        while await failure(of: { try await one.exchange(with: MessagePeer(channel)) }) != nil {
            attempts += 1
            try one.expectIntact()
            try two.expectIntact()
            if attempts == 8 { channel.heal() }
            try #require(attempts < 10)
        }
        channel.heal()
        try await one.exchange(with: MessagePeer(channel))
        try await expectEqual([one, two])
    }
}
