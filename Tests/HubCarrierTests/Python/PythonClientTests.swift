#if Hub
    import EventLog
    import Events
    import Foundation
    import HubCarrier
    import LogExchange
    import StoreSupport
    import TestSupport
    import Testing
    import TripStore
    import TripStoreTestSupport
    import TripStoreTransports

    /// A client in Python with grpcio, written from the descriptions of the formats alone.
    @Suite(
        "A client written from the documents alone",
        .enabled(
            if: Program.succeeds(
                "python3", "-c", "import grpc, lmdb, cryptography.hazmat.primitives.asymmetric.ed25519"),
            "python3 with the packages grpcio, lmdb and cryptography is not here (pip install grpcio lmdb cryptography)"
        ),
        .timeLimit(.minutes(3)))
    struct PythonClientTests {
        /// Runs the client; its lines by their first word, the last of each.
        private static func run(_ arguments: [String]) async throws -> (code: Int32, lines: [String: String]) {
            let script = SourceFile.path("Tests/HubCarrierTests/Python/hub_client.py")
            let output: Program.Output? = try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(with: Result { try Program.run("python3", ["-B", script] + arguments) })
                }
            }
            let found = try #require(output)
            try #require(found.complaint == "", "\(found.complaint)")
            var lines: [String: String] = [:]
            for line in found.text.split(separator: "\n") {
                let words = line.split(separator: " ", maxSplits: 1).map(String.init)
                lines[words[0]] = words.last
            }
            return (found.code, lines)
        }

        private static func names(_ store: TripStore) throws -> [String] {
            try store.trips(.undated, limit: 100).rows.map(\.trip.name).sorted()
        }

        private func serve(_ store: TripStore) async throws -> TestHub {
            let server = store.sessionServer(limits: SessionLimits(greeting: .seconds(120), refusal: .zero))
            return try await TestHub { await server.serve($0) }
        }

        private static func code(_ store: TripStore, _ hub: TestHub, pin: Digest? = nil) async throws -> InvitationCode
        {
            try await store.invite(.write).naming(
                ServerLocation(
                    host: "127.0.0.1", port: UInt16(hub.listener.port), pin: pin ?? hub.listener.pin))
        }

        @Test("It joins with an invitation, reads and verifies, pushes a commit of its own, and hears of later ones")
        func joins() async throws {
            let clock = ManualClock(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
            let store = try await TripStore.founded(clock: clock)
            // A frame large enough to be packed.
            for number in 0..<30 { try await store.create(Trip(name: "Trip \(number)", notes: "By train")) }
            let hub = try await serve(store)
            let code = try await Self.code(store, hub)
            async let client = Self.run(["\(code)", "--trip", "Porto", "--await", "Faro"])
            try await eventually {
                try await store.catchUp()
                return try Self.names(store).contains("Porto")
            }
            try await store.create(Trip(name: "Faro"))
            let (exit, lines) = try await client
            #expect(exit == 0, "\(lines)")
            let expected = try Self.names(store).map { "'\($0)'" }.joined(separator: ", ")
            #expect(lines["trips"] == "[\(expected)]")
            let digest = try await store.frontier().digest
            #expect(lines["holds"] == "\(try store.status().position) commits \(digest)")
            #expect(["1", "2"].contains(lines["packed"]))
            let replica = try #require(lines["replica"].flatMap { ReplicaID($0) })
            #expect(try store.members().rows.first { $0.member.replica == replica }?.member.role == .write)
            await hub.listener.shutDown()
            try await store.expectInvariants()
        }

        enum Mistake: String, CaseIterable, Sendable { case withdrawn, otherJournal, otherPin }

        @Test(
            "It is refused without an invitation that holds, and refuses a server that is another one",
            arguments: Mistake.allCases)
        func refused(mistake: Mistake) async throws {
            let clock = ManualClock(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
            let store = try await TripStore.founded(clock: clock)
            let hub = try await serve(store)
            var code = try await Self.code(store, hub)
            switch mistake {
            case .withdrawn: try await store.withdraw(code.key)
            case .otherJournal: code = try await Self.code(TripStore.founded(clock: clock), hub)
            case .otherPin: code = try await Self.code(store, hub, pin: MemoryNetwork.certificate(9))
            }
            let before = try store.status().position
            let (exit, lines) = try await Self.run(["\(code)"])
            #expect(exit == 1)
            let expected = mistake == .otherPin ? "another certificate" : "notAuthorized"
            #expect(lines["not"]?.contains(expected) == true, "\(lines)")
            #expect(try store.status().position == before)
            await hub.listener.shutDown()
            try await store.expectInvariants()
        }
    }
#endif
