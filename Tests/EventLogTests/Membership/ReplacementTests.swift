import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Commits that were replaced")
struct ReplacementTests {
    private static let day: UInt64 = 86_400_000

    /// A member that wrote a commit at the right time and two when its clock was ahead, and its successor.
    private struct Scene {
        let story: Story
        let ana: Story.Actor
        let right: CommitID
        let ahead: [CommitID]
        let heir: Story.Actor

        init(_ role: MemberRole = .write, lead: UInt64 = 400 * ReplacementTests.day) throws {
            story = try Story()
            ana = try story.newcomer("ana")
            story.say(story.founder, .grant(ana.id, role, invitation: nil))
            right = story.write(ana)
            story.time += lead
            ahead = [story.write(ana), story.write(ana)]
            story.time -= lead
            heir = try story.newcomer("ana again", after: ana)
        }

        func counting(_ membership: Membership) -> [CommitID] {
            ([right] + ahead).filter { story.counts($0, membership) }
        }
    }

    @Test(
        "A successor's statement takes out what is dated over a day after it, in any order of arrival",
        arguments: Seeds.some(10))
    func replaces(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let scene = try Scene()
        #expect(scene.counting(try scene.story.membership()).count == 3)
        scene.story.say(scene.heir, .replacement(scene.ahead[1]))
        let membership = try scene.story.membership(shuffledBy: &generator)
        #expect(scene.counting(membership) == [scene.right])
        #expect(membership.role(of: scene.ana.id) == .write && membership.role(of: scene.heir.id) == .write)
    }

    @Test("A statement takes out only what it names and what comes before that")
    func upToTheNamedOne() throws {
        let scene = try Scene()
        scene.story.say(scene.heir, .replacement(scene.ahead[0]))
        #expect(scene.counting(try scene.story.membership()) == [scene.right, scene.ahead[1]])
    }

    @Test("A statement takes out the last commit that it names and that is held")
    func partlyHeld() throws {
        let scene = try Scene()
        let story = scene.story
        story.say(scene.heir, .replacement(scene.ahead[1]), .replacement(scene.ahead[0]))
        #expect(scene.counting(try story.membership()) == [scene.right])
        let membership = try story.membership(without: [scene.ahead[1]])
        #expect(!story.counts(scene.ahead[0], membership) && story.counts(scene.right, membership))
        #expect(membership.replacedNames == Set(scene.ahead))
    }

    @Test("A statement takes out nothing that is dated within a day after it, so that none dated now withdraws a line")
    func withinADay() throws {
        let scene = try Scene(lead: Self.day - 1000)
        scene.story.say(scene.heir, .replacement(scene.ahead[1]))
        #expect(scene.counting(try scene.story.membership()).count == 3)
    }

    @Test("A statement from before any version made one takes out nothing, and a later one until its author is revoked")
    func backdated() throws {
        let scene = try Scene()
        let story = scene.story
        let last = try #require(scene.ahead.last)
        let time = story.time
        let earliest = Replacement.earliest.milliseconds
        story.time = earliest - 2
        story.say(scene.heir, .replacement(last))
        #expect(scene.counting(try story.membership()).count == 3)
        // As the thief of a key that was handed over may do: it withdraws the whole line.
        story.time = earliest - 1
        story.say(scene.heir, .replacement(last))
        #expect(scene.counting(try story.membership()).isEmpty)
        story.time = time
        story.say(story.founder, .revocation(scene.heir.id, cut: []))
        #expect(scene.counting(try story.membership()).count == 3)
    }

    @Test("Statements of others take out nothing")
    func others() throws {
        let scene = try Scene()
        let story = scene.story
        let forger = try story.newcomer("forger", after: scene.ana, signedBy: try Story.actor("forger"))
        let ben = try story.newcomer("ben")
        story.say(story.founder, .grant(ben.id, .admin, invitation: nil))
        for actor in [story.founder, forger, ben] { story.say(actor, .replacement(scene.ahead[1])) }
        let membership = try story.membership()
        #expect(membership.replacements.isEmpty && scene.counting(membership).count == 3)
    }

    @Test("A successor of a successor may replace, and the author on another branch")
    func severalSteps() throws {
        for isAuthor in [false, true] {
            let scene = try Scene()
            let third = try scene.story.newcomer("ana once more", after: scene.heir)
            scene.story.say(
                isAuthor ? scene.ana : third, .replacement(scene.ahead[1]), after: isAuthor ? scene.right : nil)
            #expect(scene.counting(try scene.story.membership()) == [scene.right])
        }
    }

    @Test("A statement beyond a cut takes out nothing")
    func cut() throws {
        let scene = try Scene()
        let kept = scene.story.write(scene.heir)
        scene.story.say(scene.heir, .replacement(scene.ahead[1]))
        scene.story.say(scene.story.founder, .revocation(scene.heir.id, cut: [kept]))
        #expect(scene.counting(try scene.story.membership()).count == 3)
    }

    @Test(
        "Statements about members in a replaced commit do not count, and those that repeat them do",
        arguments: [MemberRole.admin, .write])
    func statements(role: MemberRole) throws {
        let scene = try Scene(role)
        let story = scene.story
        let ben = try story.newcomer("ben")
        let time = story.time
        story.time += 400 * Self.day
        let said = story.say(
            scene.ana, .grant(ben.id, .write, invitation: nil), .void(scene.right, isVoid: true))
        story.time = time
        story.say(scene.heir, .replacement(said))
        var membership = try story.membership()
        #expect(membership.role(of: ben.id) == nil && membership.voids.isEmpty)
        story.say(scene.heir, .grant(ben.id, .write, invitation: nil))
        membership = try story.membership()
        #expect(membership.role(of: ben.id) == (role == .admin ? .write : nil))
        if role == .admin { #expect(membership.members[ben.id]?.grantedBy == scene.heir.id) }
    }

    @Test("The holder of an admin's key does not replace the commit with which that admin revokes it")
    func thief() throws {
        let story = try Story()
        let ana = try story.newcomer("ana")
        story.say(story.founder, .grant(ana.id, .admin, invitation: nil))
        let thief = try story.newcomer("thief", after: ana)
        let time = story.time
        story.time += 10 * Self.day
        let revoking = story.say(ana, .revocation(thief.id, cut: []))
        // Backdated.
        story.time = time
        story.say(thief, .replacement(revoking))
        let membership = try story.membership()
        #expect(membership.role(of: thief.id) == nil && membership.replacements[ana.id] == nil)
    }
}
