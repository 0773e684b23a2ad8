#if Hub
    internal import LogExchange
    internal import NIOCore
    internal import NIOSSL
    internal import NIOTLS

    import struct Events.Digest

    /// Closes a connection whose handshake takes too long, that has no session, or whose other end is silent, and
    /// remembers the certificate that the server has shown.
    ///
    /// It stands behind TLS's handler, where decrypted bytes arrive.
    final class ConnectionWatch: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer

        /// Of a server the own one; of a client the one that was shown, once the handshake is done.
        private(set) var certificate: Digest?

        private let limits: HubLimits
        /// Whether a connection without sessions is closed.
        private let closesIdle: Bool
        private let onError: @Sendable (any Error) -> Void

        private var isShaken = false
        private var since = NIODeadline.now()
        private var lastRead = NIODeadline.now()
        private var streams = 0
        private var check: ScheduledCheck?

        private struct ScheduledCheck {
            let task: Scheduled<Void>
            let at: NIODeadline
        }

        init(
            _ limits: HubLimits, certificate: Digest?, closesIdle: Bool,
            onError: @escaping @Sendable (any Error) -> Void
        ) {
            self.limits = limits
            self.certificate = certificate
            self.closesIdle = closesIdle
            self.onError = onError
        }

        /// A stream of the connection was opened. On the connection's event loop.
        func opened(_ stream: any Channel, context: ChannelHandlerContext) {
            streams += 1
            stream.closeFuture.assumeIsolated().whenComplete { _ in
                self.streams -= 1
                self.since = .now()
                if context.channel.isActive { self.scheduleCheck(context) }
            }
        }

        func handlerAdded(context: ChannelHandlerContext) {
            if context.channel.isActive { begin(context) }
        }

        func channelActive(context: ChannelHandlerContext) {
            begin(context)
            context.fireChannelActive()
        }

        func channelInactive(context: ChannelHandlerContext) {
            check?.task.cancel()
            check = nil
            context.fireChannelInactive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            lastRead = .now()
            context.fireChannelRead(data)
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case TLSUserEvent.handshakeCompleted = event {
                isShaken = true
                (since, lastRead) = (.now(), .now())
                if certificate == nil {
                    certificate = try? context.pipeline.syncOperations.nioSSL_peerCertificate()?.spkiDigest()
                }
                scheduleCheck(context)
            }
            context.fireUserInboundEventTriggered(event)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            onError(error)
            context.fireErrorCaught(error)
        }

        private func begin(_ context: ChannelHandlerContext) {
            (since, lastRead) = (.now(), .now())
            scheduleCheck(context)
        }

        private var deadline: NIODeadline {
            guard isShaken else { return since + TimeAmount(limits.handshake) }
            let silent = lastRead + TimeAmount(limits.silence)
            return closesIdle && streams == 0 ? min(silent, since + TimeAmount(limits.idle)) : silent
        }

        /// A check that is later than the deadline is replaced; one that is earlier finds that there is time left.
        private func scheduleCheck(_ context: ChannelHandlerContext) {
            let at = deadline
            if let check, check.at <= at { return }
            check?.task.cancel()
            let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: at) {
                self.check = nil
                guard NIODeadline.now() >= self.deadline else { return self.scheduleCheck(context) }
                self.onError(ExchangeError(.timedOut, "The other end of the connection is silent."))
                context.close(promise: nil)
            }
            check = ScheduledCheck(task: task, at: at)
        }
    }
#endif
