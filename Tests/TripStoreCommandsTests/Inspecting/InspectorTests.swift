import Foundation
import StoreSupport
import Testing
import TripStore

@testable import TripStoreCommands

/// An inspector of a tool's store, without a server.
struct InspectedTool {
    let tool: Tool
    let store: TripStore
    let inspector: Inspector
    private let cookie: String
    private let root: String

    init(_ tool: Tool, mayWrite: Bool = false) async throws {
        self.tool = tool
        let options = TripStore.Options()
        store = try await TripStore.open(at: URL(fileURLWithPath: tool.path), options: options)
        let door = InspectorDoor(port: 80)
        inspector = Inspector(
            store, folder: tool.path, mayWrite: mayWrite, environment: ["TRIPSTORE_AUTHOR": "ina"], door: door)
        let opened = await inspector.answer(
            WebRequest(method: "GET", target: door.openingPath, headers: [("host", "127.0.0.1:80")]))
        let header = try #require(opened.headers.first { $0.0 == "set-cookie" })
        cookie = String(header.1.prefix { $0 != ";" })
        root = String(door.openingPath.dropLast("/open".count))
    }

    /// - Parameter target: below the path with the token.
    func ask(_ target: String, method: String = "GET") async -> WebAnswer {
        await inspector.answer(
            WebRequest(method: method, target: root + target, headers: [("host", "127.0.0.1:80"), ("cookie", cookie)]))
    }

    /// The answer of the interface as an object.
    func object(_ target: String, method: String = "GET") async throws -> (status: Int, [String: Any]) {
        let answer = await ask("/api/1/\(target)", method: method)
        guard case .bytes(let bytes) = answer.body else { throw ToolFailure() }
        return (answer.status, try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]))
    }

    func rows(_ target: String, method: String = "GET") async throws -> [[String: Any]] {
        let (status, object) = try await object(target, method: method)
        #expect(status == 200, "\(object)")
        return try #require(object["rows"] as? [[String: Any]])
    }

    func end() async {
        await store.close()
        await tool.expectInvariants()
    }
}

struct ToolFailure: Error {}

@Suite("The inspector's interface")
struct InspectorTests {
    private func tool() async throws -> Tool {
        let tool = try await Tool.withStore()
        _ = try await tool.value(
            "add", "trip", "--name", "Lisbon", "--start-date", "2027-05-01", "--end-date", "2027-05-08")
        _ = try await tool.value("add", "activity", "--name", "Tram 28", "--trip", "Lisbon")
        _ = try await tool.value("add", "trip", "--name", "Porto")
        return tool
    }

    @Test(
        "A resource answers the objects that the command prints with --json",
        arguments: [
            ("trips", "trips"), ("list/trips?where=name+contains+%22or%22", "list trips --where=name contains \"or\""),
            ("show/Lisbon", "show Lisbon"), ("agenda/2027-05-01", "agenda 2027-05-01"), ("find/tram", "find tram"),
            ("totals", "totals"), ("conflicts", "conflicts"), ("audit/log?limit=2", "audit log --limit=2"),
            ("audit/show/2", "audit show 2"), ("audit/blame/Lisbon", "audit blame Lisbon"),
            ("audit/diff/2/now", "audit diff 2 now"), ("audit/verify", "audit verify"), ("peers", "peers"),
            ("members", "members"), ("erasures", "erasures"), ("attachments", "attachments"),
            ("trips?as-of=2", "trips --as-of=2"), ("list/activities?count", "list activities --count"),
        ])
    func commands(target: String, line: String) async throws {
        let inspected = try await InspectedTool(try await tool())
        let (status, object) = try await inspected.object(target)
        #expect(status == 200 && object["version"] as? Int == 1, "\(object)")
        var words: [String] = []
        for word in line.split(separator: " ").map(String.init) {
            // A condition is one argument.
            let isRest = words.last?.hasPrefix("--where=") == true
            if isRest { words[words.count - 1] += " \(word)" } else { words.append(word) }
        }
        let printed = await inspected.tool.run(words + ["--json"])
        let rows = try #require(object["rows"] as? [NSDictionary])
        #expect(rows == (try printed.objects().map { $0 as NSDictionary }))
        #expect(object["exit"] as? Int == Int(printed.code))
        #expect(object["position"] as? Int == (try await inspected.tool.position()))
        await inspected.end()
    }

    @Test("What is not there, does not parse, or may not be asked is refused with what to do, and nothing runs")
    func faults() async throws {
        let inspected = try await InspectedTool(try await tool())
        let cases: [(String, String, Int, String)] = [
            ("GET", "nothing", 404, "unknownResource"), ("GET", "import/x", 404, "unknownResource"),
            ("GET", "show/Nowhere", 404, "unknownEntity"), ("GET", "trips?store=/etc", 400, "usage"),
            ("GET", "trips?csv", 400, "usage"), ("GET", "trips?limit=x", 400, "usage"),
            ("GET", "list/trips?where=nam+=+3", 400, "unknownField"), ("GET", "audit/show/1/2", 400, "usage"),
            ("GET", "audit/show/999", 404, "unknownPosition"), ("GET", "trips?limit=%zz", 400, "usage"),
            ("GET", "redo", 405, "usage"), ("POST", "trips", 405, "usage"), ("POST", "redo", 403, "readOnly"),
            ("POST", "resolve/1?value", 400, "usage"), ("GET", "list/trips?sort", 400, "usage"),
            ("GET", "progress/other", 404, "unknownResource"), ("GET", "live?after=x", 400, "usage"),
            ("GET", "live?trip=Lisbon", 400, "usage"), ("GET", "live?after", 400, "usage"),
            ("GET", "live?limit=3", 400, "usage"),
        ]
        for (method, target, status, code) in cases {
            let answer = try await inspected.object(target, method: method)
            let fault = try #require(answer.1["error"] as? [String: Any], "\(target): \(answer.1)")
            #expect(answer.status == status && fault["code"] as? String == code, "\(target): \(answer)")
            #expect((fault["message"] as? String)?.isEmpty == false)
        }
        let (_, fault) = try await inspected.object("list/trips?where=nam+=+3")
        #expect((fault["error"] as? [String: Any])?["position"] as? Int == 0)
        let (status, version) = try await inspected.object("../2/trips")
        #expect(status == 404 && version["error"] != nil)
        await inspected.end()
    }

    @Test("Nothing that names a file, a store or text for people is taken, of any resource")
    func options() {
        let refused: Set = ["store", "csv", "file", "output", "into", "database", "force", "follow", "colors", "json"]
        for resource in InspectorResource.all {
            #expect(resource.options.isDisjoint(with: refused), "\(resource.words)")
        }
    }

    @Test("An argument that looks like an option is none")
    func dashes() async throws {
        let inspected = try await InspectedTool(try await tool())
        let (status, object) = try await inspected.object("find/--store=x")
        #expect(status == 200 && object["rows"] is [Any], "\(object)")
        await inspected.end()
    }

    @Test("With leave to write, a commit is undone and done again, and a trip restored, by the person who started it")
    func writing() async throws {
        let tool = try await tool()
        _ = await tool.run("edit", "Lisbon", "--name", "Lisboa", "--author", "ana")
        let edited = try await tool.position()
        _ = await tool.run("delete", "Porto")
        let inspected = try await InspectedTool(tool, mayWrite: true)
        let plan = try await inspected.rows("undo?commit=\(edited)&dry-run", method: "POST")
        #expect(plan.count == 1)
        #expect(try await inspected.rows("trips").contains { $0["name"] as? String == "Lisboa" })
        _ = try await inspected.rows("undo?commit=\(edited)", method: "POST")
        #expect(try await inspected.rows("trips").contains { $0["name"] as? String == "Lisbon" })
        _ = try await inspected.rows("redo", method: "POST")
        #expect(try await inspected.rows("trips").contains { $0["name"] as? String == "Lisboa" })
        _ = try await inspected.rows("restore/Porto", method: "POST")
        #expect(try await inspected.rows("trips").contains { $0["name"] as? String == "Porto" })
        let commits = try await inspected.rows("audit/log?limit=3")
        #expect(commits.allSatisfy { $0["author"] as? String == "ina" })
        await inspected.end()
    }

    @Test("All commits with one correlation are undone as one, and no other commit is")
    func correlation() async throws {
        let inspected = try await InspectedTool(try await tool(), mayWrite: true)
        let work = UUID()
        for name in ["Faro", "Tavira"] {
            try await inspected.store.create(Trip(name: name), by: Authorship(correlation: work))
        }
        let names = { try await Set(inspected.rows("list/trips").compactMap { $0["name"] as? String }) }
        #expect(try await names() == ["Lisbon", "Porto", "Faro", "Tavira"])
        let plan = try await inspected.rows("undo?correlation=\(work.uuidString)&dry-run", method: "POST")
        #expect((plan.first?["commits"] as? [Any])?.count == 2, "\(plan)")
        _ = try await inspected.rows("undo?correlation=\(work.uuidString)", method: "POST")
        #expect(try await names() == ["Lisbon", "Porto"])
        await inspected.end()
    }

    @Test("The text of a filter is looked for in names and values, in capitals or not, page by page")
    func text() async throws {
        let tool = try await tool()
        _ = await tool.run("edit", "Lisbon", "--notes", "By train to Lisbon")
        let inspected = try await InspectedTool(tool)
        let found = try await inspected.rows("audit/log?text=LISBON")
        #expect(found.count == 2, "\(found)")
        #expect(try await inspected.rows("audit/log?text=nowhere").isEmpty)
        let first = try await inspected.rows("audit/log?text=lisbon&limit=1")
        let next = try #require(first.last?["next"] as? Int)
        let second = try await inspected.rows("audit/log?text=lisbon&limit=1&after=\(next)")
        #expect(first.count == 1 && second.count == 1)
        #expect(first.first?["position"] as? Int != second.first?["position"] as? Int)
        await inspected.end()
    }

    @Test("New commits are told as they come, with the query that ran and the key that changed")
    func live() async throws {
        let inspected = try await InspectedTool(try await tool(), mayWrite: true)
        let answer = await inspected.ask("/api/1/live")
        guard case .stream(let pieces) = answer.body else { throw ToolFailure() }
        var events = pieces.makeAsyncIterator()
        // The first piece says that it follows.
        #expect(await events.next() == EventStream.pulse)
        try await inspected.store.create(Trip(name: "Faro", days: Day(2027, 6, 1)...Day(2027, 6, 3)))
        var told: [String: [String: Any]] = [:]
        while told.count < 2, let piece = await events.next() {
            let lines = String(decoding: piece, as: UTF8.self).split(separator: "\n")
            guard let name = lines.first(where: { $0.hasPrefix("event: ") })?.dropFirst(7),
                let data = lines.first(where: { $0.hasPrefix("data: ") })?.dropFirst(6)
            else { continue }
            told[String(name)] = try Tool.Outcome.object(String(data))
        }
        #expect(told["commit"]?["position"] as? Int == (try await inspected.tool.position()))
        let changed = try #require(told["query"]?["changed"] as? [String: Any])
        #expect(told["query"]?["query"] as? String == "trips")
        #expect(changed["words"] as? String == "trip Faro", "\(changed)")
        #expect((changed["view"] as? String)?.isEmpty == false && (changed["key"] as? String)?.isEmpty == false)
        await inspected.end()
    }

    @Test("A verification and a rebuild that are watched end with their answer", arguments: ["verify", "replay"])
    func progress(work: String) async throws {
        let inspected = try await InspectedTool(try await tool())
        let answer = await inspected.ask("/api/1/progress/\(work)")
        guard case .stream(let pieces) = answer.body else { throw ToolFailure() }
        var last = ""
        for await piece in pieces { last = String(decoding: piece, as: UTF8.self) }
        #expect(last.hasPrefix("event: answer\ndata: {\"version\":1,\"exit\":0"), "\(last)")
        await inspected.end()
    }

    @Test("Every answer has the strict policy, names of stores are text, and nothing else is served")
    func page() async throws {
        let inspected = try await InspectedTool(try await tool())
        for target in ["/", "/inspect.css", "/inspect.js", "/api/1/trips", "/other", "/../etc/passwd"] {
            let answer = await inspected.ask(target)
            let headers = Dictionary(answer.headers.map { ($0.0, $0.1) }, uniquingKeysWith: { first, _ in first })
            #expect(headers["content-security-policy"]?.contains("default-src 'none'") == true, "\(target)")
            #expect(headers["x-content-type-options"] == "nosniff" && headers["cache-control"] == "no-store")
        }
        #expect(await inspected.ask("/other").status == 404)
        #expect(await inspected.ask("/inspect.js/x").status == 404)
        let html = InspectorPage.html(of: "</title><script>&\"", mayWrite: true)
        #expect(html.contains(" data-store=\"&lt;/title>&lt;script>&amp;&quot;\""))
        #expect(html.contains(" data-write=\"yes\""))
        await inspected.end()
    }
}
