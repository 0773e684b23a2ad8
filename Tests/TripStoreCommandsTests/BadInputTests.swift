import Foundation
import Testing

@Suite("Bad input to commands")
struct BadInputTests {
    private static let unknown = "01A1FC91-080E-795C-9F28-740DC9B33B0D"

    /// Well-formed command lines that cannot succeed; TRIP stands for an existing trip.
    static let senseless: [[String]] = [
        ["add", "trip"],
        ["add", "trip", "--name", " "],
        ["add", "trip", "--name", "x", "--start-date", "2027-05-02", "--end-date", "2027-05-01"],
        ["add", "activity", "--name", "x"],
        ["add", "activity", "--name", "x", "--trip", unknown],
        [
            "add", "lodging", "--name", "x", "--trip", "TRIP", "--start", "2027-05-01T10:00", "--start-time-zone",
            "Nowhere",
        ],
        [
            "add", "lodging", "--name", "x", "--trip", "TRIP", "--start", "2027-05-01T10:00", "--start-time-zone",
            "UTC", "--end", "2027-05-01T09:00",
        ],
        ["add", "activity", "--name", "x", "--trip", "TRIP", "--cost", "1.00", "--currency", "XYZ"],
        // A long s, whose capital is an S.
        ["add", "activity", "--name", "x", "--trip", "TRIP", "--cost", "1.00", "--currency", "u\u{17F}d"],
        ["import", "/dev/null", "--currency", "u\u{17F}d"],
        ["import", "/dev/null", "--time-zone", "Europe/Lisbon\u{0}"],
        ["add", "activity", "--name", "x", "--trip", "TRIP", "--cost", "1.234", "--currency", "EUR"],
        ["add", "organization", "--name", "x", "--latitude", "91", "--longitude", "0"],
        ["edit", unknown, "--name", "x"],
        ["edit", "TRIP", "--clear", "nose"],
        ["edit", "TRIP", "--clear", "name"],
        ["edit", "TRIP", "--mode", "car"],
        ["delete", unknown],
        ["delete", "TRIP", unknown],
        ["restore", "TRIP"],
        ["move", "TRIP", "--to", unknown],
        ["move", unknown, "--to", "TRIP"],
        ["show", unknown],
        ["replay", "--view", "nope"],
        ["audit", "show", "999"],
        ["init"],
        ["audit", "blame", unknown],
        ["audit", "blame", "TRIP", "--kind", "lodging"],
        ["audit", "diff", "0", "999"],
        ["audit", "diff", "999", "2027-05-01"],
        ["audit", "conflicts", "--trip", unknown],
        ["resolve", "4db085cc213b.0-1"],
        ["resolve", "1"],
        ["resolve", "1", "--value", "x"],
        ["conflicts", "--trip", unknown],
        ["show", "TRIP", "--trip", unknown],
        ["resolve", "4db085cc213b.0-1", "--take", "winner"],
        ["resolve", "4db085cc213b.9-deleted", "--take", "superseded"],
        ["undo", "--commit", "0"],
        ["undo", "--commit", "1"],
        ["undo", "--commit", "18446744073709551615"],
        ["undo", "--commit", "999", "--dry-run"],
        ["undo", "--last", "--author", "nobody"],
        ["undo", "--trip", unknown, "--since", "0"],
        ["undo", "--trip", "TRIP", "--since", "2"],
        ["undo", "--trip", "TRIP", "--since", "999"],
        ["undo", "--correlation", unknown],
        ["undo", "--correlation", unknown, "--dry-run"],
        ["redo"],
        ["redo", "--dry-run"],
        ["tail", "--after", "999"],
        ["tail", "--after", "999", "--no-follow"],
        ["tail", "--from", "999", "--subscription", "mail"],
        ["tail", "--subscription", "mail", "--no-follow"],
        ["tail", "--subscription", "", "--from", "end", "--no-follow"],
        ["trips", "--as-of", "999"],
        ["show", "TRIP", "--as-of", "999"],
        ["show", "TRIP", "--as-of", "1"],
        ["show", "TRIP", "--as-of", "1970-01-01"],
        ["show", unknown, "--as-of", "1"],
        ["replay", "--as-of", "999"],
        ["sync", "/nowhere"],
        ["sync", "/dev/null"],
        ["sync", "/nowhere", "--adopt"],
        ["bundle", "read", "/nowhere"],
        ["bundle", "read", "/tmp"],
        ["bundle", "show", "/nowhere"],
        ["bundle", "write", "/nowhere/bundle"],
        ["bundle", "write", "/tmp"],
        ["bundle", "write", "/tmp/tripstore-test-bundle", "--holds", "yesterday"],
        ["bundle", "write", "/tmp/tripstore-test-bundle", "--for", "00112233445566778899aabbccddeeff"],
        ["peers", "--forget", "00112233445566778899aabbccddeeff"],
        ["add", "activity", "--name", "x", "--trip", "12"],
        ["edit", "zz", "--name", "x"],
        ["show", "x"],
        ["audit", "blame", "x"],
        ["audit", "conflicts", "--trip", "x"],
        ["audit", "log", "--replica", "zz"],
        ["bundle", "write", "/nowhere", "--for", "zz"],
        ["peers", "--forget", "zz"],
        ["list", "items", "--trip", unknown],
        ["subscriptions", "--remove", "mail"],
        ["list", "trips", "--where", ""],
        ["list", "trips", "--where", "nmae = 'x'"],
        ["list", "trips", "--where", "name = x"],
        ["list", "trips", "--where", "cost > 5 EUR"],
        ["list", "activities", "--where", "cost > 5"],
        ["list", "activities", "--where", String(repeating: "(", count: 10_000)],
        ["list", "activities", "--sort", "-"],
        ["list", "activities", "--sort", "time"],
        ["list", "activities", "--columns", "name,"],
        ["list", "activities", "--columns", "name,name"],
        ["list", "activities", "--count", "--trip", unknown],
        ["list", "trips", "--after", "0a00000000000000000000000000000000000000000000000000"],
        ["list", "trips", "--count", "--as-of", "999"],
        ["edit", "trips", "--where", "nmae = 'x'", "--notes", "n"],
        ["edit", "trips", "--where", "name = 'Lisbon'", "--mode", "car"],
        ["edit", "trips", "--where", "name = 'Lisbon'", "--clear", "nose"],
        ["edit", "trips", "--where", "name = 'Lisbon'", "--clear", "name"],
        ["edit", "trips", "--where", "name = 'Lisbon'", "--name", " ", "--dry-run"],
        ["delete", "trips", "--where", "name ="],
        ["delete", "trips", "--where", "nmae = 'x'", "--dry-run"],
    ]

    /// Malformed command lines.
    static let malformed: [[String]] = [
        ["add", "trip", "--name", "x", "--start-date", "2027-02-30"],
        ["add", "transportation", "--name", "x", "--trip", "TRIP", "--mode", "rocket"],
        ["add", "activity", "--name", "x", "--trip", "TRIP", "--paid", "maybe"],
        ["add", "activity", "--name", "x", "--trip", "TRIP", "--cost", "1"],
        ["add", "activity", "--name", "x", "--trip", "TRIP", "--currency", "EUR"],
        ["add", "activity", "--name", "x", "--trip", "TRIP", "--start", "3/5"],
        ["add", "lodging", "--name", "x", "--trip", "TRIP", "--start", "soon", "--start-time-zone", "UTC"],
        ["add"],
        ["add", "activity", "--name", "x", "--trip", "TRIP", "--end-time-zone", "Europe/Lisbon"],
        ["add", "organization", "--name", "x", "--latitude", "1"],
        ["add", "planet", "--name", "x"],
        ["edit", "TRIP"],
        ["delete"],
        ["trips", "--limit", "0"],
        ["trips", "--after", "00"],
        ["trips", "--from", "2027-13-01"],
        ["trips", "--from", "2027-05-02", "--to", "2027-05-01"],
        ["trips", "--undated", "--from", "2027-05-02"],
        ["audit", "log", "--since", "someday"],
        ["nonsense"],
        ["audit", "diff", "0"],
        ["audit", "diff", "someday", "1"],
        ["audit", "diff", "0", "99999999999999999999"],
        ["resolve", "4db085cc213b.0-1", "--take", "mine"],
        ["resolve", "1", "--take", "winner", "--value", "x"],
        ["list", "items", "--deleted", "--csv"],
        ["totals", "--in", "EURO"],
        ["resolve", "2.0", "--take", "winner"],
        ["resolve", "TRIP", "--take", "winner"],
        ["undo"],
        ["undo", "--last", "--commit", "2"],
        ["undo", "--trip", "TRIP"],
        ["undo", "--last", "--since", "1"],
        ["undo", "--commit", "x"],
        ["undo", "--correlation", "12"],
        ["redo", "--commit", "2"],
        ["tail", "--after", "yesterday"],
        ["tail", "--from", "start"],
        ["tail", "--subscription", "mail", "--from", "yesterday"],
        ["tail", "--subscription", "mail", "--after", "0"],
        ["trips", "--as-of", "soon"],
        ["trips", "--as-of", "2027-02-30"],
        ["show", "TRIP", "--as-of", "-1"],
        ["replay", "--as-of", "1", "--verify"],
        ["replay", "--as-of", "1", "--into", "/tmp/views"],
        ["replay", "--as-of", "1", "--view", "entities"],
        ["sync"],
        ["sync", "/nowhere", "/elsewhere"],
        ["bundle", "read"],
        ["bundle", "write"],
        ["bundle", "write", "/nowhere", "--since", "someday"],
        ["bundle", "write", "/nowhere", "--holds", "x", "--for", "00112233445566778899aabbccddeeff"],
        ["bundle", "nonsense"],
        ["peers", "zz"],
        ["list"],
        ["list", "planets"],
        ["list", "organizations", "--trip", "TRIP"],
        ["list", "items", "--all", "--limit", "2"],
        ["list", "items", "--sort", "name"],
        ["list", "unfiled", "--sort", "name"],
        ["list", "own", "--count"],
        ["list", "trips", "--trip", "TRIP"],
        ["list", "trips", "--after", "zz"],
        ["list", "trips", "--count", "--limit", "1"],
        ["list", "trips", "--count", "--after", "00"],
        ["list", "trips", "--count", "--sort", "name"],
        ["list", "trips", "--count", "--explain"],
        ["list", "trips", "--explain", "--columns", "name"],
        ["list", "own", "--explain"],
        ["list", "trips", "--group", "startDate", "--sort", "name"],
        ["list", "trips", "--min", "name", "--limit", "1"],
        ["list", "items", "--sum", "cost"],
        ["list", "trips", "--count", "--columns", "name"],
        ["edit", "trips", "--where", "name = 'Lisbon'"],
        ["edit", "TRIP", "--where", "name = 'Lisbon'", "--notes", "n"],
        ["edit", "trips", "--where", "name = 'Lisbon'", "--kind", "trip", "--notes", "n"],
        ["edit", "own", "--where", "name = 'Lisbon'", "--set", "a=b"],
        ["edit", "TRIP", "thing", "--notes", "n"],
        ["delete", "--where", "name = 'Lisbon'"],
        ["delete", "own", "--where", "name = 'Lisbon'"],
        ["delete", "TRIP", "--where", "name = 'Lisbon'"],
        ["delete", "trips", "trips", "--where", "name = 'Lisbon'"],
        ["delete", "trips", "--where", "name = 'Lisbon'", "--kind", "trip"],
        ["config", "author"],
        ["config", "currency", "XYZ"],
        ["config", "colour", "red"],
    ]

    @Test("What makes no sense fails with 2, in words, and nothing is written", arguments: senseless)
    func failures(arguments: [String]) async throws { try await refused(code: 2, arguments: arguments) }

    @Test("What is no command line fails with 64, in words, and nothing is written", arguments: malformed)
    func usageErrors(arguments: [String]) async throws { try await refused(code: 64, arguments: arguments) }

    private func refused(code: Int32, arguments: [String]) async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value("add", "trip", "--name", "Lisbon")
        let before = try await tool.position()
        let outcome = await tool.run(arguments.map { $0 == "TRIP" ? trip : $0 })
        #expect(outcome.code == code, "\(outcome.error)")
        #expect(outcome.out.isEmpty)
        #expect(!outcome.error.isEmpty)
        // Words for people, not the names of Swift types.
        #expect(!outcome.error.contains("Error(") && !outcome.error.contains("Optional"))
        #expect(try await tool.position() == before)
        await tool.expectInvariants()
    }

    @Test(
        "Commands on a folder without a store say so, and make nothing",
        arguments: [
            ["status"], ["trips"], ["show", unknown], ["add", "trip", "--name", "x"], ["edit", unknown, "--name", "x"],
            ["delete", unknown], ["restore", unknown], ["replay"], ["audit", "log"], ["audit", "verify"],
            ["audit", "blame", unknown], ["audit", "diff", "0", "1"], ["audit", "conflicts"], ["redo"],
            ["undo", "--last"], ["undo", "--last", "--dry-run"], ["resolve", "4db085cc213b.0-1", "--take", "winner"],
            ["tail"],
            ["tail", "--subscription", "mail"], ["sync", "/nowhere"], ["bundle", "read", "/nowhere"],
            ["bundle", "write", "/nowhere"], ["peers"], ["list", "items"], ["subscriptions"],
        ])
    func noStore(arguments: [String]) async {
        let tool = Tool()
        let outcome = await tool.run(arguments)
        #expect(outcome.code == 2)
        #expect(outcome.error.contains("tripstore init"))
        #expect(!FileManager.default.fileExists(atPath: tool.path))
    }

    @Test("Without --store and TRIPSTORE a command asks for one of them")
    func noFolder() async {
        let outcome = await Tool.run(["status"])
        #expect(outcome.code == 64)
        #expect(outcome.error.contains("--store"))
    }
}
