import EventLog
import Events
import Foundation
import TestSupport
import Testing

@testable import LogExchange

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

    @Test("Of more heads than there may be those of the most trusted replicas are listed, in the same order by all")
    func cut() {
        let heads = Lines("a:123 b:12 b:1x c:1 d:1234 e:1").frontier.heads
        let ranks: [ReplicaID: Int] = [Lines.replica("d"): 0, Lines.replica("b"): 1]
        let kept = Frontier.cut(heads, to: 4) { ranks[$0] ?? 2 }
        #expect(Frontier.cut(heads.shuffled(), to: 4) { ranks[$0] ?? 2 } == kept)
        let others = heads.filter { ranks[$0.replica] == nil }.sorted()
        #expect(Set(kept) == Set(Lines("d:1234 b:12 b:1x").frontier.heads + others.prefix(1)))
    }

    private static func heads(_ count: Int) -> [CommitID] {
        (1...count).map {
            CommitID(replica: Lines.replica("a:"), sequence: SequenceNumber(UInt64($0)), hash: .zero)
        }
    }

    @Test("What names more commits than a frontier may is refused with a code of its own")
    func tooMany() throws {
        let heads = Self.heads(Frontier.mostHeads + 1)
        let frontier = Frontier(journal: Lines.journal, heads: heads)
        let acknowledgement = Acknowledgement(replica: Lines.replica("a:"), name: "", frontier: frontier)
        for message: ExchangeMessage in [
            .frontier(frontier), .acknowledgement(acknowledgement),
            .segmentRequest(SegmentRequest(journal: Lines.journal, wanted: heads, held: [])),
            .segmentRequest(SegmentRequest(journal: Lines.journal, wanted: [], held: heads)),
        ] {
            let bytes = message.encoded()
            #expect(bytes.count < ExchangeMessage.largest)
            let error = #expect(throws: ExchangeError.self) { try ExchangeMessage(bytes) }
            #expect(error?.code == .tooManyHeads && error?.message.contains("\(heads.count)") == true)
        }
        let most = Array(heads.dropLast())
        let request = SegmentRequest(journal: Lines.journal, wanted: most, held: most)
        guard case .segmentRequest(let read) = try ExchangeMessage(ExchangeMessage.segmentRequest(request).encoded())
        else {
            Issue.record("it is read as something else")
            return
        }
        #expect(read == request)
    }
}
