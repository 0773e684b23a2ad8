import Foundation
import StoreSupport
import Testing

@Suite("Dumps that are damaged")
struct BadDumpTests {
    /// A fault, the code of its error, and the line that it names; nil for any.
    private struct Fault: Sendable {
        let name: String
        let code: String
        let line: Int?
        /// Whether events written anew have it, too.
        let isOfEvents: Bool
        let change: @Sendable (inout [String]) -> Void

        init(
            _ name: String, _ code: String, line: Int?, ofEvents: Bool = true,
            _ change: @escaping @Sendable (inout [String]) -> Void
        ) {
            (self.name, self.code, self.line, isOfEvents, self.change) = (name, code, line, ofEvents, change)
        }
    }

    private static let faults = [
        Fault("empty", "notADump", line: nil) { $0 = [] },
        Fault("something else", "notADump", line: 1) { $0 = ["{\"trips\":[]}"] },
        Fault("a later version", "newerVersion", line: 1) { $0[0].replace("\"version\":1", with: "\"version\":2") },
        Fault("a byte order mark", "malformedDump", line: 1) { $0[0] = "\u{FEFF}" + $0[0] },
        Fault("no end", "cutOffDump", line: nil) { $0.removeLast() },
        Fault("cut in a line", "cutOffDump", line: 4) { lines in
            lines.removeSubrange(4...)
            lines[3].removeLast(40)
        },
        Fault("a member twice", "malformedDump", line: 3) {
            $0[2].replace("\"type\":\"commit\",", with: "\"type\":\"commit\",\"type\":\"commit\",")
        },
        Fault("nested deep", "dumpTooLarge", line: 3) {
            $0[2].replace("\"events\":[", with: "\"events\":" + String(repeating: "[", count: 100))
        },
        Fault("goes on", "malformedDump", line: nil) { $0.append("{\"type\":\"later\"}") },
        Fault("a second beginning", "malformedDump", line: 2) { $0.insert($0[0], at: 1) },
        Fault("an empty line", "malformedDump", line: 2) { $0.insert("", at: 1) },
        Fault("no id", "malformedDump", line: 3) { $0[2].replace(/"hash":"[0-9a-f]{8}/, with: "\"hash\":\"") },
        Fault("a commit less", "malformedDump", line: nil, ofEvents: false) { $0.remove(at: 3) },
        Fault("a segment less", "cutOffDump", line: nil, ofEvents: false) { lines in
            lines.removeAll { $0.contains("\"type\":\"segment\"") || $0.contains("\"type\":\"commit\"") }
        },
        Fault("altered bytes", "alteredDump", line: 3, ofEvents: false) { lines in
            guard let range = lines[2].firstRange(of: "\"bytes\":\"ClU") else { return }
            lines[2].replaceSubrange(range, with: "\"bytes\":\"ClV")
        },
        Fault("an altered payload", "alteredDump", line: 3, ofEvents: false) { lines in
            let letter = lines[2].dropLast(6).last == "A" ? "B" : "A"
            lines[2] = String(lines[2].dropLast(7)) + letter + String(lines[2].suffix(6))
        },
        Fault("another hash", "alteredDump", line: 3, ofEvents: false) {
            $0[2].replace(/"hash":"[0-9a-f]{8}/, with: "\"hash\":\"00000000")
        },
        Fault("another signature", "alteredDump", line: 2, ofEvents: false) { lines in
            lines[1].replace(/"signature":".{12}/, with: "\"signature\":\"AAAAAAAAAAAA")
        },
        Fault("no base64", "malformedDump", line: 3, ofEvents: false) {
            $0[2].replace("\"bytes\":\"C", with: "\"bytes\":\"*")
        },
    ]

    @Test("Each is refused with the file, the line and the kind of fault, and nothing of it is written")
    func refused() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        let whole = await tool.run("dump").out
        let (copy, other) = (try await Tool.withStore(), try await Tool.withStore())
        let file = tool.folder.path("bad.jsonl")
        for fault in Self.faults {
            var lines = whole
            fault.change(&lines)
            #expect(lines != whole, "\(fault.name)")
            try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: file))
            for (tool, options) in [(copy, []), (other, ["--anew"])] where fault.isOfEvents || options.isEmpty {
                let outcome = await tool.run(["load", file, "--json"] + options)
                #expect(outcome.code == 2 && outcome.out.isEmpty, "\(fault.name) \(options)")
                let report = try Tool.Outcome.object(outcome.error)["error"] as? [String: Any]
                #expect(report?["code"] as? String == fault.code, "\(fault.name): \(outcome.error)")
                let place = fault.line.map { "bad.jsonl, line \($0)" } ?? "bad.jsonl"
                #expect((report?["message"] as? String)?.contains(place) == true, "\(fault.name): \(outcome.error)")
                #expect(try await tool.position() == 0, "\(fault.name)")
            }
        }
        for store in [tool, copy, other] { await store.expectInvariants() }
    }

    @Test("A chain that does not hold between segments is found before anything is stored")
    func chains() async throws {
        let tool = try await Tool.withStore()
        var lines: [String] = []
        for name in ["Lisbon", "Porto", "Faro"] {
            _ = try await tool.value("add", "trip", "--name", name)
            // It signs what is there, so that each trip has a segment.
            lines = await tool.run("dump").out
        }
        var segments: [[String]] = []
        for line in lines.dropFirst().dropLast() {
            if line.contains("\"type\":\"segment\"") { segments.append([]) }
            segments[segments.count - 1].append(line)
        }
        try #require(segments.count == 3)
        let faults: [(name: String, code: String, line: Int, segments: [[String]])] = [
            ("one is missing", "cutOffDump", 2 + segments[0].count, [segments[0], segments[2]]),
            ("another order", "cutOffDump", 2 + segments[0].count, [segments[0], segments[2], segments[1]]),
            ("the first is missing", "alteredDump", 2, [segments[1], segments[2]]),
            (
                "one twice", "malformedDump", 2 + segments[0].count + segments[1].count,
                [segments[0], segments[1], segments[1], segments[2]]
            ),
        ]
        let copy = try await Tool.withStore()
        let file = tool.folder.path("chain.jsonl")
        for fault in faults {
            let body = fault.segments.flatMap(\.self)
            let commits = body.count - fault.segments.count
            let end = "{\"type\":\"end\",\"segments\":\(fault.segments.count),\"commits\":\(commits)}"
            try Data(([lines[0]] + body + [end]).joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: file))
            let outcome = await copy.run("load", file, "--json")
            let report = try Tool.Outcome.object(outcome.error)["error"] as? [String: Any]
            #expect(outcome.code == 2 && report?["code"] as? String == fault.code, "\(fault.name): \(outcome.error)")
            #expect(
                (report?["message"] as? String)?.contains("chain.jsonl, line \(fault.line):") == true,
                "\(fault.name): \(outcome.error)")
            #expect(try await copy.position() == 0, "\(fault.name)")
        }
        for store in [tool, copy] { await store.expectInvariants() }
    }

    @Test("Bytes that are not UTF-8, folders and files that are not there are refused in words")
    func unreadable() async throws {
        let tool = try await Tool.withStore()
        let file = tool.folder.path("bad.jsonl")
        try Data(Array("{\"type\":\"dump\",\"format\":\"tripstore dump\",\"name\":\"".utf8) + [0xFF, 0xFE]).write(
            to: URL(fileURLWithPath: file))
        for (path, code) in [(file, "cutOffDump"), (tool.path, "unusableFile"), (file + "x", "unusableFile")] {
            let outcome = await tool.run("load", path, "--json")
            let report = try Tool.Outcome.object(outcome.error)["error"] as? [String: Any]
            #expect(outcome.code == 2 && report?["code"] as? String == code, "\(outcome.error)")
        }
        await tool.expectInvariants()
    }
}
