#if Hub
    internal import CoreMetrics
    internal import LogExchange
    internal import NIOCore
    import Synchronization

    /// How many bytes of a stream may wait to be received: reads of the stream pause beyond that, and HTTP/2's flow
    /// control then stops the sender.
    ///
    /// A sender that is not admitted yet may send little.
    final class ReadAllowance: Sendable {
        private struct State {
            var waiting = 0
            var total: UInt64 = 0
            var isAdmitted: Bool
            var isEnded = false
            /// Resumes the paused read. Called at most once, on no particular thread.
            var paused: (@Sendable () -> Void)?
        }

        private let limits: HubLimits
        /// Bounds all streams together.
        private let memory: ReceivedMemory?
        private let counted: Counter?
        private let state: Mutex<State>

        init(_ limits: HubLimits, isAdmitted: Bool, memory: ReceivedMemory? = nil, received: Counter? = nil) {
            self.limits = limits
            self.memory = memory
            counted = received
            state = Mutex(State(isAdmitted: isAdmitted))
        }

        /// The sender has proved that it may use the connection.
        func admit() { release { $0.isAdmitted = true } }

        /// Bytes arrived.
        func received(_ bytes: Int) {
            counted?.increment(by: bytes)
            let isCounted = state.withLock { state in
                state.waiting += bytes
                state.total += UInt64(bytes)
                return !state.isEnded
            }
            if isCounted { memory?.add(bytes) }
        }

        /// A frame was received by its reader.
        func took(_ bytes: Int) {
            let all = bytes + Self.prefix
            memory?.remove(all)
            memory?.yield(self)
            release { $0.waiting -= all }
        }

        /// The stream has ended: what waits of it is not held any more.
        func end() {
            let rest = state.withLock { state in
                defer { state.isEnded = true }
                return state.isEnded ? 0 : state.waiting
            }
            memory?.remove(rest)
            memory?.yield(self)
        }

        /// Resumes the paused read if more may be read after a change.
        private func release(_ change: (inout State) -> Void) {
            let resume = state.withLock { state -> (@Sendable () -> Void)? in
                change(&state)
                guard state.waiting < allowed(state) else { return nil }
                defer { state.paused = nil }
                return state.paused
            }
            resume?()
        }

        /// Whether more may be read now; if not, `resume` is called once it may.
        func mayRead(resume: @escaping @Sendable () -> Void) -> Bool {
            let (isAllowed, isEnded) = state.withLock { state in
                guard state.waiting >= allowed(state) else { return (true, state.isEnded) }
                state.paused = resume
                return (false, state.isEnded)
            }
            // The end of a stream is read, whatever else waits.
            guard isAllowed, !isEnded, let memory else { return isAllowed }
            return memory.mayRead(self, resume: resume)
        }

        /// After which time a paused read asks again, if others fill the memory; nil if nothing bounds that.
        var asksAgain: Duration? { memory?.turn }

        /// The bytes that wait, partly received frames included.
        var waiting: Int { state.withLock { $0.waiting } }

        /// All bytes that have arrived.
        var total: UInt64 { state.withLock { $0.total } }

        /// gRPC's length prefix.
        private static let prefix = 5

        private func allowed(_ state: State) -> Int {
            Self.prefix + (state.isAdmitted ? limits.largestFrame : limits.openingBytes)
        }
    }
#endif
