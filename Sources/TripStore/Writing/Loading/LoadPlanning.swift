import EventLog
import Events
import ProjectionEngine

/// Plans the commits of a load, concurrently with the caller, which makes the next ones, and with the writer.
actor LoadPlanning {
    private let views: ProjectionGroup
    private var planner: LoadPlanner

    init(_ views: ProjectionGroup, _ planner: consuming LoadPlanner) {
        self.views = views
        self.planner = planner
    }

    /// As the planner, on the current views.
    func plan(_ commit: LoadedCommit) throws -> LoadPlanner.Planned {
        try views.read { try planner.plan(commit, on: $0) }
    }

    /// Takes back a payload that is stored.
    func reuse(_ planned: LoadPlanner.Planned) { planner.reuse(planned) }

    /// Starts over: the views show everything up to a position.
    func reset(_ clock: LineClock, holding held: VersionVector, at position: Position) {
        planner.reset(clock, holding: held, at: position)
    }
}
