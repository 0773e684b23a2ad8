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
}
