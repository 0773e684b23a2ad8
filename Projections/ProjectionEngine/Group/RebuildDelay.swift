import Platform

/// When a failed rebuild is retried: after a second, and after twice as long with each further failure, up to five
/// minutes. On a full disk each attempt writes much, and fails; once there is more room than then, it is retried at once.
struct RebuildDelay {
    private struct Failure {
        let error: any Error
        let at: Int64
        let delay: Int64
        /// Bytes that the medium had left, if there was no room.
        let room: UInt64?
    }

    private static let least: Int64 = 1_000
    private static let most: Int64 = 300_000

    private var last: Failure?

    init() {}

    /// Continues the delay that another process has recorded, if any.
    ///
    /// After a single failure it does not wait: a medium that failed once may well succeed the next time.
    init(resuming fault: GroupFault) {
        guard let next = fault.nextAttemptMilliseconds, let delay = fault.delay,
            (Self.least...Self.most).contains(delay)
        else { return }
        let (start, overflow) = next.subtractingReportingOverflow(delay == Self.least ? 2 * delay : delay)
        if !overflow { last = Failure(error: fault, at: start, delay: delay, room: fault.room) }
    }

    /// The delay after the last failure, in milliseconds; nil if there was none.
    var length: Int64? { last?.delay }

    /// The room after the last failure, if that was for lack of it.
    var room: UInt64? { last?.room }

    /// Records a failure at a time in milliseconds, with the bytes that the medium has left.
    mutating func note(_ error: any Error, at now: Int64, room: UInt64) {
        let isFull = (error as? StorageError)?.code == .diskFull
        let delay = min(last.map { $0.delay * 2 } ?? Self.least, Self.most)
        last = Failure(error: error, at: now, delay: delay, room: isFull ? room : nil)
    }

    /// Ends the wait after a failure for lack of room, if there is clearly more of it now.
    mutating func note(room: @autoclosure () -> UInt64) {
        guard let last, let then = last.room else { return }
        let (enough, overflow) = then.addingReportingOverflow(max(1 << 20, then / 8))
        guard !overflow, room() >= enough else { return }
        self.last = Failure(error: last.error, at: last.at - last.delay, delay: last.delay, room: nil)
    }

    mutating func reset() { last = nil }

    /// The last failure, while it is too early to retry.
    func error(at now: Int64) -> (any Error)? { next(at: now) == nil ? nil : last?.error }

    /// The time of the next attempt, if it is in the future.
    func next(at now: Int64) -> Int64? {
        // A clock that was set back must not lengthen the wait.
        guard let last, now >= last.at, now < last.at + last.delay else { return nil }
        return last.at + last.delay
    }
}
