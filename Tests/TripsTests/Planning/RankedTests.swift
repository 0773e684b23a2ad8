import Foundation
import TestSupport
import Testing

@testable import Trips

@Suite("An order by hand")
struct RankedTests {
    private static func entries(_ count: Int) -> [ChecklistEntry] {
        let list = Checklist.ID.new()
        return (0..<count).map { index in
            var entry = ChecklistEntry("\(index)", in: list)
            entry.setTimes(created: Date(timeIntervalSince1970: Double(index)), updated: nil)
            return entry
        }
    }

    @Test("Without ranks entries are in the order of their creation; those with ranks come before them")
    func withoutRanks() {
        var entries = Self.entries(4)
        #expect(entries.shuffled().inOrder().map(\.name) == ["0", "1", "2", "3"])
        var generator = SeededGenerator(seed: 1)
        for (id, rank) in entries.ranks(moving: entries[2].id, to: 0, using: &generator) {
            #expect(id == entries[2].id)
            entries[2].rank = rank
        }
        #expect(entries.shuffled().inOrder().map(\.name) == ["2", "0", "1", "3"])
    }

    @Test("Whatever is moved where, the order is that of an array", arguments: Seeds.some(10))
    func moves(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var entries = Self.entries(9)
        var expected = entries.map(\.name)
        for _ in 0..<300 {
            let (from, to) = (
                Int.random(in: 0..<9, using: &generator), Int.random(in: 0..<11, using: &generator)
            )
            let name = expected.remove(at: from)
            expected.insert(name, at: min(to, expected.count))
            for (id, rank) in entries.ranks(moving: entries[from].id, to: to, using: &generator) {
                guard let index = entries.firstIndex(where: { $0.id == id }) else { continue }
                entries[index].rank = rank
            }
            entries = entries.inOrder()
            #expect(entries.map(\.name) == expected)
        }
        // All have ranks now: then one is written.
        #expect(entries.allSatisfy { $0.rank != nil })
        #expect(entries.ranks(moving: entries[0].id, to: 5, using: &generator).map(\.id) == [entries[0].id])
        #expect(entries.ranks(moving: entries[3].id, to: 3, using: &generator).isEmpty)
        #expect(entries.ranks(moving: .new(), to: 3, using: &generator).isEmpty)
    }
}
