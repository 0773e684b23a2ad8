public import EventLog
import Synchronization

/// A clock that stands still until it is moved, and randomness that is the same for the same seed.
public final class ManualClock: Sendable {
    private let milliseconds: Mutex<Int64>
    private let generator: Mutex<SeededRandom>
    private let waiting = Mutex<[@Sendable () -> Void]>([])

    /// The first of January 2027 by default.
    public init(milliseconds: Int64 = 1_798_761_600_000, seed: UInt64 = 1) {
        self.milliseconds = Mutex(milliseconds)
        generator = Mutex(SeededRandom(seed: seed))
    }

    /// Milliseconds since 1970, UTC.
    public var now: Int64 {
        get { milliseconds.withLock { $0 } }
        set { milliseconds.withLock { $0 = newValue } }
    }

    /// Advances the clock, or sets it back, by that many milliseconds.
    public func advance(by milliseconds: Int64) { self.milliseconds.withLock { $0 += milliseconds } }

    /// Lets the idle time of the store pass, so that work that waits for it runs.
    public func rest() {
        let due = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for body in due { body() }
    }

    /// For `TripStore.Options`.
    public var dependencies: Dependencies {
        Dependencies(
            now: { self.now },
            randomBytes: { count in
                self.generator.withLock { generator in
                    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
                }
            }, whenIdle: { body in self.waiting.withLock { $0.append(body) } })
    }
}
