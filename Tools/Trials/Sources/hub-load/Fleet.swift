import EventLog
import Events
import FaultTesting
import Foundation
import HubCarrier
import LogExchange
import Logging

/// Replicas of some journals, each a log in a folder of its own, that are members and in a session with a hub.
struct Fleet: Sendable {
    struct Member: Sendable {
        let log: Log
        let peer: SessionPeer

        /// Both hold the same after it. What is written of each exchange would take longer than the exchange.
        @discardableResult
        func exchange() async throws -> ExchangeReport {
            var logger = Logger(label: "hub-load")
            logger.logLevel = .error
            return try await ExchangeSession(log, with: peer, logger: logger).run()
        }
    }

    /// Those of one journal after another, its founder first.
    let members: [Member]

    /// Each journal has a founder, which begins it in the hub and grants the others the right to write.
    ///
    /// With `remembers` a replica asks the hub for nothing that it was told, as a device that stays in sync does. The replicas
    /// beside the founders connect to `other`, if it is given.
    static func make(
        in folder: URL, hub: HubConnector, other: HubConnector? = nil, journals: Int, replicas: Int,
        remembers: Bool = false
    ) async throws -> Fleet {
        var members: [Member] = []
        for journal in 0..<journals {
            let founder = try Log.scratch(in: folder, "\(journal)-0")
            try await append(to: founder, 0)
            let share = replicas / journals + (journal < replicas % journals ? 1 : 0)
            var others: [Log] = []
            for number in 1..<max(share, 1) {
                let log = try Log.scratch(in: folder, "\(journal)-\(number)", of: founder.journal)
                _ = try await founder.grant(.write, to: log.replica)
                others.append(log)
            }
            members.append(try await member(founder, in: founder.journal, hub, remembers: remembers))
            for log in others {
                members.append(try await member(log, in: founder.journal, other ?? hub, remembers: remembers))
            }
        }
        return Fleet(members: members)
    }

    /// Connects a log's replica, and exchanges.
    static func member(
        _ log: Log, in journal: JournalID, _ hub: HubConnector, remembers: Bool
    ) async throws -> Member {
        let session = try await SessionClient.connect(hub, as: log, journal: journal)
        let member = Member(log: log, peer: SessionPeer(session, for: log, remembers: remembers))
        try await member.exchange()
        return member
    }

    static func append(to log: Log, _ number: Int) async throws { _ = try await log.append(payload(number)) }

    /// That many commits at once.
    static func append(_ commits: Int, to log: Log) async throws {
        try await log.append((0..<commits).map { payload($0) })
    }

    /// Of a commit of about 200 bytes, as an edit of a trip is; with more events of as many bytes more.
    static func payload(_ number: Int, events: Int = 1) -> Payload {
        Payload(
            events: (0..<events).map { index in
                let entity = EntityReference(kind: EntityKind(rawValue: 1), id: UUID())
                let text = "Number \(number).\(index). " + String(repeating: "x", count: events == 1 ? 98 : 40)
                let change = Change(path: FieldPath(field: 1), value: Array(text.utf8))
                return Event(verb: .created, entity: entity, changes: [change])
            })
    }
}
