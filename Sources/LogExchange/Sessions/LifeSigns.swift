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

    mutating func look(at port: any FramePort, _ now: Duration) {
        let received = port.receivedBytes
        guard received != bytes else { return }
        bytes = received
        note(at: now)
    }
}
