#if Hub
    internal import LogExchange
    internal import NIOCore
    import Synchronization

    /// How many bytes of a stream may wait to be received: reads of the stream pause beyond that, and HTTP/2's flow
    /// control then stops the sender.
    ///
    /// A sender that is not known yet may send little: the first frames have to be small together.
    final class ReadAllowance: Sendable {
        private struct State {
            var waiting = 0
            var framesTaken = 0
            /// Resumes the paused read. Called at most once, on no particular thread.
            var paused: (@Sendable () -> Void)?
        }

        private let limits: HubLimits
        private let hasOpening: Bool
        private let state = Mutex(State())

        /// `hasOpening` is for streams of senders that are not known yet.
        init(_ limits: HubLimits, hasOpening: Bool) {
            self.limits = limits
            self.hasOpening = hasOpening
        }

        /// Bytes arrived.
        func received(_ bytes: Int) { state.withLock { $0.waiting += bytes } }

        /// A frame was received by its reader.
        func took(_ bytes: Int) {
            let resume = state.withLock { state -> (@Sendable () -> Void)? in
                state.waiting -= bytes + Self.prefix
                state.framesTaken += 1
                guard state.waiting < allowed(state) else { return nil }
                defer { state.paused = nil }
                return state.paused
            }
            resume?()
        }

        /// Whether more may be read now; if not, `resume` is called once it may.
        func mayRead(resume: @escaping @Sendable () -> Void) -> Bool {
            state.withLock { state in
                guard state.waiting >= allowed(state) else { return true }
                state.paused = resume
                return false
            }
        }

        /// The bytes that wait, partly received frames included.
        var waiting: Int { state.withLock { $0.waiting } }

        /// gRPC's length prefix.
        private static let prefix = 5

        private func allowed(_ state: State) -> Int {
            let isOpening = hasOpening && state.framesTaken < limits.openingFrames
            return Self.prefix + (isOpening ? limits.openingBytes : limits.largestFrame)
        }
    }
#endif
