#if Hub
    public import CoreMetrics
    internal import Events
    import Foundation
    public import LogExchange
    public import Logging
    public import ServiceLifecycle
    import Synchronization

    /// Posts which journals have something new to an operator's push service, which wakes the devices of their members.
    ///
    /// Nothing of a journal's contents is posted. `note` never waits: what changes while a post is sent, or fails, is gathered, each
    /// journal once, up to a number.
    public final class Webhook: Service {
        private let options: WebhookOptions
        private let send: WebhookSending
        private let dependencies: SessionDependencies
        private let unixSeconds: @Sendable () -> Int64
        private let log: Logger
        private let queue: Mutex<WebhookQueue>
        /// What a shutdown interrupted.
        private let unsent = Mutex<(WebhookPost, journals: Int)?>(nil)
        private let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        private let (delivered, failed, dropped): (Counter, Counter, Counter)
        private let waiting: Meter

        /// Posts over HTTP/1.1. Throws what the options' roots lack.
        public convenience init(
            _ options: WebhookOptions, log: Logger = Logger(label: "tripstore.webhook"),
            metrics: any MetricsFactory = MetricsSystem.factory
        ) throws {
            let client = try WebhookClient(options)
            self.init(options, log: log, metrics: metrics) { try await client.send($0, $1) }
        }

        init(
            _ options: WebhookOptions, dependencies: SessionDependencies = .system,
            unixSeconds: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }, log: Logger,
            metrics: any MetricsFactory = MetricsSystem.factory, send: @escaping WebhookSending
        ) {
            self.options = options
            self.send = send
            self.dependencies = dependencies
            self.unixSeconds = unixSeconds
            self.log = log
            queue = Mutex(WebhookQueue(mostWaiting: options.mostWaiting, mostReplicas: options.mostReplicas))
            let posts = "tripstore.hub.webhook.posts"
            delivered = Counter(label: posts, dimensions: [("outcome", "delivered")], factory: metrics)
            failed = Counter(label: posts, dimensions: [("outcome", "failed")], factory: metrics)
            dropped = Counter(label: "tripstore.hub.webhook.dropped", factory: metrics)
            waiting = Meter(label: "tripstore.hub.webhook.waiting", factory: metrics)
        }

        /// Takes note of what a session stored. Returns at once.
        public func note(_ event: SessionEvent) {
            guard case .stored(let journal, let replica, _, _) = event else { return }
            let (isTaken, count) = queue.withLock { ($0.add(journal, replica), $0.count) }
            if !isTaken { dropped.increment() }
            waiting.set(count)
            wake.yield()
        }

        /// Posts until the group of services shuts down; then what waits is posted once each, all of it within the time of one post, and the
        /// rest is dropped.
        public func run() async throws {
            await cancelWhenGracefulShutdown { [self] in
                for await _ in wakes { await postWaiting() }
            }
            // A graceful shutdown does not cancel this task itself.
            await withTaskGroup(of: Void.self) { [self] group in
                group.addTask { await self.postRest() }
                group.addTask { try? await self.dependencies.sleep(self.options.timeOut) }
                await group.next()
                group.cancelAll()
            }
            let left = queue.withLock { $0.count }
            if left > 0 { dropped.increment(by: left) }
        }

        private func postRest() async {
            while !Task.isCancelled, let (post, count) = nextPost() {
                guard await attempt(post) == .delivered else {
                    dropped.increment(by: count)
                    return
                }
            }
        }

        private func postWaiting() async {
            do {
                // What changes meanwhile goes along.
                try await dependencies.sleep(options.gathering)
                while let (post, count) = nextPost() {
                    do {
                        if try await !deliver(post) { dropped.increment(by: count) }
                    } catch {
                        return unsent.withLock { $0 = (post, count) }
                    }
                }
            } catch {
                // Cancelled: `run` posts what waits.
            }
        }

        private func nextPost() -> (WebhookPost, journals: Int)? {
            if let interrupted = unsent.withLock({ $0.take() }) { return interrupted }
            let (notices, count) = queue.withLock { ($0.take(options.mostPosted), $0.count) }
            waiting.set(count)
            guard !notices.isEmpty else { return nil }
            let id = dependencies.randomBytes(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
                .joined()
            return (WebhookPost(id: id, body: notices.json), notices.count)
        }

        private enum Result { case delivered, failed, refused }

        /// Tries until the post is delivered, or refused for good. Returns whether it was delivered; throws if it is cancelled.
        private func deliver(_ post: WebhookPost) async throws -> Bool {
            var pause = options.firstPause
            for number in 1...max(options.attempts, 1) {
                switch await attempt(post) {
                case .delivered: return true
                case .refused: return false
                case .failed:
                    if number == options.attempts { break }
                    try await dependencies.sleep(pause)
                    pause = min(pause * 2, options.longestPause)
                }
            }
            log.error("a post to the webhook was given up", metadata: ["attempts": "\(options.attempts)"])
            return false
        }

        private func attempt(_ post: WebhookPost) async -> Result {
            do {
                let status = try await send(post, post.headers(secret: options.secret, at: unixSeconds()))
                switch status {
                case 200..<300:
                    delivered.increment()
                    return .delivered
                // Asked too soon, or the receiver's own fault.
                case 408, 425, 429, 500...:
                    failed.increment()
                    log.warning("the webhook answered with a failure", metadata: ["status": "\(status)"])
                    return .failed
                default:
                    failed.increment()
                    log.error("the webhook refuses posts", metadata: ["status": "\(status)"])
                    return .refused
                }
            } catch {
                failed.increment()
                log.warning("the webhook could not be reached", metadata: ["error": "\(error)"])
                return .failed
            }
        }
    }
#endif
