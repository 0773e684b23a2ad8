import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("Bytes that are missing, on the command line")
struct MissingBytesTests {
    /// A founder's store with a trip, and those of two members to which a carrier brought it without what it says.
    private func withheld() async throws -> (founder: Tool, members: [Tool]) {
        let founder = try await Tool.withStore()
        _ = try await founder.value("add", "trip", "--name", "Lisbon")
        var members: [Tool] = []
        for _ in 0..<2 {
            let member = Tool()
            #expect(await member.run("join", try await founder.value("invite")).code == 0)
            let stores = (
                try await TripStore.open(at: URL(fileURLWithPath: founder.path)),
                try await TripStore.open(at: URL(fileURLWithPath: member.path))
            )
            try await stores.1.exchange(with: .peer(WithholdingPeer(stores.0.logPeer)))
            for store in [stores.0, stores.1] { await store.close() }
            members.append(member)
        }
        return (founder, members)
    }

    @Test(
        "Between two that lack them sync ends with 1 and says so; with one that has them they are back, on both sides")
    func missing() async throws {
        let (founder, members) = try await withheld()
        let (ana, ben) = (members[0], members[1])
        #expect(await ana.run("trips").out.contains { $0.contains("Lisbon") } == false)
        let shown = await ana.run("sync", ben.path)
        #expect(shown.code == 1)
        #expect(
            shown.out.contains { $0.contains("Bytes of 1 commit are missing here that nobody erased") }, "\(shown.out)"
        )
        let status = try await ana.run("status", "--json").object()
        #expect((status["missingBytes"] as? [String])?.count == 1)
        #expect(await ana.run("doctor", "--quick").code == 1)
        // The founder heals one, and that one the other.
        let healed = try await founder.run("sync", ana.path, "--json").object()
        #expect(healed["healedThere"] as? Int == 1 && healed["missingThere"] as? Int == 0)
        let passed = await ben.run("sync", ana.path)
        #expect(passed.code == 0 && passed.out.contains { $0.contains("healed    1 commit") }, "\(passed.out)")
        for tool in [founder, ana, ben] {
            #expect(await tool.run("trips").out.contains { $0.contains("Lisbon") })
            await tool.expectInvariants()
        }
    }

    @Test("What no known peer has is lost; an admin accepts that, and nobody else does")
    func accepted() async throws {
        let (founder, members) = try await withheld()
        let (ana, ben) = (members[0], members[1])
        // The founder says that it has them.
        #expect(await ana.run("sync", ben.path).code == 1)
        #expect((try await ana.run("status", "--json").object()["lostBytes"] as? [String])?.count == 0)
        let origin = try #require(try await founder.run("status", "--json").object()["replica"] as? String)
        #expect(await ana.run("peers", "--forget", origin).code == 0)
        let status = try await ana.run("status", "--json").object()
        #expect((status["lostBytes"] as? [String])?.count == 1)
        #expect(await ana.run("doctor", "--quick").out.contains { $0.contains("lostBytes") })
        #expect(await ana.run("doctor", "--quick", "--accept-loss").code == 2)
        let replica = try #require(status["replica"] as? String)
        #expect(await founder.run("grant", replica, "admin").code == 0)
        let stores = (
            try await TripStore.open(at: URL(fileURLWithPath: founder.path)),
            try await TripStore.open(at: URL(fileURLWithPath: ana.path))
        )
        try await stores.1.exchange(with: .peer(WithholdingPeer(stores.0.logPeer)))
        for store in [stores.0, stores.1] { await store.close() }
        #expect(await ana.run("peers", "--forget", origin).code == 0)
        let accepted = await ana.run("doctor", "--quick", "--accept-loss")
        #expect(accepted.code == 0, "\(accepted.out) \(accepted.error)")
        #expect(await ana.run("sync", ben.path).code == 0)
        for tool in [founder, ana, ben] { await tool.expectInvariants() }
    }
}
