import Events
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
            // A load takes what others have written as well.
            try await store.load(by: "ana") { load in
                try await load.append([TripEvent(.edited, id, [FieldChange(field: number, value: [9])])])
            }
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
            ("x-reference=1", 2, "no entity called '1'"), ("x-data=%", 64, "base 64"), ("integer", 64, "NAME=VALUE"),
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

    @Test("Collections are shown as arrays, objects and numbers, and changed by name")
    func collections() async throws {
        let tool = try await Tool.withStore()
        let store = try await TripStore.open(at: URL(fileURLWithPath: tool.path))
        let namespace: Namespace = "org.example.collections-of-the-tool"
        func field(
            _ number: UInt16, _ name: String, _ shape: OwnFieldShape, keys: OwnFieldType = .data,
            _ type: OwnFieldType = .text
        ) -> FieldDescription {
            FieldDescription(
                kind: .trip, number: namespace.number(number), namespace: namespace.name, name: name, type: type,
                shape: shape, keyType: keys)
        }
        try await store.describe(
            [
                field(1, "tags", .set), field(2, "packed", .map, keys: .text, .flag),
                field(3, "visits", .counter, .integer), field(4, "stops", .list), field(5, "rating", .value, .integer),
            ], by: "ana")
        #expect(try store.fieldDescriptions().map(\.shape) == [.set, .map, .counter, .list, .value])
        await store.close()
        let trip = try await tool.value(
            "add", "trip", "--name", "Lisbon", "--insert", "tags=sea", "--insert", "tags=sun", "--insert", "visits=2",
            "--insert", "stops=a", "--insert", "stops=b", "--set", "packed[a=b]=yes")
        #expect(
            await tool.run(
                "edit", "Lisbon", "--remove", "tags=sun", "--insert", "tags=sea", "--insert", "visits=-5", "--insert",
                "stops=c", "--remove", "stops=a", "--set", "packed[passport]=no"
            ).code == 0)
        let own = try #require(try await tool.trip(trip)["own"] as? [String: Any])
        #expect(own["tags"] as? [String] == ["sea"] && own["stops"] as? [String] == ["b", "c"])
        #expect(own["visits"] as? Int == -3 && own["packed"] as? [String: Bool] == ["a=b": true, "passport": false])
        let shown = await tool.run("show", trip).out
        #expect(shown.contains("  stops  b, c") && shown.contains("  packed  a=b: yes, passport: no"))
        let log = await tool.run("audit", "log").out
        #expect(log.contains { $0.contains("packed[passport]") })
        #expect(
            await tool.run(
                "edit", "Lisbon", "--set", "visits=7", "--remove", "packed=passport", "--clear", "stops"
            ).code == 0)
        let changed = try #require(try await tool.trip(trip)["own"] as? [String: Any])
        #expect(changed["visits"] as? Int == 7 && changed["packed"] as? [String: Bool] == ["a=b": true])
        #expect(changed["stops"] == nil)
        #expect(await tool.run("edit", "Lisbon", "--clear", "visits").code == 0)
        #expect((try await tool.trip(trip)["own"] as? [String: Any])?["visits"] as? Int == 0)
        let refused: [([String], Int32, String)] = [
            (["--set", "tags=a"], 64, "--insert tags=VALUE"), (["--set", "packed=yes"], 64, "packed[KEY]"),
            (["--set", "rating[a]=1"], 64, "--set rating=VALUE"), (["--insert", "rating=1"], 64, "--set rating=VALUE"),
            (["--insert", "packed=1"], 64, "packed[KEY]=VALUE"), (["--remove", "visits=1"], 64, "--clear visits"),
            (["--remove", "tags=none"], 2, "has no 'none'"), (["--insert", "visits=many"], 64, "a whole number"),
            (["--insert", "tags[a]=1"], 2, "names no field 'tags[a]'"),
            (["--insert", "unknown=1"], 2, "names no field"),
        ]
        let position = try await tool.position()
        for (arguments, code, words) in refused {
            let outcome = await tool.run(["edit", "Lisbon"] + arguments)
            #expect(outcome.code == code && outcome.error.contains(words), "\(arguments): \(outcome.error)")
        }
        #expect(try await tool.position() == position)
        await tool.expectInvariants()
    }
}
