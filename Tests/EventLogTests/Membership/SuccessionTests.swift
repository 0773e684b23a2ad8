import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Successors")
struct SuccessionTests {
    @Test("A successor has its predecessor's role only with that one's signature, and is revoked with it")
    func handover() throws {
        let story = try Story()
        let ana = try story.newcomer("ana")
        let successor = try story.newcomer("ana again", after: ana)
        let third = try story.newcomer("ana once more", after: successor)
        let forger = try story.newcomer("forger", after: ana, signedBy: try Story.actor("forger"))
        story.say(story.founder, .grant(ana.id, .write, invitation: nil))
        var membership = try story.membership()
        #expect(membership.role(of: successor.id) == .write && membership.role(of: third.id) == .write)
        #expect(membership.members[third.id]?.predecessor == successor.id)
        #expect(membership.role(of: ana.id) == .write, "the old one stays valid")
        #expect(membership.members[forger.id] == nil)
        let kept = story.write(successor)
        let late = story.write(successor)
        story.say(story.founder, .revocation(ana.id, cut: [kept]))
        membership = try story.membership()
        for fallen in [ana, successor, third] { #expect(membership.role(of: fallen.id) == nil) }
        #expect(story.counts(kept, membership) && !story.counts(late, membership))
    }

    @Test("The founder's successor is an admin, and its grants count")
    func foundersSuccessor() throws {
        let story = try Story()
        let successor = try story.newcomer("founder again", after: story.founder)
        let ana = try story.newcomer("ana")
        story.say(successor, .grant(ana.id, .write, invitation: nil))
        let membership = try story.membership()
        #expect(membership.role(of: successor.id) == .admin && membership.role(of: ana.id) == .write)
    }

    @Test(
        "One replica may have 64 successors, the nearest and then those of the least hashes",
        arguments: [true, false])
    func mostSuccessors(isAdmin: Bool) throws {
        var generator = SeededGenerator(seed: 5)
        let story = try Story()
        let ana = try story.newcomer("ana")
        story.say(story.founder, .grant(ana.id, isAdmin ? .admin : .write, invitation: nil))
        let near = try (0..<60).map { try story.newcomer("near \($0)", after: ana) }
        let far = try near.prefix(10).enumerated().map { try story.newcomer("far \($0.offset)", after: $0.element) }
        let membership = try story.membership(shuffledBy: &generator)
        #expect(membership.members.count == 2 + MembershipResolver.mostSuccessors)
        #expect(near.allSatisfy { membership.role(of: $0.id) == (isAdmin ? .admin : .write) })
        #expect(far.count { membership.members[$0.id] != nil } == 4)
        for _ in 0..<3 {
            #expect(try story.membership(shuffledBy: &generator).members == membership.members)
        }
        // A replica that is granted a role has room of its own.
        let outside = try #require(far.first { membership.members[$0.id] == nil })
        story.say(story.founder, .grant(outside.id, .write, invitation: nil))
        let child = try story.newcomer("child", after: outside)
        let later = try story.membership()
        #expect(later.role(of: outside.id) == .write && later.role(of: child.id) == .write)
    }

    @Test("A replica with a granted role and a higher one by succession passes on the higher one alone")
    func raised() throws {
        let story = try Story()
        let ana = try story.newcomer("ana")
        let heir = try story.newcomer("heir", after: ana)
        story.say(story.founder, .grant(ana.id, .write, invitation: nil), .grant(heir.id, .read, invitation: nil))
        // With these all successors that ana may have are held.
        for number in 1..<MembershipResolver.mostSuccessors { _ = try story.newcomer("near \(number)", after: ana) }
        let late = try story.newcomer("late", after: heir)
        let membership = try story.membership()
        #expect(membership.role(of: heir.id) == .write)
        #expect(membership.members[late.id] == nil)
    }

    @Test("Whose first commits decide about a member is named, by several steps, also where they are not held")
    func named() throws {
        let story = try Story()
        let ana = try story.newcomer("ana")
        let again = try story.newcomer("ana again", after: ana)
        let third = try story.newcomer("ana once more", after: again)
        story.say(story.founder, .grant(third.id, .write, invitation: nil), .revocation(ana.id, cut: []))
        let membership = try story.membership()
        #expect(membership.members[third.id]?.isRevoked == true, "it falls with the first")
        #expect(membership.named == [ana.id, again.id])
        let first = try #require(story.last(again))
        let before = try story.membership(without: [first])
        #expect(before.members[third.id]?.isRevoked == false, "it is not known yet")
        #expect(before.named == [again.id] && before.unknownPredecessors == [again.id])
        #expect(before.lists(again.id))
    }
}
