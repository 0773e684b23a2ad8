import EventLog

/// The clocks, the timer and the random source that sessions use. Tests inject their own.
public struct SessionDependencies: Sendable {
    /// The time since some instant, which goes on while the machine sleeps.
    public var now: @Sendable () -> Duration
    /// Waits at least that long; throws `CancellationError` when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// That many unpredictable bytes.
    public var randomBytes: @Sendable (Int) -> [UInt8]
    /// Seconds since 1970.
    public var clock: @Sendable () -> UInt64 = { UInt64(max(0, Dependencies.system.now() / 1000)) }
    /// By which frames are packed.
    var compression = CompressionLibraries.system

    public init(
        now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void,
        randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.now = now
        self.sleep = sleep
        self.randomBytes = randomBytes
    }

    /// The system's continuous clock, and its cryptographic random source.
    public static let system = SessionDependencies(
        now: { [start = ContinuousClock.now] in ContinuousClock.now - start },
        sleep: { try await Task.sleep(for: $0, clock: .continuous) },
        randomBytes: Dependencies.system.randomBytes)

    /// Runs `body`, and closes the port if it takes longer than a limit, or if the task is cancelled: then its calls
    /// end.
    ///
    /// Throws what `body` throws, or `ExchangeError.cut`.
    func within<T: Sendable>(
        _ limit: Duration, on port: any FramePort, _ body: @escaping @Sendable () async throws -> T
    ) async throws -> T {
        try await withTaskCancellationHandler {
            try await withThrowingTaskGroup(of: T?.self) { group in
                group.addTask { try await body() }
                group.addTask { [sleep] in
                    try await sleep(limit)
                    port.close()
                    return nil
                }
                defer { group.cancelAll() }
                guard let first = try await group.next(), let result = first else {
                    throw ExchangeError(
                        .cut, "The other side did not respond within \(limit). Try again later.")
                }
                return result
            }
        } onCancel: {
            port.close()
        }
    }
}

/// The bounds of sessions.
public struct SessionLimits: Sendable, Hashable {
    /// The longest that the greeting of a session may take.
    public var greeting: Duration
    /// How long after the client's first frame a stranger is refused: longer than it takes to open a log, so that the
    /// time tells nothing.
    public var refusal: Duration
    /// How often a client shows on a silent connection that it is there. A server ends a session after three times as
    /// long a silence.
    public var ping: Duration
    /// How long a client waits for the response to that.
    public var patience: Duration
    /// In such a time 1 KiB at least of a frame must be sent, or arrive: else the connection is ended.
    public var pause: Duration
    /// How long a client waits for a response to begin.
    public var answering: Duration
    /// The most connections of a server whose clients have not proved their keys: another one ends the oldest.
    public var waitingConnections: Int
    /// The most sessions of a server.
    public var sessions: Int
    /// The most sessions of one replica: another one ends the oldest.
    public var sessionsOfReplica: Int

    public init(
        greeting: Duration = .seconds(10), refusal: Duration = .milliseconds(500), ping: Duration = .seconds(20),
        patience: Duration = .seconds(10), pause: Duration = .seconds(10), answering: Duration = .seconds(120),
        waitingConnections: Int = 256, sessions: Int = 4096, sessionsOfReplica: Int = 4
    ) {
        self.greeting = greeting
        self.refusal = refusal
        self.ping = ping
        self.patience = patience
        self.pause = pause
        self.answering = answering
        self.waitingConnections = waitingConnections
        self.sessions = sessions
        self.sessionsOfReplica = sessionsOfReplica
    }
}
