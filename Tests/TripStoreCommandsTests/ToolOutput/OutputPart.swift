import Testing

/// Stores on which the commands are run.
enum OutputPart: CaseIterable {
    case trips, planning, writing, log, replicas, copies, members, damage

    func lines() async throws -> [PrintedLine] {
        var session = OutputSession(tool: Tool())
        try await session.run("new store", "init", "--name", "ana's phone")
        switch self {
        case .trips: try await Self.trips(&session)
        case .planning: try await Self.planning(&session)
        case .writing: try await Self.writing(&session)
        case .log: try await Self.log(&session)
        case .replicas: try await Self.replicas(&session)
        case .copies: try await Self.copies(&session)
        case .members: try await Self.members(&session)
        case .damage: try await Self.damage(&session)
        }
        await session.tool.expectInvariants()
        return session.lines
    }
}
