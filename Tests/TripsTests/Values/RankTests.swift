import Events
import TestSupport
import Testing

@testable import Trips

@Suite("Ranks")
struct RankTests {
    @Test("Between two ranks there is always another", arguments: Seeds.some(8))
    func between(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var ranks = [Rank.between(nil, nil, using: &generator)]
        for _ in 0..<200 {
            let place = Int.random(in: 0...ranks.count, using: &generator)
            let (lower, upper) = (place > 0 ? ranks[place - 1] : nil, place < ranks.count ? ranks[place] : nil)
            ranks.insert(.between(lower, upper, using: &generator), at: place)
        }
        #expect(zip(ranks, ranks.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("Of things in a wanted order as few as possible get another rank", arguments: Seeds.some(4))
    func ascending(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let ranks = Rank.ascending([nil, nil, nil, nil], using: &generator)
        #expect(ranks == ranks.sorted() && Set(ranks).count == 4)
        // The last moves to the front.
        let moved = Rank.ascending([ranks[3], ranks[0], ranks[1], ranks[2]], using: &generator)
        #expect(moved == moved.sorted() && Set(moved).count == 4)
        #expect(Rank.ascending(ranks, using: &generator) == ranks)
        #expect(zip(moved, [ranks[3], ranks[0], ranks[1], ranks[2]]).count(where: { $0 != $1 }) == 1)
    }

    @Test("A rank comes back from its bytes; one that is too long is refused")
    func bytes() throws {
        let rank = Rank.between(nil, nil)
        #expect(Rank.decoded(try #require(rank.encodedValue)) == rank)
        try rank.checkRules()
        let long = try #require(Rank.decoded([UInt8](repeating: 1, count: 2000)))
        expectRefusal(.tooLong, naming: "2000", advising: "ascending") { try long.checkRules() }
    }
}
