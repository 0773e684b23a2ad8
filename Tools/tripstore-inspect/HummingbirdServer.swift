#if Inspector
    import HTTPTypes
    import Hummingbird
    import HummingbirdCore
    import Logging
    import NIOCore
    import Synchronization
    import TripStoreCommands

    /// Serves by Hummingbird, over HTTP/1.1 without encryption: on loopback, or behind a server that encrypts.
    struct HummingbirdServer: WebServer {
        private static let mostBody = 64 << 10
        /// A connection on which no request is answered is closed after it, so that clients that vanished hold no descriptors.
        private static let mostRest = TimeAmount.seconds(60)

        func serve(
            host: String, port: Int, idle: Duration?, listening: @escaping @Sendable (Int) async -> Void,
            _ answer: @escaping @Sendable (WebRequest) async -> WebAnswer
        ) async throws {
            let rest = Rest()
            let responder = CallbackResponder<BasicRequestContext> { request, _ in
                let given = try await Self.given(request, answer)
                // Another user of the machine, who is refused, must not keep it from its rest.
                if given.status != 403 { rest.end() }
                var response = Self.response(to: given)
                if request.method == .get { response.headers[.connection] = "close" }
                return request.method == .head ? response.createHeadResponse() : response
            }
            let application = Application(
                responder: responder,
                server: .http1(configuration: HTTP1Channel.Configuration(idleTimeout: Self.mostRest)),
                configuration: ApplicationConfiguration(address: .hostname(host, port: port), serverName: nil),
                onServerRunning: { await listening($0.localAddress?.port ?? port) },
                logger: Logger(label: "tripstore", factory: { _ in SwiftLogNoOpLogHandler() }))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    do { try await application.run() } catch let error as IOError {
                        throw CommandError(
                            "\(host):\(port) cannot be listened on: \(error.description). Choose another port, or 0 for a free one.",
                            code: "unusableAddress")
                    }
                }
                group.addTask { await Console.current.ended() }
                if let idle { group.addTask { try await rest.wait(for: idle) } }
                try await group.next()
                group.cancelAll()
            }
        }

        /// A page asks anew with each letter that is typed, and drops what it asked before: work on a question that only reads ends with
        /// its connection, which for that is used for no other.
        private static func given(
            _ request: Request, _ answer: @escaping @Sendable (WebRequest) async -> WebAnswer
        ) async throws -> WebAnswer {
            guard request.method == .get else {
                return await read(request).asyncMap(answer) ?? WebAnswer(status: 413)
            }
            return try await request.body.consumeWithCancellationOnInboundClose { _ in
                await answer(asked(request, body: []))
            }
        }

        /// Nil if the body is larger than is taken.
        private static func read(_ request: Request) async -> WebRequest? {
            var request = request
            guard let body = try? await request.collectBody(upTo: mostBody) else { return nil }
            return asked(request, body: Array(buffer: body))
        }

        private static func asked(_ request: Request, body: [UInt8]) -> WebRequest {
            var headers = request.headers.map { (name: $0.name.canonicalName, value: $0.value) }
            if let host = request.head.authority { headers.append(("host", host)) }
            return WebRequest(
                method: request.method.rawValue, target: request.head.path ?? "/", headers: headers, body: body)
        }

        private static func response(to answer: WebAnswer) -> Response {
            var headers = HTTPFields()
            for (name, value) in answer.headers {
                if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
            }
            let body: ResponseBody =
                switch answer.body {
                case .bytes(let bytes):
                    ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
                case .stream(let pieces):
                    ResponseBody { writer in
                        for await piece in pieces { try await writer.write(ByteBuffer(bytes: piece)) }
                        try await writer.finish(nil)
                    }
                }
            return Response(status: .init(code: answer.status), headers: headers, body: body)
        }
    }

    /// How long nothing was asked. A page that is open and shows new commits asks when some come.
    private final class Rest: Sendable {
        private let last = Mutex(ContinuousClock.now)

        func end() { last.withLock { $0 = .now } }

        /// Returns once nothing was asked for that time.
        func wait(for idle: Duration) async throws {
            while true {
                let left = idle - (ContinuousClock.now - last.withLock(\.self))
                guard left > .zero else { return }
                try await Task.sleep(for: left)
            }
        }
    }

    extension Optional {
        fileprivate func asyncMap<Value>(_ transform: (Wrapped) async -> Value) async -> Value? {
            guard let self else { return nil }
            return await transform(self)
        }
    }
#endif
