import Events
import Foundation
import HubCarrier
import Spawning
import TripStoreTestSupport

@testable import LogExchange

/// Hostile clients of a hub, in a process of their own (`FaultWorker`), so that what they compute delays no member of the trial. The process
/// has the lowest priority, for clients have machines of their own where a hub is not on its own machine's loopback.
///
/// `@unchecked Sendable`: `process` is started in the initialiser and only waited for afterwards, by one caller.
public final class HostileCrowd: @unchecked Sendable {
    typealias Counts = [HostileClient.Kind: HostileClient.Counts]

    private let process = Process()
    private let input = Pipe.made()
    private let output = Pipe.made()

    /// Starts it, and waits until all are ready to attack. Blocks.
    init(_ clients: Int, at hub: HubProcess, in folder: String, seed: UInt64) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["nice", "-n", "19", try Products.file("FaultWorker").path]
        process.arguments? += ["--attack", "\(hub.port)", hub.pin.bytes.hexadecimal, folder, "\(clients)", "\(seed)"]
        process.standardInput = input
        process.standardOutput = output
        try process.start()
        // Otherwise the end of its output would not be seen.
        try? output.fileHandleForWriting.close()
        try? input.fileHandleForReading.close()
        guard let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty else {
            throw HubTrialError("The process of hostile clients ended before they were ready.")
        }
    }

    deinit { if process.isRunning { process.terminate() } }

    /// Ends the attacks; returns what the clients managed. Blocks.
    func end() throws -> Counts {
        try input.fileHandleForWriting.close()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let found = try JSONDecoder().decode([String: HostileClient.Counts].self, from: text)
        return Dictionary(
            uniqueKeysWithValues: found.compactMap { name, counts in
                HostileClient.Kind(rawValue: name).map { ($0, counts) }
            })
    }

    // MARK: In the process

    /// Attacks until the standard input ends, and prints what the clients managed. `arguments` are the hub's port, its pin, a folder, the number
    /// of clients and a seed.
    public static func attack(_ arguments: [String]) async throws {
        guard arguments.count == 5, let port = Int(arguments[0]), let pin = Digest(arguments[1]),
            let count = Int(arguments[3]), let seed = UInt64(arguments[4])
        else { throw HubTrialError("These are no arguments of an attack: \(arguments).") }
        var random = SeededRandom(seed: seed)
        let clients = try await clients(count, HubAddress(host: "127.0.0.1", port: port), pin, arguments[2], &random)
        FileHandle.standardOutput.write(Data("\n".utf8))
        let attacking = Task {
            await withTaskGroup { group in
                for client in clients { group.addTask { (client.kind, await client.run()) } }
                return await group.reduce(into: Counts()) { $0[$1.0, default: HostileClient.Counts()].add($1.1) }
            }
        }
        _ = try await BlockingWork.run { try FileHandle.standardInput.readToEnd() }
        attacking.cancel()
        let counts = await attacking.value
        let named = Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, $0.value) })
        FileHandle.standardOutput.write(try JSONEncoder().encode(named))
    }

    /// As many of each kind, in an order that the seed draws.
    private static func clients(
        _ count: Int, _ address: HubAddress, _ pin: Digest, _ folder: String, _ random: inout SeededRandom
    ) async throws -> [HostileClient] {
        let all = HostileClient.Kind.allCases
        let kinds = (0..<count).map { all[$0 % all.count] }.shuffled(using: &random)
        var limits = HubLimits()
        // A client that reads nothing takes no more ahead than HTTP/2 lets it at least.
        limits.window = 65_535
        let connector = HubConnector(address, trust: .pinned(pin), limits: limits)
        let needed = kinds.count(where: \.isStranger)
        let strangers = try await Stranger.make(
            (needed + Stranger.clients - 1) / Stranger.clients, in: folder, hub: connector, random: &random)
        let shared = HostileClient.Shared(
            port: address.port, hub: connector,
            largeFrame: SessionFrame.request(random.bytes(4_000_000)).encoded())
        var admitted = 0
        return kinds.enumerated().map { number, kind in
            defer { if kind.isStranger { admitted += 1 } }
            return HostileClient(
                kind: kind, number: number, shared: shared,
                stranger: kind.isStranger ? strangers[admitted / Stranger.clients] : nil, seed: random.next())
        }
    }
}
