import DatabaseSupport
import EventLog
import Foundation
import LogExchange
import Logging
import StoreSupport

/// The carriers, all of which pass the same tests.
enum Carrier: String, CaseIterable, Sendable {
    case inProcess, folder, bundle, messages, sharedTable, session
    #if Hub
        case hub
    #endif
    /// A database that both reach through hubs of their own.
    case database

    /// Those that there are here.
    static let allCases: [Carrier] = {
        var all: [Carrier] = [.inProcess, .folder, .bundle, .messages, .sharedTable, .session]
        #if Hub
            all.append(.hub)
        #endif
        if TestServer.isAvailable { all.append(.database) }
        return all
    }()

    /// Those that serve every replica: tests of what strangers and revoked ones may do decide that themselves.
    static let open = allCases.filter { !$0.isSession }

    /// Whether the other proves its key, and is served by its standing.
    var isSession: Bool {
        switch self {
        case .session, .database: return true
        #if Hub
            case .hub: return true
        #endif
        default: return false
        }
    }

    /// One replica, as another reaches it.
    func peer(_ other: TestReplica, for one: TestReplica) async throws -> any ExchangePeer {
        switch self {
        case .inProcess: return LogPeer(other.log)
        case .folder:
            var dependencies = other.clock.dependencies
            dependencies.fileOrigin = { _ in nil }
            return try await FolderPeer(
                other.folder.url, for: one.log, dependencies: dependencies, mapSize: 256 << 20)
        case .bundle:
            let file = try one.bundle("from-\(other.name).bundle")
            _ = try await BundleWriter.write(other.log, lacking: one.frontier(), to: file)
            return try await BundlePeer(file)
        case .messages: return MessagePeer(LoopbackChannel(other.log))
        case .sharedTable:
            let table = SharedTablePeer()
            try await other.exchange(with: table)
            return table
        case .session:
            let server = SessionServer(SingleLogHost(other.log), limits: .patient)
            let network = MemoryNetwork(server, journal: other.log.journal)
            let connect = { @Sendable in try await SessionClient.connect(network, as: one.log, limits: .patient) }
            return SessionPeer(try await connect(), for: one.log, remembers: false, reconnecting: connect)
        case .database:
            let hubs = try await DatabaseHubs.start()
            if try !other.log.isEmpty() { try await hubs[0].exchange(other) }
            return try await DatabasePeer(hubs, for: one, in: other.log.journal)
        #if Hub
            case .hub:
                let network = HubNetwork(
                    SessionServer(SingleLogHost(other.log), limits: .patient), journal: other.log.journal)
                let connect = { @Sendable in try await SessionClient.connect(network, as: one.log, limits: .patient) }
                return SessionPeer(try await connect(), for: one.log, remembers: false, reconnecting: connect)
        #endif
        }
    }

    /// One exchange each way: afterwards both hold the same.
    @discardableResult
    func exchange(_ one: TestReplica, _ other: TestReplica) async throws -> ExchangeReport {
        let there = try await peer(other, for: one)
        var report = try await one.exchange(with: there)
        if let hubs = (there as? DatabasePeer)?.hubs, try !one.log.isEmpty() {
            // The other fetches, through a hub of its own.
            let back = try await hubs[0].exchange(other)
            report.sent = back.received
            report.forks = Set(report.forks + back.forks).sorted { $0.isBefore($1) }
            report.acknowledged = try await other.frontier()
        }
        if self == .bundle || self == .sharedTable {
            // A bundle is one-way, so the way back is another one; over a table the other fetches.
            let back = try await other.exchange(with: self == .bundle ? peer(one, for: other) : there)
            report.sent = back.received
            report.forks = Set(report.forks + back.forks).sorted { $0.isBefore($1) }
            report.acknowledged = try await other.frontier()
        }
        return report
    }
}

extension TestReplica {
    @discardableResult
    func exchange(
        with peer: any ExchangePeer, progress: @escaping @Sendable (ExchangeProgress) -> Void = { _ in }
    ) async throws -> ExchangeReport {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return try await ExchangeSession(log, with: peer, logger: logger, progress: progress).run()
    }
}

/// Passes messages to a server in the same process, as bytes.
struct LoopbackChannel: MessageChannel {
    private let server: MessageServer

    init(_ log: Log) { server = MessageServer(LogPeer(log), authorizer: OpenAuthorizer()) }

    init(_ server: MessageServer) { self.server = server }

    func call(_ request: [UInt8], _ body: ([UInt8]) async throws -> Void) async throws {
        try await server.respond(to: request, body)
    }
}
