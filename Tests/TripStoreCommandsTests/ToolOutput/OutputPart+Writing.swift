import Testing

extension OutputPart {
    /// Receipts, the outcomes of undo, and feeds.
    static func writing(_ session: inout OutputSession) async throws {
        let trip = try await session.add("trip", "--name", "Lisbon", "--author", "ana")
        let tram = try await session.add("activity", "--name", "Tram", "--trip", trip)
        let other = try await session.add("trip", "--name", "Porto")
        try await session.run("receipt", "edit", trip, "--name", "Lisboa", "--author", "ana")
        try await session.run("receipt", "edit", trip, "--name", "Lisboa")
        try await session.run("receipt", "move", tram, "--to", other)
        try await session.run("receipt", "move", tram, "--to", other)
        try await session.run("preview", "delete", trip, other, "--dry-run")
        try await session.run("preview", "edit", trip, "--name", "Lisboa", "--dry-run")
        try await session.run("preview", "edit", trip, "--name", "Lissabon", "--dry-run")
        try await session.run("preview", "edit", "trips", "--where", "name = 'Porto'", "--notes", "N", "--dry-run")
        try await session.run("receipt", "edit", "trips", "--where", "name = 'Porto'", "--notes", "N")
        try await session.run("receipt", "edit", "trips", "--where", "name = 'Faro'", "--notes", "N")
        try await session.run("preview", "delete", "activities", "--where", "name = 'Tram'", "--dry-run")
        try await session.run("receipt", "delete", "activities", "--where", "name = 'Train'")
        try await session.run("feed", "feed", "add", trip)
        try await session.run("receipt", "delete", trip, other)
        try await session.run("feed", "feed", "list")
        try await session.run("feed revocation", "feed", "revoke", trip)
        try await session.run("preview", "restore", trip, other, "--dry-run")
        try await session.run("blame", "audit", "blame", trip)
        try await session.run("receipt", "restore", trip, other)
        try await session.run("undoing", "undo", "--last", "--author", "ana", "--dry-run")
        try await session.run("undoing", "undo", "--last", "--author", "ana")
        try await session.run("undoing", "redo", "--author", "ana", "--dry-run")
        try await session.run("undoing", "redo", "--author", "ana")
        // Others wrote to the trip since.
        try await session.run("undoing", "undo", "--commit", "2", code: 1)
        try await session.run("erasing", "erase", trip, "--author", "ana", "--dry-run")
        try await session.run("erasing", "erase", other, "--field", "notes", "--yes")
        try await session.run("erasing", "erase", other, "--yes")
        try await session.run("erasure", "erasures")
        try await session.run("verification", "audit", "verify")
    }
}
