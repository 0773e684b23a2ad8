#if Hub
    import CoreMetrics
    import EventLog
    import Events
    import Foundation
    import LogExchange
    import Logging
    import ServiceLifecycle
    import StoreSupport
    import Synchronization
    import Testing

    @testable import HubCarrier

    @Suite("The webhook of a hub", .timeLimit(.minutes(1)))
    struct WebhookTests {
        /// A receiver that answers as a test says.
        private final class Receiver: Sendable {
            private struct State {
                var posts: [(id: String, body: String, headers: [(String, String)])] = []
                var answers: [Result<Int, any Error>] = []
            }
            private let state = Mutex(State())
            /// Called with each post, before it is answered.
            let onPost = Mutex<(@Sendable () async throws -> Void)?>(nil)

            var posts: [(id: String, body: String, headers: [(String, String)])] { state.withLock { $0.posts } }

            /// The answers to come; then all is well.
            func answer(_ answers: Result<Int, any Error>...) { state.withLock { $0.answers = answers } }

            func receive(_ post: WebhookPost, _ headers: [(String, String)]) throws -> Int {
                try state.withLock { state in
                    state.posts.append((post.id, post.body, headers))
                    return state.answers.isEmpty ? .success(204) : state.answers.removeFirst()
                }.get()
            }
        }

        private let time = ManualTime()
        private let receiver = Receiver()
        private let metrics = PrometheusMetrics()

        private func webhook(_ change: (inout WebhookOptions) -> Void = { _ in }) throws -> Webhook {
            var options = try WebhookOptions("https://push.example/hook")
            change(&options)
            return Webhook(
                options, dependencies: time.dependencies, unixSeconds: { 1_800_000_000 }, log: TestHub.quietLog,
                metrics: metrics,
                send: { [receiver] post, headers in
                    let answer = Result { try receiver.receive(post, headers) }
                    try await receiver.onPost.withLock { $0 }?()
                    return try answer.get()
                })
        }

        private static func journal(_ number: UInt8) -> JournalID {
            JournalID(UUID(uuid: (number, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number)))
        }

        private static func replica(_ number: UInt8) -> ReplicaID {
            ReplicaID(publicKey: [UInt8](repeating: number, count: 32))
        }

        private func stored(_ journal: UInt8, by replica: UInt8) -> SessionEvent {
            .stored(Self.journal(journal), Self.replica(replica), commits: 1, seconds: 0)
        }

        private func counts(_ name: String) -> [Substring] {
            metrics.text.split(separator: "\n").filter { $0.hasPrefix("tripstore_hub_webhook_\(name)") }
        }

        @Test(
            "What changes within a while is one post, with each journal once and who brought it; nothing else is told")
        func gathered() async throws {
            let webhook = try webhook()
            let running = Task { try await webhook.run() }
            webhook.note(stored(1, by: 1))
            webhook.note(stored(2, by: 1))
            webhook.note(stored(1, by: 2))
            webhook.note(stored(1, by: 1))
            webhook.note(.began(Self.journal(3), Self.replica(3)))
            webhook.note(.repeated(Self.journal(3), Self.replica(3)))
            try await eventually { time.due == [.seconds(1)] }
            #expect(receiver.posts.isEmpty)
            time.advance(by: .seconds(1))
            try await eventually { receiver.posts.count == 1 }
            let (one, two) = (Self.replica(1), Self.replica(2))
            #expect(
                receiver.posts[0].body
                    == "{\"version\":1,\"journals\":[{\"journal\":\"\(Self.journal(1))\",\"by\":[\"\(one)\",\"\(two)\"]},"
                    + "{\"journal\":\"\(Self.journal(2))\",\"by\":[\"\(one)\"]}]}")
            running.cancel()
            try await running.value
        }

        @Test("A post that fails is repeated after longer and longer pauses, the same and with the same id")
        func retried() async throws {
            struct NoWay: Error {}
            let webhook = try webhook { $0.longestPause = .seconds(3) }
            receiver.answer(.failure(NoWay()), .success(503), .success(429))
            let running = Task { try await webhook.run() }
            webhook.note(stored(1, by: 1))
            for (pause, posts) in [(1, 0), (1, 1), (2, 2), (3, 3)] {
                try await eventually { time.due.count == 1 }
                #expect(time.due == [time.now + .seconds(pause)] && receiver.posts.count == posts)
                // What changes meanwhile waits for the next one.
                webhook.note(stored(2, by: 1))
                time.advance(by: .seconds(pause))
                try await eventually { receiver.posts.count > posts }
            }
            let attempts = receiver.posts.prefix(4)
            #expect(Set(attempts.map(\.id)).count == 1 && Set(attempts.map(\.body)).count == 1)
            try await eventually { receiver.posts.count == 5 || time.due.count == 1 }
            if time.due.count == 1 { time.advance(by: .seconds(1)) }
            try await eventually { receiver.posts.count == 5 }
            #expect(
                receiver.posts[4].body.contains("\(Self.journal(2))") && receiver.posts[4].id != receiver.posts[0].id)
            running.cancel()
            try await running.value
        }

        @Test("A post that is refused for good, or fails too often, is dropped and counted")
        func dropped() async throws {
            let webhook = try webhook {
                $0.attempts = 2
                $0.mostPosted = 1
            }
            receiver.answer(.success(404), .success(500), .success(500))
            let running = Task { try await webhook.run() }
            for journal in 1...3 { webhook.note(stored(UInt8(journal), by: 1)) }
            try await eventually { time.due.count == 1 }
            time.advance(by: .seconds(1))
            try await eventually { time.due.count == 1 && receiver.posts.count == 2 }
            time.advance(by: .seconds(1))
            try await eventually { receiver.posts.count == 4 }
            try await eventually {
                counts("posts_total")
                    == [
                        "tripstore_hub_webhook_posts_total{outcome=\"delivered\"} 1",
                        "tripstore_hub_webhook_posts_total{outcome=\"failed\"} 3",
                    ]
            }
            #expect(counts("dropped") == ["tripstore_hub_webhook_dropped_total 2"])
            running.cancel()
            try await running.value
        }

        @Test("The queue is bounded, and what waits is posted when the hub ends")
        func bounded() async throws {
            let webhook = try webhook {
                $0.mostWaiting = 2
                $0.mostReplicas = 2
            }
            for journal in 1...3 { webhook.note(stored(UInt8(journal), by: 1)) }
            for replica in 1...3 { webhook.note(stored(1, by: UInt8(replica))) }
            #expect(counts("dropped") == ["tripstore_hub_webhook_dropped_total 1"])
            #expect(counts("waiting") == ["tripstore_hub_webhook_waiting 2"])
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(services: [webhook], logger: TestHub.quietLog))
            let running = Task { try await group.run() }
            try await eventually { time.due.count == 1 }
            await group.triggerGracefulShutdown()
            try await running.value
            #expect(receiver.posts.count == 1)
            #expect(receiver.posts[0].body.components(separatedBy: "journal\"").count == 3)
            #expect(counts("waiting") == ["tripstore_hub_webhook_waiting 0"])
        }

        @Test("What waits when the hub ends has the time of one post together; the rest is dropped and counted")
        func boundedEnd() async throws {
            let webhook = try webhook { $0.mostPosted = 1 }
            for journal in 1...3 { webhook.note(stored(UInt8(journal), by: 1)) }
            // The second post is not answered.
            let arrived = Mutex(0)
            receiver.onPost.withLock { hook in
                hook = { [time] in
                    let number = arrived.withLock { count in
                        count += 1
                        return count
                    }
                    if number == 2 { try await time.dependencies.sleep(.seconds(3600)) }
                }
            }
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(services: [webhook], logger: TestHub.quietLog))
            let running = Task { try await group.run() }
            try await eventually { time.due.count == 1 }
            await group.triggerGracefulShutdown()
            try await eventually { time.due == [.seconds(10), .seconds(3600)] }
            time.advance(by: .seconds(10))
            try await running.value
            #expect(receiver.posts.count == 2)
            #expect(counts("dropped") == ["tripstore_hub_webhook_dropped_total 2"])
        }

        @Test("A post that a shutdown interrupts is posted once more, the same")
        func interrupted() async throws {
            let webhook = try webhook()
            receiver.answer(.success(500))
            webhook.note(stored(1, by: 1))
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(services: [webhook], logger: TestHub.quietLog))
            let running = Task { try await group.run() }
            try await eventually { time.due.count == 1 }
            time.advance(by: .seconds(1))
            try await eventually { receiver.posts.count == 1 && time.due.count == 1 }
            await group.triggerGracefulShutdown()
            try await running.value
            #expect(receiver.posts.count == 2 && receiver.posts[0].id == receiver.posts[1].id)
        }

        @Test("A signature covers the time and the body, as HMAC-SHA256 of another library does")
        func signature() {
            let post = WebhookPost(id: "1", body: "{\"version\":1,\"journals\":[]}")
            let headers = post.headers(secret: Array("0123456789abcdef".utf8), at: 1_800_000_000)
            #expect(
                headers.last?.1
                    == "t=1800000000,v1=6283c75751b0e3ca9a3b7bab9351f2fb2ae7bb60edef96cdf770d82eb08f9b6b")
            #expect(post.headers(secret: nil, at: 0).allSatisfy { $0.0 != "tripstore-signature" })
        }

        @Test(
            "Only encrypted addresses are taken, but for this machine's",
            arguments: [
                "https://push.example/hook": true, "http://127.0.0.1:8080/x": true, "http://localhost": true,
                "http://push.example/hook": false, "ftp://push.example": false, "push.example": false,
                "https://": false,
                "https://user:secret@push.example": false, "": false,
            ])
        func addresses(address: String, isTaken: Bool) {
            #expect(((try? WebhookOptions(address)) != nil) == isTaken)
        }

        @Test("A secret is read without the end of its line, and has a least length")
        func secret() throws {
            let bytes = try WebhookOptions.secret(in: Data("0123456789abcdef\r\n".utf8), named: "hook.txt")
            #expect(bytes == Array("0123456789abcdef".utf8))
            let error = #expect(throws: WebhookOptions.Unusable.self) {
                try WebhookOptions.secret(in: Data("0123\n".utf8), named: "hook.txt")
            }
            #expect(error?.description.contains("hook.txt has 4 bytes") == true)
        }
    }
#endif
