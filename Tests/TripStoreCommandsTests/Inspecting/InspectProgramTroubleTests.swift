#if Inspector
    import Foundation
    import StoreSupport
    import TestSupport
    import Testing
    import TripStore

    @Suite("inspect, where something is wrong", .timeLimit(.minutes(3)))
    struct InspectProgramTroubleTests {
        private func founder() async throws -> Tool {
            let tool = try await Tool.withStore()
            _ = try await tool.value("add", "trip", "--name", "Lisbon", "--start-date", "2027-05-01")
            return tool
        }

        @Test("A store that disappears is a fault in the answer; once it is back it is shown as before")
        func gone() async throws {
            let tool = try await founder()
            let inspector = try await RunningInspector(tool, "--write")
            let client = try await inspector.opened()
            #expect(try await client.rows("trips").count == 1)
            let away = tool.folder.path("away")
            try FileManager.default.moveItem(atPath: tool.path, toPath: away)
            for (method, target) in [("GET", "trips"), ("GET", "audit/log"), ("POST", "undo?commit=2")] {
                let fault = try await client.fault(target, method: method)
                #expect(fault.status == 404 && fault.code == "noStore", "\(target): \(fault)")
            }
            // Nothing was made in its place.
            #expect(!FileManager.default.fileExists(atPath: tool.path))
            try FileManager.default.moveItem(atPath: away, toPath: tool.path)
            #expect(try await client.rows("trips").count == 1)
            await inspector.end()
            await tool.expectInvariants()
        }

        @Test("A store that another one takes the place of, in the same folder, is neither shown nor written any more")
        func replaced() async throws {
            let tool = try await founder()
            let inspector = try await RunningInspector(tool, "--write")
            let client = try await inspector.opened()
            #expect(try await client.rows("trips").count == 1)
            let away = tool.folder.path("away")
            try FileManager.default.moveItem(atPath: tool.path + "/log", toPath: away)
            try FileManager.default.copyItem(atPath: away, toPath: tool.path + "/log")
            for (method, target) in [("GET", "trips"), ("POST", "undo?commit=2")] {
                let fault = try await client.fault(target, method: method)
                #expect(fault.status == 404 && fault.code == "noStore", "\(target): \(fault)")
            }
            try FileManager.default.removeItem(atPath: tool.path + "/log")
            try FileManager.default.moveItem(atPath: away, toPath: tool.path + "/log")
            #expect(try await client.rows("trips").count == 1)
            await inspector.end()
            await tool.expectInvariants()
        }

        @Test(
            "A store on a read-only medium is shown; with --write it is refused", .enabled(if: ReadOnlyMedium.canMount))
        func readOnlyMedium() async throws {
            let tool = try await founder()
            let mount = ReadOnlyMedium.mount(tool.path)
            let program = try KilledProcess.executable("tripstore").path
            let inspector = try await RunningInspector(
                tool,
                process: RunningTool(
                    program: URL(fileURLWithPath: "/usr/bin/env"),
                    ["unshare", "-m", "sh", "-c", "\(mount) && exec \"$@\"", "sh", program]
                        + RunningInspector.line(tool, [])))
            let client = try await inspector.opened()
            for target in ["trips", "show/Lisbon", "audit/log", "audit/verify", "status", "replay", "trips?as-of=1"] {
                #expect(try await client.answer("/api/1/\(target)").status == 200, "\(target)")
            }
            let refused = try await client.fault("undo?commit=2", method: "POST")
            #expect(refused.status == 403 && refused.code == "readOnly")
            await inspector.end()
            let writing = try tool.shell(
                "unshare -m sh -c '\(mount) && exec \"$T\" inspect --write --no-open --json'")
            #expect(writing.code == 2 && writing.bytes.isEmpty)
            #expect(writing.complaint.contains("Read-only file system"), "\(writing.complaint)")
            await tool.expectInvariants()
        }

        @Test("A log that was damaged before is a typed error at the start, as of every command")
        func damagedBefore() async throws {
            let tool = try await founder()
            try Self.damage(tool)
            let outcome = try tool.shell("\"$T\" inspect --no-open --json")
            #expect(outcome.code == 2 && outcome.bytes.isEmpty, "\(outcome)")
            #expect(outcome.complaint.contains("\"code\":\"damaged\""), "\(outcome.complaint)")
        }

        @Test("Of a log that is altered while it is shown, the alteration is found, and the program goes on")
        func damagedMeanwhile() async throws {
            let tool = try await founder()
            let inspector = try await RunningInspector(tool)
            let client = try await inspector.opened()
            #expect(try await client.rows("trips").count == 1)
            try Self.alter(tool)
            let answer = try await client.answer("/api/1/audit/verify")
            let object = try answer.object()
            #expect(answer.status == 200 && object["exit"] as? Int == 1, "\(object)")
            for target in ["trips", "audit/log", "show/Lisbon", "status"] {
                let status = try await client.answer("/api/1/\(target)").status
                #expect([200, 500].contains(status), "\(target): \(status)")
            }
            #expect(try await client.answer("/").status == 200)
            await inspector.end()
        }

        /// Writes another name in the place of the trip's, in the bytes of its commit.
        private static func alter(_ tool: Tool) throws {
            let path = tool.path + "/log/data.mdb"
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            defer { try? file.close() }
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            var rest = bytes[...]
            while let found = rest.range(of: Data("Lisbon".utf8)) {
                try file.seek(toOffset: UInt64(found.lowerBound))
                try file.write(contentsOf: Data("Lisbom".utf8))
                rest = rest[found.upperBound...]
            }
        }

        /// Overwrites the log's pages after the first two.
        private static func damage(_ tool: Tool) throws {
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: tool.path + "/log/data.mdb"))
            defer { try? file.close() }
            let size = Int(try file.seekToEnd())
            try file.seek(toOffset: 8192)
            try file.write(contentsOf: Data((0..<max(0, size - 8192)).map { UInt8(truncatingIfNeeded: $0 &* 31 + 7) }))
        }

        @Test("The largest commit that there can be, of some 16 MiB, is answered whole, alone and among others")
        func largeCommit() async throws {
            let tool = try await founder()
            let handle = try await TripStoreHandle.open(tool.path)
            let notes = (0..<16).map { String(repeating: "\($0 % 10)é", count: 340_000) }
            try await handle.store.create(notes.enumerated().map { Trip(name: "Trip \($0.offset)", notes: $0.element) })
            await handle.store.close()
            let position = try await tool.position()
            let inspector = try await RunningInspector(tool)
            let client = try await inspector.opened()
            for target in ["audit/show/\(position)", "audit/log?limit=1"] {
                let commit = try #require(try await client.rows(target).first)
                let written = commit.objects("events").flatMap { $0.objects("changes") }.filter {
                    $0["field"] as? String == "notes"
                }
                #expect(written.compactMap { $0["new"] as? String } == notes, "\(target): \(written.count)")
            }
            #expect(try await client.rows("show/Lisbon").count == 1)
            await inspector.end()
            await tool.expectInvariants()
        }

        @Test("Requests that are none are refused one by one, and the program answers on")
        func badRequests() async throws {
            let tool = try await founder()
            let inspector = try await RunningInspector(tool, "--write")
            let client = try await inspector.opened()
            let cases: [(method: String, target: String, statuses: Set<Int>)] = [
                ("GET", "/api/1/%zz", [400]), ("GET", "/api/1/show/%00", [400, 404]),
                ("GET", "/api/1/trips?limit=%zz", [400]), ("GET", "/../../etc/passwd", [404]),
                ("GET", "/%2e%2e/%2e%2e/etc/passwd", [404]), ("GET", "/api", [404]), ("GET", "/api/2/trips", [404]),
                ("GET", "/api/1/import/x", [404]), ("PUT", "/api/1/trips", [405]), ("DELETE", "/", [404, 405]),
                ("GET", "/api/1/find/" + String(repeating: "a", count: 6_000), [400]),
            ]
            for (method, target, statuses) in cases {
                let answer = try await client.answer(target, method: method)
                #expect(statuses.contains(answer.status), "\(method) \(target.prefix(60)): \(answer.status)")
                #expect(!answer.text.contains("root:"))
            }
            #expect(try await client.rows("trips").count == 1)
            await inspector.end()
            await tool.expectInvariants()
        }
    }
#endif
