import EventLog
import Events
import Foundation
import LogExchange
import TestSupport
import Testing

@Suite("Frontiers")
struct FrontierTests {
    @Test("Order and repetition make no difference")
    func isASet() {
        let heads = ["a:123", "a:1xy", "b:1"].map { Lines.head(of: $0) }
        let one = Frontier(journal: Lines.journal, heads: heads)
        let two = Frontier(journal: Lines.journal, heads: heads.reversed() + heads)
        #expect(one == two && one.digest == two.digest)
        #expect(one.heads == one.heads.sorted() && one.heads.count == 3)
    }

    @Test("The digest is SHA-256 over the journal and the heads, as the format says")
    func digest() {
        var expected = DigestBuilder()
        expected.add([UInt8](1...16))
        for head in Lines("a:123 b:1").frontier.heads {
            expected.add(head.replica.bytes + head.sequence.rawValue.bigEndianBytes + head.hash.bytes)
        }
        #expect(Lines("b:1 a:123").frontier.digest == expected.finish())
    }

    @Test("The digest of nothing is that of 16 zero bytes, whatever the journal")
    func digestOfNothing() {
        #expect(Frontier.empty == Frontier(journal: Lines.journal, heads: []))
        // echo -n | head -c 16 /dev/zero | sha256sum
        #expect("\(Frontier.empty.digest)" == "374708fff7719dd5979ec875d56cd2286f6d3cf7ec317a3b25632aab28ec37bb")
    }

    @Test("Different frontiers have different digests", arguments: Seeds.some(50))
    func digestsDiffer(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func some() -> Lines {
            Lines(
                (0..<3).map { _ in
                    "\("ab".randomElement(using: &random) ?? "a"):\(Int.random(in: 1...30, using: &random))"
                })
        }
        let (one, two) = (some(), some())
        #expect((one == two) == (one.frontier.digest == two.frontier.digest))
    }

    @Test("As text and back")
    func text() async throws {
        let replica = try TestReplica("one")
        try await replica.write(3)
        let frontier = try await replica.frontier()
        #expect(try replica.log.read { try Frontier(frontier.text, in: $0) } == frontier)
        let short = frontier.heads.map { "\($0.replica):\($0.sequence)" }.joined(separator: ",")
        #expect(try replica.log.read { try Frontier(short, in: $0) } == frontier)
    }

    @Test("A name of nothing is refused, and says how to name something")
    func invalidText() async throws {
        let replica = try TestReplica("one")
        try await replica.write(1)
        let id = replica.id
        let texts = [
            "\(id)", "\(id):", "\(id):x", "\(id):0", "\(id):-1", "x:1", ":", ",", "\(id):1:12", "\(id):1,",
            "\(id):1:\(Digest.zero):1", "\(id):99", "\(id):99999999999999999999", "\(Lines.replica("z")):1",
        ]
        for text in texts {
            let error = await failure { _ = try replica.log.read { try Frontier(text, in: $0) } }
            #expect(code(error) == "invalidFrontier", "\(text)")
        }
    }
}
