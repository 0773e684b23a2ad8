import Events
import Foundation
import Testing

@testable import EventLog

/// Who erases what, and who takes it back.
@Suite("What is stated to be erased")
struct ErasureResolverTests {
    @Test("The author erases, an admin does, and no other member")
    func mayErase() throws {
        let story = try ErasingStory()
        let dan = try story.story.newcomer("dan")
        story.story.say(story.founder, .grant(dan.id, .write, invitation: nil))
        try story.erase(dan)
        #expect(try story.hidden() == nil)
        try story.erase(story.cai, .events(0))
        try story.erase(story.ben, .events(2))
        #expect(try story.hidden() == .events(0, 2))
        #expect(try story.fate()?.erasures.map(\.part) == [.author, .admin])
    }

    @Test("Names keep entities out of imports if a member that may write states a counting erasure with them")
    func names() throws {
        let story = try ErasingStory()
        let (reader, other) = (try story.story.newcomer("reader"), try story.story.newcomer("other"))
        story.story.say(
            story.founder, .grant(reader.id, .read, invitation: nil), .grant(other.id, .write, invitation: nil))
        let named = (0..<4).map { _ in ErasedName(EntityReference(kind: EntityKind(rawValue: 1), id: UUID())) }
        func resolved() throws -> ResolvedErasing {
            ErasureResolver.resolve(story.facts, try story.story.membership()) { _ in true }
        }
        let read = story.story.write(reader)
        try story.erase(reader, of: read, naming: [named[0]])
        try story.erase(other, naming: [named[1]])
        #expect(try resolved().fates.keys.sorted() == [read] && resolved().names == [])
        try story.erase(story.cai, naming: [named[2]])
        try story.erase(story.ben, naming: [named[3]])
        #expect(try resolved().names == [named[2], named[3]])
        // An admin overrules the author as well.
        story.takeBack(story.ben)
        #expect(try resolved().names == [])
    }

    @Test("The successor of the author erases as the author")
    func successor() throws {
        let story = try ErasingStory()
        let next = try story.story.newcomer("next", after: story.cai)
        try story.erase(next)
        #expect(try story.hidden() == .all)
        #expect(try story.fate()?.erasures.map(\.part) == [.author])
    }

    @Test("In a journal without members the author alone erases, and takes back what it stated before")
    func open() throws {
        let story = try ErasingStory()
        try story.erase(story.ana)
        try story.erase(story.cai, .events(1))
        func hidden() -> LeafSelection? {
            ErasureResolver.resolve(story.facts, nil) { _ in true }.fates[story.commit]?.hidden(4)
        }
        #expect(hidden() == .only(LeafSet(events: [1])))
        story.takeBack(story.founder)
        #expect(hidden() == .only(LeafSet(events: [1])))
        story.takeBack(story.cai)
        #expect(hidden() == LeafSelection.none)
        try story.erase(story.cai, .events(1))
        #expect(hidden() == .only(LeafSet(events: [1])))
    }

    @Test("An eraser takes back what it stated before, in the leaves that it names, and may erase again")
    func byEraser() throws {
        let story = try ErasingStory()
        story.takeBack(story.ben)
        try story.erase(story.ben)
        #expect(try story.hidden() == .all)
        story.takeBack(story.ben, .events(1))
        #expect(try story.hidden() == .some(LeafSet([0, 1, 3])))
        story.takeBack(story.ben)
        #expect(try story.hidden() == nil)
        #expect(try story.fate()?.erasures.map(\.takenBackBy) == [[story.ben.id]])
        try story.erase(story.ben, .events(0))
        #expect(try story.hidden() == .events(0))
    }

    @Test("An admin takes back what one of lower rank erases, before or after it, and none of higher rank")
    func byRank() throws {
        let story = try ErasingStory()
        story.takeBack(story.ana, .events(0, 1))
        try story.erase(story.ben)
        #expect(try story.hidden() == .some(LeafSet([0, 3])))
        try story.erase(story.founder)
        #expect(try story.hidden() == .all)
    }

    @Test("Any admin takes back what the author erases")
    func ofAuthor() throws {
        let story = try ErasingStory()
        try story.erase(story.cai)
        story.takeBack(story.ben)
        #expect(try story.hidden() == nil)
    }

    @Test("The author takes back what any admin erases, unless it was revoked")
    func byAuthor() throws {
        let story = try ErasingStory()
        try story.erase(story.founder)
        let last = story.takeBack(story.cai)
        #expect(try story.hidden() == nil)
        story.story.say(story.founder, .revocation(story.cai.id, cut: [last]))
        #expect(try story.hidden() == .all)
    }

    @Test("A member that neither wrote nor erased takes nothing back")
    func byOther() throws {
        let story = try ErasingStory()
        let dan = try story.story.newcomer("dan")
        story.story.say(story.founder, .grant(dan.id, .write, invitation: nil))
        try story.erase(story.ana)
        story.takeBack(dan)
        #expect(try story.hidden() == .all)
    }

    @Test("What a replica stated within the cut of its revocation goes on counting, and nothing after it")
    func revoked() throws {
        let story = try ErasingStory()
        let last = try story.erase(story.ben, .events(0))
        try story.erase(story.ben, .events(1))
        story.story.say(story.founder, .revocation(story.ben.id, cut: [last]))
        #expect(try story.hidden() == .events(0))
        // And an admin of higher rank still takes it back.
        story.takeBack(story.ana)
        #expect(try story.hidden() == nil)
    }

    @Test("An erasure that names what the commit does not have hides nothing")
    func notFitting() throws {
        let story = try ErasingStory()
        try story.erase(story.cai, .events(0, 7))
        let fate = try #require(try story.fate())
        #expect(fate.hidden(4).isEmpty && fate.hidden(nil) == .only(LeafSet(events: [0, 7])))
    }

    @Test("Of one replica's statements about a commit the last ones count")
    func bounded() throws {
        let story = try ErasingStory()
        try story.erase(story.cai, .events(2))
        for _ in 0..<ErasureResolver.mostJudged { try story.erase(story.cai, .events(0)) }
        #expect(try story.hidden() == .events(0))
        try story.erase(story.ana, .events(1))
        #expect(try story.hidden() == .events(0, 1))
    }
}
