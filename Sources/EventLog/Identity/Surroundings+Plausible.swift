import Events

extension Surroundings {
    /// When this version was made, milliseconds since 1970: 2026-11-23. No clock stands before it that is right.
    static let releaseTime: Int64 = 1_795_392_000_000
    /// How far ahead of the own clock another's may be.
    static let toleratedLead: Int64 = 24 * 3_600_000

    /// The latest timestamp that a clock which is about right can have given: a day after now, or after this version was made,
    /// where the own clock stands before that.
    ///
    /// What is held has no part in it: else timestamps could creep on, a day with each commit.
    func latestPlausible() -> Timestamp {
        let (latest, overflow) = max(now(), Self.releaseTime).addingReportingOverflow(Self.toleratedLead)
        return Timestamp(milliseconds: UInt64(overflow ? Int64(Timestamp.limit) : min(latest, Int64(Timestamp.limit))))
    }

    /// Whether the own clock is certainly wrong.
    var isClockBehindRelease: Bool { now() < Self.releaseTime }
}

extension LogSnapshot {
    /// The newest timestamp that was taken in from others, of those up to another: a log may hold what its own replica wrote
    /// while its clock was wrong. O(1), or O(lines) if it holds such.
    func newestSeen(upTo latest: Timestamp) throws -> Timestamp {
        let newest = try newestSeen()
        if newest <= latest { return newest }
        return try heads().values.map(\.timestamp).filter { $0 <= latest }.max() ?? .zero
    }
}
