import Events

/// When a log removes the bytes that are hidden: a decision of its own, by its clock and by how long it has held the
/// statements.
struct ErasureDue {
    /// The days that a replica other than the author's keeps what the author erased.
    static let authorsDays = 7

    /// Milliseconds since 1970.
    let now: Int64
    /// The days after which the bytes go that an admin erases of what others wrote.
    let days: Int
    private let rights: ErasingRights

    init(at now: Int64, _ erasing: ResolvedErasing) {
        self.now = now
        days = erasing.period.days(at: now).inForce
        rights = erasing.rights
    }

    /// When the bytes go because of an erasure alone, in milliseconds since 1970. Neither a backdated statement nor a
    /// wrong clock here removes anything early: it, and one of its causes, must have been held for the time as well.
    func time(of erasure: CountingErasure) -> Int64 {
        switch erasure.part {
        case .author where erasure.fact.isWrittenHere: erasure.fact.arrival
        case .author: erasure.start.adding(days: Self.authorsDays)
        case .admin: erasure.start.adding(days: days)
        }
    }

    /// The leaves of a commit with that many that go now: where an erasure's time has come; and what its author erases
    /// and an admin confirms by erasing it, too.
    func removable(_ fate: CommitFate, _ leafCount: Int?) -> LeafSelection {
        let erasures = fate.fitting(leafCount)
        var found = LeafSelection.none
        for erasure in erasures where !erasure.standing.isEmpty {
            if time(of: erasure) <= now {
                found = found.union(erasure.standing)
            } else if erasure.part == .author {
                for other in erasures where other.part == .admin && rights.confirms(other.eraser, erasure) {
                    found = found.union(erasure.standing.intersection(other.standing))
                }
            }
        }
        return found
    }
}
