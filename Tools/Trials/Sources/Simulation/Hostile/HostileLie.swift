/// A lie of a hostile writer in an exchange.
public enum HostileLie: String, Sendable, Hashable, CaseIterable {
    /// It announces the largest number there is, and has no such commit.
    case hugeHead
    /// It sends the same segments again and again.
    case endless
    /// It announces commits and sends none.
    case withheld
    /// Its greeting claims to hold what the other holds.
    case sameDigest
    /// It receives everything, keeps nothing, and acknowledges the largest number there is.
    case acknowledgement
}
