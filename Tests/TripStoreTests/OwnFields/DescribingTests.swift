import Events
import Foundation
import StoreSupport
import Testing
import TripStore

@testable import Trips

extension Trip {
    fileprivate static let priority = OwnField<Trip, Int>("org.example.describing", 1, "priority")
    fileprivate static let color = OwnField<Trip, String>("org.example.describing", 2, "color")
}

@Suite("What a log says of own fields")
struct DescribingTests {
    @Test("Names and types are written once, and are there on every replica")
    func describing() async throws {
        let clock = ManualClock()
        let ana = try await TripStore.test(clock: clock)
        try await ana.create(Trip(name: "Lisbon"))
        #expect(try ana.fieldDescriptions().isEmpty)
        let receipt = try await ana.describe([Trip.priority, Trip.color], by: "ana")
        #expect(!receipt.isUnchanged)
        #expect(try await ana.describe([Trip.color, Trip.priority]).isUnchanged)
        #expect(try await ana.describe([]).isUnchanged)
        let ben = try await TripStore.test(journal: ana.journal, clock: clock)
        try await ana.exchange(with: .store(ben))
        for store in [ana, ben] {
            let found = try store.fieldDescriptions()
            #expect(found.map(\.name) == ["priority", "color"] && found.map(\.type) == [.integer, .text])
            #expect(found.allSatisfy { $0.namespace == "org.example.describing" && $0.kind == .trip })
            // It is no entity of queries.
            #expect(try store.status().trips == 1 && store.conflicts().rows.isEmpty)
        }
        #expect(try await ben.describe([Trip.color]).isUnchanged)
        try await ana.expectInvariants()
        try await ben.expectInvariants()
    }

    @Test("It is no work that an undo of the last takes back")
    func undo() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"), by: "ana")
        let cases: [(UndoTarget, any SchemaPart)] = [
            (.last(by: "ana"), Trip.priority), (.lastWork(by: "ana"), Trip.color),
        ]
        for (target, field) in cases {
            try await store.edit(lisbon, by: "ana") { $0.notes = "n" }
            try await store.describe([field], by: "ana")
            try await store.undo(target, by: "ana")
            #expect(try store.trip(lisbon)?.notes == "")
        }
        #expect(try store.fieldDescriptions().count == 2)
        try await store.expectInvariants()
    }

    @Test("Several at once write everything once", arguments: [2, 6])
    func racing(tasks: Int) async throws {
        let store = try await TripStore.test()
        let receipts = try await withThrowingTaskGroup(of: Receipt.self) { group in
            for task in 0..<tasks {
                group.addTask { try await store.describe(task % 2 == 0 ? [Trip.color] : [Trip.priority]) }
            }
            return try await group.reduce(into: [Receipt]()) { $0.append($1) }
        }
        #expect(receipts.count { !$0.isUnchanged } == 2)
        #expect(try store.fieldDescriptions().count == 2)
        try await store.expectInvariants()
    }

    @Test(
        "Two stores in one process name a field and a kind each as its own log describes them, from the first write on")
    func twoStores() async throws {
        let namespace: Namespace = "org.example.two-stores"
        let number = namespace.number(1)
        let kind = OwnKind(namespace, 1)
        let names = [("starsHere", "ticketHere"), ("pointsHere", "voucherHere")]
        var stores: [(store: TripStore, lisbon: Trip.ID, entity: EntityReference)] = []
        for (field, name) in names {
            let store = try await TripStore.test()
            let descriptions = [
                FieldDescription(
                    kind: .trip, number: number, namespace: namespace.name, name: field, type: .integer),
                FieldDescription(
                    of: ConcreteKind(kind), number: 0, namespace: namespace.name, name: name, type: .data),
            ]
            try await store.describe(descriptions, by: Authorship())
            let lisbon = try await store.create(Trip(name: "Lisbon"))
            try await store.append([TripEvent(.edited, lisbon.reference, writes: [.init(field: number, value: [6])])])
            stores.append((store, lisbon, DescribedEntity(of: kind).reference))
        }
        for (index, (store, lisbon, entity)) in stores.enumerated() {
            let ((field, name), (otherField, otherName)) = (names[index], names[1 - index])
            #expect(try store.blame(lisbon).lines.map(\.field.name) == ["name", field])
            let query = Query<Trip>(in: store.knownSchema)
            #expect(try store.ids(query.where(parsing: "\(field) = 3 and no \(name)")) == [lisbon])
            #expect(throws: QueryTextError.self) { try query.where(parsing: "\(otherField) = 3") }
            #expect(throws: QueryTextError.self) { try query.where(parsing: "no \(otherName)") }
            let error = await #expect(throws: TripStoreError.self) {
                try await store.append([TripEvent(.deleted, entity)])
            }
            #expect(error?.message.hasPrefix("There is no \(name) ") == true)
            // Without a store there is nothing but the numbers.
            #expect(entity.kindName == kind.name && kind.name.hasSuffix(".1"))
            try await store.expectInvariants()
        }
    }
}
