import Foundation
import StoreSupport
import TestSupport
import Testing

@Suite("Junk on the command line")
struct JunkArgumentsTests {
    private static let words = [
        "", " ", "-", "--", "---", "-1", "0", "1", "2", "18446744073709551616", "99999999999999999999999", "1e9", "NaN",
        "∞", "é",
        "\u{202E}", "\u{1B}[2J", "\n", "\u{0}", "a b", "'", "\"", "\\", "$(true)", "%s", "*", "{}", "[]",
        "{\"minor\":1}", "null",
        "2027-05-01", "2027-02-30", "2027-05-01T10:00", "2027-05-01T10:00:00+99:00", "now", "last", "yesterday",
        "Europe/Lisbon", "--where", "--sort", "--columns", "--count", "name = 'Lisbon'", "not (", "trips", "activities",
        "-~name",
        "UTC", "EUR", "eur", "XYZ", "--json", "--all", "--limit", "--trip", "--name", "--as-of", "--since", "--until",
        "--kind",
        "--help", "--yes", "--start", "--cost", "--currency", "--dry-run", "--reverse", "--after", "--no-such-option",
        "-x",
        "trip", "item", "organizations", "items", "activity", "deleted", "winner", "admin", "TRIP1-AAAA", "Lisbon",
        "01A1", "zzzz",
        String(repeating: "x", count: 5000), "00112233445566778899aabbccddeeff", "4db085cc213b.0-1", "/nowhere/at/all",
    ]

    /// Commands that neither wait, nor write to a path in their arguments.
    private static let commands = [
        ["status"], ["trips"], ["list"], ["show"], ["add"], ["add", "trip"], ["add", "activity"],
        ["add", "transportation"],
        ["add", "organization"], ["edit"], ["delete"], ["restore"], ["move"], ["undo"], ["redo"], ["resolve"],
        ["replay", "--verify"],
        ["audit"], ["audit", "log"], ["audit", "show"], ["audit", "blame"], ["audit", "diff"], ["audit", "conflicts"],
        ["bundle", "show"], ["peers"], ["members"], ["grant"], ["revoke"], ["join"], ["void"], ["subscriptions"],
        ["attach"], ["attachments"], ["discard"], ["erase"], ["erasures"], ["agenda"], ["totals"], ["find"],
        ["export", "/nowhere/at/all.json"],
        ["doctor", "--quick"], ["feed", "add"], ["feed", "list"], ["feed", "revoke"],
        ["config"], ["help"],
        ["import", "/nowhere/at/all"], ["load", "/nowhere/at/all"], ["sync", "/nowhere/at/all"], [], ["nonsense"],
    ]

    @Test(
        "Each of many random command lines ends with one of the four exit codes and in words, and the store stays whole"
    )
    func junk() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        var random = Mix(state: 20_270_501)
        for number in 0..<Extent.of(600) {
            var line = Self.commands[number % Self.commands.count]
            for _ in 0..<random.next(below: 5) { line.append(Self.words[random.next(below: Self.words.count)]) }
            // Always with a store: the environment of the tests may name another. After -- there are no options.
            let outcome = await Tool.run(
                ["help", "config"].contains(line.first) || line.isEmpty ? line : line + ["--store", tool.path])
            #expect([0, 1, 2, 64].contains(outcome.code), "\(line)")
            #expect(outcome.code == 0 || outcome.code == 1 || !outcome.error.isEmpty, "\(line)")
            let text = outcome.error
            #expect(
                !text.contains("Error(") && !text.contains("Optional(") && !text.contains("\u{1B}"), "\(line): \(text)")
        }
        await tool.expectInvariants()
    }
}

/// Numbers that look random and are the same in each run (SplitMix64).
private struct Mix {
    var state: UInt64

    mutating func next(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }
}
