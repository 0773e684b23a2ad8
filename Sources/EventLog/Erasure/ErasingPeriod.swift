import Events

/// After how many days the bytes go that an admin erases of what others wrote, by the statements of the admins.
struct ErasingPeriod: Equatable, Sendable {
    /// The days where no statement counts.
    static let standard = 30
    /// The days that an admin may set; the founder may also set fewer.
    static let allowed = 7...365
    static let day: Int64 = 86_400_000

    private struct Setting: Equatable, Sendable {
        let days: Int
        let fact: ErasingFact
        let path: [MembershipFacts.StatementPosition]

        /// The earlier path decides, then the later statement.
        func isDecisive(over other: Setting) -> Bool {
            if path != other.path { return Member.outranks(path, other.path) }
            return fact.isLater(than: other.fact)
        }
    }

    /// The statements that count, in any order.
    private var settings: [Setting] = []

    /// Adds a statement that stands; ignores one of a replica that may not set it.
    mutating func add(_ fact: ErasingFact, _ rights: ErasingRights) {
        guard case .period(let days) = fact.statement, let membership = rights.membership,
            let member = membership.members[fact.author], member.role == .admin,
            Self.mayBeSet(days, by: fact.author, rights)
        else { return }
        settings.append(Setting(days: days, fact: fact, path: member.path))
    }

    /// Whether an admin may set a number of days.
    static func mayBeSet(_ days: Int, by admin: ReplicaID, _ rights: ErasingRights) -> Bool {
        if allowed.contains(days) { return true }
        guard let founder = rights.membership?.founder, days < allowed.lowerBound, days >= 0 else { return false }
        return rights.speaks(admin, for: founder)
    }

    /// The days in force at a time in milliseconds since 1970, on this log. A longer period applies at once, a shorter
    /// one after it was held, as the deciding one, for as long as the longer one lasts.
    func days(at now: Int64) -> ErasingDays {
        var inForce = Self.standard
        var deciding: Setting?
        var since: Int64 = 0
        /// Applies the deciding period as of a time.
        func apply(at time: Int64) {
            guard let deciding else { return }
            if deciding.days >= inForce || time >= since.adding(days: inForce) { inForce = deciding.days }
        }
        var last: Int64?
        for setting in settings.sorted(by: { $0.fact.arrival < $1.fact.arrival }) where setting.fact.arrival <= now {
            let arrival = setting.fact.arrival
            // The deciding one alone applies of those that arrived together.
            if arrival != last { apply(at: arrival) }
            last = arrival
            guard deciding.map({ setting.isDecisive(over: $0) }) ?? true else { continue }
            if deciding?.days != setting.days { since = arrival }
            deciding = setting
        }
        apply(at: now)
        let coming = deciding.flatMap { setting in
            setting.days < inForce ? ErasingDays.Coming(days: setting.days, time: since.adding(days: inForce)) : nil
        }
        return ErasingDays(inForce: inForce, coming: coming)
    }
}

/// The days that bytes stay which an admin erases of what others wrote, on one log at one moment.
package struct ErasingDays: Hashable, Sendable {
    /// A shorter period that was set, and applies once it was held for the longer one.
    package struct Coming: Hashable, Sendable {
        package let days: Int
        /// When it applies, in milliseconds since 1970.
        package let time: Int64
    }

    package let inForce: Int
    /// Nil if what was set is in force.
    package let coming: Coming?
}

extension Log {
    /// The journal's period, as of now by this log's clock; nil in a journal without members, where nobody erases what
    /// others wrote.
    package func erasingDays() throws -> ErasingDays? {
        let now = wallClock
        return try read { log in
            guard try log.membership() != nil else { return nil }
            return (try log.erasing()?.period ?? ErasingPeriod()).days(at: now)
        }
    }
}

extension Int64 {
    /// A time in milliseconds, some days later; the last one if there is none.
    func adding(days: Int) -> Int64 {
        let (time, overflow) = addingReportingOverflow(Int64(days) * ErasingPeriod.day)
        return overflow ? .max : time
    }
}
