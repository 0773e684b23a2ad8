#if Inspector
    import Foundation
    import StoreSupport
    import TestSupport
    import Testing

    @Suite("inspect, as a program", .timeLimit(.minutes(3)))
    struct InspectProgramTests {
        private func founder() async throws -> Tool {
            let tool = try await Tool.withStore()
            _ = try await tool.value("add", "trip", "--name", "Lisbon", "--start-date", "2027-05-01")
            _ = try await tool.value("add", "trip", "--name", "Porto", "--start-date", "2027-06-01")
            return tool
        }

        @Test("The token opens once, and sets a cookie for this site alone; all else is refused without a word")
        func token() async throws {
            let tool = try await founder()
            let inspector = try await RunningInspector(tool)
            let refusals = [
                "/", "/inspect.js", "/inspect.css", "/api/1/trips", "/api/1/live", "/open", inspector.root + "/",
                inspector.root + "/api/1/trips",
                inspector.opening + "x", String(inspector.opening.dropLast()), "/nothing",
            ]
            for target in refusals {
                let refused = try await inspector.answer(target)
                #expect(refused.status == 403 && refused.body.isEmpty, "\(target): \(refused)")
                #expect(refused.header("set-cookie") == nil, "\(target)")
            }
            let head = try await inspector.answer(PlainRequest(method: "HEAD", target: inspector.opening))
            #expect(head.status == 403)
            let opened = try await inspector.answer(inspector.opening)
            let parts = try #require(opened.header("set-cookie")).split(separator: ";").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            #expect(
                opened.status == 200
                    && Set(parts.dropFirst()) == ["HttpOnly", "SameSite=Strict", "Path=\(inspector.root)/"], "\(parts)")
            #expect(!opened.text.contains("Lisbon"))
            let again = try await inspector.answer(inspector.opening)
            #expect(again.status == 403 && again.body.isEmpty)
            let client = InspectorClient(port: inspector.port, root: inspector.root, cookie: parts[0])
            #expect(try await client.rows("trips").map { $0["name"] as? String } == ["Lisbon", "Porto"])
            #expect(try await client.answer("/").text.contains("inspect.js"))
            await inspector.end()
            await tool.expectInvariants()
        }

        @Test(
            "A name that was made to lead here, and another site's page, read and write nothing, even with the cookie")
        func otherSites() async throws {
            let tool = try await founder()
            _ = await tool.run("edit", "Porto", "--name", "Faro")
            let before = try await tool.position()
            let inspector = try await RunningInspector(tool, "--write")
            let client = try await inspector.opened()
            let own = "127.0.0.1:\(inspector.port)"
            let requests: [[(name: String, value: String)]] = [
                [("host", "example.org")], [("host", "example.org:\(inspector.port)")], [("host", "127.0.0.1")],
                [("host", "127.0.0.1:1")], [("origin", "http://example.org")], [("origin", "null")],
                [("origin", "http://127.0.0.1:1")], [("origin", "https://\(own)")],
                [("host", "localhost:\(inspector.port)"), ("origin", "http://\(own)")],
                [("sec-fetch-site", "cross-site")], [("sec-fetch-site", "same-site")],
            ]
            for headers in requests {
                for (method, target) in [
                    ("GET", "/"), ("GET", "/api/1/trips"), ("GET", "/api/1/live"),
                    ("POST", "/api/1/undo?commit=\(before)"),
                ] {
                    let refused = try await client.answer(target, method: method, headers)
                    #expect(refused.status == 403 && refused.body.isEmpty, "\(method) \(target) \(headers)")
                    #expect(refused.header("access-control-allow-origin") == nil)
                }
            }
            #expect(try await tool.position() == before)
            // The page itself may.
            let undone = try await client.answer(
                "/api/1/undo?commit=\(before)", method: "POST",
                [("origin", "http://\(own)"), ("sec-fetch-site", "same-origin")])
            #expect(undone.status == 200, "\(undone.text)")
            #expect(try await tool.position() == before + 1)
            await inspector.end()
            await tool.expectInvariants()
        }

        @Test("It listens on one address, which other machines do not reach")
        func loopback() async throws {
            let tool = try await founder()
            let inspector = try await RunningInspector(tool)
            var (isShown, listening): (Bool, [String]) = (false, [])
            for file in ["/proc/net/tcp", "/proc/net/tcp6"] {
                guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { continue }
                isShown = true
                for line in text.split(separator: "\n") {
                    let words = line.split(separator: " ").map(String.init)
                    guard words.count > 3, words[3] == "0A" else { continue }
                    if words[1].hasSuffix(":" + inspector.hexadecimalPort) { listening.append(words[1]) }
                }
            }
            // 127.0.0.1, as the system prints it.
            #expect(!isShown || listening == ["0100007F:" + inspector.hexadecimalPort])
            await #expect(throws: PlainHTTP.Failure.self) {
                _ = try await PlainHTTP.answer(to: PlainRequest(), host: "127.0.0.2", port: inspector.port)
            }
            await inspector.end()
        }

        @Test("Commits that another process writes are told as they come, and are in the next answer")
        func otherProcess() async throws {
            let tool = try await founder()
            let inspector = try await RunningInspector(tool)
            let client = try await inspector.opened()
            let events = client.events("live")
            await events.begin()
            let added = try tool.shell("\"$T\" add trip --name Faro --start-date 2027-07-01 --author ben")
            #expect(added.code == 0, "\(added.complaint)")
            let event = try #require(await events.next("commit"))
            let commit = try event.object()
            let position = try await tool.position()
            #expect(event.id == "\(position)" && commit["position"] as? Int == position)
            #expect(commit["author"] as? String == "ben", "\(commit)")
            #expect(commit.objects("events").first?["name"] as? String == "Faro")
            #expect(try await client.rows("trips").map { $0["name"] as? String } == ["Lisbon", "Porto", "Faro"])
            // A browser that connects again names what it saw last, and gets what it missed.
            let later = client.events("live?after=\(position - 1)")
            #expect(await later.next("commit")?.id == event.id)
            await inspector.end()
            await tool.expectInvariants()
        }

        #if Hub
            @Test("The journal of a hub is shown while the hub serves it")
            func hub() async throws {
                let (tool, place) = (try await founder(), TemporaryFolder())
                let hub = try await RunningServer("--hub", place.path("hub"), "--begin", "anyone")
                _ = try await tool.value("sync", hub.server, "--pin", hub.pin)
                let journal = try #require(try await tool.run("status", "--json").object()["journal"] as? String)
                let line = ["inspect", "--json", "--no-open", "--port", "0", "--store", place.path("hub/\(journal)")]
                let inspector = try await RunningInspector(tool, process: RunningTool(line))
                let client = try await inspector.opened()
                #expect(try await client.rows("trips").map { $0["name"] as? String } == ["Lisbon", "Porto"])
                #expect(try await client.rows("audit/verify").first?["ok"] as? Bool == true)
                let events = client.events("live")
                await events.begin()
                _ = try await tool.value("add", "trip", "--name", "Faro", "--start-date", "2027-07-01")
                _ = try await tool.value("sync", hub.server)
                #expect(await events.next("commit") != nil)
                #expect(try await client.rows("trips").count == 3)
                await inspector.end()
                #expect(await hub.tool.end() == 0)
                await tool.expectInvariants()
            }
        #endif

        @Test("While another process writes, every answer is whole and of one position")
        func concurrentWrites() async throws {
            let tool = try await founder()
            let inspector = try await RunningInspector(tool)
            let client = try await inspector.opened()
            async let writing = tool.shell(
                "for n in 1 2 3 4 5 6 7 8; do \"$T\" add trip --name \"Trip $n\" --start-date 2027-08-0$n || exit 9; done"
            )
            let expected = ["Lisbon", "Porto"] + (1...8).map { "Trip \($0)" }
            var last = 0
            while last < expected.count {
                let names = try await client.rows("trips").compactMap { $0["name"] as? String }
                #expect(names.count >= last && names == Array(expected.prefix(names.count)))
                last = names.count
                try Task.checkCancellation()
            }
            let written = try await writing
            #expect(written.code == 0, "\(written.complaint)")
            await inspector.end()
            await tool.expectInvariants()
        }

        @Test("A signal ends it with 0, also while a page follows the store", arguments: [SIGINT, SIGTERM])
        func signals(signal: Int32) async throws {
            let tool = try await founder()
            let inspector = try await RunningInspector(tool)
            let events = try await inspector.opened().events("live")
            await events.begin()
            #expect(await inspector.process.end(signal) == 0, "\(inspector.process.complaint)")
            // The stream ends with it.
            #expect(await events.next("none") == nil)
            await tool.expectInvariants()
        }

        @Test("A port that is in use, and a store that does not exist, are typed errors, and no address is printed")
        func refusedStart() async throws {
            let tool = try await founder()
            let inspector = try await RunningInspector(tool)
            let second = try tool.shell("\"$T\" inspect --no-open --json --port \(inspector.port)")
            #expect(second.code == 2 && second.bytes.isEmpty, "\(second.complaint)")
            #expect(second.complaint.contains("\"code\":\"unusableAddress\""), "\(second.complaint)")
            let missing = try tool.shell("\"$T\" inspect --no-open --json --store nowhere")
            #expect(
                missing.code == 2 && missing.bytes.isEmpty && missing.complaint.contains("\"error\":"), "\(missing)")
            // The first one answers on.
            #expect(try await inspector.opened().rows("trips").count == 2)
            await inspector.end()
        }
    }

    extension RunningInspector {
        fileprivate var hexadecimalPort: String {
            let text = String(port, radix: 16, uppercase: true)
            return String(repeating: "0", count: 4 - text.count) + text
        }
    }
#endif
