import EventLog
import Events
import TestSupport
import Testing

@testable import ProjectionEngine

@Suite("What queries read, and what changes it")
struct ReadSetTests {
    private static func key(_ generator: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 1...3, using: &generator)).map { _ in UInt8.random(in: 0...3, using: &generator) }
    }

    private static func part(_ generator: inout SeededGenerator) -> ReadSet.Part {
        let (a, b) = (key(&generator), key(&generator))
        return switch Int.random(in: 0...3, using: &generator) {
        case 0: .key(a)
        case 1: .prefix(a)
        case 2: .range(a, end: b)
        default: .range(a, end: nil)
        }
    }

    /// The meaning of a part, computed plainly.
    private static func contains(_ part: ReadSet.Part, _ key: [UInt8]) -> Bool {
        switch part {
        case .key(let own): key == own
        case .prefix(let prefix): key.starts(with: prefix)
        case .range(let first, let end):
            !key.lexicographicallyPrecedes(first) && end.map { key.lexicographicallyPrecedes($0) } ?? true
        }
    }

    @Test("A set contains what was put into it")
    func parts() {
        var generator = SeededGenerator(seed: 1)
        var set = ReadSet()
        var expected: [String: [ReadSet.Part]] = [:]
        for number in 0..<200 {
            let (part, view) = (Self.part(&generator), "view \(number % 3)")
            set.add(part, of: view)
            expected[view, default: []].append(part)
        }
        #expect(set.parts == expected)
    }

    @Test("A batch hits a set exactly if one of its keys lies in one of the parts", arguments: Seeds.some(20))
    func exactness(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            var set = ReadSet()
            let views = ["a", "b"]
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                set.add(Self.part(&generator), of: views[Int.random(in: 0...1, using: &generator)])
            }
            var keys: [String: [[UInt8]]] = [:]
            for view in views {
                let found = Set((0..<Int.random(in: 0...4, using: &generator)).map { _ in Self.key(&generator) })
                keys[view] = found.sorted { $0.lexicographicallyPrecedes($1) }
            }
            let expected = keys.contains { view, keys in
                keys.contains { key in set.parts[view]?.contains { Self.contains($0, key) } ?? false }
            }
            #expect(set.isHit(by: Invalidation(position: Position(1), keys: keys)) == expected)
        }
        #expect(ReadSet().isHit(by: Invalidation(position: Position(1), keys: nil)))
    }

    @Test("The cache drops exactly the results that a batch hits, and stays under its bound", arguments: Seeds.some(20))
    func cache(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var cache = QueryCache(limit: 10_000)
        var sets: [Int: ReadSet] = [:]
        for step in 0..<400 {
            if Int.random(in: 0...2, using: &generator) > 0 {
                var set = ReadSet()
                for _ in 0..<Int.random(in: 1...3, using: &generator) { set.add(Self.part(&generator), of: "a") }
                cache.insert(
                    TypedResult(step), for: CacheKey(step), set, cost: Int.random(in: 50...900, using: &generator))
                sets[step] = set
                #expect(cache.byteCount <= 10_000)
                // The cache itself shows what was evicted: the oldest.
                sets = sets.filter { cache.value(for: CacheKey($0.key)) != nil }
            } else {
                let count = [1, 3, 200][Int.random(in: 0...2, using: &generator)]
                let keys = Set((0..<count).map { _ in Self.key(&generator) })
                    .sorted { $0.lexicographicallyPrecedes($1) }
                let batch = Invalidation(position: Position(UInt64(step)), keys: ["a": keys, "b": keys])
                let hit = sets.filter { $0.value.isHit(by: batch) }
                #expect(cache.apply(batch) == hit.count)
                for (key, _) in hit { sets[key] = nil }
            }
            #expect(cache.count == sets.count)
        }
        for (key, _) in sets { #expect((cache.value(for: CacheKey(key)) as? TypedResult<Int>)?.value == key) }
        #expect(cache.removeAll() == sets.count)
        #expect(cache.count == 0 && cache.byteCount == 0)
    }

    @Test("With very many parts the views read so far count as read whole, and take little memory")
    func whole() {
        var set = ReadSet()
        set.add(.key([7]), of: "few")
        for number in 1..<ReadSet.mostParts { set.add(.key(UInt32(number).bigEndianBytes), of: "many") }
        #expect(set.byteCount < 1_000)
        set.add(.key([7]), of: "many")
        set.add(.key([9]), of: "later")
        let all = [ReadSet.Part.range([], end: nil)]
        #expect(set.parts == ["few": all, "many": all, "later": [.key([9])]])
        #expect(set.isHit(by: Invalidation(position: Position(1), keys: ["many": [[255, 255]]])))
        #expect(set.isHit(by: Invalidation(position: Position(1), keys: ["few": [[]]])))
        #expect(!set.isHit(by: Invalidation(position: Position(1), keys: ["later": [[8]], "none": [[9]]])))
    }

    @Test("What was used longest ago makes room first, and what is too large is not kept")
    func order() {
        var cache = QueryCache(limit: 400)
        for number in 0..<4 { cache.insert(TypedResult(number), for: CacheKey(number), ReadSet(), cost: 100) }
        #expect(cache.value(for: CacheKey(0)) != nil)
        cache.insert(TypedResult(4), for: CacheKey(4), ReadSet(), cost: 100)
        #expect(cache.value(for: CacheKey(1)) == nil)
        #expect([0, 2, 3, 4].allSatisfy { cache.value(for: CacheKey($0)) != nil })
        cache.insert(TypedResult(5), for: CacheKey(5), ReadSet(), cost: 101)
        #expect(cache.value(for: CacheKey(5)) == nil)
        #expect(cache.count == 4)
        // The same key again replaces the earlier entry.
        cache.insert(TypedResult(6), for: CacheKey(4), ReadSet(), cost: 50)
        #expect((cache.value(for: CacheKey(4)) as? TypedResult<Int>)?.value == 6)
        #expect(cache.byteCount == 350)
    }
}
