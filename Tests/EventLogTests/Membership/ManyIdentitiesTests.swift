import Events
import Platform
import StoreSupport
import TestSupport
import Testing

@testable import EventLog

/// Stores that took more ids than may succeed one.
@Suite("Many identities of a store")
struct ManyIdentitiesTests {
    /// Opens a log as a copy with a number, and writes.
    private func renew(_ fixture: inout LogFixture, _ number: Int, founding: Bool = false) async throws -> Log {
        fixture.dependencies.fileOrigin = { _ in FileOrigin(inode: UInt64(number), birthTime: 1) }
        let log = try fixture.open(founding: founding)
        _ = try await log.append(.sample("\(number)"))
        return log
    }

    @Test("A founder that took a hundred ids is an admin of its journal, for every replica")
    func founder() async throws {
        var fixture = LogFixture(seed: 1)
        let reader = LogFixture(seed: 2)
        var journal: JournalID?
        var replicas: Set<ReplicaID> = []
        for number in 1...100 {
            let log = try await renew(&fixture, number, founding: true)
            replicas.insert(log.replica)
            journal = log.journal
            #expect(try log.ownRole() == .admin)
        }
        #expect(replicas.count == 100)
        let log = try fixture.open()
        let other = try reader.open(journal: journal)
        try await log.pass(to: other)
        let membership = try #require(try other.membership())
        #expect(replicas.allSatisfy { membership.role(of: $0) == .admin })
        #expect(try other.texts().count == 100 && log.texts().count == 100)
        // A root has at most half of the successors that it may have.
        #expect(membership.successorCounts.values.allSatisfy { $0 < MembershipResolver.grantedFrom })
        try fixture.expectIntact()
        try reader.expectIntact()
    }

    @Test(
        "An admin's store grants the ids of a member that took many, before they are too many and after",
        arguments: [true, false])
    func member(meetsBefore: Bool) async throws {
        let pair = try await LogPair()
        try await pair.founder.grant(.write, to: pair.other.replica)
        _ = try await pair.other.append(.sample("0"))
        try await pair.meet()
        try await pair.other.worker.run { try pair.other.prepareClose() }
        var fixture = try pair.fixtures.1.copied(seed: 9)
        let most = MembershipResolver.mostSuccessors
        for number in 1...most + 6 {
            let log = try await renew(&fixture, number)
            #expect((try log.ownRole() == nil) == (!meetsBefore && number > most))
            #expect(try log.read { try $0.isOutgrown() } == (!meetsBefore && number > most))
            #expect(try log.texts().count == number + 1, "it shows its own")
            guard meetsBefore, number % 33 == 0 else { continue }
            try await log.pass(to: pair.founder)
            #expect(try await pair.founder.admitRequests() == [log.replica])
            #expect(try await pair.founder.admitRequests() == [])
            try await pair.founder.pass(to: log)
        }
        let log = try fixture.open()
        try await log.pass(to: pair.founder)
        #expect(try await pair.founder.admitRequests().count == (meetsBefore ? 0 : 6))
        try await pair.founder.pass(to: log)
        #expect(try log.ownRole() == .write && !log.read { try $0.isOutgrown() })
        for log in [log, pair.founder] { #expect(try log.texts().count == most + 7) }
        try pair.expectIntact()
        try fixture.expectIntact()
    }

    @Test("A revoked member's further ids are not granted")
    func revoked() throws {
        let story = try Story()
        let ana = try story.newcomer("ana")
        story.say(story.founder, .grant(ana.id, .write, invitation: nil))
        for number in 0..<MembershipResolver.mostSuccessors + 3 { _ = try story.newcomer("heir \(number)", after: ana) }
        let before = try story.membership().outgrown()
        #expect(before.count == 1 && before.allSatisfy { $0.role == .write })
        story.say(story.founder, .revocation(ana.id, cut: []))
        #expect(try story.membership().outgrown().isEmpty)
    }

    @Test("The holder of a member's key has one successor granted at a time, and at last none")
    func hostile() throws {
        let story = try Story()
        let ana = try story.newcomer("ana")
        story.say(story.founder, .grant(ana.id, .write, invitation: nil))
        for number in 0..<Membership.mostFamilyGrants + 40 {
            let heir = try story.newcomer("heir \(number)", after: ana)
            // With the first one that is 255.
            guard number < Membership.mostFamilyGrants - 2 else { continue }
            story.say(story.founder, .grant(heir.id, .write, invitation: nil))
        }
        let due = try story.membership().outgrown()
        #expect(due.count == 1)
        for (replica, role) in due { story.say(story.founder, .grant(replica, role, invitation: nil)) }
        #expect(try story.membership().outgrown().isEmpty)
    }

    @Test("An admin grants any number of successors their role, and another member's successors are bounded")
    func granted() throws {
        var generator = SeededGenerator(seed: 3)
        let story = try Story()
        let ana = try story.newcomer("ana")
        story.say(story.founder, .grant(ana.id, .write, invitation: nil))
        let admins = try (0..<80).map { try story.heir("admin \($0)", of: [story.founder], isGranted: true) }
        let writers = try (0..<80).map { try story.heir("writer \($0)", of: [ana], isGranted: true) }
        let membership = try story.membership(shuffledBy: &generator)
        #expect(admins.allSatisfy { membership.role(of: $0.id) == .admin })
        #expect(admins.allSatisfy { membership.members[$0.id]?.grantedBy == story.founder.id })
        #expect(writers.count { membership.role(of: $0.id) == .write } == MembershipResolver.mostSuccessors)
        #expect(try story.membership(shuffledBy: &generator).members == membership.members)
        // It falls with the one that granted it.
        let heir = try story.heir("heir", of: [admins[0]], isGranted: true)
        story.say(story.founder, .revocation(admins[0].id, cut: []))
        #expect(try story.membership().role(of: heir.id) == nil)
    }
}
