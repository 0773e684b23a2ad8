import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Who may write")
struct MembershipResolverTests {
    @Test("The founder is the one of whose key the journal's id is a hash, and alone at first")
    func founding() throws {
        let story = try Story()
        let stranger = try story.newcomer("stranger")
        story.say(stranger, .grant(stranger.id, .admin, invitation: nil))
        let membership = try story.membership()
        #expect(membership.founder == story.founder.id)
        #expect(membership.admins == [story.founder.id])
        #expect(membership.members.count == 1)
        #expect(story.journal.isFounded)
        // Another's key does not fit, with any nonce.
        #expect(
            JournalID(founder: stranger.identity.publicKey, nonce: [UInt8](repeating: 9, count: 16)) != story.journal)
    }

    @Test("An admin grants, others cannot; the highest role counts")
    func grants() throws {
        let story = try Story()
        let (ana, ben, cai) = (try story.newcomer("ana"), try story.newcomer("ben"), try story.newcomer("cai"))
        story.say(story.founder, .grant(ana.id, .write, invitation: nil), .grant(ben.id, .read, invitation: nil))
        story.say(ana, .grant(cai.id, .write, invitation: nil))
        var membership = try story.membership()
        #expect(membership.role(of: ana.id) == .write && membership.role(of: ben.id) == .read)
        #expect(membership.role(of: cai.id) == nil)
        story.say(story.founder, .grant(ben.id, .relay, invitation: nil))
        story.say(story.founder, .grant(ana.id, .admin, invitation: nil))
        membership = try story.membership()
        #expect(membership.role(of: ben.id) == .read)
        // Ana's statement counts as an admin's, whenever she made it.
        #expect(membership.role(of: ana.id) == .admin && membership.role(of: cai.id) == .write)
        #expect(membership.members[cai.id]?.grantedBy == ana.id)
    }

    @Test(
        "Of two admins that revoke each other the one of higher rank stays, in any order of arrival",
        arguments: Seeds.some(20))
    func mutual(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let story = try Story()
        let (ana, ben) = (try story.newcomer("ana"), try story.newcomer("ben"))
        story.say(story.founder, .grant(ana.id, .admin, invitation: nil))
        story.say(story.founder, .grant(ben.id, .admin, invitation: nil))
        let before = try #require(story.last(ben))
        story.say(ben, .revocation(ana.id, cut: []))
        story.say(ana, .revocation(ben.id, cut: [before]))
        let membership = try story.membership(shuffledBy: &generator)
        #expect(membership.role(of: ana.id) == .admin)
        #expect(membership.members[ben.id]?.revokedBy == ana.id)
        #expect(membership.admins == [story.founder.id, ana.id].sorted())
    }

    @Test("A replica cannot revoke the one that granted it, which can revoke it")
    func rank() throws {
        let story = try Story()
        let (ana, ben) = (try story.newcomer("ana"), try story.newcomer("ben"))
        story.say(story.founder, .grant(ana.id, .admin, invitation: nil))
        story.say(ana, .grant(ben.id, .admin, invitation: nil))
        story.say(ben, .revocation(ana.id, cut: []), .revocation(story.founder.id, cut: []))
        var membership = try story.membership()
        #expect(membership.admins.count == 3)
        story.say(ana, .revocation(ben.id, cut: []))
        membership = try story.membership()
        #expect(membership.role(of: ben.id) == nil && membership.role(of: ana.id) == .admin)
    }

    @Test("Revoking the root of a chain of grants removes exactly those that depend on what was cut off")
    func chain() throws {
        let story = try Story()
        let actors = try (0..<6).map { try story.newcomer("actor \($0)") }
        story.say(story.founder, .grant(actors[0].id, .admin, invitation: nil))
        let kept = story.say(actors[0], .grant(actors[1].id, .admin, invitation: nil))
        story.say(actors[0], .grant(actors[2].id, .admin, invitation: nil))
        story.say(actors[2], .grant(actors[3].id, .admin, invitation: nil))
        story.say(actors[3], .grant(actors[4].id, .write, invitation: nil))
        story.say(actors[1], .grant(actors[5].id, .write, invitation: nil))
        #expect(try story.membership().members.count == 7)
        story.say(story.founder, .revocation(actors[0].id, cut: [kept]))
        let membership = try story.membership()
        #expect(membership.role(of: actors[0].id) == nil)
        #expect(membership.role(of: actors[1].id) == .admin && membership.role(of: actors[5].id) == .write)
        for fallen in 2...4 { #expect(membership.members[actors[fallen].id] == nil) }
    }

    @Test("Only the commits that a cut names and those before them count, on each branch; several cuts intersect")
    func cuts() throws {
        let story = try Story()
        let (ana, ben, cai) = (try story.newcomer("ana"), try story.newcomer("ben"), try story.newcomer("cai"))
        story.say(story.founder, .grant(ana.id, .write, invitation: nil), .grant(cai.id, .admin, invitation: nil))
        let first = story.write(ana)
        let second = story.write(ana)
        let third = story.write(ana)
        let branch = story.write(ana, after: first)
        // Written unknown to those who cut, and backdated.
        let backdated = story.write(ana, after: first)
        story.say(story.founder, .revocation(ana.id, cut: [second, branch]))
        var membership = try story.membership()
        #expect([first, second, branch].allSatisfy { story.counts($0, membership) })
        #expect(![third, backdated].contains { story.counts($0, membership) })
        story.say(cai, .revocation(ana.id, cut: [third]))
        membership = try story.membership()
        #expect([first, second].allSatisfy { story.counts($0, membership) })
        #expect(![third, branch, backdated].contains { story.counts($0, membership) })
        _ = ben
        // Until a named commit that is not held arrives, nothing counts.
        #expect(try story.membership(without: [third]).members[ana.id]?.cuts.contains([third]) == true)
    }

    @Test("A revocation is final: no later grant brings the replica back")
    func final() throws {
        let story = try Story()
        let ana = try story.newcomer("ana")
        story.say(story.founder, .grant(ana.id, .write, invitation: nil))
        story.say(story.founder, .revocation(ana.id, cut: []))
        story.say(story.founder, .grant(ana.id, .admin, invitation: nil))
        #expect(try story.membership().role(of: ana.id) == nil)
    }

    @Test("A request with a valid invitation waits; without one, with another's, or a withdrawn one it does not")
    func invitations() throws {
        let story = try Story()
        let (ana, ben, cai) = (try story.newcomer("ana"), try story.newcomer("ben"), try story.newcomer("cai"))
        let (code, invitation) = try story.invitation()
        story.say(ana, .request(try code.request(of: ana.id)))
        #expect(try story.membership().requests.isEmpty, "nobody made it")
        story.say(ben, .invitation(invitation))
        #expect(try story.membership().requests.isEmpty, "its maker is no admin")
        story.say(story.founder, .invitation(invitation))
        // The signature is over another replica's id.
        story.say(cai, .request(try code.request(of: ana.id)))
        var membership = try story.membership()
        #expect(Set(membership.requests.keys) == [ana.id])
        #expect(membership.invitations[code.key]?.used == 0)
        #expect(membership.lists(ana.id) && !membership.lists(cai.id))
        story.say(story.founder, .withdrawal(code.key))
        membership = try story.membership()
        #expect(membership.requests.isEmpty && membership.invitations.isEmpty)
    }

    @Test("An invitation that two admins honour on two sides makes two members: the grants are the facts")
    func usedTwice() throws {
        let story = try Story()
        let (admin, ana, ben) = (try story.newcomer("admin"), try story.newcomer("ana"), try story.newcomer("ben"))
        let (code, invitation) = try story.invitation()
        story.say(story.founder, .grant(admin.id, .admin, invitation: nil), .invitation(invitation))
        story.say(ana, .request(try code.request(of: ana.id)))
        story.say(ben, .request(try code.request(of: ben.id)))
        story.say(story.founder, .grant(ana.id, .write, invitation: code.key))
        story.say(admin, .grant(ben.id, .write, invitation: code.key))
        let membership = try story.membership()
        #expect(membership.role(of: ana.id) == .write && membership.role(of: ben.id) == .write)
        #expect(membership.invitations[code.key]?.used == 2)
        #expect(membership.members[ben.id]?.invitation == code.key)
    }

    @Test("A commit is void by its author's word or an admin's, and an admin's goes before; never one about members")
    func voids() throws {
        let story = try Story()
        let (ana, ben) = (try story.newcomer("ana"), try story.newcomer("ben"))
        let grant = story.say(
            story.founder, .grant(ana.id, .write, invitation: nil), .grant(ben.id, .write, invitation: nil))
        let commit = story.write(ana)
        story.say(ben, .void(commit, isVoid: true))
        #expect(try story.membership().voids.isEmpty)
        story.say(ana, .void(commit, isVoid: true))
        #expect(try story.membership().voids == [commit: ana.id])
        story.say(ana, .void(commit, isVoid: false))
        #expect(try story.membership().voids.isEmpty)
        story.say(story.founder, .void(commit, isVoid: true))
        story.say(ana, .void(commit, isVoid: false))
        #expect(try story.membership().voids == [commit: story.founder.id])
        story.say(story.founder, .void(commit, isVoid: false), .void(grant, isVoid: true))
        #expect(try story.membership().voids.isEmpty)
        #expect(try story.membership().role(of: ana.id) == .write)
    }

    @Test("With a used-up invitation no replica waits any more")
    func usedUp() throws {
        let story = try Story()
        let (ana, ben) = (try story.newcomer("ana"), try story.newcomer("ben"))
        let (code, invitation) = try story.invitation(uses: 1)
        story.say(story.founder, .invitation(invitation))
        for actor in [ana, ben] { story.say(actor, .request(try code.request(of: actor.id))) }
        #expect(try story.membership().requests.count == 2)
        story.say(story.founder, .grant(ana.id, .write, invitation: code.key))
        let membership = try story.membership()
        #expect(membership.requests.isEmpty)
        #expect(membership.claims[ben.id] != nil, "its own device knows that it asked")
    }

    @Test("More than 256 grants in a row make no admin")
    func longestPath() throws {
        let story = try Story()
        var last = story.founder
        for number in 0...MembershipResolver.longestPath {
            let next = try story.newcomer("actor \(number)")
            story.say(last, .grant(next.id, .admin, invitation: nil))
            last = next
        }
        let membership = try story.membership()
        #expect(membership.admins.count == 1 + MembershipResolver.longestPath)
        #expect(membership.members[last.id] == nil)
    }

    @Test("Whatever is said, all come to the same in whatever order it came", arguments: Seeds.some(60))
    func anyOrder(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let story = try Story()
        var actors = [story.founder]
        for number in 0..<7 {
            let former = Bool.random(using: &generator) ? nil : actors.randomElement(using: &generator)
            actors.append(try story.newcomer("actor \(number)", after: former))
        }
        let (code, invitation) = try story.invitation(uses: 2)
        for _ in 0..<40 {
            guard let actor = actors.randomElement(using: &generator),
                let other = actors.randomElement(using: &generator),
                let role = MemberRole.allCases.randomElement(using: &generator)
            else { continue }
            let mine = story.commits.filter { $0.commit.replica == actor.id }.map(\.commit)
            let after = Int.random(in: 0..<6, using: &generator) == 0 ? mine.randomElement(using: &generator) : nil
            let theirs = story.commits.filter { $0.commit.replica == other.id }.map(\.commit)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0...2:
                story.say(
                    actor, .grant(other.id, Bool.random(using: &generator) ? .admin : role, invitation: nil),
                    after: after)
            case 3:
                story.say(
                    actor, .revocation(other.id, cut: Set(theirs.shuffled(using: &generator).prefix(2))), after: after)
            case 4: story.say(actor, .invitation(invitation), after: after)
            case 5: story.say(actor, .request(try code.request(of: actor.id)), after: after)
            case 6:
                if let target = theirs.randomElement(using: &generator) {
                    story.say(actor, .void(target, isVoid: true))
                }
            default: story.write(actor, after: after)
            }
        }
        let first = try story.membership(shuffledBy: &generator)
        for _ in 0..<4 {
            let other = try story.membership(shuffledBy: &generator)
            #expect(other.members == first.members && other.requests == first.requests && other.voids == first.voids)
            #expect(other.invitations.mapValues(\.used) == first.invitations.mapValues(\.used))
        }
        // The founder was not revoked, nor an admin that ranks above the one that revoked it.
        #expect(first.role(of: story.founder.id) == .admin)
        for member in first.members.values where member.role == .admin {
            guard let by = member.revokedBy, let revoker = first.members[by] else { continue }
            #expect(Member.outranks(revoker.path, member.path))
        }
    }
}
