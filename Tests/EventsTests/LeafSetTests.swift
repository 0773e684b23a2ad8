import Events
import TestSupport
import Testing

@Suite("Sets of leaves")
struct LeafSetTests {
    @Test("They are what sets are, and come back from their bytes", arguments: Seeds.some(100))
    func sets(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let limit: UInt32 = [8, 300, LeafSet.limit][Int(seed % 3)]
        func drawn() -> Set<UInt32> {
            Set((0..<Int.random(in: 0...40, using: &random)).map { _ in UInt32.random(in: 0..<limit, using: &random) })
        }
        let (one, two) = (drawn(), drawn())
        let (first, second) = (LeafSet(one), LeafSet(two))
        #expect(first.leaves == one.sorted() && first.union(second) == LeafSet(one.union(two)))
        #expect(first.union(second).leaves == one.union(two).sorted())
        #expect(first.isSubset(of: second) == one.isSubset(of: two))
        #expect(first.isSubset(of: first.union(second)) && second.isSubset(of: first.union(second)))
        for leaf in 0..<min(limit, 300) { #expect(first.contains(leaf) == one.contains(leaf)) }
        #expect(first.events == one.filter { $0 > 0 }.map { Int($0) - 1 }.sorted())
        let bytes = first.encoded()
        #expect(try bytes.withUnsafeBytes { try LeafSet($0) } == first)
    }

    @Test(
        "Numbers that no leaf has, or not in their shortest form, are refused",
        arguments: [
            [0x80, 0x80, 0x04] as [UInt8], [0x81, 0x80, 0x04], [0xFF, 0xFF, 0x03, 0x01], [0x80], [0x81, 0x00],
        ])
    func malformed(bytes: [UInt8]) {
        let isAllowed = bytes == [0x80, 0x80, 0x04]
        #expect((bytes.withUnsafeBytes { try? LeafSet($0) } != nil) == isAllowed)
    }
}
