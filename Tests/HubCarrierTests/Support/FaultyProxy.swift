#if Hub
    import NIOCore
    import NIOPosix
    import Synchronization
    import TestSupport

    /// Passes bytes between clients and a hub, and cuts connections, or lets them die silently.
    struct FaultyProxy {
        enum Fault: Sendable {
            case none
            /// A connection is closed after a number of bytes, drawn up to a bound, in both directions together.
            case cut(within: Int)
            /// After as many its bytes vanish, and nobody is told.
            case silence(within: Int)
        }

        private let listener: any Channel
        private let faults: ProxyFaults

        var port: Int { listener.localAddress?.port ?? 0 }
        /// How many connections were cut or died.
        var count: Int { faults.count }

        init(to port: Int, _ fault: Fault, seed: UInt64) async throws {
            let faults = ProxyFaults(fault, seed: seed)
            self.faults = faults
            listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .childChannelOption(.autoRead, value: false)
                .childChannelInitializer { client in
                    let budget = faults.draw()
                    return ClientBootstrap(group: client.eventLoop)
                        .channelInitializer { hub in
                            hub.eventLoop.makeCompletedFuture {
                                try hub.pipeline.syncOperations.addHandler(Passing(to: client, budget))
                            }
                        }
                        .connect(host: "127.0.0.1", port: port)
                        .flatMap { hub in
                            client.eventLoop.makeCompletedFuture {
                                try client.pipeline.syncOperations.addHandler(Passing(to: hub, budget))
                            }
                        }
                        .flatMap { client.setOption(.autoRead, value: true) }
                }
                .bind(host: "127.0.0.1", port: 0).get()
        }

        /// What happens to connections from now on; those that are silent are closed.
        func set(_ fault: Fault) { faults.set(fault) }

        func end() async throws { try await listener.close() }
    }

    private final class ProxyFaults: Sendable {
        private struct State {
            var fault: FaultyProxy.Fault
            var random: SeededGenerator
            var count = 0
            var silent: [any Channel] = []
        }

        private let state: Mutex<State>

        init(_ fault: FaultyProxy.Fault, seed: UInt64) {
            state = Mutex(State(fault: fault, random: SeededGenerator(seed: seed)))
        }

        var count: Int { state.withLock { $0.count } }

        func set(_ fault: FaultyProxy.Fault) {
            let silent = state.withLock { state in
                state.fault = fault
                defer { state.silent = [] }
                return state.silent
            }
            for channel in silent { channel.close(promise: nil) }
        }

        func draw() -> Budget {
            state.withLock { state in
                switch state.fault {
                case .none: Budget(.max, isSilent: false, self)
                case .cut(let bound): Budget(.random(in: 0..<bound, using: &state.random), isSilent: false, self)
                case .silence(let bound): Budget(.random(in: 0..<bound, using: &state.random), isSilent: true, self)
                }
            }
        }

        func occurred(_ silent: [any Channel]) {
            state.withLock { state in
                state.count += 1
                state.silent += silent
            }
        }
    }

    /// The bytes that a connection may still pass.
    private final class Budget: Sendable {
        private let left: Mutex<Int>
        private let isSilent: Bool
        private let faults: ProxyFaults

        init(_ bytes: Int, isSilent: Bool, _ faults: ProxyFaults) {
            left = Mutex(bytes)
            self.isSilent = isSilent
            self.faults = faults
        }

        /// How many of the bytes pass.
        func take(_ bytes: Int, _ ends: [any Channel]) -> Int {
            let (passed, ended) = left.withLock { left -> (Int, Bool) in
                guard left > 0 else { return (0, false) }
                let passed = min(left, bytes)
                left -= passed
                return (passed, left == 0)
            }
            if ended {
                faults.occurred(isSilent ? ends : [])
                if !isSilent { for end in ends { end.close(promise: nil) } }
            }
            return passed
        }
    }

    private final class Passing: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let other: any Channel
        private let budget: Budget

        init(to other: any Channel, _ budget: Budget) {
            self.other = other
            self.budget = budget
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            let passed = budget.take(bytes.readableBytes, [context.channel, other])
            guard passed > 0, let part = bytes.readSlice(length: passed) else { return }
            other.writeAndFlush(part, promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            other.close(promise: nil)
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
#endif
