import Events
import TestSupport
import Testing

@testable import EventLog

/// Compares the resolver with a model that asks for each leaf by itself, from the ranks that the test gave out.
@Suite("What is stated to be erased, at random")
struct ErasureResolverModelTests {
    private static let leaves: UInt32 = 4

    /// A statement as the model knows it.
    private struct Said {
        let actor: Int
        let isErasure: Bool
        let target: Int
        /// Nil for all.
        let leaves: Set<UInt32>?
        /// The statements for which it came late; one that is not there is -1.
        let causes: [Int]
        /// Its place among all statements: they are made one after the other.
        let time: Int

        func names(_ leaf: UInt32) -> Bool { leaves?.contains(leaf) ?? true }
    }

    /// Who is who: actors 0 to 2 are admins in the order of their ranks, the others are no admins.
    private struct Model {
        var said: [Said] = []
        /// The authors of the commits, and the actor that another succeeds.
        let authors: [Int]
        let former: [Int: Int]
        /// Up to which time the statements of revoked actors count.
        var cuts: [Int: Int] = [:]

        private func isAdmin(_ actor: Int) -> Bool { actor < 3 }
        private func isAuthor(_ actor: Int, _ target: Int) -> Bool {
            actor == authors[target] || former[actor] == authors[target]
        }
        private func stands(_ said: Said) -> Bool { cuts[said.actor].map { said.time <= $0 } ?? true }

        private func beats(_ taken: Said, _ erased: Said) -> Bool {
            let isSame = taken.actor == erased.actor || former[taken.actor] == erased.actor
            if isSame, taken.time > erased.time { return true }
            if isAdmin(taken.actor), !isAdmin(erased.actor) || taken.actor < erased.actor { return true }
            return isAuthor(taken.actor, taken.target) && !isAuthor(erased.actor, erased.target)
                && cuts[taken.actor] == nil
        }

        func isHidden(_ leaf: UInt32, of target: Int) -> Bool {
            said.contains {
                $0.target == target && erases($0) && isInForce($0) && $0.names(leaf) && !isBeaten($0, in: leaf)
            }
        }

        private func erases(_ said: Said) -> Bool {
            said.isErasure && stands(said) && (isAuthor(said.actor, said.target) || isAdmin(said.actor))
        }

        /// In a leaf, or with nil in one that no statement names by itself.
        private func isBeaten(_ erased: Said, in leaf: UInt32?) -> Bool {
            said.contains { taken in
                !taken.isErasure && taken.target == erased.target && stands(taken) && beats(taken, erased)
                    && leaf.map { taken.names($0) } ?? (taken.leaves == nil)
            }
        }

        private func isInForce(_ erased: Said) -> Bool {
            erased.causes.isEmpty
                || erased.causes.contains { index in
                    guard said.indices.contains(index) else { return false }
                    let cause = said[index]
                    let leaves: [UInt32?] = cause.leaves.map { $0.map { $0 } } ?? [nil]
                    return cause.causes.isEmpty && erases(cause) && leaves.contains { !isBeaten(cause, in: $0) }
                }
        }
    }

    @Test("In any order of arrival exactly those leaves are hidden that the model hides", arguments: Seeds.some(150))
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let story = try ErasingStory()
        let next = try story.story.newcomer("next", after: story.cai)
        let dan = try story.story.newcomer("dan")
        story.story.say(story.founder, .grant(dan.id, .write, invitation: nil))
        let actors = [story.founder, story.ana, story.ben, story.cai, next, dan]
        let commits = [story.commit, story.story.write(dan), story.story.write(story.ben)]
        var model = Model(authors: [3, 5, 2], former: [4: 3])
        var names: [CommitID] = []
        for time in 0..<Int.random(in: 1...20, using: &random) {
            let said = Said(
                actor: Int.random(in: 0..<actors.count, using: &random), isErasure: Bool.random(using: &random),
                target: Int.random(in: 0..<commits.count, using: &random),
                leaves: Int.random(in: 0..<3, using: &random) == 0
                    ? nil : Set([UInt32.random(in: 0..<Self.leaves, using: &random), 1]),
                causes: (0..<Int.random(in: 0...2, using: &random)).map { _ in Int.random(in: -1..<time, using: &random)
                },
                time: time)
            let leaves = said.leaves.map { ErasedLeaves.some(LeafSet($0)) } ?? .all
            model.said.append(said)
            names.append(
                said.isErasure
                    ? try story.erase(
                        actors[said.actor], leaves, of: commits[said.target],
                        causes: said.causes.map { $0 < 0 ? story.commit : names[$0] })
                    : story.takeBack(actors[said.actor], leaves, of: commits[said.target]))
        }
        // Only replicas are revoked that granted nobody and have no successor here, so that one cut says everything.
        for revoked in [2, 5] where Int.random(in: 0..<3, using: &random) == 0 {
            let own = model.said.filter { $0.actor == revoked }
            let last = own.isEmpty ? nil : Int.random(in: -1..<own.count, using: &random)
            let cut = last.flatMap { $0 < 0 ? nil : own[$0].time }
            model.cuts[revoked] = cut ?? -1
            story.story.say(
                story.founder, .revocation(actors[revoked].id, cut: Set([cut.map { names[$0] }].compactMap { $0 })))
        }
        let resolved = try story.resolved(story.facts.shuffled(using: &random))
        for (target, commit) in commits.enumerated() {
            let hidden = resolved.fates[commit]?.hidden(Int(Self.leaves)) ?? .none
            for leaf in 0..<Self.leaves {
                let isHidden = !hidden.intersection(.only(LeafSet([leaf]))).isEmpty
                #expect(isHidden == model.isHidden(leaf, of: target), "leaf \(leaf) of commit \(target)")
            }
        }
    }
}
