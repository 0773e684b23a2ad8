#if Hub
    import Events
    import LogExchange
    internal import NIOCore
    internal import NIOSSL

    /// TLS of a client: version 1.3 and the trust that was asked for.
    struct ClientSecurity: Sendable {
        private let context: NIOSSLContext
        private let trust: HubTrust
        private let serverName: String?

        init(_ trust: HubTrust, host: String) throws(ExchangeError) {
            do {
                var configuration = TLSConfiguration.makeClientConfiguration()
                configuration.minimumTLSVersion = .tlsv13
                configuration.applicationProtocols = ["h2"]
                configuration.shutdownTimeout = .seconds(2)
                switch trust.kind {
                case .roots: break
                case .authorities(let certificates):
                    configuration.trustRoots = .certificates(
                        try NIOSSLCertificate.fromPEMBytes(Array(certificates.utf8)))
                // A pin's own verification stands in for that of chain and name.
                case .pin: configuration.certificateVerification = .noHostnameVerification
                case .none: configuration.certificateVerification = .none
                }
                context = try NIOSSLContext(configuration: configuration)
            } catch {
                throw ExchangeError(.unusableCertificate, "The roots to trust cannot be used.", cause: error)
            }
            self.trust = trust
            // An IP address is none of SNI's names; certificates are then compared with the address itself.
            serverName = HostAddress(host) == nil ? host : nil
        }

        /// Adds TLS, and what watches it, before all handlers of the connection.
        func secure(_ channel: any Channel, _ attempt: ConnectionAttempt, _ limits: HubLimits) -> EventLoopFuture<Void>
        {
            channel.eventLoop.makeCompletedFuture {
                let tls: NIOSSLClientHandler
                if case .pin(let pin) = trust.kind {
                    tls = try NIOSSLClientHandler(context: context, serverHostname: serverName) {
                        certificates, result in
                        attempt.verify(certificates, pin: pin, result)
                    }
                } else {
                    tls = try NIOSSLClientHandler(context: context, serverHostname: serverName)
                }
                let watch = ConnectionWatch(limits, certificate: nil) { attempt.failed($0) }
                try channel.pipeline.syncOperations.addHandlers([tls, watch], position: .first)
            }
        }
    }
#endif
