import Foundation
import StoreSupport
import Testing
import TripStore
import TripStoreCommands

@Suite("Erasing what other devices wrote, on the command line")
struct ErasingOthersCommandTests {
    @Test("An admin confirms what a member erased, after it was shown, and then it is gone")
    func confirmed() async throws {
        let (tool, _) = try await Tool.withSecrets()
        let other = Tool()
        #expect(await Tool.run(["clone", tool.path, other.path, "--name", "second"]).code == 0)
        let walk = try await other.value("add", "trip", "--name", "Secret walk")
        #expect(await other.run("sync", tool.path).code == 0)
        let commit = try await tool.position()
        #expect(await other.run("erase", walk, "--yes").code == 0)
        #expect(await other.run("sync", tool.path).code == 0)
        let erasure = try await tool.run("erasures", "--json").object()
        let position = try #require(erasure["position"] as? Int)
        #expect(erasure["state"] as? String == "pending")
        let line = try #require(await tool.run("erasures").out.first)
        #expect(line.contains("take back with") && line.contains("remove at once with 'tripstore erasures --confirm"))

        let verified = await tool.run("audit", "verify").out
        #expect(verified.first == "Erased: nothing yet.")
        #expect(verified.dropFirst().first == "  " + line.dropFirst("\(position)  ".count))

        let confirm = ["erasures", "--confirm", "\(position)"]
        let unasked = await tool.run(confirm)
        #expect(unasked.code == 2 && unasked.error.contains("Nothing was confirmed: "))
        #expect(unasked.error.contains("--yes"))
        let declined = await tool.run("erasures", "--confirm", "\(position)", in: { $0.ask = { _ in "n" } })
        #expect(declined.code == 2 && declined.out.contains { $0.contains("it is removed at once, here and") })
        #expect(try await tool.run("erasures", "--json").object()["state"] as? String == "pending")
        let done = await tool.run(confirm + ["--yes"])
        #expect(done.code == 0 && done.out.count == 1 && done.out.first?.contains("and was removed") == true)
        let again = await tool.run(confirm + ["--yes"])
        #expect(again.code == 2 && again.error.contains("is final here"))
        let misnamed = await tool.run("erasures", "--confirm", "\(commit)", "--yes")
        #expect(misnamed.code == 2 && misnamed.error.contains("is stated at \(position)"), "\(misnamed.error)")
        let both = await tool.run(confirm + ["--take-back", "\(position)"])
        #expect(both.code == 64 && both.error.contains("exclude each other"))
        for tool in [tool, other] { await tool.expectInvariants() }
    }

    @Test("A member is neither offered to take back or confirm what an admin erased of its own, nor allowed to")
    func notConfirmed() async throws {
        let (tool, trip) = try await Tool.withSecrets()
        let other = Tool()
        #expect(await Tool.run(["clone", tool.path, other.path, "--name", "second"]).code == 0)
        #expect(await tool.run("erase", trip, "--field", "notes", "--yes").code == 0)
        #expect(await other.run("sync", tool.path).code == 0)
        let erasures = await other.run("erasures")
        let line = try #require(erasures.out.first)
        #expect(line.contains("was hidden by test") && !line.contains("tripstore erasures"))
        let position = try #require(try await other.run("erasures", "--json").object()["position"] as? Int)
        let refused = await other.run("erasures", "--confirm", "\(position)", "--yes")
        #expect(refused.code == 2 && refused.error.contains("has the role write"))
        #expect(await other.run("erasures", "--take-back", "\(position)").code == 2)
        #expect(await other.run("erasures").out == erasures.out)
        for tool in [tool, other] { await tool.expectInvariants() }
    }

    @Test("What a device erased of others is shown before it is revoked, and is back after")
    func revoked() async throws {
        let (tool, trip) = try await Tool.withSecrets()
        let other = Tool()
        #expect(await Tool.run(["clone", tool.path, other.path, "--name", "second"]).code == 0)
        #expect(await other.run("sync", tool.path).code == 0)
        let replica = try #require(try await other.run("status", "--json").object()["replica"] as? String)
        #expect(await tool.run("grant", replica, "admin").code == 0)
        #expect(await other.run("sync", tool.path).code == 0)
        #expect(await other.run("erase", trip, "--yes").code == 0)
        #expect(await other.run("sync", tool.path).code == 0)
        #expect(await tool.run("show", trip).code == 2)
        let unasked = await tool.run("revoke", replica)
        #expect(unasked.code == 2 && unasked.error.contains("Nothing was revoked: it erased what others wrote"))
        let declined = await tool.run("revoke", replica, in: { $0.ask = { _ in "" } })
        #expect(declined.code == 2 && declined.out.contains { $0.contains("3 events of 3 commits were hidden by") })
        #expect(await tool.run("show", trip).code == 2)
        #expect(await tool.run("revoke", replica, "--yes").code == 0)
        #expect(await tool.run("show", trip).code == 0)
        #expect(await tool.run("erasures").out.first?.contains("taken back by") == true)
        await tool.expectInvariants()
    }

    @Test("What the device may not erase is named and refused; --mine erases the rest")
    func refused() async throws {
        let (tool, trip) = try await Tool.withSecrets()
        let other = Tool()
        #expect(await Tool.run(["clone", tool.path, other.path, "--name", "second"]).code == 0)
        let refused = await other.run("erase", trip, "--yes")
        #expect(refused.code == 2 && refused.error.contains("may not erase 3 events of 3 commits"))
        let note = try await other.value("add", "activity", "--name", "Walk", "--trip", trip)
        let plan = try await other.run("erase", trip, "--mine", "--yes", "--json").object()
        #expect(try objects(plan["commits"]).count == 1 && objects(plan["refused"]).isEmpty)
        #expect(await other.run("show", note).code == 2)
        #expect(await other.run("show", trip).code == 0)
        await other.expectInvariants()
    }
}
