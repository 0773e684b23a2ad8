#if Hub
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
            /// Resumes the paused read. Called at most once, on no particular thread.
            var paused: (@Sendable () -> Void)?
        }

        private let limits: HubLimits
        private let state: Mutex<State>

        init(_ limits: HubLimits, isAdmitted: Bool) {
            self.limits = limits
            state = Mutex(State(isAdmitted: isAdmitted))
        }

        /// The sender has proved that it may use the connection.
        func admit() { release { $0.isAdmitted = true } }

        /// Bytes arrived.
        func received(_ bytes: Int) {
            state.withLock { state in
                state.waiting += bytes
                state.total += UInt64(bytes)
            }
        }

        /// A frame was received by its reader.
        func took(_ bytes: Int) { release { $0.waiting -= bytes + Self.prefix } }

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
            state.withLock { state in
                guard state.waiting >= allowed(state) else { return true }
                state.paused = resume
                return false
            }
        }

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
