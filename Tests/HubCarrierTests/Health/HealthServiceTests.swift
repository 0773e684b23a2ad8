#if Hub
    import Foundation
    import GRPCCore
    import GRPCNIOTransportHTTP2Posix
    import LogExchange
    import StoreSupport
    import SwiftProtobuf
    import TestSupport
    import Testing

    @testable import HubCarrier

    private typealias Request = Grpc_Health_V1_HealthCheckRequest
    private typealias Response = Grpc_Health_V1_HealthCheckResponse

    @Suite("The health service of a hub", .timeLimit(.minutes(10)))
    struct HealthServiceTests {
        /// What a client hears of a call: statuses, then the error's code unless it ended in order.
        private static func call(
            _ method: String, _ service: String = "", at hub: TestHub,
            heard: @escaping @Sendable (String) async -> Void = { _ in }
        ) async throws -> [String] {
            let transport = try HTTP2ClientTransport.Posix(
                target: .ipv4(address: "127.0.0.1", port: hub.listener.port),
                transportSecurity: .tls { $0.serverCertificateVerification = .noVerification })
            return try await withGRPCClient(transport: transport) { client in
                let request = ClientRequest(message: Request.with { $0.service = service })
                return try await client.serverStreaming(
                    request: request,
                    descriptor: MethodDescriptor(fullyQualifiedService: "grpc.health.v1.Health", method: method),
                    serializer: MessageBytes<Request>(), deserializer: MessageBytes<Response>(), options: .defaults
                ) { response in
                    var statuses: [String] = []
                    do {
                        for try await message in response.messages {
                            statuses.append("\(message.status)")
                            await heard("\(message.status)")
                        }
                    } catch let error as RPCError {
                        statuses.append("\(error.code)")
                    }
                    return statuses
                }
            }
        }

        private func hub(_ health: HubHealth) async throws -> TestHub {
            try await TestHub(admitsAll: true, health: health)
        }

        @Test(
            "Check reports the server's status and the services', and NOT_FOUND for others",
            arguments: ["", "tripstore.hub.Hub", "grpc.health.v1.Health"])
        func check(service: String) async throws {
            let health = HubHealth()
            let hub = try await hub(health)
            #expect(try await Self.call("Check", service, at: hub) == ["serving"])
            #expect(try await Self.call("Check", "none", at: hub) == ["notFound"])
            #expect(try await Self.call("Other", at: hub) == ["unimplemented"])
            health.set("The disk is full.", of: "storage")
            #expect(try await Self.call("Check", service, at: hub) == ["notServing"])
            // Sessions go on beside it.
            let port = try await hub.connect()
            try await port.send([1])
            #expect(try await port.receive() == [1])
            port.close()
            await hub.listener.shutDown()
        }

        @Test("Watch reports each change, and ends when the hub shuts down")
        func watch() async throws {
            let health = HubHealth()
            let hub = try await hub(health)
            let (heard, hears) = AsyncStream.makeStream(of: String.self)
            async let statuses = Self.call("Watch", at: hub) { hears.yield($0) }
            var each = heard.makeAsyncIterator()
            #expect(await each.next() == "serving")
            health.set("The disk is full.", of: "storage")
            #expect(await each.next() == "notServing")
            health.set(nil, of: "storage")
            #expect(await each.next() == "serving")
            await hub.listener.shutDown()
            #expect(try await statuses == ["serving", "notServing", "serving", "notServing", "unavailable"])
            #expect(health.watchers == 0)
        }

        @Test("Watch says that a service is unknown, and a client that leaves is watched no more")
        func leaving() async throws {
            let health = HubHealth()
            let hub = try await hub(health)
            let (heard, hears) = AsyncStream.makeStream(of: String.self)
            let call = Task { try await Self.call("Watch", "none", at: hub) { hears.yield($0) } }
            for await status in heard {
                #expect(status == "serviceUnknown")
                break
            }
            #expect(health.watchers == 1)
            call.cancel()
            _ = await call.result
            try await eventually { health.watchers == 0 }
            await hub.listener.shutDown()
        }

        @Test("A hub without health has no such service")
        func none() async throws {
            let hub = try await TestHub()
            #expect(try await Self.call("Check", at: hub) == ["unimplemented"])
            await hub.listener.shutDown()
        }

        @Test(
            "A client of another maker understands it",
            .enabled(
                if: Program.succeeds("python3", "-c", "import grpc_health.v1.health_pb2_grpc"),
                "python3 with the package grpcio-health-checking is not here (pip install grpcio-health-checking)"))
        func python() async throws {
            let health = HubHealth()
            let made = try SelfSignedCertificate(for: ["localhost", "127.0.0.1"])
            let place = TemporaryFolder()
            try FileManager.default.createDirectory(at: place.url, withIntermediateDirectories: true)
            try Data(made.certificate.utf8).write(to: place.url.appendingPathComponent("hub.pem"))
            let hub = try await TestHub(
                try HubCertificate(certificates: made.certificate, key: made.key), health: health)
            @Sendable func ask(_ words: String...) async throws -> [Substring] {
                let script = SourceFile.path("Tests/HubCarrierTests/Python/ask_health.py")
                let arguments = ["-B", script, "\(hub.listener.port)", place.path("hub.pem")] + words
                let output: Program.Output? = try await withCheckedThrowingContinuation { continuation in
                    Thread.detachNewThread {
                        continuation.resume(with: Result { try Program.run("python3", arguments) })
                    }
                }
                return try #require(output).text.split(separator: "\n")
            }
            #expect(try await ask("check") == ["SERVING"])
            #expect(try await ask("check", "none") == ["NOT_FOUND"])
            async let watched = ask("watch", "tripstore.hub.Hub")
            try await eventually { health.watchers == 1 }
            health.set("The disk is full.", of: "storage")
            #expect(try await ask("check") == ["NOT_SERVING"])
            await hub.listener.shutDown()
            let statuses = try await watched
            #expect(statuses.first == "SERVING" && statuses.suffix(2) == ["NOT_SERVING", "UNAVAILABLE"])
        }
    }

    private struct MessageBytes<Message: SwiftProtobuf.Message>: MessageSerializer, MessageDeserializer {
        func serialize<Bytes: GRPCContiguousBytes>(_ message: Message) throws -> Bytes {
            let bytes: [UInt8] = try message.serializedBytes()
            return Bytes(bytes)
        }

        func deserialize<Bytes: GRPCContiguousBytes>(_ serializedMessageBytes: Bytes) throws -> Message {
            try serializedMessageBytes.withUnsafeBytes { try Message(serializedBytes: Array($0)) }
        }
    }
#endif
