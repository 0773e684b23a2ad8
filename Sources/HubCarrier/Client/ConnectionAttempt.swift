#if Hub
    import Events
    import LogExchange
    internal import NIOCore
    internal import NIOSSL
    import Synchronization

    /// What happened while a client connected, for the words of its errors: the transport's own say little.
    final class ConnectionAttempt: Sendable {
        private struct State {
            var hasResolved = false
            var pinShown: Digest?
            var errors: [any Error] = []
        }

        private let state = Mutex(State())

        var hasResolved: Bool { state.withLock { $0.hasResolved } }
        /// The pin of a server that did not have the expected one.
        var pinShown: Digest? { state.withLock { $0.pinShown } }
        var errors: [any Error] { state.withLock { $0.errors } }

        func resolved() { state.withLock { $0.hasResolved = true } }

        func failed(_ error: any Error) {
            // The first ones tell most; a transport that tries again and again must not pile them up.
            state.withLock { if $0.errors.count < 16 { $0.errors.append(error) } }
        }

        /// TLS's verification of a server that has to have a pin.
        func verify(
            _ certificates: [NIOSSLCertificate], pin: Digest, _ result: EventLoopPromise<NIOSSLVerificationResult>
        ) {
            guard let shown = try? certificates.first?.spkiDigest() else { return result.succeed(.failed) }
            guard shown == pin else {
                state.withLock { $0.pinShown = shown }
                return result.succeed(.failed)
            }
            result.succeed(.certificateVerified)
        }
    }
#endif
