import Events
import Testing

@testable import EventLog

/// Statements about erasing among the members of a story, judged without a log.
final class ErasingStory {
    let story: Story
    let founder: Story.Actor
    /// Admins: granted by the founder, and by that one.
    let (ana, ben): (Story.Actor, Story.Actor)
    /// A member that may write, and its only commit.
    let cai: Story.Actor
    let commit: CommitID
    private(set) var facts: [ErasingFact] = []

    init() throws {
        story = try Story()
        founder = story.founder
        (ana, ben, cai) = (try story.newcomer("ana"), try story.newcomer("ben"), try story.newcomer("cai"))
        story.say(founder, .grant(ana.id, .admin, invitation: nil), .grant(cai.id, .write, invitation: nil))
        story.say(ana, .grant(ben.id, .admin, invitation: nil))
        commit = story.write(cai)
    }

    /// A statement in a commit of its own.
    @discardableResult
    func state(
        _ actor: Story.Actor, _ statement: ErasingStatement, arrival: Int64? = nil, isWrittenHere: Bool = false
    ) -> CommitID {
        let commit = story.write(actor)
        facts.append(
            ErasingFact(
                statement: statement, commit: commit, index: 0, timestamp: Timestamp(milliseconds: story.time),
                arrival: arrival ?? Int64(story.time), isWrittenHere: isWrittenHere))
        return commit
    }

    @discardableResult
    func erase(
        _ actor: Story.Actor, _ leaves: ErasedLeaves = .all, of commit: CommitID? = nil, arrival: Int64? = nil,
        isWrittenHere: Bool = false, naming names: [ErasedName] = [],
        causes: [CommitID] = []
    ) throws -> CommitID {
        let erasure = try Erasure(
            of: leaves, in: commit ?? self.commit, of: story.journal, at: Int64(story.time), by: actor.identity)
        return state(
            actor, .erasure(erasure, naming: names, causes: causes), arrival: arrival, isWrittenHere: isWrittenHere)
    }

    @discardableResult
    func takeBack(_ actor: Story.Actor, _ leaves: ErasedLeaves = .all, of commit: CommitID? = nil) -> CommitID {
        state(actor, .takeBack(commit ?? self.commit, leaves))
    }

    func resolved(_ facts: [ErasingFact]? = nil) throws -> ResolvedErasing {
        let membership = try story.membership()
        return ErasureResolver.resolve(facts ?? self.facts, membership) { story.counts($0.commit, membership) }
    }

    func fate(of commit: CommitID? = nil) throws -> CommitFate? { try resolved().fates[commit ?? self.commit] }

    /// The hidden leaves of a commit with four leaves.
    func hidden(_ commit: CommitID? = nil) throws -> ErasedLeaves? {
        try fate(of: commit).map { $0.hidden(4).leaves(of: 4) }.flatMap { $0 == .none ? nil : $0 }
    }
}
