import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("Trips in an order made by hand")
struct ArrangingTests {
    private static let byHand = Query<Trip>().where { $0.rank != nil }.sorted(by: \.rank)

    private static func names(_ store: TripStore) throws -> [String] { try store.fetch(byHand).rows.map(\.name) }

    private static func trips(_ store: TripStore, _ names: String...) async throws -> [Trip.ID] {
        var trips: [Trip.ID] = []
        for name in names { trips.append(try await store.create(Trip(name: name))) }
        return trips
    }

    @Test("Trips are in the order in which they were arranged, and moving one writes one")
    func moving() async throws {
        let store = try await TripStore.test(clock: ManualClock(seed: 1))
        let trips = try await Self.trips(store, "A", "B", "C", "D")
        try await store.arrange([trips[2], trips[0], trips[3], trips[1]])
        #expect(try Self.names(store) == ["C", "A", "D", "B"])
        let moved = try await store.arrange([trips[2], trips[3], trips[1], trips[0]])
        #expect(try Self.names(store) == ["C", "D", "B", "A"])
        #expect(moved.entities == [trips[0].reference])
        let unchanged = try await store.arrange([trips[2], trips[3], trips[1], trips[0], trips[2]])
        #expect(unchanged.commit == nil)
        try await store.undo(moved)
        #expect(try Self.names(store) == ["C", "A", "D", "B"])
        try await store.expectInvariants()
    }

    @Test("Moving one of many to either end, or between others, writes one", arguments: [(499, 0), (0, 499), (400, 7)])
    func movingOne(from: Int, to: Int) async throws {
        let store = try await TripStore.test(clock: ManualClock(seed: 6))
        var trips = (0..<500).map { Trip(name: "\($0)") }
        try await store.append(trips.map { .created($0) })
        #expect(try await store.arrange(trips.map(\.id)).entities.count == 500)
        trips.insert(trips.remove(at: from), at: to)
        let moved = trips[to]
        #expect(try await store.arrange(trips.map(\.id)).entities == [moved.id.reference])
        #expect(try Self.names(store) == trips.map(\.name))
        try await store.expectInvariants()
    }

    @Test("Trips that two devices insert at one place concurrently are both there, and both devices have one order")
    func concurrentInsertions() async throws {
        let phone = try await TripStore.test(clock: ManualClock(seed: 1))
        let laptop = try await TripStore.test(clock: ManualClock(seed: 2))
        let trips = try await Self.trips(phone, "A", "B", "C", "D")
        try await phone.arrange([trips[0], trips[1]])
        try await laptop.exchange(with: .store(phone))
        try await phone.arrange([trips[0], trips[2], trips[1]])
        try await laptop.arrange([trips[0], trips[3], trips[1]])
        try await laptop.exchange(with: .store(phone))
        let names = try Self.names(phone)
        #expect(try names == Self.names(laptop))
        #expect(names.first == "A" && names.last == "B" && names.count == 4)
        try await phone.expectEqual(to: laptop)
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("A trip that is not there cannot be arranged")
    func missing() async throws {
        let store = try await TripStore.test(clock: ManualClock(seed: 3))
        let error = try await #require(throws: TripStoreError.self) { try await store.arrange([.new()]) }
        #expect(error.code == .unknownEntity)
        try await store.expectInvariants()
    }

    @Test("Archived trips, and those that are ideas, can be left out of lists")
    func archived() async throws {
        let store = try await TripStore.test(clock: ManualClock(seed: 4))
        let trips = try await Self.trips(store, "Now", "Old", "Maybe")
        try await store.edit(trips[1]) { $0.archivedAt = Date(timeIntervalSince1970: 1_800_000_000) }
        try await store.edit(trips[2]) { $0.stage = .idea }
        let all = Query<Trip>().sorted(by: \.name)
        #expect(try store.fetch(all.where { $0.archivedAt == nil }).rows.map(\.name) == ["Maybe", "Now"])
        #expect(try store.fetch(all.where(parsing: "archivedAt is none and stage != idea")).rows.map(\.name) == ["Now"])
        #expect(try store.fetch(all.where(#Predicate { $0.archivedAt == nil })).rows.count == 2)
        try await store.expectInvariants()
    }

    @Test("The cover, the colour and the stage of a trip are kept, listed and blamed by their names")
    func fields() async throws {
        let store = try await TripStore.test(clock: ManualClock(seed: 5))
        let cover = UUID()
        let trip = try await store.create(Trip(name: "Porto"))
        try await store.edit(trip) {
            ($0.cover, $0.color, $0.stage) = (cover, "#2A6F97", .booked)
            $0.links = [Link("https://porto.example")]
        }
        let found = try #require(try store.trip(trip))
        #expect((found.cover, found.color, found.stage) == (cover, "#2A6F97", .booked))
        let names = try store.blame(trip).lines.map(\.field.name)
        for name in ["cover", "color", "stage", "links"] { #expect(names.contains(name), "\(name)") }
        try await store.expectInvariants()
    }
}
