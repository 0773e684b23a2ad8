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
            /// A frame has begun that is longer than the sender may send.
            var isRefused = false
            var standing = ClientStanding.unknown
            var isEnded = false
            var parts = FrameParts()
            /// The frames that have begun, and were not taken yet.
            var frames: [Frame] = []
            var nextFrame: UInt64 = 0
            /// Resumes the reader that waits for room for the first of them.
            var waitsForRoom: CheckedContinuation<Void, Never>?
            /// Resumes the paused read. Called at most once, on no particular thread.
            var paused: (@Sendable () -> Void)?
            /// Called once little of what was written waits for the network.
            var settled: [@Sendable () -> Void] = []
        }

        private struct Frame {
            let number: UInt64
            /// The bytes that the frame takes of the shared memory, and whether it has them.
            let cost: Int
            let isTiny: Bool
            var isHeld = false
        }

        /// Frames of so many bytes and fewer wait for nothing, as pings and stops: a client that takes an answer must be heard.
        private static let tiny = 64

        /// So many bytes that were written may wait for the network when a frame counts as sent.
        static let mostSending = 16 << 10

        private let limits: HubLimits
        private let shared = Mutex<MemoryShare?>(nil)
        private let moved = Moved()
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
            // Not this object, which would be released under the memory's lock.
            let made = memory.share { [moved] in
                moved.count.load(ordering: .relaxed)
            } end: {
                end()
            }
            shared.withLock { $0 = made }
        }

        /// The bytes that have arrived, and those that the network has taken.
        private final class Moved: Sendable {
            let count = Atomic<UInt64>(0)
        }

        /// The stream's share of a server's memory; nil if nothing bounds that.
        var share: MemoryShare? { shared.withLock { $0 } }

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
            moved.count.add(UInt64(bytes.count), ordering: .relaxed)
            let (begun, isAtEnd) = state.withLock { state in
                state.waiting += bytes.count
                state.received += UInt64(bytes.count)
                let (most, isKnown) = (most(state), state.standing >= .beginning)
                var begun: [Frame] = []
                state.parts.pass(bytes) { length, beginning in
                    // A frame longer than a greeting may be would else be taken once its sender is admitted.
                    if length > most { state.isRefused = true }
                    // A greeting is part of what a connection takes by itself.
                    let cost = isKnown ? SessionFrame.cost(ofLength: min(length, most), beginning: beginning) : 0
                    begun.append(Frame(number: state.nextFrame, cost: cost, isTiny: length <= Self.tiny))
                    state.nextFrame += 1
                }
                state.frames += begun
                return (begun, !state.parts.isWithin && state.waiting > Self.mostSending)
            }
            for frame in begun {
                guard let share, frame.cost > 0 else {
                    found(frame.number)
                    continue
                }
                if frame.isTiny {
                    share.add(frame.cost)
                    found(frame.number)
                    continue
                }
                // After the end of the stream nothing is resumed.
                let isTaken = share.take(frame.cost) { [weak self] isTaken in
                    if isTaken { self?.found(frame.number) }
                }
                if isTaken { found(frame.number) }
            }
            share?.awaits(.rest, isAwaitingRest)
            return isAtEnd
        }

        /// There is room for a frame.
        private func found(_ number: UInt64) {
            release { state in
                if let index = state.frames.firstIndex(where: { $0.number == number }) {
                    state.frames[index].isHeld = true
                }
            }
            share?.awaits(.rest, isAwaitingRest)
        }

        /// Waits until there is room for the frame that the reader takes next. False if the stream has ended before.
        func roomForNext() async -> Bool {
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    if state.isEnded || state.frames.first?.isHeld ?? true { return true }
                    state.waitsForRoom = continuation
                    return false
                }
                if isThere { continuation.resume() }
            }
            return state.withLock { $0.frames.first?.isHeld ?? true }
        }

        /// A frame was received by its reader, which is done with it.
        func took(_ bytes: Int) {
            var cost = 0
            release { state in
                state.waiting -= bytes + FrameParts.prefix
                if !state.frames.isEmpty { cost = state.frames.removeFirst().cost }
            }
            if cost > 0 { share?.give(cost) }
        }

        /// The stream has ended: what waits of it is not held any more.
        func end() {
            release { $0.isEnded = true }
            let settled = state.withLock { state in
                defer { state.settled = [] }
                return state.settled
            }
            for resume in settled { resume() }
            share?.end()
        }

        /// Resumes the paused read if more may be read after a change, and the reader if there is room for its frame.
        private func release(_ change: (inout State) -> Void) {
            let (resume, reader) = state.withLock { state in
                change(&state)
                var (resume, reader): ((@Sendable () -> Void)?, CheckedContinuation<Void, Never>?) = (nil, nil)
                if mayRead(state) { swap(&resume, &state.paused) }
                if state.isEnded || state.frames.first?.isHeld ?? true { swap(&reader, &state.waitsForRoom) }
                return (resume, reader)
            }
            resume?()
            reader?.resume()
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
            state.isEnded
                || state.waiting < FrameParts.prefix + most(state) && !state.isRefused
                    && state.frames.allSatisfy(\.isHeld)
        }

        /// The bytes that wait, partly received frames included.
        var waiting: Int { state.withLock { $0.waiting } }

        /// All bytes that have arrived.
        var total: UInt64 { state.withLock { $0.received } }

        /// Whether the rest of a frame is waited for, and not for room here.
        var isAwaitingRest: Bool {
            state.withLock { $0.parts.isWithin && mayRead($0) }
        }

        /// Whether a frame waits for room.
        var isAwaitingRoom: Bool { state.withLock { !$0.frames.allSatisfy(\.isHeld) } }

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
                moved.count.add(UInt64(bytes), ordering: .relaxed)
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
