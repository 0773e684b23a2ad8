import ArgumentParser
import Events
import FaultTesting
import Foundation
import HubCarrier
import LogExchange

struct HubArguments: ParsableArguments {
    @Option(name: .long, help: "The hub's address.")
    var hub: String

    @Option(name: .long, help: "The hash of its key.")
    var pin: String

    @Option(name: .long, help: "For how long.")
    var seconds = 10.0

    var connector: HubConnector { get throws { try Self.connector(hub, pin) } }

    /// For a hub at an address, whose key has a hash.
    static func connector(_ hub: String, _ pin: String) throws -> HubConnector {
        guard let pin = Digest(pin) else { throw ValidationError("--pin \(pin): 64 hexadecimal digits.") }
        var limits = HubLimits()
        limits.connecting = .seconds(120)
        return HubConnector(try HubAddress(hub), trust: .pinned(pin), limits: limits)
    }
}

struct FleetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Connect replicas, print when they are connected, then hold still or write.")

    @OptionGroup var arguments: HubArguments

    @Option(name: .long, help: "Where their logs lie.")
    var folder: String

    @Option(name: .long, help: "How many.")
    var replicas = 1000

    @Option(name: .long, help: "In how many journals.")
    var journals = 100

    @Flag(name: .long, help: "Each writes one commit after another, and waits until the hub has it.")
    var write = false

    @Option(
        name: .long, help: "Each writes that many commits at once, without being timed, and then exchanges them.")
    var bulk: Int?

    @Flag(name: .long, help: "Ask the hub for nothing that it told, as devices do that stay in sync.")
    var remember = false

    func run() async throws {
        let start = ContinuousClock.now
        let fleet = try await Fleet.make(
            in: URL(fileURLWithPath: folder), hub: try arguments.connector, journals: journals, replicas: replicas,
            remembers: remember)
        report(["connected": Double(fleet.members.count), "seconds": (ContinuousClock.now - start) / .seconds(1)])
        if let bulk { return try await write(bulk, by: fleet.members) }
        guard write else {
            try await Task.sleep(for: .seconds(arguments.seconds))
            let ended = fleet.members.count { $0.peer.session.failure != nil }
            return report(["ended": Double(ended)])
        }
        let (latencies, seconds) = try await measure(tasks: fleet.members.count, seconds: arguments.seconds) {
            task in
            let member = fleet.members[task]
            try await Fleet.append(to: member.log, task)
            try await member.exchange()
        }
        report([
            "commits": Double(latencies.count), "rate": Double(latencies.count) / seconds,
            "median": latencies.percentile(50), "p99": latencies.percentile(99),
        ])
    }

    private func write(_ commits: Int, by members: [Fleet.Member]) async throws {
        let (latencies, seconds, processor) = try await measureRounds(
            tasks: members.count, seconds: arguments.seconds
        ) {
            task in
            try await Fleet.append(commits, to: members[task].log)
        } _: { task in
            try await members[task].exchange()
        }
        let sent = Double(latencies.count * commits)
        report([
            "commits": sent, "rate": sent / seconds, "median": latencies.percentile(50),
            "p99": latencies.percentile(99), "own": processor / sent,
        ])
    }
}
