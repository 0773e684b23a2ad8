import Events
import Foundation
import StoreSupport
import Testing

@testable import EventLog

/// What arrives of an entity after it was erased.
@Suite("Late arrivals of erased entities")
struct SweepingTests {
    private static func entity(_ kind: UInt16) -> EntityReference {
        EntityReference(kind: EntityKind(rawValue: kind), id: UUID())
    }

    private static func event(_ verb: Verb, _ entity: EntityReference, in parent: EntityReference? = nil) -> Event {
        let value = parent?.valueBytes ?? Array("text".utf8)
        return Event(verb: verb, entity: entity, changes: [Change(path: FieldPath(field: 2), value: value)])
    }

    private static func write(_ events: [Event], to log: Log) async throws -> CommitID {
        try #require(try await log.append(Payload(author: "ana", events: events))).id
    }

    @Test("The eraser erases what was written before without its statement, of the entity and of what was put into it")
    func late() async throws {
        let group = try await ErasingGroup()
        let (trip, item, other) = (Self.entity(1), Self.entity(2), Self.entity(1))
        let commit = try await Self.write([Self.event(.created, trip)], to: group.founder)
        try await group.meet(group.founder, group.member)
        let created = try await Self.write(
            [Self.event(.created, other), Self.event(.created, item, in: trip)], to: group.member)
        let edited = try await Self.write([Self.event(.edited, item), Self.event(.edited, trip)], to: group.member)
        let kept = try await Self.write([Self.event(.edited, other)], to: group.member)
        group.advance(days: 1)
        #expect(try await group.founder.sweep() == [])
        try await group.founder.erase([commit: .all], sweeping: [trip])
        #expect(try await group.founder.sweep() == [])
        group.advance(days: 1)
        // Dated after the statement: its author may have seen that.
        let after = try await Self.write([Self.event(.edited, trip)], to: group.third)
        for log in [group.member, group.third] { try await log.pass(to: group.founder) }
        #expect(try await group.founder.sweep().count == 1)
        #expect(try group.erased(after, group.founder) == nil)
        #expect(try group.erased(created, group.founder) == .events(1))
        #expect(try group.erased(edited, group.founder) == .events(0, 1))
        #expect(try group.erased(kept, group.founder) == nil)
        #expect(try await group.founder.sweep() == [])
        for log in [group.member, group.third] { try await group.meet(log, group.founder) }
        #expect(try group.erased(created, group.third) == .events(1))
        try group.expectIntact()
    }

    @Test("Another creation of an entity inside an erased one does not have that entity erased")
    func createdAgain() async throws {
        let group = try await ErasingGroup()
        let (trip, other) = (Self.entity(1), Self.entity(1))
        let commit = try await Self.write([Self.event(.created, trip)], to: group.founder)
        let kept = try await Self.write([Self.event(.created, other)], to: group.founder)
        try await group.meet(group.founder, group.member)
        let again = try await Self.write([Self.event(.created, other, in: trip)], to: group.member)
        group.advance(days: 1)
        try await group.founder.erase([commit: .all], sweeping: [trip])
        try await group.member.pass(to: group.founder)
        try await group.founder.sweep()
        #expect(try group.erased(again, group.founder) == .events(0))
        #expect(try group.erased(kept, group.founder) == nil)
        try group.expectIntact()
    }

    @Test("What was taken back of it is not erased again")
    func takenBack() async throws {
        let group = try await ErasingGroup()
        let trip = Self.entity(1)
        let commit = try await Self.write([Self.event(.created, trip)], to: group.founder)
        try await group.meet(group.founder, group.member)
        let edited = try await Self.write([Self.event(.edited, trip)], to: group.member)
        group.advance(days: 1)
        try await group.founder.erase([commit: .all], sweeping: [trip])
        try await group.member.pass(to: group.founder)
        try await group.founder.sweep()
        #expect(try group.erased(edited, group.founder) == .events(0))
        try await group.founder.takeBack([edited: .all])
        let late = try await Self.write([Self.event(.created, Self.entity(2), in: trip)], to: group.member)
        try await group.member.pass(to: group.founder)
        try await group.founder.sweep()
        #expect(try group.erased(edited, group.founder) == nil && group.erased(late, group.founder) == nil)
        try group.expectIntact()
    }
}
