import ArgumentParser
import EventLog
import Events
import FaultTesting
import Foundation
import HubCarrier
import LogExchange

struct EchoServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "echo-server",
        abstract: "Send back what comes, over the hub's own transport of gRPC and TLS, until killed.")

    func run() async throws {
        let made = try SelfSignedCertificate(for: ["127.0.0.1"])
        let certificate = try HubCertificate(certificates: made.certificate, key: made.key)
        let listener = try await HubListener.start(host: "127.0.0.1", port: 0, certificate: certificate) { port in
            port.stands(.served, of: ReplicaID(publicKey: UUID().uuidString.utf8.map { $0 }))
            do {
                while let frame = try await port.receive() { try await port.send(frame) }
            } catch {
                // The client is gone.
            }
        }
        let text = "{\"hub\":\"https://127.0.0.1:\(listener.port)\",\"pin\":\"\(listener.pin)\"}\n"
        FileHandle.standardOutput.write(Data(text.utf8))
        for await _ in AsyncStream<Never>.makeStream().stream {}
    }
}

struct EchoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "echo", abstract: "Send a message and wait for its echo, over and over, on many connections.")

    @OptionGroup var arguments: HubArguments

    @Option(name: .long, help: "How many connections.")
    var connections = 200

    @Option(name: .long, help: "The bytes of a message: about those of a commit in its segment.")
    var bytes = 400

    func run() async throws {
        let connector = try arguments.connector
        var ports: [any FramePort] = []
        for _ in 0..<connections { ports.append(try await connector.connect()) }
        let (latencies, seconds) = try await measure(tasks: connections, seconds: arguments.seconds) {
            [ports] task in
            try await ports[task].send([UInt8](repeating: 1, count: bytes))
            _ = try await ports[task].receive()
        }
        report([
            "messages": Double(latencies.count), "rate": Double(latencies.count) / seconds,
            "median": latencies.percentile(50), "p99": latencies.percentile(99),
        ])
    }
}

struct DiskCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disk", abstract: "Write durable commits to as many logs as a hub has, without a network.")

    @Option(name: .long, help: "Where the logs lie.")
    var folder: String

    @Option(name: .long, help: "How many logs.")
    var journals = 20

    @Option(name: .long, help: "How many tasks write, in all.")
    var writers = 200

    @Option(name: .long, help: "For how long.")
    var seconds = 10.0

    func run() async throws {
        let place = URL(fileURLWithPath: folder)
        let logs = try (0..<journals).map { try Log.scratch(in: place, "disk-\($0)", isDurable: true) }
        let (latencies, seconds) = try await measure(tasks: writers, seconds: seconds) { task in
            try await Fleet.append(to: logs[task % logs.count], task)
        }
        report([
            "commits": Double(latencies.count), "rate": Double(latencies.count) / seconds,
            "median": latencies.percentile(50), "p99": latencies.percentile(99),
        ])
    }
}
