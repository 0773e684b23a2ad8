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

/// How long the messages of requests take on their way to the server, as it was measured in this session.
struct RequestPace {
    /// The longest that a KiB took; of the greeting before one was measured.
    private var longest: Duration
    private var isMeasured = false
    /// The most that is allowed for a KiB.
    private let most: Duration
    /// The KiB of the request's largest message, and since when one is known to be on its way.
    private var kibibytes = 0
    private var since: Duration?

    init(_ greeting: Duration, atMost most: Duration) {
        longest = greeting
        self.most = most
    }

    /// How long a message may be on its way. A server that is frozen is noticed soon on a link that is not slow.
    var allowance: Duration { min(most, longest * 4) * kibibytes }

    /// A message of some bytes is sent.
    mutating func sends(_ bytes: Int, at now: Duration) {
        let own = min(bytes, SegmentCutter.most) / Int(FrameProgress.least)
        (kibibytes, since) = since.map { (max(kibibytes, own), $0) } ?? (own, now)
    }

    /// The server says that a message has come, or responds.
    mutating func arrived(at now: Duration, isLast: Bool) {
        if let since, kibibytes > 0 {
            let time = (now - since) / kibibytes
            (longest, isMeasured) = (isMeasured ? max(longest, time) : time, true)
        }
        since = isLast ? nil : now
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
