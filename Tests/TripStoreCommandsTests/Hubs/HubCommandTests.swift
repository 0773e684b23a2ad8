#if Hub
    import DatabaseSupport
    import Foundation
    import StoreSupport
    import Testing
    import TripStore

    @Suite(
        "Hubs over a database, with the tool", .timeLimit(.minutes(3)),
        .enabled(if: TestServer.isAvailable, "\(TestServer.hint)"))
    struct HubCommandTests {
        @Test(
            "Two hubs serve one database, with attachments; it is listed, verified, written to a bundle, exported and imported"
        )
        func everything() async throws {
            let server = try await TestServer(syncs: true, port: 0)
            let database = "postgresql:///postgres?host=\(server.folder)&user=tripstore"
            let place = TemporaryFolder()
            let (ana, ben) = (try await Tool.withStore(), Tool())
            _ = try await ana.value("add", "trip", "--name", "Lisbon")
            let picture = [UInt8](unsafeUninitializedCapacity: 2_300_000) { bytes, count in
                for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index &* 31 >> 3) }
                count = bytes.count
            }
            let file = place.path("map.png")
            try FileManager.default.createDirectory(at: place.url, withIntermediateDirectories: true)
            try Data(picture).write(to: URL(fileURLWithPath: file))
            #expect(await ana.run("attach", "Lisbon", file).code == 0)
            // The second uses the first one's certificate.
            let scratch = place.path("hubs")
            try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
            let hubs = [
                try await RunningServer("--database", database, "--scratch", scratch, "--begin", "anyone"),
                try await RunningServer("--database", database, "--scratch", scratch),
            ]
            #expect(hubs[0].pin == hubs[1].pin)
            #expect(await ana.run("sync", hubs[0].server, "--pin", hubs[0].pin).code == 0)
            let code = try await ana.value("invite", "--hub", hubs[1].server, "--pin", hubs[1].pin)
            #expect(await ana.run("sync", hubs[0].server).code == 0)
            #expect(await ben.run("join", code).code == 0)
            #expect(await ana.run("sync", hubs[0].server).code == 0)
            let synced = await ben.run("sync", hubs[1].server)
            #expect(synced.code == 0, "\(synced.error)")
            #expect(await ben.run("save", "map.png", place.path("saved.png")).code == 0)
            #expect(try Data(contentsOf: URL(fileURLWithPath: place.path("saved.png"))) == Data(picture))

            let journal = try #require(try await ana.run("status", "--json").object()["journal"] as? String)
            let listed = await Tool.run(["hub", "journals", "--database", database])
            #expect(listed.code == 0 && listed.out.count == 1 && listed.out[0].hasPrefix(journal), "\(listed.error)")
            let verified = await Tool.run(["audit", "verify", "--database", database])
            #expect(verified.code == 0 && verified.out.contains { $0.contains("intact") }, "\(verified)")
            let bundle = await Tool.run([
                "hub", "bundle", place.path("all.bundle"), "--journal", journal, "--database", database,
            ])
            #expect(bundle.code == 0, "\(bundle.error)")
            let reader = Tool()
            #expect(await Tool.run(["clone", place.path("all.bundle"), reader.path]).code == 0)
            #expect(try await reader.run("trips", "--undated", "--json").objects().count == 1)
            #expect(await Tool.run(["hub", "export", place.path("out"), "--database", database]).code == 0)
            #expect(await Tool.run(["audit", "verify", "--store", place.path("out/\(journal)")]).code == 0)
            for hub in hubs { #expect(await hub.tool.end() == 0) }

            // Damage is found, and another database gets what the folder has.
            try await server.sql("CREATE DATABASE other")
            let other = "postgresql:///other?host=\(server.folder)&user=tripstore"
            let imported = await Tool.run(["hub", "import", place.path("out"), "--database", other])
            #expect(imported.code == 0 && imported.out.count == 1, "\(imported.error)")
            #expect(await Tool.run(["audit", "verify", "--database", other]).code == 0)
            #expect(try await server.gaps(in: "other") == [])
            try await server.sql("DELETE FROM tripstore.entry WHERE entry = 2")
            let damaged = await Tool.run(["audit", "verify", "--database", database, "--journal", journal])
            #expect(
                damaged.code == 1 && damaged.out.contains { $0.contains("Entry 2: entries 2 to 2 are missing") },
                "\(damaged)")
            #expect(await Tool.run(["hub", "epoch", "--database", database]).code == 0)
            for tool in [ana, ben, reader] { await tool.expectInvariants() }
        }

        @Test(
            "Command lines that make no sense are refused",
            arguments: [
                ("hub journals --database mysql://here", 64), ("hub journals", 64), ("hub export /nowhere", 64),
                ("serve --listen 127.0.0.1:0 --self-signed --database postgresql:///d", 64),
                ("serve --listen 127.0.0.1:0 --self-signed --scratch /tmp", 64),
                ("audit verify --database postgresql:///d --store /tmp", 64), ("audit verify --journal x", 64),
                ("hub journals --database postgresql://a:hunter2@127.0.0.1:1/d", 2),
                ("hub journals --database postgresql://a:hun?ter2@127.0.0.1:1/d", 64),
                ("hub journals --database postgresql://a:hun/ter2@127.0.0.1:1/d", 64),
                // The way there is open.
                ("hub journals --database postgresql://a:hunter2@db.example/d", 64),
                ("audit verify --database postgresql://db.example/d?sslmode=require", 64),
                ("hub journals --database postgresql://a:hun/ter2@127.0.0.1:1/d --insecure-database", 2),
                ("hub journals --database mysql://a:hunter2@h/d", 64),
                ("audit verify --database mysql://a:hunter2@h/d", 64),
                ("serve --listen 127.0.0.1:0 --certificate a --key b --database mysql://a:hunter2@h/d", 64),
            ])
        func refusals(line: String, code: Int32) async throws {
            let outcome = await Tool.run(line.split(separator: " ").map(String.init))
            #expect(outcome.code == code, "\(outcome)")
            #expect(!outcome.error.contains("ter2") && !outcome.out.joined().contains("ter2"))
        }
    }
#endif
