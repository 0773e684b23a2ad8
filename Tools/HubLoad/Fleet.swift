#if Hub
    import EventLog
    import Events
    import Foundation
    import HubCarrier
    import LMDB
    import LogExchange
    import Logging

    /// Replicas of some journals, each a log in a folder of its own, that are members and in a session with a hub.
    struct Fleet: Sendable {
        struct Member: Sendable {
            let log: Log
            let peer: SessionPeer

            /// Both hold the same after it. What is written of each exchange would take longer than the exchange.
            func exchange() async throws {
                var logger = Logger(label: "hub-load")
                logger.logLevel = .error
                try await ExchangeSession(log, with: peer, logger: logger).run()
            }
        }

        let members: [Member]

        /// Each journal has a founder, which begins it in the hub and grants the others the right to write.
        static func make(
            in folder: URL, hub: HubConnector, journals: Int, replicas: Int
        ) async throws -> Fleet {
            var members: [Member] = []
            for journal in 0..<journals {
                let founder = try open(in: folder, "\(journal)-0")
                try await append(to: founder, 0)
                let share = replicas / journals + (journal < replicas % journals ? 1 : 0)
                var others: [Log] = []
                for number in 1..<max(share, 1) {
                    let log = try open(in: folder, "\(journal)-\(number)", of: founder.journal)
                    _ = try await founder.grant(.write, to: log.replica)
                    others.append(log)
                }
                for log in [founder] + others {
                    let session = try await SessionClient.connect(hub, as: log, journal: founder.journal)
                    let member = Member(log: log, peer: SessionPeer(session, for: log, remembers: false))
                    try await member.exchange()
                    members.append(member)
                }
            }
            return Fleet(members: members)
        }

        /// Without waiting for the medium, unless it is what is measured.
        static func open(in folder: URL, _ name: String, of journal: JournalID? = nil, isDurable: Bool = false) throws
            -> Log
        {
            let place = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            var dependencies = Dependencies.system
            dependencies.machineFolder = nil
            return try Log.open(
                at: place.path + "/log", keyPath: place.path + "/replica.key",
                options: Log.Options(
                    journal: journal, deviceName: name,
                    environment: Environment.Options(
                        .creating, durability: isDurable ? .synced : .unsynced, mapSize: 256 << 20),
                    dependencies: dependencies))
        }

        /// A commit of about 200 bytes, as an edit of a trip is.
        static func append(to log: Log, _ number: Int) async throws {
            let entity = EntityReference(kind: EntityKind(rawValue: 1), id: UUID())
            let text = "Number \(number). " + String(repeating: "x", count: 100)
            let change = Change(path: FieldPath(field: 1), value: Array(text.utf8))
            _ = try await log.append(Payload(events: [Event(verb: .created, entity: entity, changes: [change])]))
        }
    }
#endif
