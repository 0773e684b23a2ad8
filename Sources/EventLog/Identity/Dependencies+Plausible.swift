import Events

extension Dependencies {
    /// When this version was made, milliseconds since 1970: 2026-11-23. A clock before that is wrong.
    static let releaseTime: Int64 = 1_795_392_000_000
    /// How far another clock may be ahead of this one.
    static let toleratedLead: Int64 = 24 * 3_600_000

    /// The latest timestamp that an approximately right clock can have given: a day after now, or after this version
    /// was made, if this clock is before that.
    ///
    /// Held commits do not matter: otherwise timestamps could creep on, a day with each commit.
    func latestPlausible() -> Timestamp {
        let (latest, overflow) = max(now(), Self.releaseTime).addingReportingOverflow(Self.toleratedLead)
        return Timestamp(milliseconds: UInt64(overflow ? Int64(Timestamp.limit) : min(latest, Int64(Timestamp.limit))))
    }

    /// Whether this clock is certainly wrong.
    var isClockBehindRelease: Bool { now() < Self.releaseTime }
}

extension LogSnapshot {
    /// The newest timestamp received from other replicas, up to `latest`: a log may hold what its own replica wrote
    /// while its clock was wrong. O(1), or O(lines × log commits) if it holds such.
    func newestSeen(upTo latest: Timestamp) throws -> Timestamp {
        let newest = try newestSeen()
        if newest <= latest { return newest }
        var found = Timestamp.zero
        for family in try families(whoseLinesBeginWith: []) {
            for member in family.members where member.head.timestamp > found {
                if member.head.timestamp <= latest {
                    found = member.head.timestamp
                } else if case let last = try family.last(
                    notAfter: latest, upTo: member.head.sequence, on: member, self), last >= member.head.first
                {
                    found = max(found, try family.timestamp(of: last, on: member, self))
                }
            }
        }
        return found
    }
}
