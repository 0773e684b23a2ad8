import Events
import Testing

@testable import EventLog

/// Erasures of what arrived late, which name the erasures for which it did.
@Suite("Erasures with causes")
struct ErasureCausesTests {
    private static let day: Int64 = 86_400_000
    private static var start: Int64 { 1_800_000_000_000 + 10 * day }

    private let story: ErasingStory
    /// Another commit of the member's, which came late.
    private let late: CommitID

    init() throws {
        story = try ErasingStory()
        late = story.story.write(story.cai)
    }

    private func removable(at now: Int64) throws -> ErasedLeaves {
        let resolved = try story.resolved()
        return ErasureDue(at: now, resolved).removable(resolved.fates[late] ?? CommitFate(), 4).leaves(of: 4)
    }

    @Test("What was erased late stands as long as one of its causes does, in whatever order the statements arrive")
    func falls() throws {
        let first = try story.erase(story.ana)
        let second = try story.erase(story.ben, .events(0))
        try story.erase(story.ana, of: late, causes: [first, second])
        #expect(try story.hidden(late) == .all)
        story.takeBack(story.ben)
        #expect(try story.hidden(late) == .all)
        story.takeBack(story.ana)
        #expect(try story.hidden(late) == nil)
        let judged = try #require(try story.fate(of: late)?.erasures.first)
        #expect(judged.takenBackBy == [] && judged.causesTakenBackBy == [story.ana.id, story.ben.id].sorted())
        let reversed = try story.resolved(story.facts.reversed())
        #expect(try reversed.fates == story.resolved().fates && !reversed.standing.contains(judged.fact.commit))
        // Another erasure of what it was late for is no cause of it.
        try story.erase(story.ana)
        #expect(try story.hidden() == .all && story.hidden(late) == nil)
    }

    @Test("A cause that is taken back in part stands, until nothing of it is left")
    func inPart() throws {
        let cause = try story.erase(story.ben, .events(0, 1))
        try story.erase(story.ben, of: late, causes: [cause])
        story.takeBack(story.ben, .events(0))
        #expect(try story.hidden(late) == .all)
        story.takeBack(story.cai, .events(1))
        #expect(try story.hidden(late) == nil)
    }

    @Test("What was erased late is taken back alone, and its cause stays")
    func alone() throws {
        let cause = try story.erase(story.ben)
        try story.erase(story.ben, of: late, causes: [cause])
        story.takeBack(story.ben, of: late)
        #expect(try story.hidden(late) == nil && story.hidden() == .all)
        #expect(try story.fate(of: late)?.erasures.map(\.causesTakenBackBy) == [[]])
    }

    @Test("Without a cause that is held, counts and has none itself, what was erased late is shown")
    func noCause() throws {
        let dan = try story.story.newcomer("dan")
        story.story.say(story.founder, .grant(dan.id, .write, invitation: nil))
        let cause = try story.erase(story.ben)
        try story.erase(story.ben, .events(0), of: late, causes: [cause])
        let chained = try #require(story.facts.last?.commit)
        #expect(try story.hidden(late) == .events(0))
        let without = try story.resolved(Array(story.facts.dropFirst())).fates[late]
        #expect(without?.hidden(4) == LeafSelection.none && without?.erasures.map(\.causesTakenBackBy) == [[]])
        // One that did not write the commit, a statement about what came late, and a commit that states nothing.
        for other in [try story.erase(dan), chained, story.commit] {
            try story.erase(story.ben, .events(1), of: late, causes: [other])
        }
        #expect(try story.hidden(late) == .events(0))
        story.story.say(story.founder, .revocation(story.ben.id, cut: []))
        try story.erase(story.ana, .events(2), of: late, causes: [cause])
        #expect(try story.hidden(late) == nil)
    }

    @Test("The cause of another gives no right to erase")
    func noRight() throws {
        let dan = try story.story.newcomer("dan")
        story.story.say(story.founder, .grant(dan.id, .write, invitation: nil))
        let cause = try story.erase(story.founder)
        try story.erase(dan, of: late, causes: [cause])
        #expect(try story.hidden(late) == nil && story.fate(of: late) == nil)
        // Nor a higher rank.
        try story.erase(story.ben, of: late, causes: [cause])
        #expect(try story.hidden(late) == .all)
        story.takeBack(story.ana, of: late)
        #expect(try story.hidden(late) == nil)
    }

    @Test("Of one replica's statements the last ones with causes count, and the last ones without")
    func bounded() throws {
        let cause = try story.erase(story.cai)
        try story.erase(story.cai, .events(2), of: late)
        try story.erase(story.cai, .events(1), of: late, causes: [cause])
        for _ in 0..<ErasureResolver.mostJudged { try story.erase(story.cai, .events(0), of: late, causes: [cause]) }
        #expect(try story.hidden(late) == .events(0, 2))
    }

    @Test("What was erased late goes once it and a cause that stands were held long enough, and not without one")
    func due() throws {
        let cause = try story.erase(story.ben, arrival: Self.start + 10 * Self.day)
        try story.erase(story.ben, of: late, arrival: Self.start, causes: [cause])
        #expect(try removable(at: Self.start + 40 * Self.day - 1) == .none)
        #expect(try removable(at: Self.start + 40 * Self.day) == .all)
        story.takeBack(story.ben)
        #expect(try removable(at: Self.start + 400 * Self.day) == .none)
    }

    @Test("What an author erased late of its own goes at once where it stated that, as long as a cause stands")
    func own() throws {
        let cause = try story.erase(story.cai, arrival: Self.start, isWrittenHere: true)
        try story.erase(story.cai, of: late, arrival: Self.start, isWrittenHere: true, causes: [cause])
        #expect(try removable(at: Self.start) == .all)
        story.takeBack(story.cai)
        #expect(try removable(at: Self.start + 400 * Self.day) == .none)
    }

    @Test("An admin that erased something late confirms what the author erases only while a cause stands")
    func confirmed() throws {
        let cause = try story.erase(story.ana)
        try story.erase(story.cai, .events(0), of: late, arrival: Self.start)
        try story.erase(story.ana, of: late, arrival: Self.start, causes: [cause])
        #expect(try removable(at: Self.start) == .events(0))
        story.takeBack(story.ana)
        #expect(try removable(at: Self.start) == .none)
    }
}
