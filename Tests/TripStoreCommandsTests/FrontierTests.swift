import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("status --frontier")
struct FrontierTests {
    @Test("Before the first signature it names the newest commit, and a bundle since then is taken in")
    func unsigned() async throws {
        let replicas = try await Replicas()
        let tool = try await Tool.withStore()
        // Not closed, so not signed yet.
        let options = TripStore.Options(mapSize: 1 << 30)
        let store = try await TripStore.open(at: URL(fileURLWithPath: tool.path), options: options)
        let receipt = try await store.append([.created(Trip(name: "Lisbon"))])
        let frontier = try #require(await tool.run("status", "--frontier").out.first)
        let commit = try #require(receipt.commit)
        #expect(frontier == "\(commit)")
        let object = try await tool.run("status", "--frontier", "--json").object()
        #expect(Set(object.keys) == ["frontier", "frontierText"])
        #expect(object["frontierText"] as? String == frontier)
        #expect(object["frontier"] as? [String: Int] == ["\(commit.replica)": 2])
        let file = replicas.ana.folder.path("bundle")
        #expect(await replicas.ana.run("bundle", "write", file, "--holds", frontier).code == 0)
        await store.close()
        #expect(await tool.run("status", "--frontier").out == [frontier])
        await tool.expectInvariants()
    }

    @Test("Of a store that holds nothing it is empty, which is said beside it")
    func empty() async throws {
        let tool = try await Tool.withStore()
        let outcome = await tool.run("status", "--frontier")
        #expect(outcome.code == 0 && outcome.out == [""] && outcome.error.contains("holds no commits"))
    }
}
