#if Hub
    import Events
    import Foundation
    internal import GRPCCore
    import LogExchange
    internal import NIOCore
    internal import NIOPosix
    internal import NIOSSL

    /// Says why there is no connection, in words and with a code.
    struct ConnectionFailure {
        let hub: HubAddress
        let trust: HubTrust
        let limits: HubLimits
        let attempt: ConnectionAttempt

        func described(_ error: any Error) async -> ExchangeError {
            let errors = attempt.errors + Self.causes(of: error)
            if case .pin(let pin) = trust.kind, let shown = attempt.pinShown {
                return ExchangeError(
                    .notTrusted,
                    "The hub at \(hub.server) is not the one that is trusted: its key's hash is \(shown), and \(pin) is expected. "
                        + "Ask the operator whether the key was replaced; do not accept the new one otherwise.")
            }
            if let known = errors.lazy.compactMap({ $0 as? ExchangeError }).first { return known }
            if let failure = errors.first(where: { ($0 as? NIOSSLExtraError) == .failedToValidateHostname }) {
                return await ofCertificate(failure)
            }
            if let failure = errors.lazy.compactMap({ $0 as? NIOSSLError }).first {
                return await ofTLS(failure, errors)
            }
            if !attempt.hasResolved {
                return ExchangeError(
                    .noSuchHost, "The host '\(hub.host)' is not known, or names cannot be looked up now.", cause: error)
            }
            return ofTCP(errors)
                ?? ExchangeError(.cut, "The connection to the hub at \(hub.server) was lost.", cause: error)
        }

        private func ofTCP(_ errors: [any Error]) -> ExchangeError? {
            for error in errors {
                if let error = error as? IOError {
                    return switch error.errnoCode {
                    case ECONNREFUSED:
                        ExchangeError(.notReachable, "Nothing listens at \(hub.server): the connection was refused.")
                    case ETIMEDOUT: timedOut
                    case ECONNRESET, EPIPE:
                        ExchangeError(.cut, "The connection to the hub at \(hub.server) was reset.", cause: error)
                    default: ExchangeError(.notReachable, "The hub at \(hub.server) cannot be reached.", cause: error)
                    }
                }
                if let error = error as? ChannelError, case .connectTimeout = error { return timedOut }
            }
            return nil
        }

        private var timedOut: ExchangeError {
            ExchangeError(.timedOut, "The hub at \(hub.server) did not answer in time.")
        }

        private func ofTLS(_ failure: NIOSSLError, _ errors: [any Error]) async -> ExchangeError {
            let text = "\(failure)"
            if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") {
                return ExchangeError(.notAHub, "The server at \(hub.server) speaks no TLS.", cause: failure)
            }
            if text.contains("PROTOCOL_VERSION") || text.contains("UNSUPPORTED_PROTOCOL") {
                return ExchangeError(.notAHub, "The server at \(hub.server) does not speak TLS 1.3.", cause: failure)
            }
            guard text.contains("CERTIFICATE_VERIFY_FAILED") || text.contains("unableToValidateCertificate") else {
                return ofTCP(errors)
                    ?? ExchangeError(.notAHub, "TLS with the server at \(hub.server) failed.", cause: failure)
            }
            return await ofCertificate(failure)
        }

        /// TLS tells that a certificate is not trusted, and not why: the certificate is asked for once more, and
        /// looked at.
        private func ofCertificate(_ failure: any Error) async -> ExchangeError {
            guard let shown = try? await ShownCertificate.fetch(from: hub, limits) else {
                return ExchangeError(
                    .notTrusted, "The certificate of the server at \(hub.server) is not trusted.", cause: failure)
            }
            if let dates = shown.datesWrong(at: Date()) {
                return ExchangeError(
                    .certificateExpired,
                    "The certificate of the hub at \(hub.server) \(dates). Its operator has to renew it, or this machine's clock "
                        + "is wrong. What was written here stays and is exchanged then.")
            }
            let pin = "Its key's hash is \(shown.pin); if the operator names the same, trust that."
            guard shown.names(hub.host) else {
                return ExchangeError(
                    .notTrusted,
                    "The certificate of the server at \(hub.server) is not for '\(hub.host)': it names "
                        + "\(shown.allNames.isEmpty ? "nothing" : shown.allNames.joined(separator: ", ")). \(pin)")
            }
            return ExchangeError(
                .notTrusted,
                "The certificate of the server at \(hub.server) leads to no root that is trusted here. \(pin)")
        }

        /// The error and those that it wraps, outermost first.
        private static func causes(of error: any Error) -> [any Error] {
            var found: [any Error] = []
            var next: (any Error)? = error
            while let error = next, found.count < 16 {
                found.append(error)
                switch error {
                case let error as RPCError: next = error.cause
                case let error as RuntimeError: next = error.cause
                case let error as NIOConnectionError:
                    found += error.connectionErrors.map(\.error)
                    next = nil
                default: next = nil
                }
            }
            return found
        }
    }
#endif
