import Foundation
import StoreSupport
import Testing
import TripStore
import TripStoreCommands

@Suite("The audit log", .timeLimit(.minutes(10)))
struct AuditLogTests {
    /// A store with a trip that was renamed four times.
    private func renamed() async throws -> Tool {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon 0", "--author", "ana")
        for number in 1...4 {
            try await Task.sleep(for: .milliseconds(3))
            _ = try await tool.value(
                "edit", "Lisbon \(number - 1)", "--name", "Lisbon \(number)", "--author", "benedikt")
        }
        return tool
    }

    private func positions(_ outcome: Tool.Outcome) throws -> [Int] {
        try outcome.objects().compactMap { $0["position"] as? Int }
    }

    @Test("It begins with the newest commit, and pages go on after the position that the last one ended with")
    func paging() async throws {
        let tool = try await renamed()
        #expect(try positions(await tool.run("audit", "log", "--json")) == [6, 5, 4, 3, 2, 1])
        #expect(try positions(await tool.run("audit", "log", "--json", "--reverse")) == [1, 2, 3, 4, 5, 6])
        for direction in [[], ["--reverse"]] {
            var (found, after): ([Int], [String]) = ([], [])
            for _ in 0..<3 {
                let page = await tool.run(["audit", "log", "--limit", "2", "--json"] + direction + after)
                found += try positions(page)
                after = ["--after", "\(found.last ?? 0)"]
                let next = try page.objects().map { $0["next"] as? Int }
                #expect(next.first == .some(nil) && next.last == (found.count < 6 ? found.last : nil))
            }
            #expect(found == (direction.isEmpty ? [6, 5, 4, 3, 2, 1] : [1, 2, 3, 4, 5, 6]))
        }
        let page = await tool.run("audit", "log", "--limit", "2")
        #expect(page.out.count == 2 && page.error == "There are more: --after 5 goes on, and --all lists them.")
        #expect(await tool.run("audit", "log", "--limit", "6").error.isEmpty)
        await tool.expectInvariants()
    }

    @Test("The limit is the same with and without --json")
    func limits() async throws {
        let tool = try await Tool.withStore()
        let store = try await TripStoreHandle.open(tool.path)
        for number in 0..<60 { try await store.store.create(Trip(name: "\(number)")) }
        await store.store.close()
        for command in [["trips"], ["audit", "log"]] {
            for json in [[], ["--json"]] {
                #expect(await tool.run(command + json).out.count == 50)
                #expect(await tool.run(command + json + ["--all"]).out.count >= 60)
                #expect(await tool.run(command + json + ["--limit", "7"]).out.count == 7)
            }
        }
    }

    @Test("Lines are aligned, name their time's zone, and mark what undoes")
    func lines() async throws {
        let tool = try await renamed()
        #expect(await tool.run("undo", "--last", "--author", "benedikt").code == 0)
        #expect(await tool.run("redo", "--author", "benedikt").code == 0)
        let lines = await tool.run("audit", "log").out
        #expect(lines[0].contains("redo: edited trip") && lines[1].contains("undo: edited trip"))
        #expect(!lines[2].contains("undo"))
        for line in lines.prefix(7) {
            #expect(line.wholeMatch(of: /\d  \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC  \S+ +\S.*/) != nil, "\(line)")
        }
        let columns = lines.prefix(6).compactMap { $0.firstRange(of: "edited")?.lowerBound.utf16Offset(in: $0) }
        #expect(columns.count == 6)
        #expect(Set(columns.dropFirst(2)).count == 1)
        let kinds = try await tool.run("audit", "log", "--json").objects().map { $0["undoing"] as? String }
        #expect(kinds.prefix(3) == ["redo", "undo", nil])
        for none in [["--since", "now"], ["--author", "nobody"]] {
            #expect(await tool.run(["audit", "log"] + none).out == ["No commits."])
            #expect(await tool.run(["audit", "log", "--json"] + none).out.isEmpty)
        }
        await tool.expectInvariants()
    }

    @Test("A commit of many events is summed up, and a long event is cut on a terminal, unless all is asked for")
    func summedUp() async throws {
        let tool = try await Tool.withStore()
        let handle = try await TripStoreHandle.open(tool.path)
        let trip = try await handle.store.create(Trip(name: "Lisbon"))
        try await handle.store.commit(by: "ana") { commit in
            for number in 0..<5 { commit.create(Organization(name: "Hotel \(number)")) }
        }
        try await handle.store.commit(by: "ana") { commit in
            for number in 0..<300 { commit.create(Organization(name: "Airline \(number)")) }
            commit.edit(trip, [.set(\.notes, String(repeating: "A long day. ", count: 100))])
        }
        try await handle.store.edit(trip) { $0.notes = String(repeating: "A short day. ", count: 100) }
        await handle.store.close()
        let advice = "Not all of each commit is shown: --full shows it."
        func lines(_ options: String...) async -> Tool.Outcome {
            await Tool.run(["audit", "log", "--limit", "3", "--store", tool.path] + options) {
                $0.layout = TextLayout(columns: 120)
            }
        }
        let page = await lines()
        // Three lines of the long edit, the sum of the import, and an event a line.
        #expect(page.out.count == 9, "\(page.out)")
        #expect(page.out.allSatisfy { $0.count <= 120 } && page.out[2].hasSuffix("…"))
        #expect(page.out[3].hasSuffix("created 300 organizations, edited 1 trip"))
        #expect(page.error.contains(advice))
        let whole = await lines("--full")
        #expect(whole.out.count > 306 && !whole.error.contains(advice))
        #expect(whole.out.contains { $0.contains("Airline 299") })
        // In a pipe a line has any length, and programs get all.
        #expect(await tool.run("audit", "log", "--limit", "3").out.count == 7)
        let counts = try await tool.run("audit", "log", "--limit", "3", "--json").objects().map {
            $0.objects("events").count
        }
        #expect(counts == [1, 301, 5])
        #expect(await tool.run("audit", "log", "--kind", "trip", "--limit", "2").out.count == 2)
        await tool.expectInvariants()
    }

    @Test("From when and until when: a position, a time or a day, each alike in every command")
    func ranges() async throws {
        let tool = try await renamed()
        let times = try await tool.run("audit", "log", "--json", "--reverse").objects().map {
            $0["timestamp"] as? String ?? ""
        }
        func found(_ options: String...) async throws -> [Int] {
            try positions(await tool.run(["audit", "log", "--json"] + options))
        }
        #expect(try await found("--since", "4") == [6, 5])
        #expect(try await found("--since", times[3]) == [6, 5, 4])
        #expect(try await found("--since", String(times[0].prefix(10))).count == 6)
        #expect(try await found("--since", "9000-01-01") == [])
        #expect(try await found("--until", "2") == [2, 1])
        #expect(try await found("--until", times[2]) == [3, 2, 1])
        #expect(try await found("--until", "now").count == 6)
        #expect(try await found("--since", "2", "--until", "4", "--reverse") == [3, 4])
        #expect(try await found("--since", "2", "--limit", "1", "--after", "5") == [4])
        let report = tool.folder.path("log.html")
        let written = try await tool.run("audit", "report", report, "--since", "2", "--until", "4", "--json").object()
        #expect(written["commits"] as? Int == 2)
        // The time of the next commit gives the same result as the position.
        for since in ["4", times[4]] {
            let undone = try await tool.run("undo", "--trip", "Lisbon 4", "--since", since, "--dry-run", "--json")
                .object()
            #expect(undone["commits"] as? [Int] == [5, 6], "\(since)")
        }
        for moment in ["now", "6", times[5], String(times[5].prefix(10))] {
            #expect(try await tool.run("trips", "--as-of", moment, "--json").object()["name"] as? String == "Lisbon 4")
        }
        #expect(await tool.run("audit", "diff", "6", "now").out == ["No differences."])
        await tool.expectInvariants()
    }

    @Test("A difference makes the exit code 1, and can be that of one trip and of what was ever in it")
    func differences() async throws {
        let tool = try await Tool.withStore()
        let lisbon = try await tool.value("add", "trip", "--name", "Lisbon")
        _ = try await tool.value("add", "trip", "--name", "Porto")
        let tram = try await tool.value("add", "activity", "--name", "Tram", "--trip", "Lisbon")
        _ = try await tool.value("add", "activity", "--name", "Boat", "--trip", "Porto")
        #expect(await tool.run("move", "Tram", "--to", "Porto").code == 0)
        let all = await tool.run("audit", "diff", "0", "now", "--json")
        #expect(all.code == 1 && all.out.count == 4)
        let one = await tool.run("audit", "diff", "0", "now", "--trip", "Lisbon", "--json")
        #expect(one.code == 1)
        #expect(Set(try one.objects().compactMap { $0["id"] as? String }) == [lisbon, tram])
        // Any entity bounds it, a trip among them.
        #expect(await tool.run("audit", "diff", "0", "now", "--under", "Lisbon", "--json").out == one.out)
        let moved = try await tool.run("audit", "diff", "0", "now", "--under", "Tram", "--json").objects()
        #expect(moved.compactMap { $0["id"] as? String } == [tram])
        #expect(await tool.run("audit", "log", "--under", "Tram", "--json").out.count == 2)
        #expect(await tool.run("audit", "diff", "0", "now", "--under", "Tram", "--trip", "Lisbon").code == 64)
        #expect(await tool.run("audit", "diff", "now", "now").code == 0)
        await tool.expectInvariants()
    }

    @Test("On a terminal --follow says that it waits, and nowhere else")
    func waiting() async throws {
        let tool = try await renamed()
        let words = "Waiting for commits after position \(try await tool.position()). Ctrl-C ends it."
        for isTerminal in [true, false] {
            let outcome = await tool.run("audit", "log", "--follow") { console in
                if isTerminal { console.progress = { _ in } }
                // It ends where nobody reads what it would print.
                console.hasReader = { false }
            }
            #expect(outcome.code == 0 && outcome.out.isEmpty)
            #expect(outcome.error == (isTerminal ? words : ""))
        }
        await tool.expectInvariants()
    }

    @Test("--follow lists what comes from now on, and nothing before")
    func following() async throws {
        let tool = try await renamed()
        // Within one process a writer must open before readers.
        let options = TripStore.Options(mapSize: 1 << 30)
        let writer = try await TripStore.open(at: URL(fileURLWithPath: tool.path), options: options)
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        let (looks, looked) = AsyncStream.makeStream(of: Void.self)
        let console = Console(
            out: { continuation.yield($0) }, error: { continuation.yield($0) },
            hasReader: {
                looked.yield()
                return true
            })
        let path = tool.path
        let task = Task {
            let code = await TripStoreCommand.run(
                ["audit", "log", "--follow", "--limit", "1", "--json", "--store", path], console: console)
            looked.finish()
            continuation.finish()
            return code
        }
        // Once it follows, it checks whether its reader still exists.
        var look = looks.makeAsyncIterator()
        try #require(await look.next() != nil)
        try await writer.create(Trip(name: "Later"))
        var iterator = lines.makeAsyncIterator()
        let line = try #require(await iterator.next())
        let events = try Tool.Outcome.object(line)["events"] as? [[String: Any]]
        #expect(events?.first?["name"] as? String == "Later")
        #expect(await task.value == 0)
        await writer.close()
        await tool.expectInvariants()
    }

    @Test("A conflict has the same id on every replica")
    func conflictIDs() async throws {
        let replicas = try await Replicas()
        let trip = try await replicas.trip(named: "Lisbon")
        #expect(await replicas.ana.run("edit", trip, "--name", "Porto", "--notes", "a").code == 0)
        #expect(await replicas.ben.run("edit", trip, "--name", "Faro", "--notes", "b").code == 0)
        try await replicas.meet()
        var ids: [[String]] = []
        for tool in [replicas.ana, replicas.ben] {
            let found = await tool.run("audit", "conflicts", "--json")
            #expect(found.code == 1)
            ids.append(try found.objects().compactMap { $0["id"] as? String })
        }
        #expect(ids[0].count == 2 && ids[0] == ids[1])
    }
}
