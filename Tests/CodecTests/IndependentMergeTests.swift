import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore

@testable import TripStoreTestSupport

/// What follows from the merge of the commits, by a verifier in Python that was written from the description of the format alone.
@Suite(
    "Conflicts, lists and totals by a verifier written from the document alone",
    .enabled(if: IndependentVerifier.isHere, IndependentVerifier.hint))
struct IndependentMergeTests {
    @Test("It finds the same conflicts, and the same order of lists and totals of trips", arguments: Seeds.some(4))
    func agrees(seed: UInt64) async throws {
        let folders = (0..<3).map { _ in TemporaryFolder() }
        let journal = JournalID(UUID())
        var stores: [TripStore] = []
        for (index, folder) in folders.enumerated() {
            let clock = ManualClock(
                milliseconds: 1_798_761_600_000 + Int64(index) * 60_000, seed: seed &+ UInt64(index))
            stores.append(try await TripStore.test(journal: journal, clock: clock, at: folder.url))
        }
        try await Self.write(to: stores, seed: seed)
        for (store, folder) in zip(stores, folders) {
            try await store.expectInvariants()
            let conflicts = try store.conflicts(includingResolved: true)
                .map { "\($0.id) \($0.isOpen ? "open" : "resolved")" }
            let lists = try Self.lists(of: store)
            await store.close()
            let verdict = try IndependentVerifier.verify(folder.path("log"), "--conflicts", "--lists")
            let isConflict = { (line: String) in line.hasSuffix(" open") || line.hasSuffix(" resolved") }
            #expect(verdict.lines.filter(isConflict).sorted() == conflicts.sorted(), "seed \(seed)")
            #expect(!conflicts.isEmpty)
            #expect(verdict.lines.filter { !isConflict($0) } == lists, "seed \(seed)")
            #expect(verdict.code == 0, "\(verdict.last)")
        }
    }

    /// Verbs of apps, events that no verb writes, and exchanges, at random.
    private static func write(to stores: [TripStore], seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var writer = RandomWriter(seed: seed)
        var odd = OddEvents(seed: seed)
        for step in 0..<150 {
            let store = stores[Int.random(in: 0..<stores.count, using: &generator)]
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: try await store.appendUnchecked(odd.events(writer))
            case 1: try await store.create(Organization(name: ["b", "B", "ab", "Å", "A\u{30A}"][step % 5]))
            case 2 where step % 3 == 0:
                var template = Trip(name: ["b", "B", "Å", "A\u{30A}b"][step % 4])
                template.isTemplate = true
                try await store.create(template)
            case 2, 3:
                let other = stores[Int.random(in: 0..<stores.count, using: &generator)]
                if other !== store { try await store.exchange(with: .store(other)) }
            default: try await writer.write(to: store)
            }
        }
        for store in stores { try await store.catchUp() }
    }

    private static func lists(of store: TripStore) throws -> [String] {
        let most = 10_000_000
        var lines = try store.trips(.dated, limit: most).map { "trip \(digits($0.id.uuid))" }
        lines += try store.trips(.undated, limit: most).map { "undated \(digits($0.id.uuid))" }
        lines += try store.templates().map { "template \(digits($0.id.uuid))" }
        var trips = try store.trips(.dated, limit: most).map(\.id)
        trips += try store.trips(.undated, limit: most).map(\.id) + store.templates().map(\.id)
        lines += try store.organizations().map { "organization \(digits($0.id.uuid))" }
        for trip in trips.sorted() {
            let id = digits(trip.uuid)
            lines += try store.items(of: trip).map {
                "item \(id) \($0.reference.kind.rawValue) \(digits($0.reference.id))"
            }
            let totals = try store.totals(of: trip)
            lines += totals.itemCounts.sorted { $0.key < $1.key }.map { "count \(id) \($0.key.rawValue) \($0.value)" }
            lines += totals.costs.map { "sum \(id) \(Array($0.currency.code.utf8).hexadecimal) \($0.minorUnits)" }
        }
        return lines
    }

    private static func digits(_ id: UUID) -> String {
        id.uuidString.replacing("-", with: "").lowercased()
    }
}
