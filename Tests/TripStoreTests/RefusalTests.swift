import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("Bad input")
struct RefusalTests {
    private func expect(
        _ code: TripStoreError.Code, _ store: TripStore, _ body: () async throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try store.status().position
        await #expect(sourceLocation: sourceLocation) { try await body() } throws: { error in
            (error as? TripStoreError)?.code == code && "\(error)".contains(" ")
        }
        #expect(try store.status().position == before, "nothing is written", sourceLocation: sourceLocation)
    }

    private func expect(
        _ code: ValidationError.Code, _ store: TripStore, _ body: () async throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try store.status().position
        await #expect(sourceLocation: sourceLocation) { try await body() } throws: {
            let error = $0 as? TripStoreError
            return error?.code == .invalidValue && (error?.cause as? ValidationError)?.code == code
        }
        #expect(try store.status().position == before, "nothing is written", sourceLocation: sourceLocation)
    }

    @Test("Values that make no sense are refused by what they are")
    func values() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        let start = Moment.sample(0)
        let tram = try await store.create(Activity(name: "Tram", in: trip, from: start, until: .sample(30)))
        try await expect(.emptyName, store) { try await store.create(Trip(name: " \n")) }
        try await expect(.emptyName, store) { try await store.edit(trip) { $0.name = "" } }
        try await expect(.endBeforeStart, store) { try await store.edit(trip) { $0.endDay = Day(2027, 4, 1) } }
        try await expect(.endBeforeStart, store) { try await store.edit(tram) { $0.end = .sample(-1) } }
        try await expect(.endBeforeStart, store) {
            try await store.append([TripEvent(.edited, tram, [.set(\.start, .sample(99))])])
        }
        try await expect(.unknownTimeZone, store) {
            try await store.edit(tram) { $0.start = .sample(0, "Europe/Atlantis") }
        }
        try await expect(.unknownCurrency, store) {
            try await store.edit(tram) { $0.cost = Money(minorUnits: 1, "XYZ") }
        }
        try await expect(.missingParent, store) { try await store.edit(tram) { $0.trip = nil } }
        try await expect(.tooLong, store) {
            try await store.edit(trip) { $0.notes = String(repeating: "x", count: 2 << 20) }
        }
        try await store.expectInvariants()
    }

    @Test("Entities that are not there, or there already, are refused by name")
    func entities() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let tram = try await store.create(Activity(name: "Tram", in: trip))
        let gone = try await store.create(Trip(name: "Porto"))
        try await store.delete(gone)
        try await expect(.alreadyExists, store) { try await store.create(Trip(id: trip, name: "Again")) }
        try await expect(.alreadyExists, store) { try await store.create(Trip(id: gone, name: "Again")) }
        try await expect(.unknownEntity, store) { try await store.edit(Trip.ID.new()) { $0.name = "x" } }
        try await expect(.unknownEntity, store) { try await store.delete(Activity.ID.new()) }
        try await expect(.unknownEntity, store) { try await store.restore(Organization.ID.new()) }
        try await expect(.deleted, store) { try await store.edit(gone) { $0.name = "x" } }
        try await expect(.deleted, store) { try await store.delete(gone) }
        try await expect(.notDeleted, store) { try await store.restore(trip) }
        try await expect(.unknownTrip, store) { try await store.create(Activity(name: "x", in: .new())) }
        try await expect(.unknownTrip, store) { try await store.create(Activity(name: "x", in: gone)) }
        try await expect(.unknownTrip, store) { try await store.move(tram, to: .new()) }
        try await expect(.unknownTrip, store) { try await store.move(tram, to: gone) }
        try await expect(.nothingToWrite, store) { try await store.append([]) }
        try await expect(.differentEntities, store) {
            try await store.save(Trip(id: trip, name: "x"), from: Trip(id: gone, name: "y"))
        }
        #expect(throws: TripStoreError.self) { try store.history(of: Trip.ID.new()) }
        try await store.expectInvariants()
    }

    /// The version that an append expects, the one that is there, and the outcome.
    enum Expectation: CaseIterable, Sendable {
        case noneOfNew, noneOfExisting, currentOfExisting, staleOfExisting, someOfNew, currentOfOther, staleOfOther
    }

    @Test(
        "An append that expects a version fails, with both versions named, if it moved", arguments: Expectation.allCases
    )
    func versions(_ expectation: Expectation) async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let stale = try store.version(of: trip)
        try await store.edit(trip) { $0.notes = "moved" }
        let current = try store.version(of: trip)
        let new = Trip(name: "New")
        let edit = TripEvent(.edited, trip, [.set(\.name, "Porto")])
        let (events, expected, entity): ([TripEvent], EntityVersion, Trip.ID) =
            switch expectation {
            case .noneOfNew: ([.created(new)], .none, new.id)
            case .someOfNew: ([.created(new)], stale, new.id)
            case .noneOfExisting: ([edit], .none, trip)
            case .currentOfExisting: ([edit], current, trip)
            case .staleOfExisting: ([edit], stale, trip)
            case .currentOfOther: ([.created(new)], current, trip)
            case .staleOfOther: ([.created(new)], stale, trip)
            }
        let passes = [.noneOfNew, .currentOfExisting, .currentOfOther].contains(expectation)
        if passes {
            try await store.append(events, expecting: [entity: expected])
        } else {
            let found = entity == trip ? current : .none
            await #expect { try await store.append(events, expecting: [entity: expected]) } throws: { error in
                guard let error = error as? TripStoreError, error.code == .versionConflict else { return false }
                return error.versions?.expected == expected && error.versions?.found == found
                    && error.message.contains("\(expected)") && error.message.contains("\(found)")
            }
        }
        try await store.expectInvariants()
    }

    @Test("Folders that hold something else, files, and stores that are not there are refused, and nothing is made")
    func folders() async throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: folder.url.appendingPathComponent("letter.txt"))
        await #expect { try await TripStore.open(at: folder.url) } throws: {
            ($0 as? TripStoreError)?.code == .notAStore
        }
        await #expect { try await TripStore.open(at: folder.url.appendingPathComponent("letter.txt")) } throws: {
            ($0 as? TripStoreError)?.code == .notAStore
        }
        let missing = folder.url.appendingPathComponent("missing")
        await #expect { try await TripStore.open(at: missing, options: .readOnly) } throws: {
            ($0 as? TripStoreError)?.code == .noStore
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["letter.txt"])
    }

    @Test("A cursor of another list is refused, and text that is no cursor is none")
    func cursors() async throws {
        let store = try await TripStore.test()
        for number in 0..<3 { try await store.create(Trip(name: "\(number)", days: Day(2027, 1, 1)...Day(2027, 1, 2))) }
        let cursor = try #require(try store.trips(limit: 1).next)
        #expect(PageCursor(cursor.description) == cursor)
        #expect(throws: TripStoreError.self) { try store.trips(.undated, after: cursor) }
        for text in ["", "zz", "00", "0011", cursor.description + "00"] { #expect(PageCursor(text) == nil) }
        // A range that begins on the last day.
        #expect(PageCursor("02" + "00000002" + "00000001" + String(repeating: "0", count: 40)) == nil)
        try await store.expectInvariants()
    }

    @Test("A cursor of the audit goes on with its filter, and with no other")
    func cursorsOfFilters() async throws {
        let store = try await TripStore.test()
        for author in ["ana", "ben", "ana", "ben"] {
            try await store.create(Trip(name: author), by: Authorship(author: author))
        }
        let trip = try #require(try store.trips(.undated).rows.first).id
        var filters = [AuditFilter(), AuditFilter(author: "ana"), AuditFilter(author: "ben"), AuditFilter(kind: .trip)]
        filters += [
            AuditFilter(since: .distantPast), AuditFilter(until: .distantFuture), AuditFilter(under: trip.reference),
        ]
        filters += [AuditFilter(entity: trip.uuid), AuditFilter(replica: store.replica)]
        filters += filters.map { filter in
            var filter = filter
            filter.isReversed = true
            return filter
        }
        for filter in filters {
            let cursor = try #require(try store.audit(filter, limit: 1).next)
            #expect(PageCursor(cursor.description) == cursor)
            _ = try store.audit(filter, limit: 1, after: cursor)
            // A page has at least a row.
            #expect(try store.audit(filter, limit: 0).count == 1)
            for other in filters where other != filter {
                let error = #expect(throws: TripStoreError.self) { try store.audit(other, after: cursor) }
                #expect(error?.code == .invalidCursor)
            }
        }
        try await store.expectInvariants()
    }

    @Test("A cursor goes on with the query that it came from and with no other")
    func cursorsOfOthers() async throws {
        let store = try await TripStore.test()
        for number in 0..<3 {
            try await store.create(Trip(name: "\(number)"))
            try await store.create(Trip(name: "\(number)", days: Day(2027, 1, 1)...Day(2027, 1, 2)))
        }
        let (january, winter) = (Day(2027, 1, 1)..<Day(2027, 2, 1), Day(2026, 12, 1)..<Day(2027, 3, 1))
        var queries: [Query<Trip>] = [.dated, .undated]
        for days in [january, winter] { queries += [.starting(in: days), .overlapping(days)] }
        queries += queries.map(\.reversed)
        for query in queries {
            let page = try store.trips(query, limit: 2)
            let cursor = try #require(page.next)
            #expect(PageCursor(cursor.description) == cursor)
            #expect(try store.trips(query, limit: 2, after: cursor).rows.count == 1)
            for other in queries where other != query {
                let error = #expect(throws: TripStoreError.self) { try store.trips(other, after: cursor) }
                #expect(error?.code == .invalidCursor)
            }
        }
        try await store.expectInvariants()
    }
}
