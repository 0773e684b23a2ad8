import EventLog
import Events
import Logging
import StoreSupport
import Testing

@testable import LogExchange

/// A founder that serves its log, and others that connect to it.
struct SessionFixture {
    let founder: TestReplica
    private(set) var server: SessionServer
    private(set) var network: MemoryNetwork
    /// That of the server and its clients; the system's if nil.
    let time: ManualTime?
    var dependencies: SessionDependencies { time?.dependencies ?? .system }

    /// Without a manual time refusals come at once.
    init(time: ManualTime? = nil, limits: SessionLimits? = nil, showing shown: Digest? = nil) async throws {
        self.time = time
        founder = try TestReplica("founder", founding: true)
        try await founder.write(1)
        server = Self.server(SingleLogHost(founder.log), time: time, limits: limits)
        network = MemoryNetwork(server, showing: shown)
    }

    /// Changes the server of further connections.
    mutating func serve(_ change: (inout SessionServer) -> Void) {
        change(&server)
        network = MemoryNetwork(server)
    }

    static func server(
        _ host: any SessionHost, time: ManualTime? = nil, limits: SessionLimits? = nil
    ) -> SessionServer {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return SessionServer(
            host, limits: limits ?? (time == nil ? .patient : SessionLimits()),
            dependencies: time?.dependencies ?? .system, logger: logger)
    }

    /// A replica of the founder's journal, which is granted a role, or none.
    func replica(_ name: String, _ role: MemberRole? = .write) async throws -> TestReplica {
        let replica = try TestReplica(name, journal: founder.log.journal)
        if let role { try await founder.log.grant(role, to: replica.id) }
        return replica
    }

    func connect(
        _ replica: TestReplica, over other: MemoryNetwork? = nil, limits: SessionLimits? = nil
    ) async throws -> SessionClient {
        try await SessionClient.connect(
            other ?? network, as: replica.log, journal: founder.log.journal,
            limits: limits ?? (time == nil ? .patient : SessionLimits()), dependencies: dependencies)
    }

    /// Connects and exchanges.
    @discardableResult
    func exchange(_ replica: TestReplica) async throws -> ExchangeReport {
        try await replica.exchange(
            with: SessionPeer(try await connect(replica), for: replica.log, remembers: false))
    }

    func refusal(of replica: TestReplica, over other: MemoryNetwork? = nil) async -> ExchangeError? {
        await failure { _ = try await connect(replica, over: other) } as? ExchangeError
    }
}

/// The frames that a server sent.
extension [(direction: MemoryNetwork.Direction, frame: SessionFrame)] {
    var ofServer: [SessionFrame] { filter { $0.direction == .toClient }.map(\.frame) }
    var ofClient: [SessionFrame] { filter { $0.direction == .toServer }.map(\.frame) }
}

/// A client that says what a test wants.
struct RawClient {
    let port: any FramePort
    let identity = ReplicaIdentity.generate()

    init(_ network: MemoryNetwork) async throws { port = try await network.connect() }

    func send(_ frame: SessionFrame) async throws { try await port.send(frame.encoded()) }

    func receive() async throws -> SessionFrame? { try await port.receive().map { try SessionFrame($0) } }

    func hello(_ journal: JournalID?, key: [UInt8]? = nil) -> [UInt8] {
        ClientHello(
            journal: journal, key: key ?? identity.publicKey, nonce: [UInt8](repeating: 7, count: 32),
            certificate: port.certificates.first
        ).encoded()
    }

    /// The server's next frames until it closes the connection.
    func rest() async throws -> [SessionFrame] {
        var found: [SessionFrame] = []
        while let frame = try await receive() { found.append(frame) }
        return found
    }
}
