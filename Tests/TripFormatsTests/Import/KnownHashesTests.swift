import Testing

@testable import TripFormats

@Suite("Sets of hashes")
struct KnownHashesTests {
    // Enough that the lists of each part are sorted anew several times; a third of the numbers comes again.
    private static let names = (0..<60_000).map { "name \($0 * 7 % 40_000)" }

    @Test("A value is new once, and known from then on")
    func insertion() {
        var (hashes, set) = (KnownHashes(), Set<String>())
        for name in Self.names {
            let isKnown = hashes.contains(name)
            let isNew = hashes.insert(name)
            guard isNew == set.insert(name).inserted, isKnown == !isNew, hashes.contains(name) else {
                Issue.record("\(name)")
                return
            }
        }
        #expect(set.count == 40_000 && !hashes.contains("another"))
    }

    @Test("A list that is sorted has what was appended, and nothing else")
    func sorting() {
        var hashes = SortedHashes()
        #expect(!hashes.contains(hash: 0))
        let numbers: [UInt64] = [.max, 3, 0, 3, 1 << 63, 17]
        for number in numbers { hashes.append(hash: number) }
        hashes.sort()
        for number in numbers { #expect(hashes.contains(hash: number)) }
        for other: UInt64 in [1, 2, 4, 16, 18, .max - 1] { #expect(!hashes.contains(hash: other)) }
    }

    @Test("The second time the names of a file get the answers of the first, as often as it is read")
    func repeating() {
        var names = RepeatedNames()
        let read = Self.names.prefix(1_000) + ["", "", "name 0", "last"]
        let first = read.map { names.insert($0) }
        #expect(first.suffix(4) == [true, false, false, true])
        for _ in 0..<2 {
            names.rewind()
            #expect(read.map { names.insert($0) } == first)
        }
    }
}
