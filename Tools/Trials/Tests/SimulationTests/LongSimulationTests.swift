import Simulation
import Testing

/// The longer ones run by command: `Tools/simulate --steps 2000 --hostile`.
@Suite("Long simulations", .serialized)
struct LongSimulationTests {
    @Test("Loads, undoing, resolving, copies and restarts leave all replicas equal", arguments: [UInt64(2), 7])
    func allEndEqual(seed: UInt64) async throws {
        let outcome = try await Simulation.run(Scenario(seed: seed, steps: 150, isHostile: false))
        #expect(outcome.commits > 50 && outcome.exchanges > 20)
        #expect(
            outcome.loads > 0 && outcome.undos > 0 && outcome.resolutions > 0 && outcome.erasures > 0
                && outcome.restarts > 5)
    }

    @Test("So they do among hostile carriers and writers", arguments: [UInt64(5)])
    func allEndEqualAmongHostile(seed: UInt64) async throws {
        let outcome = try await Simulation.run(Scenario(seed: seed, steps: 150, isHostile: true))
        #expect(outcome.commits > 40 && outcome.exchanges > 15)
        #expect(outcome.tampered > 0 && outcome.attacks > 5 && outcome.refusals > 5)
    }

    @Test("So they do in a founded journal, among carriers that withhold and hubs that lie", arguments: [UInt64(6)])
    func allEndEqualAmongLyingHubs(seed: UInt64) async throws {
        let scenario = Scenario(seed: seed, steps: 150, isHostile: true)
        #expect(scenario.isFounded)
        let outcome = try await Simulation.run(scenario)
        #expect(outcome.withheld > 0 && outcome.holes > 0 && outcome.healed > 0)
        #expect(outcome.hubLies > 0 && outcome.named > 0)
    }

    @Test("A scenario without steps given and without hostility is the one of its seed")
    func defaultsAreTheSeeds() {
        #expect(Scenario(seed: 11, steps: nil, isHostile: false).steps == Scenario(seed: 11).steps)
        #expect(Scenario(seed: 11, steps: 300, isHostile: true).steps.count == 300)
    }
}
