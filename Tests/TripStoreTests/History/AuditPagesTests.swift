import EventLog
import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("Pages of the audit log")
struct AuditPagesTests {
    private func store() async throws -> TripStore {
        let store = try await TripStore.test()
        for number in 0..<10 {
            try await store.create(Trip(name: "\(number)"), by: Authorship(author: number % 2 == 0 ? "ana" : "ben"))
        }
        return store
    }

    @Test("Page after page is what one has at once, in both directions, also with a filter", arguments: [false, true])
    func pages(isReversed: Bool) async throws {
        let store = try await store()
        for author in [nil, "ana"] {
            let filter = AuditFilter(author: author, isReversed: isReversed)
            let all = try store.audit(filter, limit: 100)
            #expect(try all.next == nil && all.position == store.status().position)
            var found: [AuditedCommit] = []
            var cursor: PageCursor?
            repeat {
                let page = try store.audit(filter, limit: 3, after: cursor)
                #expect(page.count <= 3 && (page.next != nil || page.count < 3))
                found += page
                // As text, because apps may store it.
                cursor = page.next.flatMap { PageCursor("\($0)") }
                #expect(cursor == page.next)
            } while cursor != nil
            #expect(found == all.rows)
            #expect(try store.audit(filter, beyond: found[1].position).rows == Array(found.dropFirst(2)))
        }
        try await store.expectInvariants()
    }

    @Test("A cursor of commits is not one of trips, nor of the other direction")
    func otherQueries() async throws {
        let store = try await store()
        let commits = try #require(try store.audit(limit: 2).next)
        let trips = try #require(try store.trips(.undated, limit: 2).next)
        for attempt: () throws -> Void in [
            { _ = try store.trips(.undated, after: commits) }, { _ = try store.audit(after: trips) },
            { _ = try store.audit(AuditFilter(isReversed: true), after: commits) },
        ] {
            #expect { try attempt() } throws: { ($0 as? TripStoreError)?.code == .invalidCursor }
        }
        #expect(PageCursor("0800") == nil && PageCursor("") == nil && PageCursor("0a0000000000000001") == nil)
        try await store.expectInvariants()
    }

    @Test("What was written last is found at the end of the log, without a look at what came before it")
    func lastWritten() async throws {
        let store = try await store()
        try await store.commit { commit in
            for number in 0..<20 { commit.create(Organization(name: "\(number)")) }
        }
        var asked: [EntityReference] = []
        let last = try store.lastWritten { entity in
            asked.append(entity)
            return true
        }
        #expect(last?.kind == .organization && asked == [last])
        let trip = try store.lastWritten { $0.kind == .trip }
        #expect(try trip.flatMap { Trip.ID($0) }.flatMap { try store.trip($0) }?.name == "9")
        #expect(try store.lastWritten { $0.kind == .activity } == nil)
        try await store.expectInvariants()
    }

    @Test("A page can leave out what commits of many events changed, and then reads none of their histories")
    func summedUp() async throws {
        let store = try await store()
        try await store.commit(by: "ana") { commit in
            for number in 0..<6 { commit.create(Organization(name: "\(number)")) }
        }
        let filter = AuditFilter(isReversed: true)
        let page = try store.audit(filter, limit: 2, beyond: nil, detailingUpTo: 5)
        let whole = try store.audit(filter, limit: 2, beyond: nil)
        let events = try #require(page.first?.events)
        #expect(events.count == 6 && events.allSatisfy { $0.changes.isEmpty && $0.name.isEmpty })
        #expect(events.map(\.entity) == whole.first?.events.map(\.entity))
        #expect(page.first?.info == whole.first?.info && page.last == whole.last)
        #expect(try store.audit(filter, limit: 2, beyond: nil, detailingUpTo: 6) == whole)
        try await store.expectInvariants()
    }
}
