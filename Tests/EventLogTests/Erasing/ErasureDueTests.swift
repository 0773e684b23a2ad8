import Events
import Testing

@testable import EventLog

/// When a log removes what is hidden.
@Suite("When erased bytes go")
struct ErasureDueTests {
    private static let day: Int64 = 86_400_000

    /// The leaves of a commit, or the story's, that go at a time.
    private static func removable(
        _ story: ErasingStory, at now: Int64, of commit: CommitID? = nil
    ) throws -> ErasedLeaves {
        let resolved = try story.resolved()
        return ErasureDue(at: now, resolved).removable(
            resolved.fates[commit ?? story.commit] ?? CommitFate(), 4
        ).leaves(of: 4)
    }

    private static var start: Int64 { 1_800_000_000_000 + 10 * day }

    @Test("What the author erases goes at once where it was stated, and elsewhere after seven days of holding it")
    func author() throws {
        let here = try ErasingStory()
        try here.erase(here.cai, arrival: Self.start, isWrittenHere: true)
        #expect(try Self.removable(here, at: Self.start) == .all)
        let story = try ErasingStory()
        try story.erase(story.cai, arrival: Self.start)
        for (time, expected) in [(7 * Self.day - 1, ErasedLeaves.none), (7 * Self.day, .all)] {
            #expect(try Self.removable(story, at: Self.start + time) == expected)
        }
    }

    @Test("A statement of the future goes by its timestamp, and a backdated one by its arrival")
    func clocks() throws {
        let story = try ErasingStory()
        story.story.time = UInt64(Self.start + 100 * Self.day)
        try story.erase(story.cai, arrival: Self.start)
        #expect(try Self.removable(story, at: Self.start + 100 * Self.day) == .none)
        #expect(try Self.removable(story, at: Self.start + 108 * Self.day) == .all)
    }

    @Test("What an admin erases of others goes after thirty days, on its own replica too")
    func admin() throws {
        let story = try ErasingStory()
        try story.erase(story.ben, arrival: Self.start, isWrittenHere: true)
        #expect(try Self.removable(story, at: Self.start + 30 * Self.day - 1) == .none)
        #expect(try Self.removable(story, at: Self.start + 30 * Self.day) == .all)
    }

    @Test("What the author erases and an admin too goes at once, in the leaves that both name")
    func confirmed() throws {
        let story = try ErasingStory()
        try story.erase(story.cai, .events(0, 1), arrival: Self.start)
        try story.erase(story.ana, .events(1, 2), arrival: Self.start)
        #expect(try Self.removable(story, at: Self.start) == .events(1))
        story.takeBack(story.ana)
        #expect(try Self.removable(story, at: Self.start) == .none)
    }

    @Test("An admin that wrote the commit does not confirm its own erasure")
    func ownConfirmation() throws {
        let story = try ErasingStory()
        let commit = story.story.write(story.ana)
        for _ in 0..<2 { try story.erase(story.ana, of: commit, arrival: Self.start) }
        #expect(try Self.removable(story, at: Self.start, of: commit) == .none)
    }

    @Test("An admin does not confirm what the replica erases that made it an admin, or a successor of that one")
    func madeConfirmation() throws {
        let story = try ErasingStory()
        let commit = story.story.write(story.ana)
        try story.erase(story.ana, of: commit, arrival: Self.start)
        try story.erase(story.ben, of: commit, arrival: Self.start)
        #expect(try Self.removable(story, at: Self.start, of: commit) == .none)
        let next = try ErasingStory()
        let other = next.story.write(next.ana)
        try next.erase(next.story.newcomer("next", after: next.ana), of: other, arrival: Self.start)
        try next.erase(next.ben, of: other, arrival: Self.start)
        #expect(try Self.removable(next, at: Self.start, of: other) == .none)
        try next.erase(next.founder, of: other, arrival: Self.start)
        #expect(try Self.removable(next, at: Self.start, of: other) == .all)
    }

    private static func days(_ story: ErasingStory, at now: Int64) throws -> Int {
        try story.resolved().period.days(at: now).inForce
    }

    @Test("An admin sets the period to seven to 365 days, and the founder to fewer")
    func allowed() throws {
        let story = try ErasingStory()
        let late = Self.start + 1000 * Self.day
        #expect(try Self.days(story, at: late) == 30)
        for days in [6, 366, 0] { story.state(story.ben, .period(days: days), arrival: Self.start) }
        story.state(story.cai, .period(days: 8), arrival: Self.start)
        #expect(try Self.days(story, at: late) == 30)
        story.state(story.ben, .period(days: 7), arrival: Self.start)
        #expect(try Self.days(story, at: late) == 7)
        story.state(story.founder, .period(days: 0), arrival: Self.start)
        #expect(try Self.days(story, at: late) == 0)
    }

    @Test("The admin of the earlier path decides, then the later statement")
    func deciding() throws {
        let story = try ErasingStory()
        story.state(story.ana, .period(days: 100), arrival: Self.start)
        story.state(story.ben, .period(days: 200), arrival: Self.start + 1)
        #expect(try Self.days(story, at: Self.start + 2) == 100)
        story.state(story.ana, .period(days: 150), arrival: Self.start + 3)
        #expect(try Self.days(story, at: Self.start + 4) == 150)
    }

    @Test("A longer period applies at once, and a shorter one after it was held for the longer one")
    func shorter() throws {
        let story = try ErasingStory()
        story.state(story.ana, .period(days: 10), arrival: Self.start)
        let coming = try story.resolved().period.days(at: Self.start + 1).coming
        #expect(coming?.days == 10 && coming?.time == Self.start + 30 * Self.day)
        #expect(try Self.days(story, at: Self.start + 30 * Self.day - 1) == 30)
        #expect(try Self.days(story, at: Self.start + 30 * Self.day) == 10)
        #expect(try story.resolved().period.days(at: Self.start + 30 * Self.day).coming == nil)
        story.state(story.ana, .period(days: 100), arrival: Self.start + 40 * Self.day)
        #expect(try Self.days(story, at: Self.start + 40 * Self.day) == 100)
        story.state(story.ana, .period(days: 7), arrival: Self.start + 41 * Self.day)
        #expect(try Self.days(story, at: Self.start + 141 * Self.day - 1) == 100)
        #expect(try Self.days(story, at: Self.start + 141 * Self.day) == 7)
    }

    @Test("Of statements that arrive together only the deciding one applies")
    func together() throws {
        let story = try ErasingStory()
        story.state(story.ben, .period(days: 365), arrival: Self.start)
        story.state(story.ana, .period(days: 7), arrival: Self.start)
        let coming = try story.resolved().period.days(at: Self.start + 1).coming
        #expect(coming?.days == 7 && coming?.time == Self.start + 30 * Self.day)
        #expect(try Self.days(story, at: Self.start + 30 * Self.day - 1) == 30)
        #expect(try Self.days(story, at: Self.start + 30 * Self.day) == 7)
    }
}
