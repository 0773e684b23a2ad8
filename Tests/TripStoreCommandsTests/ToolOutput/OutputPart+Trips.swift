import Foundation
import StoreSupport
import TripStore

extension OutputPart {
    /// Items with every field and with none, listed, shown, compared, rebuilt and backed up.
    static func trips(_ session: inout OutputSession) async throws {
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

    /// Writes what an app says of a kind of its own.
    private static func describeThings(_ path: String) async throws {
        let store = try await TripStore.open(at: URL(fileURLWithPath: path))
        try await store.describe([OutputThing.schema, OutputPiece.schema])
        await store.close()
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

private struct OutputPiece: OwnEntity {
    let id: Identifier<OutputPiece>
    var what = ""
    var thing: OutputThing.ID?
    var stored = StoredState()

    init(id: ID) { self.id = id }

    static let schema = Schema<OutputPiece>(
        "org.example.output", 2, "part", [Field(1, "what", \.what), .parent("thing", \.thing)])
}
