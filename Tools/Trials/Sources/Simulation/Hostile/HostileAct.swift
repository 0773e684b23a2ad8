/// An act of a hostile writer, with keys of its own.
public enum HostileAct: Sendable, Hashable, CustomStringConvertible {
    /// Continues a valid line: edits with malformed values, claims of what was seen, times of its choice.
    case write(commits: Int)
    /// Forks a valid line that many times more; beyond 64 branches they are refused.
    case fork(branches: Int)
    /// Forks a line that many times more, and sends those branches alone. Never drawn: replicas with different ones,
    /// more than 64 together, keep different ones.
    case scatter(branches: Int)
    /// Writes two branches with equal timestamps to the same field, and hashes that begin with the same 16 bits.
    case tie
    /// Signs that many different erasures of one of its commits, some of them of leaves that the commit does not have
    /// or padded, and sends each with the commit, which is whole: none may take anything away.
    case erase(statements: Int)
    /// Begins a line whose last commits are that many hours ahead, and are refused.
    case ahead(hours: Int)
    /// Writes 23 hours ahead: the victim stores that, its own clock is pulled along, and replicas whose clocks are
    /// behind refuse both until time has passed.
    case drag
    /// Sends segments with a fault.
    case forge(Forgery)
    /// Lies during an exchange.
    case lie(HostileLie)

    public var description: String {
        switch self {
        case .write(let commits): "writes \(commits) commits"
        case .fork(let branches): "forks its line \(branches) times more"
        case .scatter(let branches): "forks a line into \(branches) branches of its own"
        case .tie: "writes two branches of one time"
        case .erase(let statements): "erases \(statements) times"
        case .ahead(let hours): "writes \(hours) hours ahead"
        case .drag: "writes 23 hours ahead"
        case .forge(let forgery): "forges (\(forgery.rawValue))"
        case .lie(let lie): "lies (\(lie.rawValue))"
        }
    }
}

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

/// Names a line of a hostile writer: one for each purpose, so that acts do not affect each other's lines.
struct HostileLineName: Hashable {
    enum Purpose { case writing, forking, tying, scattering, erasing }

    let writer: Int
    let purpose: Purpose
}

/// A lie of a hub about what it holds.
public enum HubLie: String, Sendable, Hashable, CaseIterable {
    /// Acknowledges what it is sent, stores nothing of it, and shows nothing of it the next time.
    case forgetting
    /// Neither acknowledges nor shows what it is sent.
    case silent
    /// Announces a commit that no replica wrote, and never sends it.
    case unsent
    /// Claims holes that stay, however often they are filled.
    case holes
    /// Claims holes that are filled by what it is sent, and claims them again the next time.
    case newHoles
    /// Says that it has revoked the replica.
    case revoked
}
