import Events
import Foundation
import StoreSupport
import Testing
import TripStore

extension OutputPart {
    /// An import, a conflict, events of a newer version, a clock that was set back, and a subscription.
    static func log(_ session: inout OutputSession) async throws {
        let path = session.tool.path
        try await ExportFixture(trips: [ExportFixture.trip(1, flights: [ExportFixture.flight(2)])]).withFile {
            try await session.run("import", "import", $0, "--author", "ana")
            try await session.run("import", "import", $0)
        }
        let trip = try await session.add("trip", "--name", "Lisbon")
        let id = Trip.ID(try #require(UUID(uuidString: trip)))
        var options = TripStore.Options()
        let now = options.dependencies.now
        options.dependencies.now = { now() - 3_600_000 }
        let store = try await TripStore.open(at: URL(fileURLWithPath: path), options: options)
        let original = try #require(try store.trip(id))
        try await store.edit(id) { $0.name = "Faro" }
        var draft = original
        draft.name = "Porto"
        try await store.save(draft, from: original)
        let stranger = EntityReference(kind: EntityKind(rawValue: 42), id: ExportFixture.id(3))
        try await store.appendUnchecked([
            Event(
                verb: Verb(rawValue: 77), entity: stranger,
                changes: [Change(path: FieldPath(field: 4000, key: [10]), value: [1, 2, 3])]),
            // No valid day has these bytes.
            Event(
                verb: .edited, entity: id.reference,
                changes: [Change(path: FieldPath(field: 4), value: [0xFF])]),
        ])
        await store.close()

        try await session.run("commit row", "audit", "log")
        try await session.run("commit", "audit", "show", "1")
        try await session.run("commit", "tail", "--no-follow")
        try await session.run("commit", "tail", "--no-follow", "--subscription", "mirror", "--from", "start")
        try await session.run("status", "status")
        let alike = (0..<102).map { _ in
            TripEvent.created(Trip(name: "Twin", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        }
        let twins = try await TripStore.open(at: URL(fileURLWithPath: session.tool.path))
        try await twins.append(alike)
        await twins.close()
        try await session.run("diagnosis", "doctor", code: 1)
        try await session.run("diagnosis", "doctor", "--fix", code: 1)
        try await session.run("subscription", "subscriptions")
        try await session.run("removed subscription", "subscriptions", "--remove", "mirror")
        try await session.run("configuration", "config")
        try await session.run("blame", "audit", "blame", trip)
        try await session.run("blame", "audit", "blame", stranger.id.uuidString)
        try await session.run("difference", "audit", "diff", "3", "6", code: 1)
        let conflict = try await session.run("conflict", "audit", "conflicts", code: 1)
        let name = try #require(conflict["id"] as? String)
        try await session.run("numbered conflict", "conflicts", code: 1)
        try await session.run("conflict", "resolve", "1")
        try await session.run("shown trip", "show", trip)
        try await session.run("receipt", "resolve", name, "--take", "superseded")
        try await session.run("conflict", "audit", "conflicts", "--all", code: 1)
        try await session.run("receipt", "delete", trip, "--yes")
        try await session.run("deleted row", "list", "--deleted")
    }
}
