/// The rights of a member. Each role includes those below it.
public enum MemberRole: UInt8, Sendable, Hashable, Comparable, CaseIterable, CustomStringConvertible {
    /// Forwards what it receives, and need not understand it.
    case relay = 1
    /// Reads. Until payloads are encrypted this binds only those who carry commits to it.
    case read = 2
    /// Writes: its commits count.
    case write = 3
    /// Grants, revokes and invites.
    case admin = 4

    /// From the word for it; nil for any other.
    public init?(_ word: String) {
        guard let role = Self.allCases.first(where: { $0.description == word }) else { return nil }
        self = role
    }

    /// The word for it: `relay`, `read`, `write` or `admin`.
    public var description: String {
        switch self {
        case .relay: "relay"
        case .read: "read"
        case .write: "write"
        case .admin: "admin"
        }
    }

    public static func < (a: MemberRole, b: MemberRole) -> Bool { a.rawValue < b.rawValue }
}
