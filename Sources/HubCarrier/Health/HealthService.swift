#if Hub
    internal import GRPCCore
    internal import GRPCNIOTransportCore
    internal import NIOCore
    internal import SwiftProtobuf

    /// `grpc.health.v1.Health` over a stream of the hub's transport: see `health.proto`.
    ///
    /// Anybody may ask; the answer holds nothing but the status.
    struct HealthService: Sendable {
        static let name = "grpc.health.v1.Health"
        /// The services that can be asked for: the whole server, the hub, and this one.
        private static let known: Set<String> = ["", HubMethod.descriptor.service.fullyQualifiedService, name]
        /// The most calls of Watch at a time, and the most bytes of a request.
        private static let (mostWatchers, largestRequest) = (256, 1024)

        private typealias Request = Grpc_Health_V1_HealthCheckRequest
        private typealias Response = Grpc_Health_V1_HealthCheckResponse

        let health: HubHealth

        static func handles(_ method: MethodDescriptor) -> Bool { method.service.fullyQualifiedService == name }

        /// Answers a call, and ends it. The metadata was read already.
        func serve(
            _ method: MethodDescriptor, _ inbound: inout ServerStream.Inbound.AsyncIterator,
            _ outbound: ServerStream.Outbound,
            over stream: any Channel
        ) async {
            let status: Status
            do {
                status = try await respond(to: method, &inbound, outbound, stream)
            } catch {
                // The client is gone.
                return await outbound.finish()
            }
            try? await outbound.write(.status(status, [:]))
            await outbound.finish()
        }

        private func respond(
            to method: MethodDescriptor, _ inbound: inout ServerStream.Inbound.AsyncIterator,
            _ outbound: ServerStream.Outbound,
            _ stream: any Channel
        ) async throws -> Status {
            guard ["Check", "Watch"].contains(method.method) else {
                return Status(code: .unimplemented, message: "The health service has Check and Watch.")
            }
            guard case .message(let bytes)? = try await inbound.next() else {
                return Status(code: .invalidArgument, message: "A request has one message.")
            }
            let request = bytes.withUnsafeBytes { bytes in
                bytes.count <= Self.largestRequest ? try? Request(serializedBytes: Array(bytes)) : nil
            }
            guard let request else {
                return Status(code: .invalidArgument, message: "The message is no HealthCheckRequest.")
            }
            let isKnown = Self.known.contains(request.service)
            if method.method == "Check" {
                guard isKnown else {
                    return Status(code: .notFound, message: "The server has no such service.")
                }
                try await outbound.write(.metadata([:]))
                try await Self.send(health.isServing ? .serving : .notServing, outbound)
                return Status(code: .ok, message: "")
            }
            guard let watch = health.watch(atMost: Self.mostWatchers) else {
                return Status(code: .resourceExhausted, message: "As many watch as may. Use Check.")
            }
            try await outbound.write(.metadata([:]))
            // The client ends the call by a reset, which nothing else tells.
            stream.closeFuture.whenComplete { _ in watch.end() }
            if !isKnown { try await Self.send(.serviceUnknown, outbound) }
            for await isServing in watch.changes where isKnown {
                try await Self.send(isServing ? .serving : .notServing, outbound)
            }
            return Status(code: .unavailable, message: "The hub shuts down.")
        }

        private static func send(_ status: Response.ServingStatus, _ outbound: ServerStream.Outbound) async throws {
            let response = Response.with { $0.status = status }
            let bytes: [UInt8] = try response.serializedBytes()
            try await outbound.write(.message(GRPCNIOTransportBytes(bytes)))
        }
    }
#endif
