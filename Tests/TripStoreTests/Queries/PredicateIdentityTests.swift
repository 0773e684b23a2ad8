import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore
@testable import Trips

/// Its values are not equal to themselves once they are archived, because they cannot be.
private struct Secret: Codable, Hashable {
    func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "secret"))
    }
}

@Suite("Equal predicates")
struct PredicateIdentityTests {
    private static func longer(than count: Int, _ part: String = "a") -> Query<Trip> {
        Query<Trip>().where(#Predicate { $0.name.count > count && $0.name.contains(part) })
    }

    private static func oneOf(_ counts: Set<Int>) -> Query<Trip> {
        Query<Trip>().where(#Predicate { counts.contains($0.name.count) })
    }

    private static func secret() -> Query<Trip> {
        let secrets = [Secret()]
        return Query<Trip>().where(#Predicate { _ in secrets.isEmpty })
    }

    @Test("Queries of equal predicates are equal, and have the same words")
    func equal() {
        #expect(
            Self.longer(than: 5) == Self.longer(than: 5) && Self.longer(than: 5).words == Self.longer(than: 5).words)
        #expect(Set([Self.longer(than: 5), Self.longer(than: 5), Self.longer(than: 6)]).count == 2)
        let many = Set((0..<100).map { $0 })
        var grown = Set(0..<10_000)
        grown.subtract(100..<10_000)
        #expect(Self.oneOf(many) == Self.oneOf(grown) && Self.oneOf(many).fingerprint == Self.oneOf(grown).fingerprint)
        let computed = { Query<Trip>().where(#Predicate { $0.effectiveEndDay == nil }) }
        #expect(computed() == computed())
    }

    @Test("Other constants, properties, operators or variables are other predicates")
    func different() {
        let day = Day(2027, 5, 1)
        let parts = ["a", "b"]
        let queries: [Query<Trip>] = [
            Self.longer(than: 5), Self.longer(than: 6), Self.longer(than: 5, "b"), Self.longer(than: 5, "á"),
            Self.longer(than: 5, "a\u{301}"), Query<Trip>().where(#Predicate { $0.name.count < 5 }),
            Query<Trip>().where(#Predicate { $0.notes.count < 5 }),
            Query<Trip>().where(#Predicate { $0.notes.count + 1 < 5 }),
            Query<Trip>().where(#Predicate { $0.notes.count - 1 < 5 }), Self.oneOf([1]), Self.oneOf([1, 2]),
            Query<Trip>().where(#Predicate { $0.effectiveEndDay == day }),
            Query<Trip>().where(#Predicate { ($0.endDay ?? day) == day }),
            Query<Trip>().where(#Predicate { ($0.startDay ?? day) == day }),
            Query<Trip>().where(
                #Predicate { a in a.notes == a.name || parts.allSatisfy { b in parts.contains { c in c == b } } }),
            Query<Trip>().where(
                #Predicate { a in a.notes == a.name || parts.allSatisfy { b in parts.contains { c in c == c } } }),
            Query<Trip>().where(#Predicate { $0.name.contains(/a/) }),
            Query<Trip>().where(#Predicate { $0.name.contains(/b/) }),
        ]
        #expect(Set(queries).count == queries.count && Set(queries.map(\.words)).count == queries.count)
    }

    #if os(Linux)
        @Test("The words of predicates of fields, and of constants that can be encoded, are the same in every process")
        func stable() {
            // As another process had them. Names of types are part of them, and differ on other systems.
            let words = "trip where field 1 contains 'a' where predicate 319fa9b6746f747119fc332997d2f839"
            #expect(Self.longer(than: 5).words == words + " where predicate 05bf4f8163857385dc54f145b1724f7f")
        }
    #endif

    @Test("A predicate with a constant that cannot be encoded is equal to its copies alone")
    func unique() {
        let query = Self.secret()
        let copy = query.limit(query.limit ?? .max)
        #expect(copy.predicates == query.predicates && copy.words == query.words)
        #expect(Self.secret().predicates != query.predicates && Self.secret().words != query.words)
    }

    @Test("A cursor goes on with an equal predicate that is made again, and is refused by another one")
    func cursors() async throws {
        let store = try await TripStore.test()
        for name in ["Basra", "Ankara", "Havana", "Fes"] { try await store.create(Trip(name: name)) }
        let page = try store.fetch(Self.longer(than: 4).sorted(by: \.name).limit(2))
        #expect(page.map(\.name) == ["Ankara", "Basra"])
        let cursor = try #require(page.next.flatMap { PageCursor($0.description) })
        #expect(
            try store.fetch(Self.longer(than: 4).sorted(by: \.name).limit(2), after: cursor).map(\.name) == ["Havana"])
        let error = #expect(throws: TripStoreError.self) {
            try store.fetch(Self.longer(than: 3).sorted(by: \.name).limit(2), after: cursor)
        }
        #expect(error?.code == .invalidCursor)
        try await store.expectInvariants()
    }
}
