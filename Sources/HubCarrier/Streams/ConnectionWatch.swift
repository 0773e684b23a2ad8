#if Hub
    internal import LogExchange
    internal import NIOCore
    internal import NIOSSL
    internal import NIOTLS

    import struct Events.Digest

    /// Closes a connection whose handshake takes too long, that has no session, or whose other end is silent, and
    /// remembers the certificate that the server has shown. At a server it takes the connection's place, or closes it.
    ///
    /// It stands behind TLS's handler, where decrypted bytes arrive, and passes each read on as a buffer of its own, no larger than its bytes:
    /// TLS's handler would make a new one of 32 KiB for each that HTTP/2's keeps a few bytes of.
    ///
    /// While a stream of a server's connection waits for room, nothing more of the connection is passed on, and little is read: HTTP/2's handler
    /// would keep each frame of a few bytes in a buffer as large as the largest read, thousands of them for one stream.
    ///
    /// Writes go on in pieces: TLS's handler keeps a buffer as large as the most that was ever written at once.
    final class ConnectionWatch: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        typealias OutboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        /// So many bytes are read while a stream waits for room.
        private static let mostKept = 16 << 10

        /// So many bytes are written before TLS's handler encrypts and sends them.
        private static let mostWritten = 8 << 10

        /// Of a server the own one; of a client the one that was shown, once the handshake is done.
        private(set) var certificate: Digest?

        private let limits: HubLimits
        /// The places of a server's connections, which closes those without sessions; nil at a client.
        private let places: ConnectionPlaces?
        private(set) var place: ConnectionPlace?
        private let onError: @Sendable (any Error) -> Void

        private var isShaken = false
        private var since = NIODeadline.now()
        private var lastRead = NIODeadline.now()
        private var streams = 0
        private var check: ScheduledCheck?
        /// The streams that wait for room, what was read meanwhile, and whether more is to be read then.
        private var paused = 0
        private var kept = ByteBuffer()
        private var isReadWanted = false
        /// The bytes that were written and not sent on.
        private var written = 0

        private struct ScheduledCheck {
            let task: Scheduled<Void>
            let at: NIODeadline
        }

        init(
            _ limits: HubLimits, certificate: Digest?, places: ConnectionPlaces? = nil,
            onError: @escaping @Sendable (any Error) -> Void
        ) {
            self.limits = limits
            self.certificate = certificate
            self.places = places
            self.onError = onError
        }

        /// A stream of the connection was opened. On the connection's event loop.
        func opened(_ stream: any Channel, context: ChannelHandlerContext) {
            streams += 1
            stream.closeFuture.assumeIsolated().whenComplete { _ in
                self.streams -= 1
                // Until a session is admitted the clock goes on, whatever else was asked for.
                if self.place?.hasSession ?? true { self.since = .now() }
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
            place?.leave()
            context.fireChannelInactive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            lastRead = .now()
            var bytes = unwrapInboundIn(data)
            guard paused > 0 else { return pass(bytes, context) }
            kept.writeBuffer(&bytes)
        }

        func read(context: ChannelHandlerContext) {
            guard paused > 0, kept.readableBytes >= Self.mostKept else { return context.read() }
            isReadWanted = true
        }

        private func pass(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
            var own = context.channel.allocator.buffer(capacity: bytes.readableBytes)
            own.writeImmutableBuffer(bytes)
            context.fireChannelRead(wrapInboundOut(own))
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            written += unwrapOutboundIn(data).readableBytes
            context.write(data, promise: promise)
            if written >= Self.mostWritten { flush(context: context) }
        }

        func flush(context: ChannelHandlerContext) {
            written = 0
            context.flush()
        }

        /// A stream waits for room. On the connection's event loop, as `resume`.
        func pause() { if places != nil { paused += 1 } }

        /// A stream goes on.
        func resume(_ context: ChannelHandlerContext) {
            guard places != nil else { return }
            paused -= 1
            guard paused == 0, context.channel.isActive else { return }
            if kept.readableBytes > 0 {
                let bytes = kept
                kept = ByteBuffer()
                pass(bytes, context)
                context.fireChannelReadComplete()
            }
            // Bytes that were passed on may have paused a stream again.
            guard isReadWanted, paused == 0 else { return }
            isReadWanted = false
            context.read()
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
            if let places, place == nil {
                let channel = context.channel
                place = places.enter(context.remoteAddress) { channel.close(promise: nil) }
                guard place != nil else {
                    onError(ExchangeError(.timedOut, "There are as many connections as allowed."))
                    return context.close(promise: nil)
                }
            }
            scheduleCheck(context)
        }

        private var deadline: NIODeadline {
            guard isShaken else { return since + TimeAmount(limits.handshake) }
            let mayBringParts = place?.hasSession ?? true
            let silent = lastRead + TimeAmount(mayBringParts ? limits.silence + limits.part : limits.silence)
            let isIdle = place.map { streams == 0 || !$0.hasSession } ?? false
            return isIdle ? min(silent, since + TimeAmount(limits.idle)) : silent
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
