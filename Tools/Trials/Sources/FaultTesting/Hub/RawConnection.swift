import NIOCore
import NIOPosix
import NIOSSL

/// Connections to a hub below gRPC, which say what the trial wants, or nothing.
enum RawConnection {
    /// A connection of TCP, with TLS if it is to shake hands. Written bytes wait for the end of the handshake.
    static func open(to port: Int, shakingHands: Bool) async throws -> any Channel {
        try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard shakingHands else { return }
                    var tls = TLSConfiguration.makeClientConfiguration()
                    tls.certificateVerification = .none
                    tls.applicationProtocols = ["h2"]
                    try channel.pipeline.syncOperations.addHandlers([
                        NIOSSLClientHandler(context: NIOSSLContext(configuration: tls), serverHostname: nil),
                        ClosingOnError(),
                    ])
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
    }

    /// The bytes of HTTP/2 that open a hub's stream and begin a frame of 200 bytes of which 20 follow.
    static func halfFrame() -> ByteBuffer {
        var buffer = ByteBuffer(string: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        buffer.writeFrame(type: 4, flags: 0, stream: 0, [])
        let headers = [
            (":method", "POST"), (":scheme", "https"), (":path", "/tripstore.hub.Hub/Sync"),
            (":authority", "localhost"), ("content-type", "application/grpc"), ("te", "trailers"),
        ]
        // HPACK's literals without indexing: each length is below 127, and so a byte.
        var fields: [UInt8] = []
        for (name, value) in headers {
            fields += [0, UInt8(name.utf8.count)] + Array(name.utf8)
            fields += [UInt8(value.utf8.count)] + Array(value.utf8)
        }
        let endHeaders: UInt8 = 4
        buffer.writeFrame(type: 1, flags: endHeaders, stream: 1, fields)
        buffer.writeFrame(type: 0, flags: 0, stream: 1, [0, 0, 0, 0, 200] + [UInt8](repeating: 10, count: 20))
        return buffer
    }
}

extension ByteBuffer {
    fileprivate mutating func writeFrame(type: UInt8, flags: UInt8, stream: UInt32, _ payload: [UInt8]) {
        writeInteger(UInt8(0))
        writeInteger(UInt16(payload.count))
        writeBytes([type, flags])
        writeInteger(stream)
        writeBytes(payload)
    }
}

private final class ClosingOnError: ChannelInboundHandler {
    typealias InboundIn = Any

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
