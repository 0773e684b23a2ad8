import Foundation
public import TripStore
public import TripStoreTestSupport

/// A store with random entities of every kind, one trip in twenty deleted, and what is there in plain rows.
public struct QuestionStore {
    public let store: TripStore
    public private(set) var rows = QuestionRows([])
    private var trips: [Trip.ID]
    private var organizations: [Organization.ID]
    private var activities: [Activity.ID] = []
    private var lodgings: [Lodging.ID] = []
    private var journeys: [Transportation.ID] = []
    private var bags: [Bag.ID] = []

    /// Each store has some of them.
    private static var indexes: [Index] {
        [
            Index(on: \Activity.name), Index(on: \Activity.cost), Index(on: \Activity.address),
            Index(on: \Activity.paid).then(\Activity.start), Index(on: \Activity.start).then(\Activity.name),
            Index(on: \Activity.name, asPeopleDo: true),
            Index(on: \Activity.paid).then(\Activity.cost).then(\Activity.name), Index(on: \Lodging.name),
            Index(on: \Lodging.trip), Index(on: \Lodging.address), Index(on: \Lodging.cost),
            Index(on: \Transportation.mode).then(\Transportation.start), Index(on: \Transportation.name),
            Index(on: \Organization.name), Index(on: \Organization.address), Index(on: \Trip.name),
            Index(on: \Bag.count), Index(on: \Bag.label), Index(on: \Bag.lender),
            Index(on: \Bag.label, asPeopleDo: true),
        ]
    }

    /// Those that a store makes for questions about many entities: here there are few.
    private static var onDemand: [Index] {
        [
            Index(on: \Trip.name, asPeopleDo: true), Index(on: \Trip.startDay),
            Index(on: \Organization.name, asPeopleDo: true), Index(on: \Activity.organization),
            Index(on: \Lodging.organization), Index(on: \Transportation.organization),
        ]
    }

    /// With some hundred entities; `options` are those of the store but for the indexes and the schema.
    public init(_ options: TripStore.Options, _ random: inout SeededRandom) async throws {
        var options = options
        options.indexes = Self.indexes.filter { _ in Bool.random(using: &random) } + Self.onDemand
        options.schema.append(Bag.schema)
        let store = try await TripStore.temporary(options: options)
        self.store = store
        let planned = (0..<40).map { _ in Trip(name: Values.name(&random)) }
        let firms = (0..<20).map { _ in
            Organization(
                name: Values.name(&random), address: Bool.random(using: &random) ? Self.address(&random) : nil)
        }
        try await store.create(planned)
        try await store.create(firms)
        (trips, organizations) = (planned.map(\.id), firms.map(\.id))
        for _ in 0..<160 {
            let trip = trips.randomElement(using: &random)
            let (activity, lodging) = (Activity(name: "", in: trip), Lodging(name: "", in: trip))
            activities.append(try await store.create(changed(activity, &random)))
            if Bool.random(using: &random) { lodgings.append(try await store.create(changed(lodging, &random))) }
            guard Bool.random(using: &random) else { continue }
            var journey = changed(Transportation(name: "", mode: .other, in: trip), &random)
            journey.mode = TransportationMode.known.randomElement(using: &random)?.value ?? .other
            journeys.append(try await store.create(journey))
            var bag = Bag(id: .new())
            bag.trip = trip
            change(&bag, &random)
            bags.append(try await store.create(bag))
        }
        try await edit(&random)
        // One trip in twenty is deleted, and as many are restored; and one organization.
        try await store.delete(Array(trips.prefix(4)))
        try await store.restore(trips[0])
        try await store.restore(trips[1])
        try await store.delete(organizations[0])
        try read()
    }

    /// Some of them change.
    public mutating func change(_ random: inout SeededRandom) async throws {
        try await edit(&random)
        try read()
    }

    /// One trip changes: its name, an item, and now and then whether it is there.
    public mutating func changeOneTrip(_ random: inout SeededRandom) async throws {
        guard let trip = trips.randomElement(using: &random) else { return }
        if try store.trip(trip) == nil {
            try await store.restore(trip)
        } else {
            try await store.edit(trip) { $0.name = Values.name(&random) }
            let activities = try store.activities(of: trip).rows
            if let old = activities.randomElement(using: &random) {
                let new = changed(old, &random)
                try await store.edit(old.id) { copy(new, to: &$0) }
            }
            if Int.random(in: 0..<4, using: &random) == 0 { try await store.delete(trip) }
        }
        try read()
    }

    /// Those of all trips, deleted ones too.
    var tripIDs: [UUID] { trips.map(\.uuid) }

    private func edit(_ random: inout SeededRandom) async throws {
        for id in activities where Int.random(in: 0..<8, using: &random) == 0 {
            if let old = try store.entity(id) {
                let new = changed(old, &random)
                try await store.edit(id) { copy(new, to: &$0) }
            }
        }
        for id in lodgings where Int.random(in: 0..<8, using: &random) == 0 {
            if let old = try store.entity(id) {
                let new = changed(old, &random)
                try await store.edit(id) { copy(new, to: &$0) }
            }
        }
        for id in bags where Int.random(in: 0..<8, using: &random) == 0 {
            if var bag = try store.entity(id) {
                change(&bag, &random)
                let new = bag
                try await store.edit(id) { ($0.label, $0.count, $0.lender) = (new.label, new.count, new.lender) }
            }
        }
    }

    private mutating func read() throws {
        let rows = try store.read { views in
            try trips.compactMap { try views.entity($0).map { QuestionRow($0) } }
                + organizations.compactMap { try views.entity($0).map { QuestionRow($0) } }
                + activities.compactMap { try views.entity($0).map { QuestionRow($0, .activity) } }
                + lodgings.compactMap { try views.entity($0).map { QuestionRow($0, .lodging) } }
                + journeys.compactMap { try views.entity($0).map { QuestionRow($0) } }
                + bags.compactMap { try views.entity($0).map { QuestionRow($0) } }
        }
        self.rows = QuestionRows(rows)
    }

    // MARK: Values

    private static func address(_ random: inout SeededRandom) -> Address {
        Address(city: "C", coordinates: Int.random(in: 0..<5, using: &random) == 0 ? nil : Values.place(&random))
    }

    private func changed<Kind>(_ item: Item<Kind>, _ random: inout SeededRandom) -> Item<Kind> {
        var item = item
        item.name = Values.name(&random)
        item.start = Int.random(in: 0..<4, using: &random) == 0 ? nil : Values.moment(&random)
        item.cost = Int.random(in: 0..<3, using: &random) == 0 ? nil : Values.money(&random)
        item.paid = Values.paid(&random)
        item.address = Bool.random(using: &random) ? Self.address(&random) : nil
        item.organization = Bool.random(using: &random) ? organizations.randomElement(using: &random) : nil
        return item
    }

    private func copy<Kind>(_ new: Item<Kind>, to item: inout Item<Kind>) {
        (item.name, item.start, item.cost, item.paid) = (new.name, new.start, new.cost, new.paid)
        (item.address, item.organization) = (new.address, new.organization)
    }

    private func change(_ bag: inout Bag, _ random: inout SeededRandom) {
        bag.label = Int.random(in: 0..<6, using: &random) == 0 ? "" : Values.name(&random)
        bag.count = Int.random(in: 0...4, using: &random)
        bag.lender = Bool.random(using: &random) ? organizations.randomElement(using: &random) : nil
    }
}
