import ArgumentParser
import BenchmarkData
import Foundation
import Peers
import TripStore

/// Holds the answers to random questions against a plain filter in memory and against SQLite.
struct QuestionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "questions",
        abstract: "Compare the answers to random questions with a plain filter and with SQLite.",
        discussion:
            "Each store has random activities, one trip in twenty deleted and some restored, and some of the indexes.")

    @Option(help: "Questions in all.")
    var count = 10_000

    @Option(help: "Questions of each store.")
    var ofEach = 250

    @Option(help: "The first seed; each store has the next.")
    var seed: UInt64 = 1

    private static let indexes = [
        Index(on: \Activity.name), Index(on: \Activity.cost), Index(on: \Activity.start),
        Index(on: \Activity.paid).then(\Activity.start), Index(on: \Activity.start).then(\Activity.name),
        Index(on: \Activity.name, asPeopleDo: true),
        Index(on: \Activity.paid).then(\Activity.cost).then(\Activity.name),
    ]

    func run() async throws {
        var (asked, byIndex) = (0, 0)
        var seed = seed
        while asked < count {
            let number = min(ofEach, count - asked)
            byIndex += try await Self.ask(number, seed)
            asked += number
            seed += 1
        }
        print("\(asked) questions, \(byIndex) of them answered by an index: all as the filter and SQLite say.")
    }

    /// Returns how many questions an index answered.
    private static func ask(_ count: Int, _ seed: UInt64) async throws -> Int {
        var numbers = SeededNumbers(seed: seed)
        var options = TripStore.Options.bench
        options.indexes = indexes.filter { _ in numbers.below(2) == 0 }
        let store = try await TripStore.temporary(options: options)
        let (there, trips) = try await fill(store, &numbers)
        let sqlite = try SQLiteQuestions()
        try sqlite.insert(
            trips: trips.map { ($0.id.uuid, $0.name) },
            there.map { activity in
                SQLiteQuestions.Row(
                    id: activity.id.uuid, trip: activity.trip?.uuid ?? activity.id.uuid, name: activity.name,
                    start: activity.start?.milliseconds, cost: activity.cost?.minorUnits,
                    currency: activity.cost?.currency.code, paid: Int(activity.paid.rawValue))
            })
        var byIndex = 0
        for _ in 0..<count {
            let asked = RandomCondition.random(numbers.below(4), &numbers)
            let order = numbers.pick(RandomOrder.all)
            let query = order.sorted(Query<Activity>().where { _ in asked.condition })
            let found = try pages(of: query.limit(1 + numbers.below(80)), in: store)
            let expected = there.filter(asked.holds).sorted { a, b in
                let compared = order.compare(a, b)
                return compared != 0 ? compared < 0 : a.id < b.id
            }.map(\.id.uuid)
            let selected = try sqlite.ids(
                "SELECT id FROM activities WHERE \(asked.statement) ORDER BY \(order.statement)")
            let explained = try store.explain(query)
            if explained.index != nil { byIndex += 1 }
            let trip = Query<Trip>().where { $0.activities.contains { _ in asked.condition } }
            let related = try sqlite.ids(
                "SELECT id FROM trips WHERE EXISTS (SELECT 1 FROM activities WHERE trip = trips.id AND \(asked.statement)) ORDER BY id"
            )
            let sums = try store.groups(of: query, by: [.value(\.paid)], measuring: \.cost)
            let summed = try sqlite.numbers(
                "SELECT paid, COUNT(*) FROM activities WHERE \(asked.statement) GROUP BY paid ORDER BY paid")
            let isSame =
                try found == expected && found == selected && store.count(query) == expected.count
                && store.ids(trip).map(\.uuid) == related && sums.map { Int64($0.count) } == summed.map { $0[1] ?? 0 }
            guard isSame else {
                throw BenchError(
                    "Seed \(seed): \(found.count) rows and not \(expected.count) or \(selected.count), \(explained); \(asked.statement) ORDER BY \(order.statement)"
                )
            }
        }
        await store.close()
        return byIndex
    }

    private static func pages(of query: Query<Activity>, in store: TripStore) throws -> [UUID] {
        var (found, cursor): ([UUID], PageCursor?) = ([], nil)
        repeat {
            let page = try store.fetch(query, after: cursor)
            found += page.map(\.id.uuid)
            cursor = page.next
        } while cursor != nil
        return found
    }

    /// Returns what is there at the end.
    private static func fill(
        _ store: TripStore, _ numbers: inout SeededNumbers
    ) async throws -> (activities: [Activity], trips: [Trip]) {
        let trips = (0..<40).map { Trip(name: "Trip \($0)") }
        try await store.create(trips)
        var activities: [Activity] = []
        for _ in 0..<400 {
            var activity = Activity(name: numbers.pick(RandomCondition.names), in: trips[numbers.below(trips.count)].id)
            change(&activity, &numbers)
            activities.append(activity)
        }
        try await store.create(activities)
        for index in activities.indices where numbers.below(4) == 0 {
            change(&activities[index], &numbers)
            let changed = activities[index]
            try await store.edit(changed.id) { activity in
                (activity.start, activity.cost, activity.paid) = (changed.start, changed.cost, changed.paid)
            }
        }
        // One trip in twenty is deleted, and as many are restored.
        try await store.delete(trips.prefix(4).map(\.id))
        try await store.restore(trips[0].id)
        try await store.restore(trips[1].id)
        let gone = Set(trips[2...3].map(\.id))
        return (
            activities.filter { activity in activity.trip.map { !gone.contains($0) } ?? true },
            trips.filter { !gone.contains($0.id) }
        )
    }

    private static func change(_ activity: inout Activity, _ numbers: inout SeededNumbers) {
        activity.start = numbers.below(4) == 0 ? nil : Moment(milliseconds: Int64(numbers.below(20)), zone: "UTC")
        let currency = Currency(unchecked: numbers.below(2) == 0 ? "EUR" : "USD")
        activity.cost = numbers.below(3) == 0 ? nil : Money(minorUnits: Int64(numbers.below(20)), currency)
        activity.paid = [PaidStatus.none, .deposit, .inFull][numbers.below(3)]
    }
}
