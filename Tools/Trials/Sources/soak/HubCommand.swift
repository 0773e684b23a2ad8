import ArgumentParser
import FaultTesting
import Foundation

struct HubCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hub", abstract: "Kill a hub under writing replicas, and open many connections that say nothing.",
        discussion: """
            In the end all replicas must hold the same, with everything that was acknowledged, once. Connections that say nothing must be \
            closed, and keep no member from being served.
            """)

    @Option(name: .long, help: "How often to kill the hub.")
    var kills = 50

    @Option(name: .long, help: "How many replicas write.")
    var writers = 50

    @Option(name: .long, help: "How many connections say nothing; 0 to leave that out.")
    var silent = 1000

    @Option(name: .long, help: "What the moments are drawn by.")
    var seed: UInt64 = 1

    @Option(name: .long, help: "Where stores are made. Default: in memory, where the system has that.")
    var folder: String?

    func validate() throws {
        guard kills >= 0, writers >= 1, silent >= 0 else {
            throw ValidationError("Give numbers of 0 or more, and at least one writer.")
        }
    }

    func run() async throws {
        let place = SoakFolder.make(in: folder)
        report("seed \(seed), in \(place)")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        if silent > 0 { try await runSilent(in: place + "/silent") }
        guard kills > 0 else { return try FileManager.default.removeItem(atPath: place) }
        let trial = HubKillTrial(in: place + "/kills", kills: kills, writers: writers, seed: seed)
        let outcome = try await trial.run { report($0) }
        for failure in outcome.failures { report(failure) }
        let seconds = String(format: "%.1f", outcome.seconds)
        report(
            "\(outcome.kills) kills under \(writers) writers, \(outcome.written) acknowledged trips; all held the same "
                + "\(seconds) s after the last; \(outcome.failures.count) failures.")
        guard outcome.failures.isEmpty else { throw ExitCode.failure }
        try? FileManager.default.removeItem(atPath: place)
    }

    private func runSilent(in place: String) async throws {
        let outcome = try await SilentConnectionsTrial(in: place, count: silent).run()
        func megabytes(_ bytes: Int?) -> String { bytes.map { "\($0 / 1_000_000) MB" } ?? "unknown" }
        let (exchange, closing) = (
            String(format: "%.2f", outcome.exchangeSeconds), String(format: "%.1f", outcome.closingSeconds)
        )
        report(
            "\(silent) silent connections: a member's exchange took \(exchange) s, the hub's memory was "
                + "\(megabytes(outcome.memoryBefore)) before and \(megabytes(outcome.memoryAtMost)) at most; all were closed "
                + "within \(closing) s.")
    }
}
