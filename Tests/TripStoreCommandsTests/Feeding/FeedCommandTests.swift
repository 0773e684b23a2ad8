import Foundation
import StoreSupport
import Synchronization
import TestSupport
import Testing
import TripStore

@testable import TripStoreCommands

@Suite("feed")
struct FeedCommandTests {
    /// A store with a trip, and the trip's id.
    private static func tool() async throws -> (tool: Tool, trip: String) {
        let tool = try await Tool.withStore()
        let trip = try await tool.value(
            "add", "trip", "--name", "Lisboa à noite", "--start-date", "2027-05-01", "--end-date", "2027-05-04")
        return (tool, trip)
    }

    private static func address(_ outcome: Tool.Outcome) throws -> URL {
        let text = try #require(try outcome.object()["address"] as? String, "\(outcome.error)")
        return try #require(URL(string: text))
    }

    @Test("An address is made, listed and revoked, and its file is this user's alone")
    func kept() async throws {
        let (tool, trip) = try await Self.tool()
        #expect(
            await tool.run("feed", "list").out == [
                "No feeds: 'tripstore feed add TRIP --store \(tool.path)' makes one."
            ])
        #expect(await tool.run("feed", "list", "--json").out == [])
        let added = await tool.run("feed", "add", "Lisboa à noite")
        #expect(added.code == 0 && added.out.count == 2, "\(added)")
        let form = #/webcal://127\.0\.0\.1:8747(/feed/[A-Za-z0-9_-]{43}/lisboa-a-noite\.ics)/#
        let target = try #require(added.out.first?.wholeMatch(of: form)?.output.1)
        #expect(added.out.last == "http://127.0.0.1:8747\(target)")
        #expect(added.error.contains("tripstore feed serve"))
        let path = "\(tool.path)/\(FeedSecrets.fileName)"
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        let listed = await tool.run("feed", "list")
        #expect(listed.out.count == 3 && listed.out[0].hasPrefix("Lisboa à noite, made "), "\(listed)")
        #expect(listed.out.suffix(2) == added.out.map { "  \($0)" })
        let revoked = await tool.run("feed", "revoke", "Lisboa à noite")
        #expect(revoked.out == ["Revoked 1 address of the trip \(trip)"], "\(revoked)")
        #expect(await tool.run("feed", "list", "--json").out == [])
        await tool.expectInvariants()
    }

    @Test("A trip has as many addresses as are made; one is revoked by its secret or address, all by the trip")
    func several() async throws {
        let (tool, trip) = try await Self.tool()
        var secrets: [String] = []
        for _ in 0..<4 {
            secrets.append(
                try #require(try await tool.run("feed", "add", trip, "--json").object()["secret"] as? String))
        }
        #expect(Set(secrets).count == 4)
        #expect(try await tool.run("feed", "revoke", secrets[1], "--json").object()["revoked"] as? Int == 1)
        #expect(await tool.run("feed", "revoke", "webcal://127.0.0.1:8747/feed/\(secrets[3])/x.ics").code == 0)
        let left = try await tool.run("feed", "list", "--json").objects().map { $0["secret"] as? String }
        #expect(left == [secrets[0], secrets[2]])
        let all = try await tool.run("feed", "revoke", trip, "--json").object()
        #expect(all["revoked"] as? Int == 2 && all["trip"] as? String == trip)
        for argument in [secrets[0], trip] {
            let outcome = await tool.run("feed", "revoke", argument, "--json")
            #expect(outcome.code == 2 && outcome.error.contains("\"code\":\"unknownFeed\""), "\(outcome.error)")
        }
        await tool.expectInvariants()
    }

    @Test(
        "Addresses name the server that --at says",
        arguments: [
            ("laptop.local", "http://laptop.local:8747", "webcal://laptop.local:8747"),
            ("laptop.local:80", "http://laptop.local:80", "webcal://laptop.local:80"),
            ("[::1]:9000", "http://[::1]:9000", "webcal://[::1]:9000"),
            ("[::1]", "http://[::1]:8747", "webcal://[::1]:8747"),
            ("https://Calendar.example/", "https://calendar.example", "webcals://calendar.example"),
            ("https://calendar.example:8443", "https://calendar.example:8443", "webcals://calendar.example:8443"),
            ("http://calendar.example", "http://calendar.example", "webcal://calendar.example"),
        ])
    func servers(argument: String, web: String, calendar: String) throws {
        let server = try #require(FeedServer(argument: argument))
        #expect(server.web("/x") == web + "/x" && server.calendar("/x") == calendar + "/x")
    }

    @Test(
        "What names no server is refused",
        arguments: [
            "", ":8747", "a b", "laptop:x", "laptop:0", "laptop:65536", "::1", "http://", "https://x/path",
            "user@laptop", "ftp://x",
            "laptop\n",
        ])
    func noServers(argument: String) { #expect(FeedServer(argument: argument) == nil) }

    @Test("A deleted trip gets no address, and one that it has is listed as deleted and can be revoked")
    func deleted() async throws {
        let (tool, trip) = try await Self.tool()
        _ = try await tool.value("feed", "add", trip)
        _ = try await tool.value("delete", trip)
        let refused = await tool.run("feed", "add", trip, "--json")
        #expect(refused.code == 2 && refused.error.contains("\"code\":\"deleted\""), "\(refused.error)")
        #expect(await tool.run("feed", "list").out.first?.contains("which is deleted") == true)
        #expect(try await tool.run("feed", "list", "--json").object()["deleted"] as? Bool == true)
        #expect(await tool.run("feed", "revoke", trip).code == 0)
        #expect(await tool.run("feed", "add", "Nowhere").code == 2)
        await tool.expectInvariants()
    }

    @Test(
        "A damaged file and one that others can read fail every command with what to do; doctor and backups pass it over"
    )
    func unusable() async throws {
        let (tool, trip) = try await Self.tool()
        let secret = try #require(try await tool.run("feed", "add", trip, "--json").object()["secret"] as? String)
        #expect(await tool.run("doctor").code == 0)
        let backup = tool.folder.path("backup")
        #expect(await tool.run("backup", backup).code == 0)
        #expect(try !FileManager.default.contentsOfDirectory(atPath: backup).contains(FeedSecrets.fileName))
        let file = "store/\(FeedSecrets.fileName)"
        let text = try tool.text(of: file)
        let lines = [["feed", "add", trip], ["feed", "list"], ["feed", "revoke", secret], ["feed", "revoke", trip]]
        for (content, permissions, code) in [(text, 0o644, "feedsNotPrivate"), ("{", 0o600, "damagedFeeds")] {
            try tool.write(content, to: file)
            chmod(tool.folder.path(file), mode_t(permissions))
            for line in lines {
                let outcome = await tool.run(line + ["--json"])
                #expect(outcome.code == 2 && outcome.out.isEmpty, "\(line)")
                #expect(outcome.error.contains("\"code\":\"\(code)\""), "\(outcome.error)")
            }
            #expect(try tool.text(of: file) == content)
            #expect(await tool.run("trips").code == 0)
        }
        await tool.expectInvariants()
    }

    @Test("An address is revoked by its secret also where the views cannot be read")
    func withoutViews() async throws {
        let (tool, trip) = try await Self.tool()
        let secret = try #require(try await tool.run("feed", "add", trip, "--json").object()["secret"] as? String)
        let none = Tool()
        try FileManager.default.createDirectory(atPath: none.path + "/log", withIntermediateDirectories: true)
        try Data("nothing that a store has written".utf8).write(to: URL(fileURLWithPath: none.path + "/log/data.mdb"))
        try FileManager.default.copyItem(
            atPath: "\(tool.path)/\(FeedSecrets.fileName)", toPath: "\(none.path)/\(FeedSecrets.fileName)")
        #expect(await none.run("feed", "list").code == 2)
        #expect(await none.run("feed", "revoke", secret).code == 0)
        #expect(try FeedSecrets(in: URL(fileURLWithPath: none.path)).feeds().isEmpty)
        #expect(await Tool().run("feed", "revoke", secret).code == 2)
        await tool.expectInvariants()
    }

    @Test("feed serve answers with the bytes of an export, follows what is revoked, and prints where it listens")
    func served() async throws {
        let (tool, trip) = try await Self.tool()
        let file = tool.folder.path("lisbon.ics")
        #expect(await tool.run("export", file, "--trip", trip).code == 0)
        let exported = try #require(FileManager.default.contents(atPath: file))
        let targets = [
            try Self.address(await tool.run("feed", "add", trip, "--json")).path,
            try Self.address(await tool.run("feed", "add", trip, "--json")).path,
        ]
        let answers = Answers()
        let server = AskingServer { ask in
            answers.add(await ask(.get(targets[0])))
            // Host names count without their port.
            let host = (name: "host", value: "laptop.local:8747")
            answers.add(await ask(WebRequest(method: "GET", target: targets[1], headers: [host])))
            _ = await tool.run("feed", "revoke", targets[0])
            for target in targets { answers.add(await ask(.get(target))) }
            let other = (name: "host", value: "evil.example")
            answers.add(await ask(WebRequest(method: "GET", target: targets[1], headers: [other])))
        }
        let outcome = await Tool.run(
            ["feed", "serve", "--host", "laptop.local", "--json", "--store", tool.path], web: server
        ) { _ in }
        #expect(outcome.code == 0 && outcome.out.count == 1, "\(outcome)")
        #expect(answers.all.map(\.status) == [200, 200, 404, 200, 421])
        #expect(answers.all[0].bytes == Array(exported))
        var check = OutputCheck(try OutputDocument())
        let line = try #require(outcome.out.first)
        check.line(PrintedLine(command: "feed serve", object: "served feeds", text: line))
        #expect(check.faults == [], "\(line)")
        let printed = try outcome.object()
        #expect(printed["address"] as? String == "http://127.0.0.1:8747" && printed["feeds"] as? Int == 2)
        await tool.expectInvariants()
    }

    @Test("feed serve says to people where it listens, and that it is not encrypted where others can reach it")
    func told() async throws {
        let (tool, _) = try await Self.tool()
        for (listen, address, isOpen) in [
            ("127.0.0.1:0", "http://127.0.0.1:\(AskingServer.freePort)", false), ("[::1]:80", "http://[::1]:80", false),
            ("192.168.1.5:8747", "http://192.168.1.5:8747", true),
        ] {
            let outcome = await Tool.run(
                ["feed", "serve", "--listen", listen, "--store", tool.path], web: AskingServer { _ in }
            ) { _ in }
            #expect(outcome.out == ["Serving 0 feeds on \(address). Ctrl-C ends it."], "\(outcome)")
            #expect(outcome.error.contains("not encrypted") == isOpen)
        }
        for arguments in [
            ["--listen", "0.0.0.0:8747"], ["--listen", "[::]:1"], ["--host", "a b:c"], ["--listen", "x"],
        ] {
            #expect(await tool.run(["feed", "serve"] + arguments).code == 64, "\(arguments)")
        }
        await tool.expectInvariants()
    }

    @Test("Without a web server feed serve fails with the program that has one")
    func missing() async throws {
        let (tool, _) = try await Self.tool()
        let outcome = await tool.run("feed", "serve")
        #expect(outcome.code == 2 && outcome.error.contains("tripstore-inspect"), "\(outcome.error)")
        await tool.expectInvariants()
    }
}

private final class Answers: Sendable {
    private let kept = Mutex<[WebAnswer]>([])

    var all: [WebAnswer] { kept.withLock { $0 } }
    func add(_ answer: WebAnswer) { kept.withLock { $0.append(answer) } }
}
