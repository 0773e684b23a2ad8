/// What a simulation came to, when all went well.
public struct SimulationOutcome: Sendable {
    public var replicas = 0
    public var commits = 0
    public var events = 0
    public var exchanges = 0
    /// Exchanges that ended early, as the scenario wanted or because the other had gone.
    public var cutExchanges = 0
    public var forks = 0
    public var identityChanges = 0
    public var joined = 0

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
    }
}
