import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore

@Suite("list --csv")
struct TableCommandTests {
    private static func filled() async throws -> Tool {
        let tool = try await Tool.withStore()
        let trip = try await tool.value(
            "add", "trip", "--name", "Lisbon, \"again\"", "--start-date", "2027-05-01", "--end-date", "2027-05-08",
            "--notes", "=1+1")
        _ = try await tool.value(
            "add", "activity", "--name", "@Tram", "--trip", trip, "--cost", "-3.10", "--currency", "EUR", "--notes",
            "a\nb")
        _ = try await tool.value(
            "add", "lodging", "--name", "Inn", "--trip", trip, "--start", "2027-05-01T15:00", "--start-time-zone",
            "Europe/Lisbon")
        _ = try await tool.value("add", "traveller", "--name", "+Ana")
        return tool
    }

    /// Each record is printed as a line of its own here.
    private static func text(_ outcome: Tool.Outcome) -> String { outcome.out.map { $0 + "\n" }.joined() }

    @Test("Chosen columns are the header, and texts that begin like formulas are defused unless that is turned off")
    func columns() async throws {
        let tool = try await Self.filled()
        let columns = ["--csv", "--columns", "name,trip,cost,notes"]
        let table = await tool.run(["list", "activities"] + columns)
        #expect(table.code == 0)
        #expect(
            Self.text(table) == "name,trip,cost,notes\r\n'@Tram,\"Lisbon, \"\"again\"\"\",-3.10 EUR,\"a\nb\"\r\n",
            "\(table.out)")
        let raw = await tool.run(["list", "activities", "--raw"] + columns)
        #expect(Self.text(raw).contains("\r\n@Tram,"))
        let travellers = await tool.run("list", "travellers", "--csv", "--columns", "name")
        #expect(Self.text(travellers) == "name\r\n'+Ana\r\n")
        await tool.expectInvariants()
    }

    @Test(
        "A table has the names of JSON: each column is a member there, and each member that has a value is a column",
        arguments: [
            ["trips"], ["list", "trips"], ["list", "items"], ["list", "activities"], ["list", "lodgings"],
            ["list", "travellers"],
        ])
    func names(list: [String]) async throws {
        let tool = try await Self.filled()
        let line = try #require(await tool.run(list + ["--csv"]).out.first)
        let header = Set(line.dropLast().split(separator: ",").map(String.init))
        let object = try await tool.run(list + ["--json"]).object()
        let fields = object["fields"] as? [String: Any] ?? [:]
        let names = Set(object.keys).union(fields.keys)
        // What a kind in a namespace has no value for is no member of its fields.
        if fields.isEmpty { #expect(header.isSubset(of: names), "\(header.subtracting(names).sorted())") }
        // Of one kind the kind is in no column; and the last ones are of a page, not of an entity.
        let others = names.subtracting(header).subtracting(["kind", "fields", "parent", "own", "contested", "next"])
        #expect(others.allSatisfy { object[$0] is NSNull }, "\(others.sorted())")
        await tool.expectInvariants()
    }

    @Test(
        "All rows are in the table unless a limit is given",
        arguments: [
            ["list", "activities"], ["list", "items"], ["find", "walk"], ["trips"], ["list", "organizations"],
        ])
    func allRows(list: [String]) async throws {
        let tool = try await Tool.withStore()
        let store = try await TripStore.open(
            at: URL(fileURLWithPath: tool.path), options: TripStore.Options(mapSize: 1 << 30))
        let trips = (0..<60).map { Trip(name: "Walk \($0)") }
        try await store.append(
            trips.flatMap { trip -> [TripEvent] in
                [
                    .created(trip), .created(Activity(name: trip.name, in: trip.id)),
                    .created(Organization(name: trip.name)),
                ]
            })
        await store.close()
        let count = list.first == "find" ? 180 : 60
        let whole = await tool.run(list + ["--csv"])
        #expect(whole.out.count == count + 1 && whole.error.isEmpty, "\(whole.out.count) \(whole.error)")
        let part = await tool.run(list + ["--csv", "--limit", "50"])
        #expect(part.out.count == 51 && part.error.contains("There are more: --after "), "\(part.out.count)")
        #expect(await tool.run(list).error.contains("There are more: --after "))
        await tool.expectInvariants()
    }

    @Test(
        "Without columns it is all fields of the kind",
        arguments: [
            ["trips"], ["list", "trips"], ["list", "items"], ["list", "lodgings"], ["list", "organizations"],
            ["list", "travellers"], ["list", "unfiled"],
        ])
    func all(list: [String]) async throws {
        let tool = try await Self.filled()
        let table = await tool.run(list + ["--csv"])
        #expect(table.code == 0, "\(table.error)")
        let header = try #require(table.out.first).dropLast().split(separator: ",").map(String.init)
        #expect(Set(header).count == header.count)
        let expected =
            list == ["trips"]
            ? ["id", "name", "destination", "startDate", "endDate", "notes", "itemCount", "cost"]
            : ["id", "name", "createdAt", "updatedAt"]
        #expect(Set(expected).subtracting(header) == [], "\(header)")
        await tool.expectInvariants()
    }

    @Test(
        "A byte order mark and another delimiter make a table that Excel takes, of every command that prints one",
        arguments: [
            ["list", "activities"], ["trips"], ["agenda"], ["totals"], ["find", "Tram"],
        ])
    func forms(list: [String]) async throws {
        let tool = try await Self.filled()
        let plain = await tool.run(list + ["--csv"])
        let marked = await tool.run(list + ["--csv", "--bom", "--delimiter", "semicolon"])
        #expect(plain.code == 0 && marked.code == 0, "\(plain.error) \(marked.error)")
        let header = try #require(plain.out.first)
        #expect(marked.out.first == "\u{FEFF}" + header.replacing(",", with: ";"))
        #expect(marked.out.count == plain.out.count && !marked.out.dropFirst().contains { $0.contains("\u{FEFF}") })
        #expect(await tool.run(list + ["--csv", "--delimiter", "\t"]).out.first == header.replacing(",", with: "\t"))
        #expect(await tool.run(list + ["--csv", "--delimiter", "x"]).code == 64)
        await tool.expectInvariants()
    }

    @Test("A text with the delimiter is quoted, whatever that is")
    func delimiters() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "organization", "--name", "a;b,c")
        for (delimiter, record) in [(";", "\"a;b,c\""), (",", "\"a;b,c\""), ("|", "a;b,c")] {
            let table = await tool.run("list", "organizations", "--csv", "--columns", "name", "--delimiter", delimiter)
            #expect(Self.text(table) == "name\r\n\(record)\r\n")
        }
        await tool.expectInvariants()
    }

    @Test("It goes with lists of entities of one kind, and not with JSON")
    func refused() async throws {
        let tool = try await Tool.withStore()
        for line in [
            ["list", "trips", "--csv", "--json"], ["list", "trips", "--csv", "--count"], ["list", "own", "--csv"],
            ["list", "trips", "--raw"], ["trips", "--raw"], ["trips", "--bom"], ["trips", "--delimiter", ";"],
            ["list", "trips", "--csv", "--group", "name"],
        ] {
            #expect(await tool.run(line).code == 64, "\(line)")
        }
        await tool.expectInvariants()
    }

    @Test(
        "Python's reader of CSV finds the same names as the list in JSON",
        .enabled(if: Program.succeeds("python3", "-c", "import csv")))
    func python() async throws {
        let tool = try await Self.filled()
        let table = await tool.run("list", "items", "--csv", "--raw")
        let script =
            "import csv,sys\nfor row in csv.DictReader(sys.stdin): print(row['id'], row['kind'], repr(row['name']), repr(row['notes']))"
        let output = try #require(try Program.run("python3", ["-c", script], input: Array(Self.text(table).utf8)))
        let items = try await tool.run("list", "items", "--json").objects()
        let expected = items.map { item in
            let notes = (item["notes"] as? String ?? "").replacing("\n", with: "\\n")
            return "\(item["id"] ?? "") \(item["kind"] ?? "") '\(item["name"] ?? "")' '\(notes)'"
        }
        let lines = output.text.split(separator: "\n").map(String.init)
        #expect(lines == expected, "\(output.complaint)")
        await tool.expectInvariants()
    }
}
