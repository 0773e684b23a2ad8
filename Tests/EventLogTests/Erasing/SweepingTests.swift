import Events
import Foundation
import StoreSupport
import Testing

@testable import EventLog

/// What arrives of an entity after it was erased.
@Suite("Late arrivals of erased entities")
struct SweepingTests {
    static func entity(_ kind: UInt16) -> EntityReference {
        EntityReference(kind: EntityKind(rawValue: kind), id: UUID())
    }

    static func event(
        _ verb: Verb, _ entity: EntityReference, in parent: EntityReference? = nil, field: UInt64 = 2
    ) -> Event {
        let value = parent?.valueBytes ?? Array("text".utf8)
        return Event(verb: verb, entity: entity, changes: [Change(path: FieldPath(field: field), value: value)])
    }

    /// Writes events, and with them what the replica held, if it says so.
    static func write(_ events: [Event], to log: Log, sayingHeld: Bool = false) async throws -> CommitID {
        let held = sayingHeld ? try log.read { try $0.held() } : VersionVector()
        return try #require(try await log.append(Payload(author: "ana", events: events, held: held))).id
    }

    @Test("The eraser erases what was written without its statement, of the entity and of what was put into it")
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
        try await group.founder.erase([commit: .all], naming: [ErasedName(trip)])
        #expect(try await group.founder.sweep() == [])
        group.advance(days: 1)
        for log in [group.member, group.third] { try await log.pass(to: group.founder) }
        #expect(try await group.founder.sweep().count == 1)
        #expect(try group.erased(created, group.founder) == .events(1))
        #expect(try group.erased(edited, group.founder) == .events(0, 1))
        #expect(try group.erased(kept, group.founder) == nil)
        #expect(try await group.founder.sweep() == [])
        for log in [group.member, group.third] { try await group.meet(log, group.founder) }
        #expect(try group.erased(created, group.third) == .events(1))
        try group.expectIntact()
    }

    @Test("What an author writes after an erasure that it has not seen is erased, be it of an older version or not")
    func writtenAfter() async throws {
        let group = try await ErasingGroup()
        let (trip, item, other) = (Self.entity(1), Self.entity(2), Self.entity(1))
        let commit = try await Self.write([Self.event(.created, trip)], to: group.founder)
        for log in [group.member, group.third] { try await group.meet(group.founder, log) }
        group.advance(days: 1)
        try await group.founder.erase([commit: .all], naming: [ErasedName(trip)])
        group.advance(days: 1)
        let created = try await Self.write(
            [Self.event(.created, item, in: trip), Self.event(.created, other)], to: group.member)
        let edited = try await Self.write([Self.event(.edited, item), Self.event(.edited, trip)], to: group.member)
        // What it held is before the statement.
        let known = try await Self.write([Self.event(.edited, trip)], to: group.third, sayingHeld: true)
        for log in [group.member, group.third] { try await log.pass(to: group.founder) }
        #expect(try await group.founder.sweep().count == 1)
        #expect(try group.erased(created, group.founder) == .events(0))
        #expect(try group.erased(edited, group.founder) == .events(0, 1))
        #expect(try group.erased(known, group.founder) == .events(0))
        #expect(try await group.founder.sweep() == [])
        // The item that was created inside is known as erased from now on.
        let again = try await Self.write([Self.event(.edited, item), Self.event(.edited, other)], to: group.member)
        try await group.member.pass(to: group.founder)
        try await group.founder.sweep()
        #expect(try group.erased(again, group.founder) == .events(0))
        for log in [group.member, group.third] { try await group.meet(log, group.founder) }
        #expect(try group.erased(created, group.third) == .events(0))
        #expect(try group.founder.statedErasures().count == 5)
        // An admin's erasures of what others wrote go after the period.
        group.advance(days: 31)
        for (log, count) in zip(group.logs, [4, 5, 5]) { #expect(try await log.removeDue() == count) }
        try group.expectIntact()
    }

    @Test("What an author writes that shows that it held the erasure stays, and so does what the eraser itself writes")
    func writtenKnowingly() async throws {
        let group = try await ErasingGroup()
        let (trip, item) = (Self.entity(1), Self.entity(2))
        let commit = try await Self.write([Self.event(.created, trip)], to: group.founder)
        for log in [group.member, group.third] { try await group.meet(group.founder, log) }
        group.advance(days: 1)
        try await group.founder.erase([commit: .all], naming: [ErasedName(trip)])
        try await group.meet(group.founder, group.member)
        let own = try await Self.write([Self.event(.created, trip)], to: group.founder)
        let known = try await Self.write(
            [Self.event(.created, trip), Self.event(.created, item, in: trip)], to: group.member, sayingHeld: true)
        // A version that does not say what it held.
        let unknown = try await Self.write([Self.event(.edited, trip)], to: group.member)
        try await group.member.pass(to: group.founder)
        try await group.founder.sweep()
        #expect(try group.erased(own, group.founder) == nil && group.erased(known, group.founder) == nil)
        #expect(try group.erased(unknown, group.founder) == .events(0))
        // Erased once more, that statement is not held by an author that held the first alone.
        try await group.meet(group.founder, group.member)
        group.advance(days: 1)
        try await group.founder.erase([own: .all], naming: [ErasedName(trip)])
        let between = try await Self.write([Self.event(.edited, trip)], to: group.member, sayingHeld: true)
        try await group.member.pass(to: group.founder)
        try await group.founder.sweep()
        #expect(try group.erased(between, group.founder) == .events(0))
        try group.expectIntact()
    }

    @Test("Where the eraser's line forks, a time that an author names shows what it held of that branch alone")
    func forked() async throws {
        let group = try await ErasingGroup()
        let trip = Self.entity(1)
        let commit = try await Self.write([Self.event(.created, trip)], to: group.founder)
        try await group.founder.signHead()
        for log in [group.member, group.third] { try await group.meet(group.founder, log) }
        let shared = try group.founder.read { log in
            try #require(try log.signedHeads(of: log.journal()).first { $0.replica == group.founder.replica })
        }
        // An unnoticed copy of the founder's store writes on.
        let copy = ForgedLine(group.founder.journal, copying: try group.identity(0))
        let end = ForgedLine.Commit(bytes: [], sequence: shared.sequence, hash: shared.hash)
        let later = UInt64(group.fixtures[0].clock.now) + 3 * 86_400_000
        let branch = try copy.commit(
            Payload(author: "ana", events: [Self.event(.edited, trip)]), after: end, milliseconds: later)
        let segment = try copy.segment([branch], after: end)
        group.advance(days: 1)
        try await group.founder.erase([commit: .all], naming: [ErasedName(trip)])
        group.advance(days: 3)
        // One author held the branch of the copy, the other the statement.
        try await group.member.store(segment)
        let unseen = try await Self.write([Self.event(.edited, trip)], to: group.member, sayingHeld: true)
        try await group.founder.pass(to: group.third)
        let seen = try await Self.write([Self.event(.edited, trip)], to: group.third, sayingHeld: true)
        for log in [group.member, group.third] { try await log.pass(to: group.founder) }
        try await group.founder.sweep()
        #expect(try group.erased(unseen, group.founder) == .events(0))
        #expect(try group.erased(seen, group.founder) == nil)
        let copied = CommitID(replica: shared.replica, sequence: branch.sequence, hash: branch.hash)
        #expect(try group.erased(copied, group.founder) == .events(0))
        try group.expectIntact()
    }

    @Test("A payload names what its author held if it concerns an erased entity, also if that was taken back")
    func namedEntities() async throws {
        let group = try await ErasingGroup()
        let (trip, item, other) = (Self.entity(1), Self.entity(2), Self.entity(1))
        let commit = try await Self.write([Self.event(.created, trip)], to: group.founder)
        func areNamed(_ events: Event...) throws -> Bool {
            var writer = PayloadWriter(author: "ana", causation: nil, correlation: nil)
            for event in events { _ = writer.add(event) }
            return try group.founder.read { try $0.sweptEntities().areNamed(in: writer) }
        }
        #expect(try !areNamed(Self.event(.edited, trip)))
        try await group.founder.erase([commit: .all], naming: [ErasedName(trip)])
        #expect(try areNamed(Self.event(.edited, other), Self.event(.edited, trip)))
        #expect(try areNamed(Self.event(.created, item, in: trip)))
        #expect(try !areNamed(Self.event(.created, other), Self.event(.created, item, in: other)))
        try await group.founder.takeBack([commit: .all])
        #expect(try areNamed(Self.event(.edited, trip)))
        try group.expectIntact()
    }

    @Test("What only refers to an erased entity stays, and so does what was under it before and was spared")
    func spared() async throws {
        let group = try await ErasingGroup()
        let (airline, flight, bonus) = (Self.entity(1), Self.entity(2), Self.entity(3))
        let commit = try await Self.write([Self.event(.created, airline)], to: group.founder)
        let kept = try await Self.write(
            [Self.event(.created, flight, in: airline, field: 3), Self.event(.created, bonus, in: airline)],
            to: group.founder)
        try await group.meet(group.founder, group.member)
        group.advance(days: 1)
        try await group.founder.erase([commit: .all], naming: [ErasedName(airline)])
        let late = try await Self.write(
            [Self.event(.created, Self.entity(2), in: airline, field: 3), Self.event(.edited, bonus)],
            to: group.member)
        try await group.member.pass(to: group.founder)
        #expect(try await group.founder.sweep() == [])
        #expect(try group.erased(kept, group.founder) == nil && group.erased(late, group.founder) == nil)
        try group.expectIntact()
    }

    @Test("What arrives between the plan of an erasure and its statement is erased as well")
    func planned() async throws {
        let group = try await ErasingGroup()
        let trip = Self.entity(1)
        let commit = try await Self.write([Self.event(.created, trip)], to: group.founder)
        try await group.meet(group.founder, group.member)
        let planned = try group.founder.read { try $0.lastPosition() }
        let between = try await Self.write([Self.event(.edited, trip)], to: group.member)
        try await group.member.pass(to: group.founder)
        try await group.founder.erase([commit: .all], naming: [ErasedName(trip)])
        #expect(try await group.founder.sweep() == [])
        #expect(try await group.founder.sweep(plannedAt: planned).count == 1)
        #expect(try group.erased(between, group.founder) == .events(0))
        try group.expectIntact()
    }

    @Test("What arrived while an erasure was taken back is erased once that no longer counts")
    func standsAgain() async throws {
        let group = try await ErasingGroup()
        let trip = Self.entity(1)
        let commit = try await Self.write([Self.event(.created, trip)], to: group.member)
        for log in [group.founder, group.third] { try await group.meet(group.member, log) }
        try await group.founder.grant(.admin, to: group.third.replica)
        try await group.meet(group.founder, group.third)
        group.advance(days: 1)
        try await group.third.erase([commit: .all], naming: [ErasedName(trip)])
        try await group.meet(group.founder, group.third)
        try await group.meet(group.founder, group.member)
        // The author overrules an admin, unless it is revoked.
        try await group.member.takeBack([commit: .all])
        let late = try await Self.write([Self.event(.edited, trip)], to: group.member)
        try await group.meet(group.member, group.third)
        #expect(try await group.third.sweep() == [])
        try await group.founder.revoke(group.member.replica)
        try await group.meet(group.founder, group.third)
        #expect(try await group.third.sweep().count == 1)
        #expect(try group.erased(late, group.third) == .events(0))
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
        try await group.founder.erase([commit: .all], naming: [ErasedName(trip)])
        try await group.member.pass(to: group.founder)
        try await group.founder.sweep()
        #expect(try group.erased(again, group.founder) == .events(0))
        #expect(try group.erased(kept, group.founder) == nil)
        try group.expectIntact()
    }

    @Test("What was created inside an erased entity is spared once another creation of it elsewhere has come")
    func createdElsewhere() async throws {
        let group = try await ErasingGroup()
        let (trip, other, item) = (Self.entity(1), Self.entity(1), Self.entity(2))
        let commit = try await Self.write([Self.event(.created, trip)], to: group.founder)
        for log in [group.member, group.third] { try await group.meet(group.founder, log) }
        group.advance(days: 1)
        try await group.founder.erase([commit: .all], naming: [ErasedName(trip)])
        // Both import one file.
        let inside = try await Self.write([Self.event(.created, item, in: trip)], to: group.member)
        let events = [Self.event(.created, other), Self.event(.created, item, in: other), Self.event(.edited, item)]
        let elsewhere = try await Self.write(events, to: group.third)
        try await group.member.pass(to: group.founder)
        #expect(try await group.founder.sweep().count == 1)
        try await group.third.pass(to: group.founder)
        let late = try await Self.write([Self.event(.edited, item), Self.event(.edited, trip)], to: group.member)
        try await group.member.pass(to: group.founder)
        #expect(try await group.founder.sweep().count == 1)
        #expect(try group.erased(inside, group.founder) == .events(0))
        #expect(try group.erased(elsewhere, group.founder) == nil)
        #expect(try group.erased(late, group.founder) == .events(1))
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
        try await group.founder.erase([commit: .all], naming: [ErasedName(trip)])
        try await group.member.pass(to: group.founder)
        try await group.founder.sweep()
        #expect(try group.erased(edited, group.founder) == .events(0))
        try await group.founder.takeBack([edited: .all])
        let late = try await Self.write([Self.event(.created, Self.entity(2), in: trip)], to: group.member)
        try await group.member.pass(to: group.founder)
        try await group.founder.sweep()
        #expect(try group.erased(edited, group.founder) == nil && group.erased(late, group.founder) == .events(0))
        // Nothing is erased any more with the trip itself.
        try await group.founder.takeBack([commit: .all])
        let last = try await Self.write([Self.event(.edited, trip)], to: group.member)
        try await group.member.pass(to: group.founder)
        #expect(try await group.founder.sweep() == [])
        #expect(try group.erased(last, group.founder) == nil)
        try group.expectIntact()
    }
}
