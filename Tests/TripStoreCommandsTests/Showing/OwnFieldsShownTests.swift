import Foundation
import StoreSupport
import Testing
import TripStore

@testable import Trips

@Suite("Own fields of an app that the tool does not know")
struct OwnFieldsShownTests {
    @Test("They are shown by hash and number, and by name once the log says it")
    func showing() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value("add", "trip", "--name", "Lisbon")
        let namespace: Namespace = "org.example.unknown-to-the-tool"
        let number = namespace.number(7)
        let id = try #require(Trip.ID(trip))
        func write(_ body: (TripStore) async throws -> Void) async throws {
            let store = try await TripStore.open(at: URL(fileURLWithPath: tool.path))
            try await body(store)
            await store.close()
        }
        try await write { store in
            try await store.append([TripEvent(.edited, id, [FieldChange(field: number, value: [9])])], by: "ana")
        }
        let hash = try #require(FieldPath.ownName(of: number))
        let unread = try await tool.trip(trip)["own"] as? [String: [String: String]]
        #expect(unread == [hash: ["base64": "CQ=="]])
        #expect(await tool.run("show", trip).out.contains("  \(hash)  0x09"))
        try await write { store in
            let description = FieldDescription(
                kind: .trip, number: number, namespace: namespace.name, name: "balance", type: .integer)
            let receipt = try await store.describe([description], by: "ana")
            #expect(!receipt.isUnchanged)
        }
        #expect(try await tool.trip(trip)["own"] as? [String: Int] == ["balance": -5])
        #expect(await tool.run("show", trip).out.contains("  balance  -5"))
        let log = await tool.run("audit", "log")
        #expect(log.out.contains { $0.contains("schema") } && log.out.contains { $0.contains("balance") })
        // What the log says of fields is not what was written last.
        #expect(await tool.run("edit", "last", "--notes", "n").code == 0)
        await tool.expectInvariants()
    }
}
