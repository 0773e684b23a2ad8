import EventLog
import Events
import Foundation
import HubCarrier
import Logging
import TripStoreTestSupport

@testable import LogExchange

/// A replica of a journal that strangers began at a hub, which holds all of it.
struct Stranger: Sendable {
    /// Clients that may use the replica at a time: a hub ends the oldest session of one that has more.
    static let clients = SessionLimits().sessionsOfReplica
    private static let replicasOfJournal = 4
    private static let commits = 4
    private static let bytesOfCommit = 700_000

    let log: Log
    let journal: JournalID
    /// The frame that requests the whole journal.
    let request: [UInt8]
    /// Such a frame with about as many bytes of an unknown field as a message may have, packed to some 40 KB.
    let bomb: [UInt8]

    /// Begins as many journals as that many replicas need. Their founders hold and exchange some MB; the others nothing.
    static func make(
        _ count: Int, in folder: String, hub: HubConnector, random: inout SeededRandom
    ) async throws -> [Stranger] {
        var strangers: [Stranger] = []
        while strangers.count < count {
            let replicas = min(replicasOfJournal, count - strangers.count)
            let place = URL(fileURLWithPath: "\(folder)/journal-\(strangers.count)")
            let logs = try await BlockingWork.run {
                let founder = try Log.scratch(in: place, "0", mapSize: 64 << 20)
                return try [founder]
                    + (1..<replicas).map {
                        try Log.scratch(in: place, "\($0)", of: founder.journal, mapSize: 64 << 20)
                    }
            }
            strangers += try await begin(logs, at: hub, random: &random)
        }
        return strangers
    }

    private static func begin(
        _ logs: [Log], at hub: HubConnector, random: inout SeededRandom
    ) async throws -> [Stranger] {
        guard let founder = logs.first else { return [] }
        for _ in 0..<commits {
            let entity = EntityReference(kind: EntityKind(rawValue: 1), id: UUID())
            let change = Change(path: FieldPath(field: 1), value: random.bytes(bytesOfCommit))
            _ = try await founder.append(
                Payload(events: [Event(verb: .created, entity: entity, changes: [change])]))
        }
        for log in logs.dropFirst() { _ = try await founder.grant(.write, to: log.replica) }
        let session = try await SessionClient.connect(hub, as: founder)
        defer { session.close() }
        let peer = SessionPeer(session, for: founder, remembers: false)
        var logger = Logger(label: "stranger")
        logger.logLevel = .error
        _ = try await ExchangeSession(founder, with: peer, logger: logger).run()
        let heads = try founder.read { try Frontier($0) }.heads
        let request = SegmentRequest(journal: founder.journal, wanted: heads, held: [])
        let frame = SessionFrame.request(ExchangeMessage.segmentRequest(request).encoded()).encoded()
        let bomb = try bomb(request, &random)
        return logs.map { Stranger(log: $0, journal: founder.journal, request: frame, bomb: bomb) }
    }

    /// A request with an unknown field of zeros. Random bytes beside it keep the frame within `PackedMessage.mostBytesPerPacked`.
    private static func bomb(_ request: SegmentRequest, _ random: inout SeededRandom) throws -> [UInt8] {
        let size = ExchangeMessage.largest - 4096
        let noise = random.bytes(size / PackedMessage.mostBytesPerPacked * 5 / 4)
        var message = WireWriter(reservingCapacity: size + 1024)
        message.varint(1, UInt64(Greeting.currentVersion))
        message.message(5) { writer in
            request.write(to: &writer)
            writer.bytes(500, [UInt8](repeating: 0, count: size - noise.count - 1024))
            writer.bytes(501, noise)
        }
        let frame = SessionFrame.request(message.finish()).encoded()
        let libraries = CompressionLibraries.system
        guard let packed = PackedMessage.packed(frame, with: libraries.best(of: libraries.named), libraries) else {
            throw HubTrialError("A request of \(frame.count) bytes could not be packed.")
        }
        var writer = WireWriter(reservingCapacity: packed.count + 16)
        writer.bytes(SessionFrame.packedField, packed)
        return writer.finish()
    }

    // MARK: Sessions

    /// A session that was greeted, in which the client sends what it likes and takes no answer.
    struct Session {
        let client: SessionClient
        let port: UnreadPort
        private var pings: UInt64 = 0

        init(_ client: SessionClient, _ port: UnreadPort) { (self.client, self.port) = (client, port) }

        /// Shows from time to time that the client is alive, until the connection is cut: throws why then.
        mutating func stay() async throws {
            while true {
                try await Task.sleep(for: .seconds(5))
                pings += 1
                try await port.send(SessionFrame.ping(pings).encoded())
            }
        }
    }

    func connect(to hub: HubConnector) async throws -> Session {
        let port = UnreadPort(try await hub.connect())
        // The server is not missed: the trial ends the session, or the server does.
        let never = Duration.seconds(86_400)
        let limits = SessionLimits(ping: never, patience: never, pause: never, answering: never)
        let client = try await SessionClient.connect(
            OpenedConnector(address: hub.address, port: port), as: log, journal: journal, limits: limits)
        do {
            let greeting = ExchangeMessage.greeting(try await log.greeting().greeting)
            try await port.send(SessionFrame.request(greeting.encoded()).encoded())
            try await passAnswer(port)
        } catch {
            client.close()
            throw error
        }
        return Session(client, port)
    }

    private func passAnswer(_ port: UnreadPort) async throws {
        while let bytes = try await port.below.receive() {
            if case .lastResponse = try SessionFrame(SessionFrame.unpacked(bytes)) { return }
        }
        throw ExchangeError(.cut, "The hub closed the connection before it answered.")
    }
}

extension SeededRandom {
    mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count { withUnsafeBytes(of: next()) { bytes += $0 } }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
