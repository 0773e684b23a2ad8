import Events
import LogExchange
import StoreSupport
import TestSupport
import Testing

@testable import EventLog

@Suite("Random programs of erasing")
struct RandomErasingTests {
    /// What a replica shows and lacks in the end, of commits that count.
    private struct End: Equatable {
        /// The leaves that are not shown, of each commit.
        var hidden: [CommitID: Set<UInt32>] = [:]
        /// The leaves whose bytes are not held.
        var missing: [CommitID: Set<UInt32>] = [:]
        var states: [ErasureState] = []
        var holes: [Hole] = []
        var stated: [StatedErasure] = []
        /// The statements of the counting commits.
        var facts: Set<ErasingFact> = []
        /// Whether the replica is no member and has written: what it states counts for itself alone.
        var isAlone = false

        init(_ replica: TestReplica) throws {
            stated = try replica.log.statedErasures()
            try replica.log.read { log in
                let members = try log.membership()?.members ?? [:]
                let waiting = try log.verdicts().waiting
                try log.forEachCommit(after: .start) { commit in
                    if waiting.contains(commit.header.replica) { isAlone = true }
                    guard commit.counts, members[commit.header.replica] != nil,
                        let held = try log.storedCommit(at: commit.position)
                    else { return true }
                    let name = commit.name
                    hidden[name] = Self.leaves(commit.view.erased)
                    missing[name] = Self.leaves(held.view.erased)
                    facts.formUnion(ErasingFact.all(in: held.header, held.hash, held.view.payload, arrival: 0))
                    return true
                }
                let hashes = Set(hidden.keys.map(\.hash))
                states = try log.erasureStates().filter { hashes.contains($0.commit) }
                holes = try log.searchedHoles().filter { hidden[$0.commit] != nil }
            }
        }

        /// Leaves of a commit of three events: the first leaf is all the rest of the payload.
        static func leaves(_ erased: ErasedLeaves?) -> Set<UInt32> {
            switch erased {
            case nil: []
            case .all?: Set(0...3)
            case .some(let leaves)?: Set(leaves.leaves)
            }
        }
    }

    @Test(
        "All replicas end with equal views, holes and reports; what is erased is gone everywhere, and nothing else is",
        arguments: Seeds.some(Extent.isLong ? 200 : 100))
    func converges(seed: UInt64) async throws {
        var program = try await ErasingProgram(seed: seed)
        do {
            try await program.run(steps: 30)
            try await program.settle()
        } catch {
            Issue.record(error, Self.comment(program, seed))
            return
        }
        let comment = Self.comment(program, seed)
        let end = try End(program.hub)
        for replica in program.replicas {
            let found = try End(replica)
            guard !found.isAlone else { continue }
            let which = Comment(rawValue: "\(replica.name) and the hub, \(comment)")
            #expect(found.hidden == end.hidden, which)
            #expect(found.missing == end.missing, which)
            #expect(found.states == end.states, which)
            #expect(found.holes == end.holes, which)
            #expect(found.stated == end.stated, which)
            #expect(found.facts == end.facts, which)
        }
        for replica in program.replicas + [program.hub] { try replica.expectIntact() }
        let pending = end.stated.filter { if case .pending = $0.state { true } else { false } }
        #expect(pending == [], comment)
        try expectRemoved(end, at: program.hub, comment)
        try expectSwept(program, end, comment)
        try expectSpared(program, end, comment)
        try expectFollowing(program, end, comment)
        // What a revoked replica stated after the cut does not count.
        let membership = try #require(try program.hub.log.membership())
        let lost = program.stated.filter { membership.role(of: $0.replica) != nil && end.hidden[$0] == nil }
        #expect(lost == [], comment)
    }

    /// What was written under an erased trip by an author that did not hold the statement is hidden, if an admin stated
    /// it that is one still, and nothing of it was taken back.
    private func expectSwept(_ program: ErasingProgram, _ end: End, _ comment: Comment) throws {
        let takenBack = Set(
            end.facts.compactMap { fact -> CommitID? in
                if case .takeBack(let commit, _) = fact.statement { commit } else { nil }
            })
        let late = try program.hub.log.read { log in
            let (membership, forks) = (try log.membership(), try ForkedLines(log, in: log.journal()))
            let erasing = try log.erasing()
            var late: Set<CommitID> = []
            for eraser in program.replicas.map(\.id) where !forks.isForked(eraser) {
                guard let member = membership?.members[eraser], member.role == .admin, !member.isRevoked else {
                    continue
                }
                for (trip, erasures) in erasing?.sweeping[eraser] ?? [:] {
                    for erasure in erasures where !erasure.standing.isEmpty && erasure.takenBackBy.isEmpty {
                        let unseen = program.under.filter {
                            $0.trip == trip && !$0.held.contains(erasure.fact.commit)
                        }
                        late.formUnion(unseen.map(\.commit))
                    }
                }
            }
            return late
        }
        for commit in late.subtracting(takenBack) {
            guard let hidden = end.hidden[commit] else { continue }
            #expect(hidden.isSuperset(of: [1, 2]), comment)
        }
    }

    /// Of what no replica erased knowingly, only what belongs to an erased trip is hidden, and only if its author does not
    /// show that it held each statement about the trip.
    private func expectSpared(_ program: ErasingProgram, _ end: End, _ comment: Comment) throws {
        let forks = try program.hub.log.read { try ForkedLines($0, in: $0.journal()) }
        for written in program.under where !program.planned.contains(written.commit) {
            guard let hidden = end.hidden[written.commit] else { continue }
            #expect(hidden.isSubset(of: [1, 2]), comment)
            let statements = program.sweeping[written.trip] ?? []
            guard written.saysHeld, statements.isSubset(of: written.held),
                !statements.contains(where: { forks.isForked($0.replica) })
            else { continue }
            #expect(hidden == [], "\(written.commit) was written knowingly, \(comment)")
        }
    }

    /// What was erased late is not hidden by that once its eraser took back each erasure for which it was.
    private func expectFollowing(_ program: ErasingProgram, _ end: End, _ comment: Comment) throws {
        func isTakenBack(_ fact: ErasingFact) -> Bool {
            guard case .erasure(let erasure, _, _) = fact.statement else { return false }
            return end.facts.contains { taken in
                guard case .takeBack(erasure.commit, let leaves) = taken.statement else { return false }
                return taken.author == fact.author && taken.isLater(than: fact)
                    && LeafSelection(erasure.leaves).isSubset(of: LeafSelection(leaves))
            }
        }
        let causes = Dictionary(grouping: end.facts.filter(\.causes.isEmpty), by: \.commit)
        let gone = Set(causes.filter { $0.value.allSatisfy(isTakenBack) }.keys)
        var named: [Bool: [CommitID: LeafSelection]] = [:]
        for fact in end.facts {
            guard case .erasure(let erasure, _, let causes) = fact.statement else { continue }
            let isFallen = !causes.isEmpty && causes.allSatisfy(gone.contains)
            let leaves = named[isFallen]?[erasure.commit] ?? LeafSelection.none
            named[isFallen, default: [:]][erasure.commit] = leaves.union(LeafSelection(erasure.leaves))
        }
        let fates = try program.hub.log.read { try $0.erasing()?.fates ?? [:] }
        for (commit, fallen) in named[true] ?? [:] {
            let shown = fallen.subtracting(named[false]?[commit] ?? LeafSelection.none)
            #expect(fates[commit]?.hidden(4).intersection(shown).isEmpty != false, comment)
        }
    }

    private static func comment(_ program: ErasingProgram, _ seed: UInt64) -> Comment {
        Comment(rawValue: "seed \(seed)\n" + program.trace.joined(separator: "\n"))
    }

    /// Judges by the statements alone: what is missing was erased, and what was erased by a member that may, and never
    /// taken back, is missing.
    private func expectRemoved(_ end: End, at hub: TestReplica, _ comment: Comment) throws {
        let membership = try #require(try hub.log.membership())
        let rights = ErasingRights(membership: membership)
        let takenBack = Set(
            end.facts.compactMap { fact -> CommitID? in
                if case .takeBack(let commit, _) = fact.statement { commit } else { nil }
            })
        /// Whether it counts, and nobody takes anything back of what it is of.
        func stands(_ fact: ErasingFact) -> Bool {
            guard case .erasure(let erasure, _, _) = fact.statement else { return false }
            return membership.role(of: fact.author) != nil && !takenBack.contains(erasure.commit)
                && rights.part(of: fact.author, over: erasure.commit.replica) != nil
        }
        let causes = Set(end.facts.filter { $0.causes.isEmpty && stands($0) }.map(\.commit))
        var named: [CommitID: Set<UInt32>] = [:]
        var gone: [CommitID: Set<UInt32>] = [:]
        for fact in end.facts {
            guard case .erasure(let erasure, _, let late) = fact.statement else { continue }
            let leaves = End.leaves(erasure.leaves)
            named[erasure.commit, default: []].formUnion(leaves)
            guard stands(fact), late.isEmpty || late.contains(where: causes.contains) else { continue }
            gone[erasure.commit, default: []].formUnion(leaves)
        }
        for (commit, missing) in end.missing {
            #expect(missing.isSubset(of: named[commit] ?? []), comment)
            #expect((gone[commit] ?? []).isSubset(of: missing), comment)
        }
    }
}
