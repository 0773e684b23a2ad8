/// Numbers that are the same for the same seed: SplitMix64, by Steele, Lea and Flood (2014).
public struct SeededNumbers: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number below a bound, which must be positive. Faster than the library's, and as good for this.
    public mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: next() >> 33) % bound }

    /// One of some choices, of which there must be one.
    public mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }
}
