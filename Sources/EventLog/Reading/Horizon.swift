public import Events
public import Foundation

/// How much of the log counts: everything up to a commit, or up to an instant.
///
/// A position refers to this log: what had arrived here. An instant refers to the commits' timestamps: what had been
/// written on any replica, as far as it is held now. The two differ where replicas wrote apart.
public enum Horizon: Sendable, Hashable {
    /// The commits up to a position, inclusive; `.start` for none.
    case position(Position)
    /// The commits whose timestamps are not later.
    case instant(Timestamp)

    /// The commits written up to a date, including the whole of its millisecond.
    public static func date(_ date: Date) -> Horizon {
        .instant(Timestamp(milliseconds: Timestamp(date).milliseconds, counter: .max))
    }

    /// Whether a commit counts.
    package func includes(_ position: Position, _ timestamp: Timestamp) -> Bool {
        switch self {
        case .position(let end): position <= end
        case .instant(let end): timestamp <= end
        }
    }
}
