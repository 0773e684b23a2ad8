import EventLog
import Events
import Foundation
import ProjectionEngine
import StoreSupport
import Synchronization
import TestSupport
import Testing
import TripProjections
import TripStore
import TripStoreTestSupport

@Suite("Laws of projections")
struct ProjectionLawsTests {
    @Test("The built-in projections keep every law", arguments: Seeds.some(3))
    func builtIn(seed: UInt64) async throws {
        #expect(try await ProjectionLaws.violations(of: BuiltInProjections.all, seeds: [seed]) == [])
    }

    @Test("A projection of an app that is a function of its entity keeps every law")
    func lawful() async throws {
        let byDestination = EntityProjection<Trip>("by-destination", version: 1) { trip, sink in
            sink.put(Array(trip.destination.utf8.prefix(100)) + [0] + trip.id.uuid.bytes)
        }
        let costs = EntityProjection<Activity>("costs", version: 1, .accumulating) { activity, sink in
            guard let cost = activity.cost else { return }
            sink.add(Array(cost.currency.code.utf8.prefix(8)) + [0], amount: Int128(cost.minorUnits))
        }
        let byTrip = EntityProjection<Activity>("by-trip", version: 1, .accumulating) { activity, sink in
            guard let trip = activity.trip else { return }
            sink.add(trip.uuid.bytes, part: [activity.cost == nil ? 0 : 1], amount: Int128(activity.name.utf8.count))
            sink.add(trip.uuid.bytes, amount: Int128(activity.cost?.minorUnits ?? 0))
        }
        #expect(try await ProjectionLaws.violations(of: [byDestination, costs, byTrip]) == [])
    }

    private func broken(_ projection: any Projection) async throws -> Set<ProjectionLaws.Law> {
        Set(try await ProjectionLaws.violations(of: [projection], seeds: 1...2).map(\.law))
    }

    @Test("One that counts its calls is not pure")
    func impure() async throws {
        let calls = Mutex<UInt8>(0)
        let projection = EntityProjection<Trip>("calls", version: 1) { trip, sink in
            sink.put(
                trip.id.uuid.bytes,
                [
                    calls.withLock {
                        $0 &+= 1
                        return $0
                    }
                ])
        }
        #expect(try await broken(projection).contains(.pure))
    }

    @Test("One that puts the rows of several entities under one key does not equal its rebuild")
    func sharedKeys() async throws {
        let projection = EntityProjection<Trip>("shared", version: 1) { trip, sink in
            sink.put([1], Array(trip.name.utf8.prefix(20)))
        }
        #expect(try await !broken(projection).isEmpty)
    }

    @Test("One that fails at what a peer may write is not total")
    func partial() async throws {
        struct Strict: Projection {
            let name = "strict"
            let version: UInt32 = 1
            func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink)
                throws(WireError)
            {
                try record.forEachRegister { register throws(WireError) in
                    guard register.field < 1000 else { throw WireError("field \(register.field) is not known") }
                }
            }
        }
        #expect(try await broken(Strict()) == [.total])
    }

    @Test("One that counts fields depends on what it does not know")
    func unknownFields() async throws {
        struct FieldCount: Projection {
            let name = "field-count"
            let version: UInt32 = 1
            func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink)
                throws(WireError)
            {
                var count: UInt8 = 0
                try record.forEachRegister { _ throws(WireError) in count &+= 1 }
                sink.put(entity.bytes, [count])
            }
        }
        #expect(try await broken(FieldCount()) == [.unknownFields])
    }

    @Test("One that has rows where it says that it has none is found out")
    func source() async throws {
        struct Claim: Projection {
            let name = "claim"
            let version: UInt32 = 1
            let source: RowSource
            func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink)
                throws(WireError)
            {
                sink.put { $0.append(entity) }
            }
        }
        #expect(try await broken(Claim(source: .entities)) == [])
        #expect(try await !broken(Claim(source: .events)).isEmpty)
    }

    @Test("One that takes the order of arrival for a property differs from replica to replica")
    func order() async throws {
        // Pure in each store, and another function in each: what anything local comes to.
        let seen = Mutex<[UUID: UInt8]>([:])
        struct Arrival: Projection {
            let name = "arrival"
            let version: UInt32 = 1
            let number: @Sendable (UUID) -> UInt8
            func rows(of event: borrowing EventView, at position: EventPosition, into sink: inout RowSink) {
                sink.put(
                    event.entity.bytes + position.stamp.bytes + [UInt8(truncatingIfNeeded: position.index)],
                    [number(event.entity.id)])
            }
        }
        let projection = Arrival { id in
            seen.withLock { seen in
                seen[id, default: 0] &+= 1
                return seen[id] ?? 0 > 2 ? 1 : 0
            }
        }
        #expect(try await !broken(projection).isEmpty)
    }
}
