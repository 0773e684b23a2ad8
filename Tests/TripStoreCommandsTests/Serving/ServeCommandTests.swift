#if Hub
    import Foundation
    import HubCarrier
    import StoreSupport
    import TestSupport
    import Testing

    @Suite("serve", .timeLimit(.minutes(3)))
    struct ServeCommandTests {
        private func founder() async throws -> Tool {
            let tool = try await Tool.withStore()
            _ = try await tool.value("add", "trip", "--name", "Lisbon")
            return tool
        }

        private func trips(_ tool: Tool) async -> Set<String> {
            let outcome = await tool.run("trips", "--undated", "--json")
            return Set((try? outcome.objects().compactMap { $0["name"] as? String }) ?? [])
        }

        @Test(
            "A store that is served: a code with its address is all that another device needs, and both hold the same")
        func store() async throws {
            let ana = try await founder()
            let server = try await RunningServer("--store", ana.path)
            #expect(server.address.hasPrefix("\(server.server)/"))
            let code = try await ana.value("invite", "--hub", server.server, "--pin", server.pin)
            #expect(code.hasPrefix("TRIP2-"))
            let ben = Tool()
            let joined = await ben.run("join", code, "--name", "ben's phone", "--json")
            #expect(joined.code == 0, "\(joined.error)")
            #expect(try joined.object()["hub"] as? String == server.server)
            // The admin's own store grants; the pin is remembered.
            _ = try await ben.value("sync", server.server)
            #expect(await trips(ben) == ["Lisbon"])
            #expect(await ben.run("status").out.contains { $0.contains("standing  write") })
            _ = try await ben.value("add", "trip", "--name", "Porto")
            let synced = await ben.run("sync", server.server)
            #expect(synced.code == 0 && synced.out.contains { $0.contains("sent      1 commit") }, "\(synced)")
            #expect(await trips(ana) == ["Lisbon", "Porto"])
            #expect(await server.tool.end() == 0)
            for tool in [ana, ben] { await tool.expectInvariants() }
        }

        @Test(
            "A hub: a founder begins a journal, a guest joins by a code, and the admin's next exchange brings the grant"
        )
        func hub() async throws {
            let (ana, ben, place) = (try await founder(), Tool(), TemporaryFolder())
            let hub = try await RunningServer("--hub", place.path("hub"), "--begin", "anyone")
            #expect(hub.address == hub.server)
            _ = try await ana.value("sync", hub.server, "--pin", hub.pin)
            let code = try await ana.value("invite", "--hub", hub.server)
            // The hub has to know the invitation before it serves who has it.
            _ = try await ana.value("sync", hub.server)
            let joined = await ben.run("join", code, "--json")
            #expect(joined.code == 0, "\(joined.error)")
            #expect(try joined.object()["standing"] as? String == "waiting")
            _ = try await ana.value("sync", hub.server)
            _ = try await ben.value("sync", hub.server)
            #expect(await ben.run("status").out.contains { $0.contains("standing  write") })
            #expect(await trips(ben) == ["Lisbon"])
            _ = try await ben.value("add", "trip", "--name", "Porto")
            _ = try await ben.value("sync", hub.server)
            _ = try await ana.value("sync", hub.server)
            #expect(await trips(ana) == ["Lisbon", "Porto"])
            #expect(await ana.run("peers").out.count >= 1)
            #expect(await hub.tool.end() == 0)
            for tool in [ana, ben] { await tool.expectInvariants() }
            // What the hub holds is a log like any other.
            let journal = try #require(try await ana.run("status", "--json").object()["journal"] as? String)
            #expect(await Tool.run(["audit", "verify", "--store", place.path("hub/\(journal)")]).code == 0)
        }

        @Test(
            "A hub that takes commits and no attachments is trusted from then on, and named with its reason each time")
        func refusedAttachments() async throws {
            let (ana, ben, place) = (try await founder(), Tool(), TemporaryFolder())
            #expect(await Tool.run(["clone", ana.path, ben.path]).code == 0)
            let hub = try await RunningServer("--hub", place.path("hub"), "--begin", "anyone")
            _ = try await ana.value("sync", hub.server, "--pin", hub.pin)
            let journal = try #require(try await ana.run("status", "--json").object()["journal"] as? String)
            // Nothing can be put into what is no folder.
            let attachments = place.path("hub/\(journal)/attachments")
            try? FileManager.default.removeItem(atPath: attachments)
            try Data().write(to: URL(fileURLWithPath: attachments))
            let file = place.path("ticket.txt")
            try Data("ticket".utf8).write(to: URL(fileURLWithPath: file))
            _ = try await ben.value("attach", "Lisbon", file)
            for trust in [["--pin", hub.pin], []] {
                let synced = await ben.run(["sync", hub.server] + trust)
                #expect(synced.code == 1 && "\(synced)".contains("could not be exchanged"), "\(synced)")
            }
            #expect(await hub.tool.end() == 0)
            for tool in [ana, ben] { await tool.expectInvariants() }
        }

        @Test("A hub that lets nobody begin a journal takes none, and says so")
        func nobodyBegins() async throws {
            let (ana, place) = (try await founder(), TemporaryFolder())
            let hub = try await RunningServer("--hub", place.path("hub"))
            let refused = await ana.run("sync", hub.server, "--pin", hub.pin)
            #expect(refused.code == 2 && !refused.error.isEmpty)
            #expect(await hub.tool.end() == 0)
        }

        @Test("A hub lets those begin a journal that a file lists", arguments: ["journal", "replica"])
        func listed(member: String) async throws {
            let (ana, place) = (try await founder(), TemporaryFolder())
            try FileManager.default.createDirectory(at: place.url, withIntermediateDirectories: true)
            let id = try #require(try await ana.run("status", "--json").object()[member] as? String)
            try Data("# those of ana\n\(id)  # ana\n".utf8).write(to: URL(fileURLWithPath: place.path("list")))
            let hub = try await RunningServer("--hub", place.path("hub"), "--begin", place.path("list"))
            _ = try await ana.value("sync", hub.server, "--pin", hub.pin)
            let stranger = try await founder()
            #expect(await stranger.run("sync", hub.server, "--pin", hub.pin).code == 2)
            #expect(await hub.tool.end() == 0)
        }

        @Test("--stay keeps two devices in sync, and goes on after the hub was killed and came back")
        func staying() async throws {
            let (ana, ben, place) = (try await founder(), Tool(), TemporaryFolder())
            let hub = try await LastingPort.start {
                try await RunningServer("--hub", place.path("hub"), "--begin", "anyone", port: $0)
            }
            _ = try await ana.value("sync", hub.server, "--pin", hub.pin)
            let code = try await ana.value("invite", "--hub", hub.server)
            _ = try await ana.value("sync", hub.server)
            #expect(await ben.run("join", code).code == 0)
            let staying = ["--stay", "--json"]
            let anaStays = try RunningTool(["sync", hub.server, "--store", ana.path] + staying)
            let benStays = try RunningTool(["sync", hub.server, "--store", ben.path] + staying)
            for tool in [anaStays, benStays] { try await tool.line { $0.contains("\"connected\"") } }
            let journal = try #require(try await ana.run("status", "--json").object()["journal"] as? String)
            await hub.tool.end(SIGKILL)
            for tool in [anaStays, benStays] { try await tool.line { $0.contains("\"offline\"") } }
            // Written while there is no hub.
            _ = try await ana.value("add", "trip", "--name", "Porto")
            let again = try await RunningServer(
                "--hub", place.path("hub"), "--begin", "anyone", port: hub.port)
            #expect(again.pin == hub.pin)
            for tool in [anaStays, benStays] { try await tool.line { $0.contains("\"connected\"") } }
            // Live: the other's store has it without a command.
            _ = try await ana.value("add", "trip", "--name", "Faro")
            while await trips(ben) != ["Lisbon", "Porto", "Faro"] { await Task.yield() }
            for tool in [anaStays, benStays, again.tool] { #expect(await tool.end() == 0, "\(tool.complaint)") }
            for tool in [ana, ben] { await tool.expectInvariants() }
            #expect(await Tool.run(["audit", "verify", "--store", place.path("hub/\(journal)")]).code == 0)
        }

        @Test("A certificate is read again on SIGHUP; one that cannot be used changes nothing")
        func reloading() async throws {
            let (ana, place) = (try await founder(), TemporaryFolder())
            try FileManager.default.createDirectory(at: place.url, withIntermediateDirectories: true)
            let (certificate, key) = (place.path("hub.pem"), place.path("hub.key"))
            func write(_ made: SelfSignedCertificate) throws {
                try Data(made.certificate.utf8).write(to: URL(fileURLWithPath: certificate))
                try Data(made.key.utf8).write(to: URL(fileURLWithPath: key))
            }
            let (old, new) = (
                try SelfSignedCertificate(for: ["127.0.0.1"]), try SelfSignedCertificate(for: ["127.0.0.1"])
            )
            try write(old)
            let hub = try await RunningServer(
                "--hub", place.path("hub"), "--begin", "anyone", "--certificate", certificate, "--key", key)
            _ = try await ana.value("sync", hub.server, "--pin", hub.pin)
            try Data("no certificate".utf8).write(to: URL(fileURLWithPath: certificate))
            hub.tool.raise(SIGHUP)
            while !hub.tool.complaint.contains("stays as it is") { await Task.yield() }
            _ = try await ana.value("sync", hub.server)
            try write(new)
            hub.tool.raise(SIGHUP)
            let pin = try HubCertificate(certificates: new.certificate, key: new.key).pin
            var refused = await ana.run("sync", hub.server)
            while refused.code == 0 { refused = await ana.run("sync", hub.server) }
            #expect(refused.code == 2 && refused.error.contains("\(pin)") && refused.error.contains(hub.pin))
            _ = try await ana.value("sync", hub.server, "--pin", "\(pin)")
            _ = try await ana.value("sync", hub.server)
            #expect(await hub.tool.end() == 0)
        }

        @Test("A hub is trusted by its key if a person says so, and the key is remembered")
        func trusting() async throws {
            let (ana, place) = (try await founder(), TemporaryFolder())
            let hub = try await RunningServer("--hub", place.path("hub"), "--begin", "anyone")
            let unknown = await ana.run("sync", hub.server)
            #expect(unknown.code == 2 && unknown.error.contains(hub.pin) && unknown.error.contains("--pin"))
            let trusted = await ana.run("sync", hub.server, "--trust")
            #expect(trusted.code == 0 && trusted.error.contains(hub.pin))
            _ = try await ana.value("sync", hub.server)
            let other = String(repeating: "0", count: 64)
            #expect(await ana.run("sync", hub.server, "--pin", other).code == 2)
            _ = try await ana.value("sync", hub.server)
            #expect(await hub.tool.end() == 0)
            let gone = await ana.run("sync", hub.server)
            #expect(gone.code == 2 && gone.error.contains("refused"))
        }

        /// Command lines, and their exit codes.
        private static let wrong: [String: Int32] = [
            "serve --listen here --self-signed": 64,
            "serve --listen 127.0.0.1:70000 --self-signed": 64,
            "serve --listen ::1:80 --self-signed": 64,
            "serve --listen 127.0.0.1:0": 64,
            "serve --listen 127.0.0.1:0 --certificate a": 64,
            "serve --listen 127.0.0.1:0 --self-signed --certificate a --key b": 64,
            "serve --listen 127.0.0.1:0 --self-signed --begin anyone": 64,
            "serve --listen 127.0.0.1:0 --certificate /none --key /none": 2,
            "sync https://h/p/q": 2,
            "sync http://127.0.0.1:1": 2,
            "sync https://127.0.0.1:1": 2,
            "sync /tmp --stay": 64,
            "sync https://127.0.0.1:1 --stay --heal": 64,
            "sync https://127.0.0.1:1 --pin x": 64,
            "invite --hub https://127.0.0.1:1/a/b": 2,
        ]

        @Test("Arguments that cannot be are refused in words", arguments: wrong.keys.sorted())
        func refused(line: String) async throws {
            let tool = try await founder()
            let outcome = await tool.run(line.split(separator: " ").map(String.init))
            #expect(outcome.code == Self.wrong[line], "\(outcome.error)")
            #expect(!outcome.error.isEmpty)
        }

        @Test("What they print is as documented")
        func output() async throws {
            let (ana, place) = (try await founder(), TemporaryFolder())
            let hub = try RunningTool([
                "serve", "--hub", place.path("hub"), "--begin", "anyone", "--listen", "127.0.0.1:0", "--self-signed",
                "--json",
            ])
            let served = try await hub.line()
            let object = try Tool.Outcome.object(served)
            let (address, pin) = (object["address"] as? String ?? "", object["pin"] as? String ?? "")
            let staying = try RunningTool(["sync", address, "--pin", pin, "--stay", "--json", "--store", ana.path])
            let connected = try await staying.line { $0.contains("\"connected\"") }
            await hub.end(SIGKILL)
            let offline = try await staying.line { $0.contains("\"offline\"") }
            await staying.end()
            var check = OutputCheck(try OutputDocument())
            check.line(PrintedLine(command: "serve", object: "served", text: served))
            for state in [connected, offline] {
                check.line(PrintedLine(command: "sync", object: "sync state", text: state))
            }
            #expect(check.faults == [])
        }

        @Test("A clone of a hub needs a journal in the address")
        func cloneNeedsJournal() async throws {
            let place = TemporaryFolder()
            let hub = try await RunningServer("--hub", place.path("hub"), "--begin", "anyone")
            let refused = await Tool.run(["clone", hub.server, place.path("clone"), "--pin", hub.pin])
            #expect(refused.code == 2 && refused.error.contains("names no journal"))
            #expect(!FileManager.default.fileExists(atPath: place.path("clone")))
            #expect(await hub.tool.end() == 0)
        }
    }
#endif
