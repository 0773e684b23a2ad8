#if Hub
    internal import CoreMetrics
    internal import LogExchange
    internal import NIOCore
    import Synchronization

    /// How many bytes of a stream may wait to be received: reads of the stream pause beyond that, and HTTP/2's flow control then stops the
    /// sender. It counts the stream's bytes in both directions.
    ///
    /// A sender that is not admitted yet may send little. Where memory is shared, reads also pause at the beginning of a frame until there is
    /// room for all of it, so that a frame that has begun can end.
    final class ReadAllowance: Sendable {
        private struct State {
            var waiting = 0
            var received: UInt64 = 0
            var (sending, sent): (Int, UInt64) = (0, 0)
            var standing = ClientStanding.unknown
            var isEnded = false
            var parts = FrameParts()
            /// What the frames take of the shared memory that have begun, and were not taken yet.
            var costs: [Int] = []
            /// How many of them wait for room.
            var roomless = 0
            /// Resumes the paused read. Called at most once, on no particular thread.
            var paused: (@Sendable () -> Void)?
            /// Called once little of what was written waits for the network.
            var settled: [@Sendable () -> Void] = []
        }

        /// So many bytes that were written may wait for the network when a frame counts as sent.
        static let mostSending = 16 << 10

        private let limits: HubLimits
        private let shared = Mutex<MemoryShare?>(nil)
        private let counted: Counter?
        private let state = Mutex(State())

        /// `isAdmitted` for a sender that need not show who it is.
        init(_ limits: HubLimits, isAdmitted: Bool, received: Counter? = nil) {
            self.limits = limits
            counted = received
            if isAdmitted { state.withLock { $0.standing = .served } }
        }

        /// Counts frames in memory that is shared with other streams. `end` ends the stream if it stops while others wait.
        func share(_ memory: SessionMemory, end: @escaping @Sendable () -> Void) {
            let made = memory.share { [weak self] in
                self?.moved ?? 0
            } end: {
                end()
            }
            shared.withLock { $0 = made }
        }

        /// The stream's share of a server's memory; nil if nothing bounds that.
        var share: MemoryShare? { shared.withLock { $0 } }

        private var moved: UInt64 { state.withLock { $0.received &+ $0.sent } }

        /// The sender has shown who it is.
        func stands(_ standing: ClientStanding) {
            if standing == .served { share?.serve() }
            release { $0.standing = max($0.standing, standing) }
        }

        // MARK: Receiving

        /// Bytes arrived. Returns whether a large frame is whole with them.
        @discardableResult
        func received(_ bytes: ByteBufferView) -> Bool {
            counted?.increment(by: bytes.count)
            let (begun, isAtEnd) = state.withLock { state in
                state.waiting += bytes.count
                state.received += UInt64(bytes.count)
                var begun: [Int] = []
                let most = most(state)
                // A longer one is refused before it has come.
                state.parts.pass(bytes) { begun.append(SessionFrame.cost(ofLength: min($0, most), beginning: $1)) }
                state.roomless += begun.count
                state.costs += begun
                return (begun, !state.parts.isWithin && state.waiting > Self.mostSending)
            }
            guard let share else {
                release { $0.roomless = 0 }
                return isAtEnd
            }
            for cost in begun {
                // After the end of the stream nothing is resumed.
                let isTaken = share.take(cost) { [weak self] isTaken in
                    if isTaken { self?.found() }
                }
                if isTaken { found() }
            }
            share.awaits(.rest, isAwaitingRest)
            return isAtEnd
        }

        /// There is room for a frame.
        private func found() {
            release { $0.roomless -= 1 }
            share?.awaits(.rest, isAwaitingRest)
        }

        /// A frame was received by its reader, which is done with it.
        func took(_ bytes: Int) {
            var cost = 0
            release { state in
                state.waiting -= bytes + FrameParts.prefix
                if !state.costs.isEmpty { cost = state.costs.removeFirst() }
            }
            share?.give(cost)
        }

        /// The stream has ended: what waits of it is not held any more.
        func end() {
            let settled = state.withLock { state in
                state.isEnded = true
                defer { state.settled = [] }
                return state.settled
            }
            for resume in settled { resume() }
            share?.end()
        }

        /// Resumes the paused read if more may be read after a change.
        private func release(_ change: (inout State) -> Void) {
            let resume = state.withLock { state -> (@Sendable () -> Void)? in
                change(&state)
                guard mayRead(state) else { return nil }
                defer { state.paused = nil }
                return state.paused
            }
            resume?()
        }

        /// Whether more may be read now; if not, `resume` is called once it may.
        func mayRead(resume: @escaping @Sendable () -> Void) -> Bool {
            state.withLock { state in
                if mayRead(state) { return true }
                state.paused = resume
                return false
            }
        }

        /// The end of a stream is read, whatever else waits.
        private func mayRead(_ state: State) -> Bool {
            state.isEnded || state.waiting < FrameParts.prefix + most(state) && state.roomless == 0
        }

        /// The bytes that wait, partly received frames included.
        var waiting: Int { state.withLock { $0.waiting } }

        /// All bytes that have arrived.
        var total: UInt64 { state.withLock { $0.received } }

        /// Whether the rest of a frame is waited for, and not for room here.
        var isAwaitingRest: Bool {
            state.withLock { $0.parts.isWithin && mayRead($0) }
        }

        /// The most bytes of a frame: a longer one is refused before it has come.
        private func most(_ state: State) -> Int {
            state.standing >= .beginning ? limits.largestFrame : limits.openingBytes
        }

        // MARK: Sending

        /// The network has been given bytes.
        func sending(_ bytes: Int) { state.withLock { $0.sending += bytes } }

        /// The network has taken bytes.
        func sent(_ bytes: Int) {
            let settled = state.withLock { state in
                state.sending -= bytes
                state.sent += UInt64(bytes)
                guard state.sending <= Self.mostSending else { return [@Sendable () -> Void]() }
                defer { state.settled = [] }
                return state.settled
            }
            for resume in settled { resume() }
        }

        /// All bytes that the network has taken.
        var totalSent: UInt64 { state.withLock { $0.sent } }

        /// Waits until the network has taken nearly all that was written, or the stream has ended.
        func settle() async {
            await withCheckedContinuation { continuation in
                let isSettled = state.withLock { state in
                    if state.isEnded || state.sending <= Self.mostSending { return true }
                    state.settled.append { continuation.resume() }
                    return false
                }
                if isSettled { continuation.resume() }
            }
        }
    }
#endif
