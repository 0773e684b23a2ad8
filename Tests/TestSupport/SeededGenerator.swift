import Foundation
public import Testing

/// Random numbers that are the same for the same seed: SplitMix64, after Steele, Lea and Flood, "Fast Splittable
/// Pseudorandom Number Generators" (2014).
///
/// A test takes its seed as its argument, so that a failure names it:
///
/// ```swift
/// @Test(arguments: Seeds.some(20)) func holdsForRandomInput(seed: UInt64) { … }
/// ```
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// Up to `limit` bytes of any value.
    public mutating func bytes(upTo limit: Int) -> [UInt8] {
        (0..<Int.random(in: 0...limit, using: &self)).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }

    /// Exactly `count` bytes of any value, made eight at a time: tests of large contents are not optimised.
    public mutating func bytes(count: Int) -> [UInt8] {
        let words = (0..<(count + 7) / 8).map { _ in next() }
        return words.withUnsafeBytes { Array($0.prefix(count)) }
    }

    /// The bytes with a few of them changed, removed or inserted: nearly valid input gets further than noise.
    public mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &self) {
            let index = Int.random(in: 0...bytes.count, using: &self)
            let byte = UInt8.random(in: .min ... .max, using: &self)
            switch Int.random(in: 0..<3, using: &self) {
            case 0: bytes.insert(byte, at: index)
            case 1 where index < bytes.count: bytes.remove(at: index)
            case 2 where index < bytes.count: bytes[index] = byte
            default: bytes.append(byte)
            }
        }
        return bytes
    }
}

/// The source of the tests' seeds.
public enum Seeds {
    /// The first quarter of 1 to `count`, rounded up; with `Tools/test --long` all of them. Or only the one in the environment variable
    /// TEST_SEED, to repeat a failure or to explore.
    public static func some(_ count: UInt64) -> [UInt64] {
        if let text = ProcessInfo.processInfo.environment["TEST_SEED"], let seed = UInt64(text) { return [seed] }
        return Array(1...UInt64(Extent.of(Int(count))))
    }
}

/// How much the tests try that try many things: a short form with every run, and the long one with `Tools/test --long`, which sets
/// TEST_LONG and runs the suites that ask for seeds or for an extent.
public enum Extent {
    public static let isLong = ProcessInfo.processInfo.environment["TEST_LONG"] == "yes"

    /// The number of things to try, of `count` in the long form: a quarter of them, rounded up.
    public static func of(_ count: Int) -> Int { isLong ? count : (count + 3) / 4 }
}

extension Trait where Self == ConditionTrait {
    /// A test that has no short form.
    public static var long: Self { .enabled(if: Extent.isLong, "It takes long: Tools/test --long runs it.") }
}
