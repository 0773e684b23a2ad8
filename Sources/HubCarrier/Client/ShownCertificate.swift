#if Hub
    import Events
    import Foundation
    import LogExchange
    internal import NIOCore
    internal import NIOPosix
    internal import NIOSSL
    internal import NIOTLS
    internal import SwiftASN1
    internal import X509

    /// A server's certificate as it is, trusted or not: for saying what is wrong with it.
    struct ShownCertificate {
        let pin: Digest
        let allNames: [String]
        private let start: Date
        private let end: Date

        init(_ certificate: NIOSSLCertificate) throws {
            let parsed = try Certificate(derEncoded: certificate.toDERBytes())
            pin = try certificate.spkiDigest()
            start = parsed.notValidBefore
            end = parsed.notValidAfter
            allNames = (try parsed.extensions.subjectAlternativeNames ?? SubjectAlternativeNames([])).compactMap {
                name in
                switch name {
                case .dnsName(let name): name
                case .ipAddress(let address): Self.text(of: Array(address.bytes))
                default: nil
                }
            }
        }

        /// Why the certificate is not valid at this time; nil if it is.
        func datesWrong(at time: Date) -> String? {
            if time > end { return "expired on \(end.formatted(.iso8601))" }
            if time < start { return "is valid from \(start.formatted(.iso8601)) on only" }
            return nil
        }

        /// Whether it is for the host, or for all names of its domain.
        func names(_ host: String) -> Bool {
            if let address = HostAddress(host) { return allNames.contains { HostAddress($0)?.bytes == address.bytes } }
            let host = host.lowercased()
            return allNames.contains { name in
                let name = name.lowercased()
                if name == host { return true }
                return name.hasPrefix("*.") && host.drop { $0 != "." } == name.dropFirst()
            }
        }

        /// Shakes hands with the server, and leaves.
        static func fetch(from hub: HubAddress, _ limits: HubLimits) async throws -> ShownCertificate {
            let security = try ClientSecurity(HubTrust(kind: .none), host: hub.host)
            let shown = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connectTimeout(TimeAmount(limits.connecting))
                .connect(host: hub.host, port: hub.port) { channel in
                    let certificate = channel.eventLoop.makePromise(of: NIOSSLCertificate.self)
                    return security.secure(channel, ConnectionAttempt(), limits).flatMapThrowing {
                        try channel.pipeline.syncOperations.addHandler(CertificateHandler(certificate))
                        return (channel, certificate.futureResult)
                    }
                }
            defer { shown.0.close(promise: nil) }
            return try ShownCertificate(try await shown.1.get())
        }

        private static func text(of address: [UInt8]) -> String? {
            try? NIOCore.SocketAddress(packedIPAddress: ByteBuffer(bytes: address), port: 0).ipAddress
        }
    }

    /// Passes on the certificate of a finished handshake.
    private final class CertificateHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let certificate: EventLoopPromise<NIOSSLCertificate>

        init(_ certificate: EventLoopPromise<NIOSSLCertificate>) { self.certificate = certificate }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard case TLSUserEvent.handshakeCompleted = event else { return }
            if let shown = try? context.pipeline.syncOperations.nioSSL_peerCertificate() {
                certificate.succeed(shown)
            } else {
                context.close(promise: nil)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        func handlerRemoved(context: ChannelHandlerContext) {
            certificate.fail(ExchangeError(.cut, "The server has shown no certificate."))
        }
    }
#endif
