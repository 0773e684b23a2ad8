import Synchronization

/// Bounds the memory that the clients of a server make it hold, all together: frames that are being received, requests that
/// are unpacked and handled, and answers until they are sent.
///
/// Each connection has a share of it, which takes bytes before it holds them, and waits while there is no room:
///
/// - `smallest` bytes and fewer have an eighth of the room to themselves, so that ordinary exchanges go on while large ones
///   wait; these wait in the order in which they came.
/// - Clients that are not served, or not yet, have a quarter of the room together.
/// - Bytes for which there is room only without so many connections are taken by one share at a time, up to three eighths of the bound, beside what
///   others hold. They keep nothing else waiting; for more, there must be fewer connections.
/// - More bytes than the bound are refused: the share ends.
/// - While shares wait, one that holds bytes, waits for its client and moved less than 1 KiB in `patience` is ended. If none is
///   so slow for ten such times, the one that holds most for what it moved is.
public final class SessionMemory: Sendable {
    /// So many bytes and fewer are small.
    public static let smallest = 256 << 10
    /// About the memory of a connection that does nothing, and of a stream: TLS and HTTP/2, and the tasks of a session.
    static let ofConnection = 64 << 10
    /// How many bytes a share moves in `patience` at least while others wait.
    private static let leastMoved: UInt64 = 1024
    /// After so many looks at which none was too slow, one is ended all the same.
    private static let mostIdleLooks = 10

    struct Held {
        var bytes = 0
        var isServed = false
        /// What the client is waited for.
        var awaited: Set<MemoryShare.Awaited> = []
        /// The bytes that it had moved at the last look, and when it began to hold some.
        var looked: UInt64?
        var atFirst: UInt64 = 0
        let moved: @Sendable () -> UInt64
        let end: @Sendable () -> Void
    }

    private struct Waiter {
        let share: UInt64
        let bytes: Int
        /// Called with false if the share was ended.
        let resume: @Sendable (Bool) -> Void
    }

    /// Takes of one lane do not overtake one another.
    private enum Lane: CaseIterable { case small, large, alone }

    private struct State {
        var next: UInt64 = 0
        var shares: [UInt64: Held] = [:]
        /// Takes that wait, in the order in which they came.
        var waiting: [Waiter] = []
        var (held, heldByStrangers) = (0, 0)
        /// The share whose bytes were taken alone, until it has given most of them back.
        var alone: UInt64?
        var connections = 0
        var (isLooking, idleLooks) = (false, 0)
    }

    /// The bound, in bytes.
    public let most: Int
    /// How long a share may stop before it is ended, while others wait.
    public let patience: Duration
    private let sleep: @Sendable (Duration) async throws -> Void
    private let state = Mutex(State())

    public init(most: Int, patience: Duration = .seconds(1), dependencies: SessionDependencies = .system) {
        self.most = most
        self.patience = patience
        sleep = dependencies.sleep
    }

    /// The bytes that are held now.
    public var held: Int { state.withLock { $0.held } }

    /// How many takes wait.
    public var waiting: Int { state.withLock { $0.waiting.count } }

    /// A connection or a stream was opened: what it takes by itself is not there for bytes.
    public func connected() { state.withLock { $0.connections += 1 } }

    public func disconnected() { resume { $0.connections -= 1 } }

    /// A share that holds nothing.
    ///
    /// `moved` counts the bytes that its client has sent and taken, and `end` ends its connection; both are called on no
    /// particular thread and must return soon, and `moved` without a lock that is held while the share is used.
    public func share(
        moved: @escaping @Sendable () -> UInt64, end: @escaping @Sendable () -> Void
    ) -> MemoryShare {
        let number = state.withLock { state in
            state.next += 1
            state.shares[state.next] = Held(moved: moved, end: end)
            return state.next
        }
        return MemoryShare(of: self, number)
    }

    // MARK: Shares

    /// Whether the bytes are held now, or nil if the share has ended; otherwise `resume` is called once they are, or it has.
    func take(
        _ bytes: Int, for share: UInt64, resume: @escaping @Sendable (Bool) -> Void
    ) -> Bool? {
        let (isTaken, begins, refused): (Bool?, Bool, (@Sendable () -> Void)?) = state.withLock { state in
            guard let held = state.shares[share] else { return (nil, false, nil) }
            guard bytes <= most else { return (nil, false, held.end) }
            let waiter = Waiter(share: share, bytes: bytes, resume: resume)
            let lane = lane(waiter, state)
            let isNext =
                lane == .small
                || !state.waiting.contains {
                    self.lane($0, state) == lane && isServed($0, state) == isServed(waiter, state)
                }
            if isNext, fits(waiter, state) {
                grant(waiter, &state)
                return (true, false, nil)
            }
            state.waiting.append(waiter)
            defer { state.isLooking = true }
            return (false, !state.isLooking, nil)
        }
        refused?()
        if begins { Task { await self.look() } }
        return isTaken
    }

    /// Holds bytes that are there already.
    func add(_ bytes: Int, to share: UInt64) {
        state.withLock { state in if state.shares[share] != nil { hold(bytes, for: share, &state) } }
    }

    func give(_ bytes: Int, of share: UInt64) {
        resume { state in if state.shares[share] != nil { hold(-bytes, for: share, &state) } }
    }

    func change(_ share: UInt64, _ change: (inout Held) -> Void) {
        resume { state in
            guard var held = state.shares[share] else { return }
            if !held.isServed { state.heldByStrangers -= held.bytes }
            change(&held)
            if !held.isServed { state.heldByStrangers += held.bytes }
            state.shares[share] = held
        }
    }

    func end(_ share: UInt64) {
        let ended: [Waiter] = resume { state in
            guard let held = state.shares[share] else { return [] }
            hold(-held.bytes, for: share, &state)
            state.shares[share] = nil
            defer { state.waiting.removeAll { $0.share == share } }
            return state.waiting.filter { $0.share == share }
        }
        for waiter in ended { waiter.resume(false) }
    }

    // MARK: Room

    private func room(_ state: State) -> Int { max(most / 4, most - state.connections * Self.ofConnection) }

    private func isServed(_ waiter: Waiter, _ state: State) -> Bool { state.shares[waiter.share]?.isServed ?? false }

    private func lane(_ waiter: Waiter, _ state: State) -> Lane {
        if waiter.bytes <= Self.smallest { return .small }
        return waiter.bytes <= room(state) / 8 * 7 ? .large : .alone
    }

    private func fits(_ waiter: Waiter, _ state: State) -> Bool {
        let room = room(state)
        let own = state.shares[waiter.share]?.bytes ?? 0
        let others = state.held - (state.alone.flatMap { state.shares[$0]?.bytes } ?? 0)
        let fitsAll =
            switch lane(waiter, state) {
            case .small: others + waiter.bytes <= room
            case .large: others + waiter.bytes <= room / 8 * 7
            case .alone:
                state.alone == nil && waiter.bytes <= max(most / 8 * 3, room) && state.held + waiter.bytes <= most
            }
        guard fitsAll || state.held == own && lane(waiter, state) != .alone else { return false }
        return isServed(waiter, state) || state.heldByStrangers + waiter.bytes <= room / 4
            || state.heldByStrangers == own
    }

    private func grant(_ waiter: Waiter, _ state: inout State) {
        if lane(waiter, state) == .alone { state.alone = waiter.share }
        hold(waiter.bytes, for: waiter.share, &state)
    }

    private func hold(_ bytes: Int, for share: UInt64, _ state: inout State) {
        guard var held = state.shares[share] else { return }
        if held.bytes == 0 { (held.looked, held.atFirst) = (nil, held.moved()) }
        held.bytes += bytes
        state.held += bytes
        if !held.isServed { state.heldByStrangers += bytes }
        if bytes < 0, state.alone == share, held.bytes <= Self.smallest { state.alone = nil }
        state.shares[share] = held
    }

    /// Lets those go on for which there is room after a change.
    @discardableResult
    private func resume<T>(after change: (inout State) -> T) -> T {
        let (result, resumed) = state.withLock { state in
            let result = change(&state)
            return (result, state.waiting.isEmpty ? [] : grant(&state))
        }
        for waiter in resumed { waiter.resume(true) }
        return result
    }

    /// Holds the bytes of those for which there is room, the small ones first, and returns them.
    private func grant(_ state: inout State) -> [Waiter] {
        var granted: Set<Int> = []
        for lane in Lane.allCases {
            // One that does not fit keeps those behind it, of its lane and account, waiting.
            var isBlocked = (served: false, stranger: false)
            for (index, waiter) in state.waiting.enumerated() where self.lane(waiter, state) == lane {
                let isServed = isServed(waiter, state)
                if isServed ? isBlocked.served : isBlocked.stranger { continue }
                if fits(waiter, state) {
                    grant(waiter, &state)
                    granted.insert(index)
                } else if isServed {
                    isBlocked.served = true
                } else {
                    isBlocked.stranger = true
                }
                if isBlocked == (true, true) { break }
            }
        }
        guard !granted.isEmpty else { return [] }
        // Large ones get their turn.
        if granted.contains(where: { state.waiting[$0].bytes > Self.smallest }) { state.idleLooks = 0 }
        defer { state.waiting = state.waiting.indices.filter { !granted.contains($0) }.map { state.waiting[$0] } }
        return granted.sorted().map { state.waiting[$0] }
    }

    // MARK: Those that stop

    /// Ends shares that stop, for as long as others wait.
    private func look() async {
        while (try? await sleep(patience)) != nil {
            let ended: [@Sendable () -> Void]? = state.withLock { state in
                guard !state.waiting.isEmpty else {
                    (state.isLooking, state.idleLooks) = (false, 0)
                    for share in state.shares.keys { state.shares[share]?.looked = nil }
                    return nil
                }
                return slow(&state)
            }
            guard let ended else { return }
            for end in ended { end() }
        }
    }

    private func slow(_ state: inout State) -> [@Sendable () -> Void] {
        var ended: [@Sendable () -> Void] = []
        var worst: (score: Double, share: UInt64)?
        let waiting = Set(state.waiting.map(\.share))
        for (number, share) in state.shares
        where share.bytes > 0 && !share.awaited.isEmpty || waiting.contains(number) {
            let moved = share.moved()
            if !share.awaited.isEmpty { state.shares[number]?.looked = moved }
            if !share.awaited.isEmpty, let looked = share.looked, moved &- looked < Self.leastMoved {
                ended.append(share.end)
            }
            let score = Double(share.bytes) / Double(moved &- share.atFirst + 1)
            if score > worst?.score ?? -1 { worst = (score, number) }
        }
        state.idleLooks = ended.isEmpty ? state.idleLooks + 1 : 0
        if state.idleLooks >= Self.mostIdleLooks, let worst, let share = state.shares[worst.share] {
            state.idleLooks = 0
            ended.append(share.end)
        }
        return ended
    }
}
