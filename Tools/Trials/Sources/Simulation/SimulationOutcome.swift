/// The counts of a successful simulation.
public struct SimulationOutcome: Sendable {
    public var replicas = 0
    public var commits = 0
    public var events = 0
    public var exchanges = 0
    /// Exchanges that ended early, as the scenario wanted or because the other had ended.
    public var cutExchanges = 0
    public var forks = 0
    public var identityChanges = 0
    public var joined = 0
    public var loads = 0
    /// Undos and redos that wrote something.
    public var undos = 0
    /// Conflicts that were resolved.
    public var resolutions = 0
    /// Commits of which something was erased.
    public var erasures = 0
    /// Processes that ended, by a crash, a closing or a restoration, and began again when they were next needed.
    public var restarts = 0
    /// Exchanges and bundles in which a hostile carrier changed something.
    public var tampered = 0
    /// Acts of hostile writers that reached a replica.
    public var attacks = 0
    /// Exchanges in which a carrier withheld payloads.
    public var withheld = 0
    /// Commits of which bytes were missing after these.
    public var holes = 0
    /// Commits whose bytes came back, in exchanges without faults.
    public var healed = 0
    /// Lies of hubs that a replica met.
    public var hubLies = 0
    /// Commits that were sent to hubs that claimed holes.
    public var refilled = 0
    /// Hubs that lied, and exchanges with carriers that withheld payloads, that were named to people.
    public var named = 0
    /// Refusals of all of these.
    public var refusals = 0
    /// Commits of hostile writers that count, because they are signed correctly.
    public var hostileCommits = 0

    public init() {}

    public static func += (sum: inout SimulationOutcome, one: SimulationOutcome) {
        sum.replicas += one.replicas
        sum.commits += one.commits
        sum.events += one.events
        sum.exchanges += one.exchanges
        sum.cutExchanges += one.cutExchanges
        sum.forks += one.forks
        sum.identityChanges += one.identityChanges
        sum.joined += one.joined
        sum.loads += one.loads
        sum.undos += one.undos
        sum.resolutions += one.resolutions
        sum.erasures += one.erasures
        sum.restarts += one.restarts
        sum.tampered += one.tampered
        sum.attacks += one.attacks
        sum.withheld += one.withheld
        sum.holes += one.holes
        sum.healed += one.healed
        sum.hubLies += one.hubLies
        sum.refilled += one.refilled
        sum.named += one.named
        sum.refusals += one.refusals
        sum.hostileCommits += one.hostileCommits
    }
}
