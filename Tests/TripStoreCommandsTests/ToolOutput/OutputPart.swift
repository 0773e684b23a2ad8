import Events
import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore

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

    /// Items with every field and with none, listed, shown, compared, rebuilt and backed up.
    private static func trips(_ session: inout OutputSession) async throws {
        let airline = try await session.add(
            "organization", "--name", "TAP", "--phone", "1", "--email", "a@b.c", "--website", "w", "--logo-url", "l",
            "--city", "Lisboa", "--latitude", "38.7", "--longitude", "-9.1")
        let trip = try await session.add(
            "trip", "--name", "\"Lisbon\"\t\u{1B}\u{7F}\n\\é", "--destination", "L", "--notes", "N", "--protected",
            "--start-date", "2027-05-01", "--end-date", "2027-05-08", "--stage", "booked", "--color", "#2A6F97",
            "--cover",
            "01A1FC91-080E-795C-9F28-740DC9B33B0D", "--insert", "links=https://example.org")
        let open = try await session.add("trip", "--name", "Open")
        _ = try await session.add("trip", "--name", "Begun", "--start-date", "2027-05-02")
        _ = try await session.add("activity", "--name", "Tram", "--trip", trip)
        _ = try await session.add(
            "lodging", "--name", "Inn", "--trip", trip, "--reservation", "R", "--start", "2027-01-02T10:00:00.250",
            "--start-time-zone", "Europe/Lisbon", "--cost", "1000", "--currency", "jpy", "--start-day", "2027-01-02",
            "--end-day", "2027-01-03", "--check-in", "2027-01-02T15:00", "--check-out", "2027-01-03T11:00",
            "--paid-amount", "100", "--category", "sleep", "--insert", "contacts=Ana")
        _ = try await session.add(
            "transportation", "--name", "TP1", "--trip", trip, "--mode", "plane", "--start", "2027-05-01T10:00",
            "--start-time-zone", "Europe/Lisbon", "--end", "2027-05-01T14:00", "--end-time-zone", "America/New_York",
            "--cost", "-5.10", "--currency", "EUR", "--paid", "in-full", "--confirmation", "X", "--organization",
            airline, "--custom-location-name", "Gate 3", "--hides-location", "--street", "S", "--notes", "n",
            "--carrier", "TAP",
            "--number", "TP 1", "--seat", "1A", "--travel-class", "economy", "--departure-name", "Lisbon",
            "--departure-code", "LIS", "--departure-terminal", "1", "--departure-gate", "12", "--departure-city",
            "Lisboa", "--arrival-name", "New York", "--arrival-code", "JFK", "--arrival-terminal", "4",
            "--arrival-gate", "B1", "--arrival-city", "New York", "--insert", "links=https://example.org")
        try await describeThings(session.tool.path)
        let bag = try await session.add("own", "thing", "--set", "what=bag", "--set", "trip=\(trip)")
        _ = try await session.add("own", "part", "--set", "what=socks", "--set", "thing=\(bag)")
        _ = try await session.add("own", "thing")
        let pass = session.tool.folder.path("pass.txt")
        try "seat 4A".write(toFile: pass, atomically: true, encoding: .utf8)
        try await session.run("attachment", "attach", trip, pass, "--caption", "c")
        try await session.run("attachment", "attachments")
        try await session.run("saved attachment", "save", "pass.txt", session.tool.folder.path("saved.txt"))
        try await session.run("receipt", "discard", "pass.txt", "--yes")
        try await session.run("attachment", "attachments", trip)
        try await session.run("hit", "find", "lis")
        try await session.run("hit", "find", "tap", "--limit", "1")
        try await session.run("own row", "list", "own", "thing")
        try await session.run("own row", "list", "own", "--limit", "1")
        try await session.run("own row", "list", "own", "thing", "--where", "what = 'bag'")
        try await session.run("column row", "list", "own", "thing", "--columns", "what,id,created", "--limit", "1")
        try await session.run("count", "list", "own", "part", "--count")
        try await session.run("explanation", "list", "own", "part", "--explain")
        try await session.run("group", "list", "own", "thing", "--group", "what,trip", "--max", "what")
        try await session.run("shown own", "show", bag)
        try await session.run("shown own", "show", "socks")
        try await session.run("trip row", "trips")
        try await session.run("trip row", "trips", "--as-of", "3")
        try await session.run("trip row", "trips", "--undated")
        try await session.run("shown trip", "show", trip)
        try await session.run("shown trip", "show", open)
        try await session.run("shown item", "show", "Tram")
        try await session.run("shown item", "show", "TP1", "--as-of", "8")
        try await session.run("shown organization", "show", airline)
        try await session.run("item row", "list", "items")
        try await session.run("organization row", "list", "organizations")
        try await session.run("item row", "list", "items", "--limit", "1")
        try await session.run("trip row", "trips", "--limit", "1")
        try await session.run("trip row", "list", "trips", "--where", "days overlaps 2027-05-01", "--limit", "1")
        try await session.run("item row", "list", "lodgings", "--sort", "-~name", "--as-of", "8")
        try await session.run("organization row", "list", "organizations", "--where", "name is like 'tap'")
        let all = "id,name,start,end,cost,paid,mode,trip,organization,hidesLocation,address,created,updatedAt,notes"
        try await session.run("column row", "list", "transportations", "--columns", all)
        try await session.run("column row", "list", "trips", "--columns", "endDate,archivedAt", "--limit", "1")
        try await session.run("count", "list", "trips", "--count")
        try await session.run("explanation", "list", "trips", "--where", "startDate >= 2027-05-01", "--explain")
        try await session.run("explanation", "list", "lodgings", "--where", "paid = deposit", "--explain")
        try await session.run(
            "group", "list", "transportations", "--group", "month of start,organization,mode,hidesLocation", "--sum",
            "cost",
            "--min", "start,address", "--max", "created,paid")
        try await session.run("group", "list", "lodgings", "--sum", "cost")
        try await session.run("shown trip", "show", trip, "--as-of", "6")
        try await session.run("commit row", "audit", "log")
        try await session.run("blame", "audit", "blame", airline)
        try await session.run("difference", "audit", "diff", "0", "8", code: 1)
        try await session.run("report", "audit", "report", session.tool.folder.path("report.html"))
        try await session.run("verification", "audit", "verify")
        try await session.run("replay", "replay")
        try await session.run("replay", "replay", "--verify")
        try await session.run("past replay", "replay", "--as-of", "4")
        try await session.run("status", "status", "--digests")
        try await session.run("heads", "status", "--frontier")
        try await session.run("backup", "backup", session.tool.folder.path("backup"))
        try await session.run("exported", "export", session.tool.folder.path("trips.json"))
    }

    /// Travellers, budgets, checklists, copies and templates.
    private static func planning(_ session: inout OutputSession) async throws {
        let trip = try await session.add("trip", "--name", "Lisbon", "--start-date", "2027-05-01")
        let ana = try await session.add("traveller", "--name", "Ana", "--email", "a@b.c", "--color", "#2F6FDE")
        _ = try await session.add(
            "lodging", "--name", "Inn", "--trip", trip, "--cost", "90", "--currency", "EUR", "--paid", "in-full",
            "--insert",
            "participants=Ana", "--set", "payer=Ana", "--set", "split=amounts", "--set", "amounts[Ana]=80 EUR", "--set",
            "parts[Ana]=2")
        _ = try await session.add("traveller", "--name", "Ben")
        _ = try await session.add(
            "activity", "--name", "Dinner", "--trip", trip, "--start", "2027-05-01T20:00", "--end", "2027-05-01T22:00",
            "--start-time-zone", "Europe/Lisbon", "--end-time-zone", "Europe/Lisbon", "--cost", "30", "--currency",
            "EUR", "--paid", "in-full",
            "--set", "payer=Ben", "--insert", "participants=Ana")
        _ = try await session.add(
            "activity", "--name", "Fado", "--trip", trip, "--start", "2027-05-01T21:00", "--end", "2027-05-01T23:00",
            "--start-time-zone", "Europe/Lisbon", "--end-time-zone", "Europe/Lisbon", "--cost", "20", "--currency",
            "USD",
            "--set", "payer=Ben")
        _ = try await session.add("budget", "--trip", trip, "--amount", "100", "--currency", "EUR")
        _ = try await session.add("rate", "--trip", trip, "--pair", "USD/EUR", "--rate", "0.9")
        let list = try await session.add("checklist", "--name", "Packing", "--trip", trip, "--purpose", "packing")
        _ = try await session.add(
            "entry", "--name", "socks", "--list", list, "--assignee", ana, "--due-day", "2027-04-30")
        try await session.run("receipt", "edit", trip, "--insert", "travellers=Ana")
        try await session.run("receipt", "edit", "socks", "--done")
        try await session.run("receipt", "move", list, "--at", "1")
        try await session.run("receipt", "move", trip, "--at", "1")
        try await session.run("shown trip", "show", trip)
        try await session.run("shown trip", "show", trip, "--as-of", "9")
        try await session.run("shown item", "show", "Inn")
        try await session.run("shown own", "show", list)
        try await session.run("agenda day", "agenda", "--trip", trip)
        try await session.run("agenda day", "agenda", "2027-05-01..2027-05-02")
        try await session.run("agenda finding", "agenda", "--trip", trip, "--findings")
        try await session.run("totals", "totals", trip)
        try await session.run("totals", "totals")
        try await session.run("totals", "totals", trip, "--in", "EUR")
        try await session.run("cost group", "totals", trip, "--by", "traveller")
        try await session.run("own row", "list", "travellers")
        try await session.run("own row", "list", "entries", "--where", "isDone = yes")
        try await session.run("column row", "list", "budgets", "--columns", "category,amount,trip")
        try await session.run("copied trip", "copy", trip, "--template", "--name", "City break")
        try await session.run("preview", "copy", trip, "--dry-run")
        try await session.run("trip row", "templates")
        try await session.run("receipt", "shift", trip, "--days", "2")
        try await session.run("preview", "shift", trip, "--to", "2027-06-01", "--dry-run")
        try await session.run("blame", "audit", "blame", "Inn")
    }

    /// Writes what an app says of a kind of its own.
    private static func describeThings(_ path: String) async throws {
        let store = try await TripStore.open(at: URL(fileURLWithPath: path))
        try await store.describe([OutputThing.schema, OutputPart.Part.schema])
        await store.close()
    }

    /// An import, a conflict, events of a newer version, a clock that was set back, and a subscription.
    private static func log(_ session: inout OutputSession) async throws {
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

    /// Two replicas that meet, by folder and by bundle, and strangers.
    private static func replicas(_ session: inout OutputSession) async throws {
        let (ana, ben, empty) = (session.tool, Tool(), try await Tool.withStore())
        let trip = try await session.add("trip", "--name", "Lisbon")
        try await session.run("clone", "clone", ana.path, ben.path, "--name", "ben's laptop")
        _ = try await ana.value("edit", trip, "--name", "Porto")
        _ = try await ben.value("edit", trip, "--name", "Faro")
        let (whole, part) = (ana.folder.path("whole"), ana.folder.path("part"))
        #expect(await ben.run("bundle", "write", whole).code == 0)
        try await session.run("peer", "peers")
        try await session.run("written bundle", "bundle", "write", part, "--holds", whole)
        try await session.run("shown bundle", "bundle", "show", part)
        try await session.run("exchange", "bundle", "read", whole)
        let dump = session.tool.folder.path("log.jsonl")
        try await session.run("written dump", "dump", dump)
        try await session.run("load", "load", dump)
        try await session.run("load", "load", dump, "--anew", "--dry-run")
        let ticket = ana.folder.path("ticket.txt")
        try "ticket".write(toFile: ticket, atomically: true, encoding: .utf8)
        #expect(await ana.run("attach", trip, ticket).code == 0)
        try await session.run("exchange", "sync", ben.path)
        try await session.run("conflict", "audit", "conflicts", code: 1)
        // One edits an entity that the other deletes.
        _ = try await ana.value("edit", trip, "--notes", "sunny", "--destination", "L")
        _ = try await ben.value("delete", trip)
        try await session.run("exchange", "sync", ben.path)
        try await session.run("status", "status")
        try await session.run("peer", "peers")
        try await session.run("renamed peer", "peers", "--rename", try await ben.replica(), "--as", "Ben's")
        try await session.run("forgotten peer", "peers", "--forget", try await ben.replica())

        var joining = OutputSession(tool: empty)
        try await joining.run("exchange", "sync", ana.path)
        let stranger = try await Tool.withStore()
        _ = try await stranger.value("add", "trip", "--name", "Rome")
        try await joining.run("adoption", "sync", stranger.path, "--adopt")
        try await joining.run("adoption", "sync", stranger.path, "--adopt")
        session = OutputSession(tool: ana, lines: session.lines + joining.lines)
        for tool in [ben, empty, stranger] { await tool.expectInvariants() }
    }

    /// Copies that wrote separately as one replica, and a clock that is ahead.
    private static func copies(_ session: inout OutputSession) async throws {
        let (one, two) = (Tool(), Tool())
        for tool in [one, two] {
            try FileManager.default.createDirectory(at: tool.folder.url, withIntermediateDirectories: true)
        }
        try await TripStoreHandle.open(one.path, isBlind: true).add("Lisbon")
        try FileManager.default.copyItem(atPath: one.path, toPath: two.path)
        try await TripStoreHandle.open(one.path, isBlind: true).add("Porto")
        try await TripStoreHandle.open(two.path, isBlind: true).add("Faro")
        var copied = OutputSession(tool: one)
        try await copied.run("exchange", "sync", two.path)
        try await copied.run("status", "status")
        _ = try await copied.add("trip", "--name", "Braga")
        try await copied.run("members", "members")

        let ahead = Tool()
        #expect(await Tool.run(["clone", session.tool.path, ahead.path]).code == 0)
        var options = TripStore.Options()
        let now = options.dependencies.now
        options.dependencies.now = { now() + 3_600_000 }
        let store = try await TripStore.open(at: URL(fileURLWithPath: ahead.path), options: options)
        try await store.create(Trip(name: "Lisbon"))
        await store.close()
        try await session.run("exchange", "sync", ahead.path)
        session = OutputSession(tool: session.tool, lines: session.lines + copied.lines)
        for tool in [one, two, ahead] { await tool.expectInvariants() }
    }

    /// Copies of a store whose files are damaged, each in another way.
    private static func damage(_ session: inout OutputSession) async throws {
        _ = try await session.add("trip", "--name", "Lisbon")
        let original = session.tool
        func copy(_ change: (String) throws -> Void) throws -> OutputSession {
            let tool = Tool()
            try FileManager.default.createDirectory(at: tool.folder.url, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: original.path, toPath: tool.path)
            try change(tool.path)
            return OutputSession(tool: tool)
        }
        var blocked = try copy { path in
            try FileManager.default.removeItem(atPath: path + "/views")
            try Data().write(to: URL(fileURLWithPath: path + "/views"))
        }
        #expect(await blocked.tool.run("add", "trip", "--name", "Porto").code == 2)
        try await blocked.run("status", "status")
        var rebuilt = try copy { path in
            for generation in try FileManager.default.contentsOfDirectory(atPath: path + "/views") {
                let file = "\(path)/views/\(generation)/data.mdb"
                if FileManager.default.fileExists(atPath: file) { try overwrite(file) }
            }
        }
        try await rebuilt.run("status", "status")
        var faulty = try copy { try overwrite($0 + "/log/data.mdb") }
        try await faulty.run("verification", "audit", "verify", code: 1)
        try await faulty.run("diagnosis", "doctor", code: 1)
        var unfinished = try copy {
            try Data("tripstore clone v1\nunknown\n/elsewhere\n".utf8).write(
                to: URL(fileURLWithPath: $0 + "/clone.unfinished"))
        }
        try await unfinished.run("status", "status")
        session = OutputSession(
            tool: original, lines: [session, blocked, rebuilt, faulty, unfinished].flatMap(\.lines))
    }

    /// Overwrites the pages after the first two.
    private static func overwrite(_ path: String) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        defer { try? file.close() }
        let size = Int(try file.seekToEnd())
        try file.seek(toOffset: 8192)
        try file.write(contentsOf: Data((0..<max(0, size - 8192)).map { UInt8(truncatingIfNeeded: $0 &* 31 + 7) }))
    }
}

private struct OutputThing: OwnEntity {
    let id: Identifier<OutputThing>
    var what = ""
    var trip: Trip.ID?
    var stored = StoredState()

    init(id: ID) { self.id = id }

    static let schema = Schema<OutputThing>(
        "org.example.output", 1, "thing", [Field(1, "what", \.what), .parent("trip", \.trip, isRequired: false)])
}

extension OutputPart {
    fileprivate struct Part: OwnEntity {
        let id: Identifier<Part>
        var what = ""
        var thing: OutputThing.ID?
        var stored = StoredState()

        init(id: ID) { self.id = id }

        static let schema = Schema<Part>(
            "org.example.output", 2, "part", [Field(1, "what", \.what), .parent("thing", \.thing)])
    }
}
