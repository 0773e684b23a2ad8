import EventLog
import Events
import Foundation
import StoreSupport
import TestSupport
import Testing
import Trips

@testable import TripStore

/// A difference between the store and the model.
struct UndoDifference: Error, CustomStringConvertible {
    let description: String
}

/// Replicas on which a few authors write to a few entities in random steps, with the model beside them.
struct UndoTrial {
    let seed: UInt64
    var random: SeededRandom
    var model = UndoModel()
    let stores: [TripStore]
    let clocks: [ManualClock]
    let trips: [Trip.ID]
    let items: [Activity.ID]
    var trace: [String] = []
    var values = 0

    static let authors = ["ana", "ben"]
    /// The correlations of commits that have one, by their numbers in the model.
    static let correlations = (0..<2).map { UUID(uuid: (UInt8($0), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)) }
    /// How many undos took several commits: each has a correlation of its own.
    var divided = 0

    /// Two replicas with three trips and three items.
    init(seed: UInt64) async throws {
        self.seed = seed
        random = SeededRandom(seed: seed)
        let journal = JournalID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))
        clocks = (1...2).map { ManualClock(seed: seed * 2 + UInt64($0)) }
        var stores: [TripStore] = []
        for clock in clocks { stores.append(try await .test(journal: journal, clock: clock)) }
        self.stores = stores
        var drawn = random
        func id() -> UUID {
            withUnsafeBytes(of: (drawn.next(), drawn.next())) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        }
        trips = (0..<3).map { _ in Trip.ID(id()) }
        items = (0..<3).map { _ in Activity.ID(id()) }
        random = drawn
        for trip in trips { try await create(.created(Trip(id: trip, name: "trip")), at: 0) }
        for item in items { try await create(.created(Activity(id: item, name: "item", in: trips[0])), at: 0) }
        try await exchange()
    }

    mutating func create(_ event: TripEvent, at replica: Int) async throws {
        let author = draw(Self.authors)
        let receipt = try await stores[replica].append([event], by: Authorship(author: author))
        let writes = event.writes.filter { $0.field == UndoModel.name || $0.field == UndoModel.trip }.map {
            UndoModel.Write(entity: event.entity, field: $0.field, value: $0.value)
        }
        note(
            receipt, "\(author) creates",
            UndoModel.Commit(stamp: try receipt.stamp, author: author, writes: writes, created: [event.entity]))
    }

    /// Nil, or the number of a correlation.
    mutating func drawCorrelation() -> Int? {
        let number = Int(random.next() % UInt64(Self.correlations.count + 1))
        return number < Self.correlations.count ? number : nil
    }

    mutating func draw<T>(_ values: [T]) -> T { values[Int(random.next() % UInt64(values.count))] }

    mutating func note(_ receipt: Receipt, _ words: String, _ commit: UndoModel.Commit) {
        let number = model.add(commit)
        trace.append("\(words): commit \(number), \(commit.writes.map(text).joined(separator: ", "))")
    }

    func text(_ write: UndoModel.Write) -> String {
        let place =
            trips.map(\.reference).firstIndex(of: write.entity).map { "trip \($0)" }
            ?? items.map(\.reference).firstIndex(of: write.entity).map { "item \($0)" } ?? "?"
        let trip = write.value.flatMap { EntityReference(fieldValue: $0) }
        let value =
            trip.flatMap { trips.map(\.reference).firstIndex(of: $0) }.map { "trip \($0)" }
            ?? write.value.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
        return "\(place) \(write.field) \(write.field == 0 ? (write.value == nil ? "there" : "deleted") : value)"
    }

    func difference(_ words: String) -> UndoDifference {
        UndoDifference(description: "seed \(seed): \(words)\n" + trace.joined(separator: "\n"))
    }

    /// The commits that a replica holds, in the order of arrival.
    func held(_ replica: Int) throws -> [Int] {
        try stores[replica].log.read { log in
            var found: [Int] = []
            try log.forEachCommit(after: .start) { commit in
                if let number = model.numbers[commit.hash] { found.append(number) }
                return true
            }
            return found
        }
    }

    mutating func exchange() async throws {
        trace.append("exchange")
        try await stores[0].pass(to: stores[1])
        try await stores[1].pass(to: stores[0])
        for (number, store) in stores.enumerated() {
            try await store.catchUp()
            try check(number)
        }
    }

    /// Checks that fields and deletions of all entities are those of the model.
    func check(_ replica: Int) throws {
        let held = try held(replica)
        for entity in trips.map(\.reference) + items.map(\.reference) {
            let record = try stores[replica].read { try $0.record(of: entity) }
            for field in model.fields(entity, held).union([0]) {
                let found = record?.register(at: FieldPath(field: field))?.value
                let expected = model.value(entity, field, held)
                guard found != expected else { continue }
                let words = { (value: [UInt8]?) in text(UndoModel.Write(entity: entity, field: field, value: value)) }
                throw difference("replica \(replica) has \(words(found)), and the model \(words(expected))")
            }
        }
    }

    /// Takes some steps, and compares after each.
    mutating func run(steps: Int) async throws {
        for _ in 0..<steps {
            let replica = Int(random.next() % 2)
            clocks[replica].advance(by: Int64(random.next() % 3))
            switch random.next() % 20 {
            case 0..<5: try await edit(replica)
            case 5..<7: try await delete(replica)
            case 7: try await restore(replica)
            case 8..<11: try await undoLast(replica)
            case 11: try await undoCommit(replica)
            case 12: try await undoTrip(replica)
            case 13: try await undoCorrelation(replica)
            case 14..<17: try await redo(replica)
            case 17: try await resolve(replica)
            default: try await exchange()
            }
            try check(replica)
        }
        try await exchange()
        for replica in 0..<2 { try check(replica) }
        guard try stores[0].digests() == stores[1].digests() else { throw difference("the views differ") }
    }

    /// Of one of the two: both hold the same commits, and their views were compared.
    func expectInvariants() async throws { try await stores[Int(seed % 2)].expectInvariants() }
}

extension Receipt {
    var stamp: Stamp {
        get throws {
            let commit = try #require(commit)
            return Stamp(timestamp: try #require(timestamp), replica: commit.replica, hash: commit.hash)
        }
    }
}
