import Foundation
import StoreSupport
import Testing
import TripStoreCommands

@testable import TripStoreCommands

@Suite("members, grant, revoke, invite, join, void")
struct MembersCommandTests {
    /// A founder's store, and a guest's that has joined by an invitation.
    private func pair() async throws -> (founder: Tool, guest: Tool) {
        let founder = try await Tool.withStore()
        _ = try await founder.value("add", "trip", "--name", "Lisbon")
        let guest = Tool()
        let code = try await founder.value("invite", "--until", "2099-01-01")
        #expect(code.hasPrefix("TRIP1-"))
        let joined = await guest.run("join", code, "--name", "guest's phone")
        #expect(joined.code == 0 && joined.out.first?.contains("asks to become a member") == true, "\(joined.error)")
        return (founder, guest)
    }

    @Test("A guest waits, says so, and is a member once an admin's store heard of it")
    func joining() async throws {
        let (founder, guest) = try await pair()
        _ = try await guest.value("add", "trip", "--name", "Porto")
        #expect(await guest.run("status").out.contains { $0.contains("standing  waiting") })
        #expect(await guest.run("members").out.first?.contains("waits for an admin") == true)
        #expect(await guest.run("sync", founder.path).code == 0)
        #expect(await guest.run("status").out.contains { $0.contains("standing  write") })
        let members = await founder.run("members").out
        #expect(members.contains { $0.hasPrefix("admin ") && $0.contains("this device") })
        #expect(members.contains { $0.hasPrefix("write ") && $0.contains("guest's phone") })
        #expect(await founder.run("trips", "--undated").out.contains { $0.contains("Porto") })
        for tool in [founder, guest] { await tool.expectInvariants() }
    }

    @Test("On a terminal an invitation has its role and its end in a line that fits")
    func invitation() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("invite", "--until", "2099-01-01")
        let lines = await tool.run("members") { $0.layout = TextLayout(columns: 80) }.out
        let line = try #require(lines.first { $0.hasPrefix("invitation ") }, "\(lines)")
        #expect(line.contains("  write  0 of 1 used, until 2099-01-01T23:59Z") && line.count <= 80, "\(line)")
        await tool.expectInvariants()
    }

    @Test("A code is asked for, or comes from standard input or a file, and is warned of in the arguments")
    func codes() async throws {
        let founder = try await Tool.withStore()
        let file = founder.path + "/code.txt"
        let outside = TemporaryFolder()
        try FileManager.default.createDirectory(at: outside.url, withIntermediateDirectories: true)
        #expect(await founder.run("invite", "--code-file", file).code == 2)
        let path = outside.path("code.txt")
        let written = await founder.run("invite", "--code-file", path)
        #expect(written.code == 0 && !written.out.joined().contains("TRIP1-"))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(await founder.run("invite", "--code-file", path).code == 2)
        let code = try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        let asked = Tool()
        let prompted = await Tool.run(["join", "--store", asked.path]) { $0.ask = { _ in code } }
        #expect(prompted.code == 0 && !prompted.error.contains("history"), "\(prompted.error)")
        let piped = await Tool.run(["join", "-", "--store", Tool().path]) { $0.readLine = { code } }
        #expect(piped.code == 0, "\(piped.error)")
        #expect(await Tool.run(["join", "--code-file", path, "--store", Tool().path]) { _ in }.code == 0)
        let typed = await Tool().run("join", code)
        #expect(typed.code == 0 && typed.error.contains("history"))
        let none = await Tool.run(["join", "--store", Tool().path]) { $0.readLine = { nil } }
        #expect(none.code == 2 && none.error.contains("--code-file"))
        await founder.expectInvariants()
    }

    @Test(
        "A revocation with --keeping leaves what had come before, and the audit log and report tell what does not count"
    )
    func revoking() async throws {
        let (founder, guest) = try await pair()
        #expect(await guest.run("sync", founder.path).code == 0)
        _ = try await guest.value("add", "trip", "--name", "Porto")
        #expect(await guest.run("sync", founder.path).code == 0)
        let before = try await founder.position()
        _ = try await guest.value("add", "trip", "--name", "Faro")
        #expect(await guest.run("sync", founder.path).code == 0)
        let replica = try #require(try await guest.run("status", "--json").object()["replica"] as? String)
        let revoked = await founder.run("revoke", replica, "--keeping", "\(before)")
        #expect(revoked.code == 0, "\(revoked.error)")
        let trips = await founder.run("trips", "--undated").out
        #expect(trips.contains { $0.contains("Porto") } && !trips.contains { $0.contains("Faro") })
        #expect(
            await founder.run("audit", "log").out.contains { $0.contains("(does not count)") && $0.contains("Faro") })
        let page = founder.folder.path("log.html")
        #expect(await founder.run("audit", "report", page).code == 0)
        #expect(try String(contentsOfFile: page, encoding: .utf8).contains("does not count"))
        #expect(await guest.run("sync", founder.path).code == 0)
        let refused = await guest.run("add", "trip", "--name", "Braga")
        #expect(refused.code == 2 && refused.error.contains("has revoked replica"))
        #expect(await guest.run("status").out.contains { $0.contains("standing  revoked") })
        // With another invitation the device returns.
        #expect(await guest.run("join", try await founder.value("invite")).code == 0)
        #expect(await guest.run("sync", founder.path).code == 0)
        #expect(await guest.run("add", "trip", "--name", "Braga").code == 0)
        for tool in [founder, guest] { await tool.expectInvariants() }
    }

    @Test("The period of erasing is listed, a longer one applies at once, and a shorter one later")
    func erasingPeriod() async throws {
        let (founder, guest) = try await pair()
        let words = "What an admin erases of others is removed after "
        #expect(await founder.run("members").out.last == words + "30 days.")
        let period = { (outcome: Tool.Outcome) in try outcome.object()["erasingPeriod"] as? [String: Any] }
        let longer = try #require(try period(await founder.run("members", "--erasing-period", "90", "--json")))
        #expect(longer["days"] as? Int == 90 && longer["coming"] is NSNull && longer["comingFrom"] is NSNull)
        let shorter = try #require(try period(await founder.run("members", "--erasing-period", "1", "--json")))
        #expect(shorter["days"] as? Int == 90 && shorter["coming"] as? Int == 1)
        #expect((shorter["comingFrom"] as? String)?.hasSuffix("Z") == true)
        #expect(await founder.run("members").out.last?.hasPrefix(words + "90 days, and after 1 day from ") == true)
        #expect(await guest.run("sync", founder.path).code == 0)
        #expect(await guest.run("members").out.last?.hasPrefix(words) == true)
        let guestId = try await guest.replica()
        for (tool, days, message) in [
            (founder, "366", "7 to 365 days, and not 366"), (guest, "30", guestId),
        ] {
            let refused = await tool.run("members", "--erasing-period", days)
            #expect(refused.code == 2 && refused.error.contains(message), "\(refused.error)")
        }
        #expect(await founder.run("grant", guestId, "admin").code == 0)
        #expect(await guest.run("sync", founder.path).code == 0)
        let few = await guest.run("members", "--erasing-period", "6", "--json")
        #expect(few.code == 2 && few.error.contains("\"noEffect\""), "\(few.error)")
        for tool in [founder, guest] { await tool.expectInvariants() }
    }

    @Test("What cannot be is refused, and says why")
    func refusals() async throws {
        let (founder, guest) = try await pair()
        let own = try #require(try await founder.run("status", "--json").object()["replica"] as? String)
        for (arguments, words) in [
            (["revoke", own], "cannot revoke itself"), (["void", "99"], "no commit at position 99"),
            (["void", "1"], "says who may write"), (["join", "TRIP1-AAAA"], "was cut or not typed right"),
            (["join", "hello"], "no code of an invitation"), (["invite", "--withdraw", "00"], "neither the code"),
            (["revoke", String(repeating: "0", count: 32)], "is no member"),
        ] {
            let refused = await founder.run(arguments)
            #expect(refused.code == 2 && refused.error.contains(words), "\(arguments): \(refused.error)")
        }
        #expect(await founder.run("grant", "zz").code == 2)
        for arguments in [["grant", own, "king"], ["invite", "--uses", "0"], ["void"]] {
            #expect(await founder.run(arguments).code == 64, "\(arguments)")
        }
        let refused = await guest.run("invite")
        #expect(refused.code == 2 && refused.error.contains("is no member"))
        for tool in [founder, guest] { await tool.expectInvariants() }
    }
}
