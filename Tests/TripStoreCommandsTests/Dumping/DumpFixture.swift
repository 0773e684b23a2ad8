import EventLog
import Events
import Foundation
import StoreSupport
import Testing

@testable import TripStore

/// A store whose log has what a log may have: several replicas, members, conflicts, deletions, an app's kind and fields, unknown kinds,
/// an import's times, and erased events.
struct DumpFixture {
    let replicas: Replicas
    var dump: String { replicas.ana.folder.path("log.jsonl") }

    init() async throws {
        replicas = try await Replicas()
        let ana = replicas.ana
        let trip = try await ana.value(
            "add", "trip", "--name", "Lisbon", "--start-date", "2027-05-01", "--end-date", "2027-05-08", "--author",
            "ana")
        _ = try await ana.value(
            "add", "activity", "--name", "Tram \u{1B} é", "--trip", trip, "--cost", "3.10", "--currency", "EUR")
        let secret = try await ana.value("add", "activity", "--name", "Secret", "--trip", trip)
        try await replicas.meet()
        _ = try await replicas.ben.value("edit", trip, "--name", "Porto", "--author", "ben")
        _ = try await ana.value("edit", trip, "--name", "Faro")
        try await replicas.meet()
        _ = try await ana.value("delete", secret)
        try await Self.write(at: ana.path)
    }

    /// Makes the dump, and returns its lines.
    func lines() async throws -> [String] {
        _ = try await replicas.ana.value("dump", dump, "--force")
        return try String(contentsOfFile: dump, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// Writes lines to a file.
    func file(_ lines: [String], _ name: String = "changed.jsonl") throws -> String {
        let path = replicas.ana.folder.path(name)
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// What only a program writes.
    private static func write(at path: String) async throws {
        let store = try await TripStore.open(at: URL(fileURLWithPath: path))
        try await store.describe([DumpedThing.schema])
        var thing = DumpedThing(id: .new())
        thing.what = "bag"
        try await store.append([.created(thing)])
        let unknown = EntityReference(kind: EntityKind(rawValue: 42), id: ExportFixture.id(3))
        try await store.appendUnchecked([
            Event(
                verb: Verb(rawValue: 77), entity: unknown,
                changes: [
                    Change(path: FieldPath(field: 9, key: [1, 2]), value: [0xFF, 0]),
                    Change(path: FieldPath(field: 10), value: nil),
                ])
        ])
        let erased = try await store.create(Trip(name: "Erased"))
        let commit = try #require(try store.history(of: erased).last?.commit.id)
        try await store.log.erase(.some(LeafSet(events: [0])), in: commit)
        // Means nothing outside of commit 1.
        _ = try await store.log.append(
            Payload(introduction: Payload.Introduction(publicKey: [UInt8](repeating: 7, count: 32), name: "nobody's")))
        try await store.expectInvariants()
        await store.close()
    }
}

/// An entity of an app's kind.
private struct DumpedThing: OwnEntity {
    let id: Identifier<DumpedThing>
    var what = ""
    var stored = StoredState()

    init(id: ID) { self.id = id }

    static let schema = Schema<DumpedThing>("org.example.dumps", 1, "thing", [Field(1, "what", \.what)])
}
