import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStoreCommands

@Suite("Text that does more than to be read")
struct HostileTextTests {
    @Test(
        "What a terminal shows nothing for is escaped, but joiners where they are written",
        arguments: [
            ("ad\u{200B}min", "ad\\u{200b}min"), ("ad\u{200D}min", "ad\\u{200d}min"),
            ("a\u{FEFF}\u{2060}", "a\\u{feff}\\u{2060}"),
            ("a\u{E0061}\u{E007F}", "a\\u{e0061}\\u{e007f}"), ("sof\u{AD}t", "sof\\u{ad}t"), ("👨‍👩‍👧", "👨‍👩‍👧"), ("❤️‍🔥", "❤️‍🔥"),
            ("می‌خواهم", "می‌خواهم"), ("क्‍ष", "क्‍ष"), ("👨\u{200D}a", "👨\\u{200d}a"),
            ("Lisbon\u{FE00}", "Lisbon\\u{fe00}"), ("Lisbon\u{FE0F}", "Lisbon\\u{fe0f}"), ("❤️ 1️⃣", "❤️ 1️⃣"),
        ] as [(String, String)])
    func unseen(text: String, shown: String) async throws {
        #expect(text.visible == shown)
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", text)
        #expect(try await tool.run("trips", "--json").objects().first?["name"] as? String == text)
        await tool.expectInvariants()
    }

    /// Overrides of direction, a control character of two bytes, and separators.
    static let hostile = "a\u{202E}b\u{2066}c\u{9B}d\u{200F}e\u{2028}f\u{7F}g"

    @Test("What could move a terminal's cursor or turn its text around is escaped, in words and in JSON")
    func escaped() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value("add", "trip", "--name", Self.hostile, "--start-date", "2027-05-01")
        let bad: Set<Unicode.Scalar> = ["\u{202E}", "\u{2066}", "\u{9B}", "\u{200F}", "\u{2028}", "\u{7F}"]
        for line in [
            ["trips"], ["trips", "--json"], ["show", trip], ["show", trip, "--json"], ["audit", "log"],
            ["audit", "log", "--json"], ["audit", "blame", trip], ["show", Self.hostile], ["status", Self.hostile],
            ["undo", "--last", "--author", Self.hostile], ["bundle", "read", Self.hostile],
        ] {
            let outcome = await tool.run(line)
            let text = (outcome.out + [outcome.error]).joined(separator: "\n")
            #expect(!text.unicodeScalars.contains { bad.contains($0) }, "\(line)")
        }
        #expect(
            await tool.run("trips").out.first?.hasSuffix("a\\u{202e}b\\u{2066}c\\u{9b}d\\u{200f}e\\u{2028}f\\u{7f}g")
                == true)
        #expect(
            await tool.run("trips", "--json").out.first?.contains("a\\u202eb\\u2066c\\u009bd\\u200fe\\u2028f\\u007fg")
                == true)
        // A JSON parser returns the original text.
        #expect(try await tool.run("trips", "--json").object()["name"] as? String == Self.hostile)
        await tool.expectInvariants()
    }

    @Test("Text of other scripts, and characters of several parts, stay as they are")
    func harmless() async throws {
        let tool = try await Tool.withStore()
        let name = "שלום 東京 👨‍👩‍👧 café"
        _ = try await tool.value("add", "trip", "--name", name)
        #expect(await tool.run("trips", "--undated").out.first?.hasSuffix(name) == true)
    }

    @Test("Arguments that are not UTF-8 are refused, and nothing is written")
    func invalidArguments() async throws {
        let tool = try await Tool.withStore()
        let before = try await tool.position()
        let outcome = try tool.shell("\"$T\" add trip --name \"$(printf 'Li\\377sbon')\"")
        #expect(outcome.code == 64 && outcome.complaint.contains("argument 4") && outcome.bytes.isEmpty)
        let path = try tool.shell("TRIPSTORE=\"$(printf 'x\\377')\" \"$T\" status")
        #expect(path.code == 64 && path.complaint.contains("TRIPSTORE"), "\(path.complaint)")
        #expect(try await tool.position() == before)
        await tool.expectInvariants()
    }
}
