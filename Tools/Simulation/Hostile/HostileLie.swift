/// What a hostile writer says in an exchange that is not so.
public enum HostileLie: String, Sendable, Hashable, CaseIterable {
    /// It announces the largest number there is, and has no such commit.
    case hugeHead
    /// It sends the same stretches again and again.
    case endless
    /// It announces commits and sends none.
    case withheld
    /// It says in its greeting that it holds what the other holds.
    case sameDigest
    /// It takes everything, keeps nothing, and acknowledges the largest number there is.
    case acknowledgement
}
