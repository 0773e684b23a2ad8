extension MembersSimulation {
    /// What happened in some seeds.
    public struct Outcome: Sendable {
        public var commits = 0
        public var members = 0
        public var revoked = 0
        public var waiting = 0
        public var strangers = 0
        public var copies = 0
        public var forks = 0
        public var voids = 0
        public var admissions = 0
        public var exchanges = 0
        /// Exchanges that a server refused to non-members…
        public var refusals = 0
        /// …and those that a bad network cut off.
        public var cuts = 0
        /// Held commits that do not count.
        public var discounted = 0
        public var erasures = 0
        public var takenBack = 0
        /// Erasures of what arrived late…
        public var late = 0
        /// …and those of them that fell with what it was late for.
        public var fallen = 0
        /// Commits that have holes in the end.
        public var holes = 0

        public init() {}

        public static func += (a: inout Outcome, b: Outcome) {
            a.commits += b.commits
            a.members += b.members
            a.revoked += b.revoked
            a.waiting += b.waiting
            a.strangers += b.strangers
            a.copies += b.copies
            a.forks += b.forks
            a.voids += b.voids
            a.admissions += b.admissions
            a.exchanges += b.exchanges
            a.refusals += b.refusals
            a.cuts += b.cuts
            a.discounted += b.discounted
            a.erasures += b.erasures
            a.takenBack += b.takenBack
            a.late += b.late
            a.fallen += b.fallen
            a.holes += b.holes
        }
    }
}
