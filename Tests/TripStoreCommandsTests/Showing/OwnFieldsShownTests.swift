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

    /// A store whose log names a field of each type on trips, with the number of its type.
    private func described(_ namespace: Namespace) async throws -> Tool {
        let tool = try await Tool.withStore()
        let store = try await TripStore.open(at: URL(fileURLWithPath: tool.path))
        let fields = OwnFieldType.known.map { type, name in
            FieldDescription(
                kind: .trip, number: namespace.number(UInt16(type.rawValue + 1)), namespace: namespace.name,
                name: "x-\(name)", type: type)
        }
        try await store.describe(fields, by: "ana")
        await store.close()
        return tool
    }

    @Test("They are set and cleared by name, with values of their types")
    func setting() async throws {
        let tool = try await described("org.example.set-by-the-tool")
        let uuid = UUID().uuidString
        let trip = try await tool.value("add", "trip", "--name", "Lisbon", "--set", "x-text=a=b", "--set", "x-flag=no")
        let own = [
            "x-integer=-3", "x-number=1.5", "x-day=2027-05-01", "x-uuid=\(uuid)", "x-data=AQI=",
            "x-instant=2027-05-01T10:00:00Z", "x-moment=2027-05-01T10:00 Europe/Lisbon", "x-money=12.50 EUR",
        ]
        #expect(await tool.run(["edit", "Lisbon"] + own.flatMap { ["--set", $0] }).code == 0)
        let values = try #require(try await tool.trip(trip)["own"] as? [String: Any])
        #expect(values["x-text"] as? String == "a=b" && values["x-flag"] as? Bool == false)
        #expect(values["x-integer"] as? Int == -3 && values["x-number"] as? Double == 1.5)
        #expect(values["x-day"] as? String == "2027-05-01" && values["x-uuid"] as? String == uuid)
        #expect(values["x-data"] as? [String: String] == ["base64": "AQI="])
        #expect((values["x-moment"] as? [String: Any])?["time"] as? String == "2027-05-01T10:00:00+01:00")
        #expect((values["x-money"] as? [String: Any])?["minor"] as? Int == 1250)
        #expect(values.count == 10)
        #expect(await tool.run("edit", "Lisbon", "--clear", "x-text", "--clear", "notes").code == 0)
        #expect((try await tool.trip(trip)["own"] as? [String: Any])?["x-text"] == nil)
        #expect(await tool.run("edit", "Lisbon", "--set", "x-integer=-3").out == ["Nothing to change."])
        await tool.expectInvariants()
    }

    @Test(
        "What is no field, or no value of one, is refused in words, and nothing is written",
        arguments: [
            ("x-integer=a", 64, "Give a whole number"), ("x-flag=maybe", 64, "yes or no"),
            ("x-day=2027-02-30", 64, "a day"),
            ("x-money=12", 64, "its currency"), ("x-money=12 XYZ", 2, "XYZ"), ("x-moment=noon", 64, "its zone"),
            ("x-reference=1", 64, "in its app"), ("x-data=%", 64, "base 64"), ("integer", 64, "NAME=VALUE"),
            ("=1", 64, "NAME=VALUE"),
            ("rating=1", 2, "names no field 'rating'"),
        ] as [(String, Int32, String)])
    func refused(assignment: String, code: Int32, words: String) async throws {
        let tool = try await described("org.example.set-by-the-tool")
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        let position = try await tool.position()
        let outcome = await tool.run("edit", "Lisbon", "--set", assignment)
        #expect(outcome.code == code && outcome.error.contains(words), "\(outcome.code): \(outcome.error)")
        #expect(try await tool.position() == position)
        await tool.expectInvariants()
    }
}
