import TestSupport
import Testing

@testable import Trips

@Suite("The natural order of names")
struct NaturalOrderTests {
    @Test("Numbers are ordered by their values, and all else by its scalars")
    func order() {
        let names = [
            "", "\u{0}", "\u{1}", " ", "/", "0", "0a", "000b", "1", "1 ", "01a", "2", "9", "00010", "10.2", "10.10",
            "99999999",
            "100000000", "999999999", "1" + String(repeating: "0", count: 299),
            "2" + String(repeating: "0", count: 299),
            String(repeating: "1", count: 301), ":", "day", "day 2", "day 2 b", "day 10", "day ten", "day10", "évora",
            "東京 2", "東京 10", "\u{1F6A1}",
        ]
        for (index, name) in names.enumerated() {
            for (other, second) in names.enumerated() {
                let order = (index - other).signum()
                #expect(TextFolding.compareNaturally(name, second).signum() == order, "\(name), \(second)")
                #expect(Self.compare(TextFolding.naturalKey(name), TextFolding.naturalKey(second)) == order)
            }
        }
        #expect(TextFolding.compareNaturally("a01b002", "a1b2") == 0)
    }

    @Test(
        "The bytes of keys are kept in indexes: they change only with the version",
        arguments: [
            ("", []), ("a7", [0x61, 0x31, 0x37]), ("000", [0x30]), ("\u{0}\u{1}\u{2}", [1, 1, 1, 2, 2]),
            ("é", [0xC3, 0xA9]),
            ("087654321", [0x38] + "87654321".utf8), ("987654321", [0x39, 0x01] + "987654321".utf8),
            (String(repeating: "5", count: 262), [0x39, 0xFE] + repeatElement(0x35, count: 262)),
            (String(repeating: "5", count: 263), [0x39, 0xFF, 0x01] + repeatElement(0x35, count: 263)),
        ] as [(String, [UInt8])])
    func bytes(text: String, key: [UInt8]) {
        #expect(TextFolding.naturalKey(text) == key && TextFolding.version == 1)
    }

    private static func compare(_ a: [UInt8], _ b: [UInt8]) -> Int {
        a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
    }

    /// The order as it is defined: of sequences of numbers and scalars.
    private enum Part: Equatable {
        case number([UInt32])
        case scalar(UInt32)

        static func parts(_ text: String) -> [Part] {
            var parts: [Part] = []
            var digits: [UInt32]?
            for scalar in text.unicodeScalars.map(\.value) + [UInt32.max] {
                if 0x30...0x39 ~= scalar {
                    digits = (digits ?? []) + [scalar]
                    continue
                }
                if let number = digits { parts.append(.number(Array(number.drop { $0 == 0x30 }))) }
                digits = nil
                if scalar != .max { parts.append(.scalar(scalar)) }
            }
            return parts
        }

        func precedes(_ other: Part) -> Bool {
            switch (self, other) {
            case (.number(let a), .number(let b)):
                a.count != b.count ? a.count < b.count : a.lexicographicallyPrecedes(b)
            case (.number, .scalar(let scalar)): scalar > 0x39
            case (.scalar(let scalar), .number): scalar < 0x30
            case (.scalar(let a), .scalar(let b)): a < b
            }
        }

        static func order(_ a: String, _ b: String) -> Int {
            let (left, right) = (parts(a), parts(b))
            return left == right ? 0 : left.lexicographicallyPrecedes(right) { $0.precedes($1) } ? -1 : 1
        }
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        let others = [
            "a", "b", " ", "/", ":", "-", "\u{0}", "\u{1}", "\u{2}", "é", "\u{7F}", "東", "\u{FFFF}", "\u{1F6A1}", "٣",
        ]
        return (0..<Int.random(in: 0...5, using: &random)).map { _ in
            switch Int.random(in: 0..<10, using: &random) {
            case 0: String(repeating: "0", count: Int.random(in: 1...3, using: &random))
            case 1...4: String(Int.random(in: 0...12, using: &random))
            case 5:
                // Around the counts of digits at which the encoding changes.
                String(repeating: "7", count: [8, 9, 262, 263, 516, 517, 700].randomElement(using: &random) ?? 8)
                    + String(Int.random(in: 0...2, using: &random))
            default: others.randomElement(using: &random) ?? ""
            }
        }.joined()
    }

    @Test(
        "Keys are ordered as their texts, also as parts of longer keys; the order is total", arguments: Seeds.some(10))
    func keys(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let texts = (0..<60).map { _ in Self.text(&random) }
        let keys = texts.map(TextFolding.naturalKey)
        #expect(keys.allSatisfy { !$0.contains(0) })
        for (index, text) in texts.enumerated() {
            for (other, second) in texts.enumerated() {
                let order = TextFolding.compareNaturally(text, second).signum()
                #expect(
                    order == Part.order(text, second),
                    "seed \(seed): \(text.debugDescription), \(second.debugDescription)")
                #expect(Self.compare(keys[index], keys[other]) == order, "seed \(seed): \(text), \(second)")
                let (left, right) = (
                    keys[index] + [0] + random.bytes(upTo: 3), keys[other] + [0] + random.bytes(upTo: 3)
                )
                #expect(order == 0 || Self.compare(left, right) == order, "seed \(seed): \(text), \(second)")
            }
        }
        // Sorted by an order that is not transitive, some pair further apart would be out of order.
        let sorted = texts.sorted { TextFolding.compareNaturally($0, $1) < 0 }
        for (index, text) in sorted.enumerated() {
            for second in sorted[index...] {
                #expect(TextFolding.compareNaturally(text, second) <= 0, "seed \(seed): \(text), \(second)")
            }
        }
    }
}
