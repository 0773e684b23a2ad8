/// What a hostile writer does, with keys of its own.
public enum HostileAct: Sendable, Hashable, CustomStringConvertible {
    /// It goes on with a valid line: edits with values of the wrong form, claims of what was seen, times of its choice.
    case write(commits: Int)
    /// It forks a valid line so many times more; beyond 64 branches they are refused.
    case fork(branches: Int)
    /// It forks a line so many times more, and hands over those branches alone. Never drawn: replicas that were given different ones,
    /// more than 64 together, keep different ones.
    case scatter(branches: Int)
    /// It writes two branches with equal timestamps to the same field, and hashes that begin with the same 16 bits.
    case tie
    /// It signs so many erasures of one of its commits, that say different things, some of them of leaves that the commit does not have
    /// or padded, and hands them over one by one.
    case erase(statements: Int)
    /// It begins a line whose last commits were written so many hours ahead, and are refused.
    case ahead(hours: Int)
    /// It writes 23 hours ahead: the victim takes that in, its own clock is drawn along, and replicas whose clocks are behind refuse
    /// both until time has passed.
    case drag
    /// It sends what is wrong in some way.
    case forge(Forgery)
    /// It lies in the course of an exchange.
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
