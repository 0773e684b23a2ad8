#if Inspector
    import Foundation
    import StoreSupport
    import TestSupport
    import Testing

    /// A feed as programs read it that know nothing of stores. They are not part of the project: without them these tests are skipped.
    @Suite("A feed in calendar programs")
    struct FeedInProgramsTests {
        private static func isInstalled(_ program: String) -> Bool {
            let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
        }

        /// A trip with an activity, the server of its feed, and the feed's address.
        private func served() async throws -> (tool: Tool, server: RunningTool, address: String) {
            let tool = try await Tool.withStore()
            _ = try await tool.value(
                "add", "trip", "--name", "Lisbon", "--start-date", "2027-05-01", "--end-date", "2027-05-08")
            _ = try await tool.value(
                "add", "activity", "--name", "Tram 28", "--trip", "Lisbon", "--start", "2027-05-03T10:00",
                "--start-time-zone", "Europe/Lisbon", "--end", "2027-05-03T11:00", "--end-time-zone", "Europe/Lisbon")
            let server = try RunningTool(
                ["feed", "serve", "--listen", "127.0.0.1:0", "--json", "--store", tool.path])
            let port = try #require(try Tool.Outcome.object(try await server.line())["port"] as? Int)
            let added = await tool.run("feed", "add", "Lisbon", "--at", "http://127.0.0.1:\(port)", "--json")
            return (tool, server, try #require(try added.object()["address"] as? String))
        }

        @Test(
            "vdirsyncer takes it, again after a change, and khal shows its days and times",
            .enabled(if: isInstalled("vdirsyncer") && isInstalled("khal"), "vdirsyncer or khal is not here."))
        func vdirsyncer() async throws {
            let (tool, server, address) = try await served()
            try tool.write(
                """
                [general]
                status_path = "\(tool.folder.path("state/"))"
                [pair trips]
                a = "local"
                b = "feed"
                collections = null
                conflict_resolution = "b wins"
                [storage local]
                type = "filesystem"
                path = "\(tool.folder.path("calendar/"))"
                fileext = ".ics"
                [storage feed]
                type = "http"
                url = "\(address)"
                """, to: "vdirsyncer.conf")
            try tool.write(
                """
                [calendars]
                [[trips]]
                path = \(tool.folder.path("calendar/"))
                [locale]
                timeformat = %H:%M
                dateformat = %Y-%m-%d
                longdateformat = %Y-%m-%d
                datetimeformat = %Y-%m-%d %H:%M
                longdatetimeformat = %Y-%m-%d %H:%M
                local_timezone = Europe/Lisbon
                default_timezone = Europe/Lisbon
                """, to: "khal.conf")
            let sync = "vdirsyncer -c vdirsyncer.conf sync && HOME=$PWD khal -c khal.conf list 2027-05-03 1d"
            let first = try tool.shell("mkdir calendar state; yes | vdirsyncer -c vdirsyncer.conf discover; \(sync)")
            #expect(first.code == 0, "\(first.complaint)")
            #expect(first.text.contains("10:00-11:00 Tram 28") && first.text.contains("Lisbon"), "\(first.text)")
            _ = await tool.run("edit", "Tram 28", "--name", "Tram 12")
            let second = try tool.shell(sync)
            #expect(second.text.contains("10:00-11:00 Tram 12"), "\(second.text)")
            await server.end(SIGKILL)
            await tool.expectInvariants()
        }

        @Test("calcurse takes all of it", .enabled(if: isInstalled("calcurse"), "calcurse is not here."))
        func calcurse() async throws {
            let (tool, server, address) = try await served()
            let file = try await PlainHTTP.answer(
                to: PlainRequest(target: try #require(URL(string: address)?.path)),
                port: try #require(URL(string: address)?.port))
            try tool.write(file.text, to: "feed.ics")
            let read = try tool.shell("mkdir data && HOME=$PWD calcurse -D data -i feed.ics")
            #expect(read.text.contains("1 app / 1 event / 0 todos / 0 skipped"), "\(read.text) \(read.complaint)")
            await server.end(SIGKILL)
            await tool.expectInvariants()
        }
    }
#endif
