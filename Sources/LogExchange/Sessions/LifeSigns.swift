/// When the other end of a connection was last heard: a frame arrived, or bytes of one that is not whole yet.
///
/// A frame of some megabytes takes minutes over a slow link. Ports are looked at now and then, so its time is that of the
/// next look.
struct LifeSigns {
    private(set) var last: Duration
    /// How often something was heard.
    private(set) var count = 0
    private var bytes: UInt64 = 0

    init(at now: Duration) { last = now }

    /// A frame arrived.
    mutating func note(at now: Duration) {
        last = now
        count += 1
    }

    /// Returns whether bytes arrived since the last look.
    @discardableResult
    mutating func look(at port: any FramePort, _ now: Duration) -> Bool {
        let received = port.receivedBytes
        guard received != bytes else { return false }
        bytes = received
        note(at: now)
        return true
    }
}

/// How far the frames of a connection have come at one moment.
///
/// An end that sends a frame, or takes one, must move at least 1 KiB of it in `SessionLimits.pause`, as a slow link does.
struct FrameProgress {
    static let least: UInt64 = 1024

    private let sent: UInt64
    private let received: UInt64
    private let isAwaitingRest: Bool

    init(_ port: any FramePort) {
        (sent, received, isAwaitingRest) = (port.sentBytes, port.receivedBytes, port.isAwaitingRest)
    }

    /// Whether the other end has stopped within a frame. `isSending` says that the same frame is being sent as then.
    func stopped(since earlier: FrameProgress, isSending: Bool) -> Bool {
        isSending && sent &- earlier.sent < Self.least
            || isAwaitingRest && earlier.isAwaitingRest && received &- earlier.received < Self.least
    }
}
