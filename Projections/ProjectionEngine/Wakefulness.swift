/// Whether it is worthwhile to stay awake for something that mostly comes soon, instead of being woken for it.
///
/// To be woken takes some tens of microseconds, longer than to commit a few rows. Who stays awake yields the processor again
/// and again, so that whoever else has something to do goes first; where somebody keeps it each time, it is better to sleep.
///
/// All times are in nanoseconds.
struct Wakefulness {
    /// How long to stay awake at most, unless told: longer than most media take to sync.
    static let limit: UInt64 = 1_000_000
    /// Longer than it takes to yield where nobody else is to run.
    private static let longYield: UInt64 = 10_000
    /// How many long yields are no sign yet of somebody who is busy: who is woken often begins on the processor of the one
    /// who woke it, and lets that one finish what it was doing.
    private static let fewLongYields = 2

    /// How long to stay awake at most where the wait before took so long: not at all on a medium that takes long.
    static func limit(afterWaiting last: UInt64) -> UInt64 { last <= limit ? limit : 0 }

    private let end: UInt64
    private var now: UInt64
    private var longYields = 0

    init(from start: UInt64, atMost limit: UInt64) {
        now = start
        let (end, isFar) = start.addingReportingOverflow(limit)
        self.end = isFar ? .max : end
    }

    var isWorthwhile: Bool { now < end && longYields <= Self.fewLongYields }

    /// Notes what time it is after the processor was yielded once more.
    mutating func note(_ time: UInt64) {
        if time &- now > Self.longYield { longYields += 1 }
        now = time
    }
}
