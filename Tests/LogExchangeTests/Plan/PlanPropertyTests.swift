import LogExchange
import TestSupport
import Testing

/// Random histories that fork, of several replicas, in the notation of the tables.
@Suite("Carrying a plan out")
struct PlanPropertyTests {
    /// Some copies of a few replicas' histories that wrote apart and received a part of each other.
    private static func world(_ random: inout SeededGenerator) -> [Lines] {
        var copies = (0..<Int.random(in: 2...5, using: &random)).map { _ in Lines() }
        var written: UInt32 = 0x100
        for _ in 0..<Int.random(in: 1...24, using: &random) {
            let one = Int.random(in: 0..<copies.count, using: &random)
            if Bool.random(using: &random) {
                // A commit after any that it holds of a replica: so lines fork, and branches do.
                guard let replica = "abc".randomElement(using: &random) else { continue }
                let held = copies[one].commits.filter { $0.first == replica }.sorted() + ["\(replica):"]
                guard let previous = held.randomElement(using: &random), let letter = UnicodeScalar(written) else {
                    continue
                }
                written += 1
                copies[one].add(previous + String(letter))
            } else {
                let other = Int.random(in: 0..<copies.count, using: &random)
                for commit in copies[other].commits.sorted() where Int.random(in: 0..<3, using: &random) == 0 {
                    copies[one].add(commit)
                }
            }
        }
        return copies
    }

    @Test("Receiving what is wanted and sending what is then offered makes both equal", arguments: Seeds.some(300))
    func bothAreEqual(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let world = Self.world(&random)
        for other in world.dropFirst() {
            var (here, there) = (world[0], other)
            let first = here.plan(for: there)
            let wanted = here.named(first.wanted, or: there)
            let (offered, uncertain) = (here.named(first.offered, or: there), here.named(first.uncertain, or: there))
            #expect(wanted == there.all.filter { !world[0].holds($0) })
            // The other certainly lacks what is offered at once, and it is not listed as uncertain as well.
            #expect(offered.allSatisfy { !other.holds($0) } && offered.isDisjoint(with: uncertain))
            for line in wanted { here.add(line) }
            let second = here.plan(for: there)
            #expect(second.wanted.isEmpty && second.uncertain.isEmpty)
            let exact = here.named(second.offered, or: there)
            #expect(offered.isSubset(of: exact))
            #expect(exact == here.all.filter { !other.holds($0) })
            for line in exact { there.add(line) }
            #expect(here.commits == there.commits && here.commits == world[0].commits.union(other.commits))
            #expect(here.frontier == there.frontier && here.frontier.digest == there.frontier.digest)
            #expect(here.plan(for: there).isDone)
        }
    }

    @Test("Cut after any part of the wanted commits, the next plan continues from there", arguments: Seeds.some(100))
    func cutAnywhere(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let world = Self.world(&random)
        var (here, there) = (world[0], world[1])
        let all = here.commits.union(there.commits)
        var rounds = 0
        while here.commits != there.commits && rounds < 200 {
            rounds += 1
            let plan = here.plan(for: there)
            let lacking = there.commits.subtracting(here.commits).sorted { ($0.count, $0) < ($1.count, $1) }
            if let next = lacking.first {
                // One commit arrives, and then the connection ends.
                #expect(here.named(plan.wanted, or: there).contains { $0.hasPrefix(next) })
                here.add(next)
            } else if let next = here.named(plan.offered, or: there).sorted().first {
                there.add(next)
            }
        }
        #expect(here.commits == all && there.commits == all)
    }

    @Test("Frontiers are equal, and their digests, exactly when they hold the same", arguments: Seeds.some(60))
    func digests(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let world = Self.world(&random)
        for one in world {
            for other in world {
                #expect((one.commits == other.commits) == (one.frontier.digest == other.frontier.digest))
            }
        }
    }
}
