import Foundation

/// What a log takes from the outside world: the time and chance. Tests bring their own.
public struct Surroundings: Sendable {
    /// Milliseconds since 1970, UTC; negative before.
    public var now: @Sendable () -> Int64
    /// That many bytes that nobody can guess.
    public var randomBytes: @Sendable (Int) -> [UInt8]

    public init(now: @escaping @Sendable () -> Int64, randomBytes: @escaping @Sendable (Int) -> [UInt8]) {
        self.now = now
        self.randomBytes = randomBytes
    }

    /// The system's clock and its cryptographic random source.
    public static let system = Surroundings(
        now: { Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)) },
        randomBytes: { count in
            var generator = SystemRandomNumberGenerator()
            var bytes: [UInt8] = []
            bytes.reserveCapacity(count + 7)
            while bytes.count < count {
                withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) }
            }
            return Array(bytes.prefix(count))
        })
}
