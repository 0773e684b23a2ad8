import ArgumentParser
import FaultTesting
import Foundation

struct KillCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kill", abstract: "Kill writers, importers, exchanges and rebuilds at random moments.",
        discussion: """
            After each round the store must open and verify, everything that the killed processes had acknowledged must be there, and the \
            views must equal rebuilt ones. Before a round of writers, exchanges or rebuilds the store's folder may be moved, an older copy \
            of it restored, a copy of it put in its place, or, but for exchanges, the clock set 400 days ahead for that round; and rounds run \
            at two homes by turns. A move and a home take no replica id, a wrong clock one, a copy one at each home that knew more.
            """)

    @Option(name: .long, help: "How many processes to kill.")
    var kills = 1000

    @Option(name: .long, help: "What the moments are drawn by.")
    var seed: UInt64 = 1

    @Option(
        name: .long, help: "Kill these alone: writers, importers, exchanges or rebuilds; may be given several times.")
    var kind: [String] = []

    @Option(name: .long, help: "A Traveling Snails export for the importers; may be given several times.")
    var export: [String] = []

    @Option(name: .long, help: "Where stores are made. Default: in memory, where the system has that.")
    var folder: String?

    func validate() throws {
        guard kills > 0 else { throw ValidationError("Give at least one kill.") }
        if let unknown = kind.first(where: { KillTrial.Kind(rawValue: $0) == nil }) {
            throw ValidationError("'\(unknown)' is none of writers, importers, exchanges and rebuilds.")
        }
    }

    func run() async throws {
        let start = Date()
        let place = SoakFolder.make(in: folder)
        report("seed \(seed), in \(place)")
        let growth = try await GrowthTrial.run(in: place + "/growth")
        report(
            "\(growth.commits) commits beside a process that was killed: the log grew by \(growth.afterKill) bytes; beside one "
                + "that ended well by \(growth.afterClose).")
        try FileManager.default.removeItem(atPath: place + "/growth")
        let kinds = kind.compactMap { KillTrial.Kind(rawValue: $0) }
        let options = KillTrial.Options(
            kills: kills, seed: seed, kinds: kinds.isEmpty ? KillTrial.Kind.allCases : kinds,
            exports: export.isEmpty ? Self.samples : export)
        let outcome = try await KillTrial(in: place, options).run { report($0) }
        for failure in outcome.failures { report(failure) }
        report(
            "\(outcome.kills) kills in \(Int(Date().timeIntervalSince(start))) s, \(outcome.acknowledged) acknowledged trips "
                + "looked for, \(outcome.failures.count) failures; \(outcome.handling).")
        if outcome.failures.isEmpty { try? FileManager.default.removeItem(atPath: place) }
        if !growth.isBounded { report("The log grows without bound after a kill.") }
        if !outcome.failures.isEmpty || !growth.isBounded { throw ExitCode.failure }
    }

    /// The repository's, if it is run from there.
    private static var samples: [String] {
        ["flights-day-planned", "flights-day-actual"].map { "Tools/samples/\($0).json" }
            .filter { FileManager.default.fileExists(atPath: $0) }
    }
}
