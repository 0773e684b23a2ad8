import ArgumentParser
import EventLog
import Events
import FaultTesting
import Foundation
import HubCarrier
import LogExchange

/// Where a large journal and its replicas lie.
private enum LargeJournal {
    /// Bytes of address space: a log of a million events takes some hundred megabytes.
    static let mapSize = 16 << 30

    static func reader(_ number: Int) -> String { "reader-\(number)" }
}

struct FillCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fill", abstract: "Write a large journal, and send it to a hub. Prints the journal.")

    @OptionGroup var arguments: HubArguments

    @Option(name: .long, help: "Where its log lies, and those of replicas that may fetch it.")
    var folder: String

    @Option(name: .long, help: "How many commits.")
    var commits = 1000

    @Option(name: .long, help: "How many events each has.")
    var events = 1000

    @Option(name: .long, help: "How many replicas may fetch it, each once.")
    var readers = 1

    func run() async throws {
        let place = URL(fileURLWithPath: folder)
        let log = try Log.scratch(in: place, "writer", mapSize: LargeJournal.mapSize)
        try await Fleet.append(to: log, 0)
        for number in 0..<readers {
            let reader = try Log.scratch(in: place, LargeJournal.reader(number), of: log.journal, isDurable: true)
            _ = try await log.grant(.write, to: reader.replica)
        }
        // Some at a time: all of a million events would take gigabytes of memory.
        for start in stride(from: 0, to: commits, by: 50) {
            try await log.append((start..<min(start + 50, commits)).map { Fleet.payload($0, events: events) })
        }
        let start = ContinuousClock.now
        let session = try await SessionClient.connect(try arguments.connector, as: log, journal: log.journal)
        let member = Fleet.Member(log: log, peer: SessionPeer(session, for: log, remembers: true))
        let sent = try await member.exchange().sent
        let text =
            "{\"journal\":\"\(log.journal)\",\"events\":\(sent.events),\"commits\":\(sent.commits),\"bytes\":\(sent.bytes),"
            + "\"seconds\":\((ContinuousClock.now - start) / .seconds(1))}\n"
        FileHandle.standardOutput.write(Data(text.utf8))
    }
}

struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetch a journal as a new replica, and wait for the medium as a device does.")

    @OptionGroup var arguments: HubArguments

    @Option(name: .long, help: "The folder that was filled.")
    var folder: String

    @Option(name: .long, help: "The journal.")
    var journal: String

    @Option(name: .long, help: "The number of the replica, from 0 on.")
    var reader = 0

    @Option(name: .long, help: "For how long it tries to connect, in seconds.")
    var patience = 120.0

    func run() async throws {
        guard let journal = JournalID(journal) else {
            throw ValidationError("--journal \(journal): a journal's id.")
        }
        let connector = try arguments.connector
        let log = try Log.scratch(
            in: URL(fileURLWithPath: folder), LargeJournal.reader(reader), of: journal, isDurable: true,
            mapSize: LargeJournal.mapSize)
        let start = ContinuousClock.now
        let (session, attempts) = try await connect(connector, log, journal)
        let greeted = ContinuousClock.now
        let member = Fleet.Member(log: log, peer: SessionPeer(session, for: log, remembers: true))
        let received = try await member.exchange().received
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        report([
            "events": Double(received.events), "commits": Double(received.commits),
            "bytes": Double(received.bytes), "seconds": seconds, "rate": Double(received.events) / seconds,
            "greeting": (greeted - start) / .seconds(1), "attempts": Double(attempts),
        ])
    }

    /// Again and again, as a device does: a hub without a copy makes one before it greets, which may take longer than a greeting may.
    private func connect(
        _ connector: HubConnector, _ log: Log, _ journal: JournalID
    ) async throws -> (SessionClient, attempts: Int) {
        let deadline = ContinuousClock.now + .seconds(patience)
        var attempts = 0
        while true {
            attempts += 1
            do {
                return (try await SessionClient.connect(connector, as: log, journal: journal), attempts)
            } catch let error as ExchangeError {
                guard ContinuousClock.now < deadline else { throw error }
                try await Task.sleep(for: .seconds(1))
            }
        }
    }
}
