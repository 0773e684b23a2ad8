import Simulation
import Testing

/// Carriers that change what they carry, and writers that sign what no honest replica would write.
@Suite("Simulations with hostile carriers and writers", .serialized)
struct HostileSimulationTests {
    /// Two replicas, of which the first has written something that the second lacks.
    private static func outcome(
        _ steps: [SimulationStep], seed: UInt64 = 7, isFounded: Bool = false
    ) async throws -> SimulationOutcome {
        let beginning: [SimulationStep] = [
            .write(replica: 0, commits: 5, seed: seed), .exchange(1, with: 0, over: .direct),
            .write(replica: 0, commits: 5, seed: seed + 1), .writeUnknown(replica: 0, seed: seed),
        ]
        return try await Simulation.run(
            Scenario(seed: seed, replicas: 2, steps: beginning + steps, isFounded: isFounded))
    }

    @Test("Drawn from seeds, honest replicas end equal and hold no invented commits", arguments: [1, 7])
    func drawn(firstSeed: UInt64) async throws {
        var sum = SimulationOutcome()
        for seed in firstSeed..<firstSeed + 14 {
            sum += try await Simulation.run(Scenario(seed: seed, steps: nil, isHostile: true))
        }
        #expect(sum.tampered > 0 && sum.attacks > 0 && sum.refusals > 0 && sum.hostileCommits > 0, "\(sum)")
    }

    @Test(
        "What a carrier changed is refused, and an honest exchange afterwards brings everything",
        arguments: [
            Tampering.strip, .hole, .conceal, .pad, .swap, .shorten, .flip, .flipSignature, .renumber, .relink,
        ], [(fetching: 1, from: 0), (0, 1)])
    func tampered(_ tampering: Tampering, _ way: (fetching: Int, from: Int)) async throws {
        var sum = SimulationOutcome()
        // Half of the segments are changed: over a few seeds one changes the only one there is.
        for seed in UInt64(1)...4 {
            sum += try await Self.outcome([.tamper(way.fetching, with: way.from, tampering, seed: seed)], seed: seed)
        }
        #expect(sum.tampered > 0)
        #expect(sum.refusals == sum.tampered)
    }

    @Test(
        "Segments that arrive in another order, several times or not at all do no harm",
        arguments: [Tampering.reorder, .replay, .withhold])
    func delivered(_ tampering: Tampering) async throws {
        var sum = SimulationOutcome()
        for seed in UInt64(1)...4 {
            // The line of the first forks, so that there are several segments to send.
            sum += try await Self.outcome(
                [
                    .exchange(0, with: 1, over: .direct), .copy(0, isSeen: false),
                    .write(replica: 0, commits: 2, seed: seed), .write(replica: 2, commits: 2, seed: seed + 10),
                    .exchange(2, with: 0, over: .direct), .write(replica: 0, commits: 2, seed: seed + 20),
                    .exchange(2, with: 0, over: .direct), .tamper(1, with: 2, tampering, seed: seed),
                ], seed: seed)
        }
        #expect(sum.tampered > 0)
    }

    @Test(
        "A bundle that was changed on the way, with a checksum that is right, is refused", arguments: Tampering.allCases
    )
    func bundle(_ tampering: Tampering) async throws {
        var sum = SimulationOutcome()
        for seed in UInt64(1)...4 {
            sum += try await Self.outcome([.readTampered(from: 0, into: 1, tampering, seed: seed)], seed: seed)
        }
        #expect(sum.tampered > 0)
        // Duplicates, or segments in a valid order, are stored.
        if tampering != .reorder && tampering != .replay { #expect(sum.refusals > 0) }
    }

    @Test("Every forged segment is refused, however it comes", arguments: Forgery.allCases)
    func forged(_ forgery: Forgery) async throws {
        for seed in UInt64(1)...3 {
            let outcome = try await Self.outcome([.attack(writer: 0, .forge(forgery), on: 1, seed: seed)])
            #expect(outcome.refusals == 1)
            #expect(outcome.hostileCommits == 0)
        }
    }

    @Test("What a hostile writer signs as is right counts, whatever it says")
    func written() async throws {
        let outcome = try await Self.outcome(
            (UInt64(1)...8).map { .attack(writer: 0, .write(commits: 4), on: Int($0 % 2), seed: $0) })
        #expect(outcome.refusals == 0)
        #expect(outcome.hostileCommits == 32)
    }

    @Test("Of a line that forks by the hundred 64 branches are kept, the same by all")
    func forked() async throws {
        let outcome = try await Self.outcome([
            .attack(writer: 0, .fork(branches: 40), on: 0, seed: 1),
            .attack(writer: 0, .fork(branches: 200), on: 1, seed: 2),
            .exchange(0, with: 1, over: .cut(after: 5)),
        ])
        #expect(outcome.refusals == 1)
        #expect(outcome.hostileCommits >= 65 && outcome.hostileCommits <= 66)
    }

    @Test(
        "Replicas with different branches of a line, more than are kept, get an error at every exchange: each keeps its own"
    )
    func scattered() async {
        // Which branches a replica keeps depends on which arrive first: held commits are never dropped. A journal's
        // members must cut such a line off.
        let failure = await #expect(throws: SimulationFailure.self) {
            _ = try await Self.outcome([
                .attack(writer: 0, .scatter(branches: 40), on: 0, seed: 1),
                .attack(writer: 0, .scatter(branches: 40), on: 1, seed: 2),
            ])
        }
        #expect(failure?.message.contains("fork into more than 64 branches") == true, "\(failure?.message ?? "")")
    }

    @Test("Branches of one time, with hashes that begin alike, are merged alike by all")
    func tied() async throws {
        let outcome = try await Self.outcome(
            (UInt64(1)...6).map { .attack(writer: 0, .tie, on: Int($0 % 2), seed: $0) })
        #expect(outcome.refusals == 0)
        #expect(outcome.hostileCommits == 13)
    }

    @Test("Commits far ahead are refused, and those before them are stored", arguments: [72, 1000, 40_000_000])
    func ahead(hours: Int) async throws {
        for seed in UInt64(1)...3 {
            let outcome = try await Self.outcome([.attack(writer: 0, .ahead(hours: hours), on: 1, seed: seed)])
            #expect(outcome.refusals == 1)
            #expect(outcome.hostileCommits == 2)
        }
    }

    @Test("A clock that was drawn ahead keeps others away until time has passed, and loses nothing")
    func dragged() async throws {
        let outcome = try await Self.outcome([
            .setClockApart(replica: 0, by: 5 * 3_600_000), .attack(writer: 0, .drag, on: 0, seed: 1),
            .write(replica: 0, commits: 3, seed: 3), .exchange(1, with: 0, over: .direct),
            .write(replica: 1, commits: 3, seed: 4), .exchange(0, with: 1, over: .direct),
        ])
        #expect(outcome.hostileCommits == 4)
        #expect(outcome.refusals == 2)
    }

    @Test("An exchange with a peer that lies comes to an end, and nothing is lost", arguments: HostileLie.allCases)
    func lie(_ lie: HostileLie) async throws {
        let outcome = try await Self.outcome([.attack(writer: 0, .lie(lie), on: 1, seed: 1)])
        #expect(outcome.refusals == ([.hugeHead, .endless, .withheld].contains(lie) ? 1 : 0))
    }

    // MARK: Founded journals, and hubs

    @Test(
        "Drawn in founded journals, payloads that carriers withheld are back in the end, and hubs that lied are named")
    func drawnInFoundedJournals() async throws {
        var sum = SimulationOutcome()
        for seed in stride(from: UInt64(3), through: 18, by: 3) {
            let scenario = Scenario(seed: seed, steps: nil, isHostile: true)
            #expect(scenario.isFounded)
            sum += try await Simulation.run(scenario)
        }
        #expect(sum.withheld > 0 && sum.holes > 0 && sum.healed > 0)
        #expect(sum.hubLies > 0 && sum.named > 0)
    }

    @Test(
        "Payloads that a carrier withheld are missing until an honest exchange, and then all are back",
        arguments: [(fetching: 1, from: 0), (0, 1)])
    func withheld(_ way: (fetching: Int, from: Int)) async throws {
        var sum = SimulationOutcome()
        for seed in UInt64(1)...4 {
            sum += try await Self.outcome(
                [.withhold(way.fetching, with: way.from, seed: seed)], seed: seed, isFounded: true)
        }
        #expect(sum.withheld > 2)
        #expect(sum.holes > 0 && sum.healed == sum.holes)
        // Only the side that fetches knows at once.
        #expect(way.fetching == 0 || sum.named > 0)
    }

    @Test("Holes that pass from one replica to the next are filled by any that has the bytes")
    func passedOn() async throws {
        var sum = SimulationOutcome()
        for seed in UInt64(1)...3 {
            sum += try await Simulation.run(
                Scenario(
                    seed: seed, replicas: 4,
                    steps: [
                        .write(replica: 0, commits: 5, seed: seed), .withhold(1, with: 0, seed: seed),
                        .exchange(2, with: 1, over: .direct), .withhold(3, with: 2, seed: seed),
                        .write(replica: 3, commits: 2, seed: seed + 1), .withhold(3, with: 0, seed: seed + 2),
                    ], isFounded: true))
        }
        #expect(sum.withheld > 3 && sum.holes > 3 && sum.healed > 3)
    }

    @Test(
        "A hub that lies is named where it can be known, and nothing is lost", arguments: HubLie.allCases,
        [false, true]
    )
    func hub(_ lie: HubLie, isFounded: Bool) async throws {
        let outcome = try await Self.outcome([.deceive(0, lie, seed: 1)], isFounded: isFounded)
        let claimsHoles = [.holes, .newHoles].contains(lie)
        #expect(outcome.hubLies == 1 && outcome.named == (claimsHoles ? 6 : 1))
        #expect((outcome.refilled > 0) == claimsHoles)
        #expect(outcome.refusals == ([.unsent, .revoked].contains(lie) ? 1 : 0))
    }

    @Test("Hubs that claim the same holes again on one day are sent nothing more, and on the next day they are")
    func claimedAgain() async throws {
        let claim = SimulationStep.deceive(0, .holes, seed: 3)
        let once = try await Self.outcome([claim])
        #expect(try await Self.outcome([claim, claim]).refilled == once.refilled)
        #expect(try await Self.outcome([claim, .passDay, claim]).refilled == 2 * once.refilled)
    }
}
