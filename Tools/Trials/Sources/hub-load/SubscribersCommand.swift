import ArgumentParser
import Events
import FaultTesting
import Foundation
import HubCarrier
import Synchronization

@testable import LogExchange

struct SubscribersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscribers",
        abstract: "Let one replica write, and measure when the others of its journal have been told.")

    @OptionGroup var arguments: HubArguments

    @Option(name: .long, help: "The address of another hub, to which the one that writes is connected.")
    var writerHub: String?

    @Option(name: .long, help: "The hash of that hub's key.")
    var writerPin: String?

    @Option(name: .long, help: "Where their logs lie.")
    var folder: String

    @Option(name: .long, help: "How many are told.")
    var subscribers = 200

    @Option(name: .long, help: "How many commits are written, each after all were told of the one before.")
    var commits = 50

    func run() async throws {
        let hub = try arguments.connector
        var writerHub = hub
        if let address = self.writerHub {
            writerHub = try HubArguments.connector(address, writerPin ?? arguments.pin)
        }
        let fleet = try await Fleet.make(
            in: URL(fileURLWithPath: folder), hub: writerHub, other: hub, journals: 1, replicas: subscribers + 1,
            remembers: true)
        let told = Told()
        for (number, member) in fleet.members.dropFirst().enumerated() {
            Task {
                for await notice in member.peer.session.notices { told.note(notice.digest, by: number) }
                told.end(member.peer.session.failure)
            }
        }
        var (latencies, whole) = (Latencies(), Latencies())
        for number in 0..<commits {
            let writer = fleet.members[0]
            let written = ContinuousClock.now
            try await Fleet.append(to: writer.log, number)
            let acknowledged = try await writer.exchange().acknowledged
            let began = ContinuousClock.now
            let last = try await told.wait(for: acknowledged.digest, by: subscribers)
            // Others may hear of it before the one that wrote.
            latencies.add(max(last - began, .zero))
            whole.add(last - written)
        }
        report([
            "told": Double(latencies.count * subscribers), "median": latencies.percentile(50),
            "slowest": latencies.percentile(100), "medianOfAll": whole.percentile(50),
            "slowestOfAll": whole.percentile(100),
        ])
        withExtendedLifetime(fleet) {}
    }
}

/// Who was told of what, and when the last was.
private final class Told: Sendable {
    private struct State {
        var subscribers: [Digest: Set<Int>] = [:]
        var last: [Digest: ContinuousClock.Instant] = [:]
        var failure: (any Error)?
        var hasEnded = false
    }

    private let state = Mutex(State())

    /// A subscriber was told that the hub's frontier has a digest.
    func note(_ digest: Digest, by subscriber: Int) {
        let now = ContinuousClock.now
        state.withLock { state in
            if state.subscribers[digest, default: []].insert(subscriber).inserted { state.last[digest] = now }
        }
    }

    /// A session ended.
    func end(_ failure: (any Error)?) {
        state.withLock { ($0.hasEnded, $0.failure) = (true, $0.failure ?? failure) }
    }

    /// Returns when the last of so many was told. Throws what ended a session, and `ExchangeError.withheld` after a minute.
    func wait(for digest: Digest, by subscribers: Int) async throws -> ContinuousClock.Instant {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            let (count, last) = try state.withLock { state in
                if state.hasEnded { throw state.failure ?? ExchangeError(.cut, "A session ended.") }
                return (state.subscribers[digest]?.count ?? 0, state.last[digest])
            }
            if count == subscribers, let last { return last }
            guard ContinuousClock.now < deadline else {
                throw ExchangeError(.withheld, "After a minute \(count) of \(subscribers) replicas were told.")
            }
            // What is measured was noted when it came.
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}
