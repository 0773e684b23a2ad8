package import LogExchange

/// How a store stays in sync: the defaults suit an app.
public struct SyncOptions: Sendable {
    /// The delays between attempts to connect.
    public var backoff = Backoff()
    /// The bounds of its connection, and how soon a dead one is noticed.
    package var limits = SessionLimits()
    /// How long after the last change the store acknowledges to the server what it holds.
    package var acknowledgesAfter = Duration.seconds(1)
    /// Time and randomness.
    package var dependencies = SessionDependencies.system

    public init() {}

    /// Delays that grow exponentially, shortened at random so that devices that were cut off together come back one by one.
    public struct Backoff: Sendable, Hashable {
        /// The longest first delay.
        public var first: Duration
        /// The longest delay; also after refusals that a wait may end.
        public var longest: Duration
        /// The delay after a refusal that a person must look into.
        package var afterRefusal: Duration

        public init(
            first: Duration = .seconds(1), longest: Duration = .seconds(60), afterRefusal: Duration = .seconds(900)
        ) {
            self.first = first
            self.longest = longest
            self.afterRefusal = afterRefusal
        }

        /// The delay after a number of failures in a row, which is 1 or more: between half of `first` × 2^(n − 1) and all of it, with
        /// `longest` as the bound; `random` is from 0 to 1.
        func delay(after failures: Int, random: Double) -> Duration {
            let doublings = min(max(failures, 1) - 1, 30)
            return min(first * (1 << doublings), longest) * (0.5 + random / 2)
        }
    }
}

extension SessionDependencies {
    /// From 0 to 1.
    var random: Double {
        let bits = randomBytes(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Double(bits) / Double(UInt32.max)
    }
}
