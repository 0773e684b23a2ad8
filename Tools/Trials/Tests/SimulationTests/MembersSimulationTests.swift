import Simulation
import Testing

/// Replicas that grant, revoke, invite and join at random: see `MembersSimulation`. `Tools/simulate --members` runs more seeds.
@Suite("Simulations of members")
struct MembersSimulationTests {
    @Test(
        "All reach the same members, counting commits and bytes of these, and nothing of a remaining member is lost",
        arguments: [0, 100])
    func drawn(first: UInt64) async throws {
        var sum = MembersSimulation.Outcome()
        // A hundred at a time: among fewer a rare event may be missing.
        for number in first..<first + 100 {
            sum += try await MembersSimulation.run(seed: number / 40 * 100 + number % 40 + 1)
        }
        #expect(sum.revoked > 0 && sum.strangers > 0 && sum.copies > 0)
        #expect(sum.voids > 0 && sum.admissions > 0 && sum.discounted > 0)
        #expect(sum.erasures > 0 && sum.takenBack > 0 && sum.late > 0 && sum.fallen > 0)
    }

    @Test(
        "Over messages, where servers serve members alone, all members reach the same",
        arguments: (0..<2).map { UInt64($0 * 100 + 50_001) })
    func overMessages(firstSeed: UInt64) async throws {
        var sum = MembersSimulation.Outcome()
        for seed in firstSeed..<firstSeed + 40 {
            sum += try await MembersSimulation.run(seed: seed, overMessages: true)
        }
        #expect(sum.refusals > 0 && sum.cuts > 0 && sum.copies > 0)
        #expect(sum.members > 0 && sum.admissions > 0 && sum.revoked > 0)
    }
}
