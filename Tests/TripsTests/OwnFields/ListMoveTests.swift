import Events
import TestSupport
import Testing

@testable import Trips

extension Trip {
    fileprivate static let route = OwnList<Trip, String>("org.example.moving", 1, "route")
}

@Suite("Moving elements of a list")
struct ListMoveTests {
    private static func trip(_ route: [String]) -> Trip {
        var trip = Trip(name: "Lisbon")
        trip[Trip.route] = route
        return trip
    }

    @Test("Removing an element and inserting it again in one draft moves it")
    func twoSteps() throws {
        let original = Self.trip(["a", "b", "c"])
        var draft = original
        draft[Trip.route].insert(draft[Trip.route].remove(at: 2), at: 0)
        #expect(draft[Trip.route] == ["c", "a", "b"])
        let writes = try #require(TripEvent.edited(from: original, to: draft)).writes
        #expect(writes.map(\.path.element?.kind) == [.rank])
    }

    @Test("Of equal elements each is moved once, and what is left is inserted")
    func equal() throws {
        let original = Self.trip(["a", "x", "x", "b"])
        var draft = original
        draft[Trip.route].removeAll { $0 == "x" }
        draft[Trip.route].append(contentsOf: ["x", "x", "x"])
        #expect(draft[Trip.route] == ["a", "b", "x", "x", "x"])
        let writes = try #require(TripEvent.edited(from: original, to: draft)).writes
        #expect(writes.count { $0.path.element?.kind == .rank } == 3)
        #expect(writes.count { $0.path.element?.kind == .listElement } == 1)
    }

    @Test("What an earlier edit removed is inserted as another element")
    func earlier() throws {
        var removed = Self.trip(["a", "b"])
        removed[Trip.route].removeFirst()
        // Written and read again: the draft is another one.
        var record = EntityRecord()
        let event = TripEvent.created(removed)
        record.apply(
            Event(
                verb: .created, entity: event.entity,
                changes: event.writes.map { Change(path: $0.path, value: $0.value) }),
            index: 0, stamp: try Records.stamp(1))
        let original = Trip(id: removed.id, record: record)
        var draft = original
        draft[Trip.route].append("a")
        let writes = try #require(TripEvent.edited(from: original, to: draft)).writes
        #expect(writes.map(\.path.element?.kind) == [.rank, .listElement])
    }
}
