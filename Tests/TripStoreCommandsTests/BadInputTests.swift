import Foundation
import Testing

@Suite("Bad input to commands")
struct BadInputTests {
    private static let unknown = "01A1FC91-080E-795C-9F28-740DC9B33B0D"

    @Test(
        "What makes no sense fails with 1, what is no command line with 64, in words, and nothing is written",
        arguments: [
            (1, ["add", "trip"]), (1, ["add", "trip", "--name", " "]),
            (1, ["add", "trip", "--name", "x", "--start-date", "2027-05-02", "--end-date", "2027-05-01"]),
            (64, ["add", "trip", "--name", "x", "--start-date", "2027-02-30"]),
            (1, ["add", "activity", "--name", "x"]), (1, ["add", "activity", "--name", "x", "--trip", unknown]),
            (64, ["add", "activity", "--name", "x", "--trip", "12"]),
            (1, ["add", "activity", "--name", "x", "--trip", "TRIP", "--start", "2027-05-01T10:00"]),
            (1, ["add", "lodging", "--name", "x", "--trip", "TRIP", "--start", "soon", "--start-time-zone", "UTC"]),
            (
                1,
                [
                    "add", "lodging", "--name", "x", "--trip", "TRIP", "--start", "2027-05-01T10:00",
                    "--start-time-zone", "Nowhere",
                ]
            ),
            (
                1,
                [
                    "add", "lodging", "--name", "x", "--trip", "TRIP", "--start", "2027-05-01T10:00",
                    "--start-time-zone",
                    "UTC", "--end", "2027-05-01T09:00",
                ]
            ),
            (1, ["add", "activity", "--name", "x", "--trip", "TRIP", "--cost", "1.00", "--currency", "XYZ"]),
            (1, ["add", "activity", "--name", "x", "--trip", "TRIP", "--cost", "1.234", "--currency", "EUR"]),
            (1, ["add", "activity", "--name", "x", "--trip", "TRIP", "--cost", "1"]),
            (64, ["add", "transportation", "--name", "x", "--trip", "TRIP", "--mode", "rocket"]),
            (64, ["add", "activity", "--name", "x", "--trip", "TRIP", "--paid", "maybe"]),
            (1, ["add", "organization", "--name", "x", "--latitude", "1"]),
            (1, ["add", "organization", "--name", "x", "--latitude", "91", "--longitude", "0"]),
            (64, ["add", "planet", "--name", "x"]), (64, ["edit", "TRIP"]), (64, ["edit", "zz", "--name", "x"]),
            (1, ["edit", unknown, "--name", "x"]), (1, ["edit", "TRIP", "--clear", "nose"]),
            (1, ["edit", "TRIP", "--clear", "name"]), (1, ["edit", "TRIP", "--mode", "car"]),
            (1, ["delete", unknown]), (1, ["delete", "TRIP", unknown]), (64, ["delete"]), (1, ["restore", "TRIP"]),
            (1, ["move", "TRIP", "--to", unknown]), (1, ["move", unknown, "--to", "TRIP"]), (1, ["show", unknown]),
            (64, ["show", "x"]), (64, ["trips", "--limit", "0"]), (64, ["trips", "--after", "00"]),
            (64, ["trips", "--from", "2027-13-01"]), (64, ["trips", "--from", "2027-05-02", "--to", "2027-05-01"]),
            (64, ["trips", "--undated", "--from", "2027-05-02"]), (1, ["replay", "--view", "nope"]),
            (1, ["audit", "show", "999"]), (64, ["audit", "log", "--since", "yesterday"]),
            (64, ["audit", "log", "--replica", "zz"]), (64, ["nonsense"]), (1, ["init"]),
        ])
    func refused(code: Int32, arguments: [String]) async throws {
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
        ])
    func noStore(arguments: [String]) async {
        let tool = Tool()
        let outcome = await tool.run(arguments)
        #expect(outcome.code == 1)
        #expect(outcome.error.contains("tripstore init"))
        #expect(!FileManager.default.fileExists(atPath: tool.path))
    }

    @Test("Without --store and TRIPSTORE a command asks for one of them")
    func noFolder() async {
        guard ProcessInfo.processInfo.environment["TRIPSTORE"] == nil else { return }
        let outcome = await Tool.run(["status"])
        #expect(outcome.code == 64)
        #expect(outcome.error.contains("--store"))
    }
}
