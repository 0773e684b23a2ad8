#if Hub
    import ArgumentParser
    import Events
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

        var connector: HubConnector {
            get throws {
                guard let pin = Digest(pin) else { throw ValidationError("--pin \(pin): 64 hexadecimal digits.") }
                var limits = HubLimits()
                limits.connecting = .seconds(120)
                return HubConnector(try HubAddress(hub), trust: .pinned(pin), limits: limits)
            }
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

        func run() async throws {
            let start = ContinuousClock.now
            let fleet = try await Fleet.make(
                in: URL(fileURLWithPath: folder), hub: try arguments.connector, journals: journals, replicas: replicas)
            report(["connected": Double(fleet.members.count), "seconds": (ContinuousClock.now - start) / .seconds(1)])
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
    }
#endif
