import ArgumentParser
import FaultTesting
import Foundation

struct HubCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hub", abstract: "Kill a hub under writing replicas, and let hostile clients use it.",
        discussion: """
            In the end all replicas must hold the same, with everything that was acknowledged, once. Connections that say nothing must be \
            closed, and keep no member from being served. With --hostile clients of six kinds use the hub in wrong ways, and nothing else is \
            tried: they read no answers, send requests that become a thousand times as large, large frames that are none, halves of frames, \
            greetings that do not go on, or nothing. No member's exchanges may fail for more than 30 seconds in a row, and the hub's resident \
            size may exceed --memory by 128 MiB at most.
            """)

    @Option(name: .long, help: "How often to kill the hub.")
    var kills = 50

    @Option(name: .long, help: "How many replicas write.")
    var writers = 50

    @Option(name: .long, help: "How many connections say nothing; 0 to leave that out.")
    var silent = 1000

    @Flag(
        name: .long, help: "Hold hostile clients beside the writers, instead of the kills and the silent connections.")
    var hostile = false

    @Option(name: .long, help: "With --hostile: how long.")
    var minutes = 10.0

    @Option(name: .long, help: "With --hostile: how many clients, in equal parts of each kind.")
    var clients = 1000

    @Option(name: .long, help: "With --hostile: the hub's --memory, in bytes.")
    var memory = 64 << 20

    @Option(name: .long, help: "What the moments are drawn by.")
    var seed: UInt64 = 1

    @Option(name: .long, help: "Where stores are made. Default: in memory, where the system has that.")
    var folder: String?

    func validate() throws {
        guard kills >= 0, writers >= 1, silent >= 0, clients >= 0, minutes > 0 else {
            throw ValidationError("Give numbers of 0 or more, and at least one writer.")
        }
        guard memory >= 1 << 20 else { throw ValidationError("--memory \(memory): \(1 << 20) or more.") }
    }

    func run() async throws {
        let place = SoakFolder.make(in: folder)
        report("seed \(seed), in \(place)")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        if hostile {
            try await runHostile(in: place + "/hostile")
            return try FileManager.default.removeItem(atPath: place)
        }
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
        let (exchange, closing) = (
            String(format: "%.2f", outcome.exchangeSeconds), String(format: "%.1f", outcome.closingSeconds)
        )
        report(
            "\(silent) silent connections: a member's exchange took \(exchange) s, the hub's memory was "
                + "\(megabytes(outcome.memoryBefore)) before and \(megabytes(outcome.memoryAtMost)) at most; all were closed "
                + "within \(closing) s.")
    }
    private func runHostile(in place: String) async throws {
        let trial = HostileTrial(
            in: place, clients: clients, writers: writers, memory: memory, duration: .seconds(minutes * 60), seed: seed)
        let outcome = try await trial.run { report($0) }
        for line in outcome.clients { report(line) }
        func milliseconds(_ percent: Double) -> String {
            String(format: "%.0f ms", outcome.exchanges.percentile(percent))
        }
        let isSlow = outcome.exchanges.percentile(99) >= 3000
        if isSlow { report("one in a hundred exchanges took 3 s or longer.") }
        report(
            "the hub's resident size was \(megabytes(outcome.memoryAtMost)) at most, with --memory \(memory); "
                + "\(outcome.exchanges.count) exchanges of members took \(milliseconds(50)) in the median, \(milliseconds(99)) at the 99th "
                + "percentile and \(milliseconds(100)) at most, retries included.")
        report(
            "\(outcome.written) acknowledged trips of \(writers) members, \(outcome.retries) attempts that failed, for "
                + "\(String(format: "%.1f", outcome.longestFailing)) s in a row at most; \(outcome.connections) connections of \(clients) "
                + "hostile clients; \(outcome.failures.count) failures.")
        for failure in outcome.failures { report(failure) }
        guard outcome.failures.isEmpty, !isSlow else { throw ExitCode.failure }
    }

    private func megabytes(_ bytes: Int?) -> String { bytes.map { "\($0 / 1_000_000) MB" } ?? "unknown" }
}
