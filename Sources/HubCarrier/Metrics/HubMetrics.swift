#if Hub
    public import CoreMetrics
    import Events
    public import LogExchange

    /// The counters and other metrics of a hub. No label depends on what clients send: outcomes and codes are sets of
    /// our own, and journals and replicas are never labels.
    public struct HubMetrics: Sendable {
        private let factory: any MetricsFactory
        let connections: Meter
        let accepted: Counter
        let rejected: Counter
        let streams: Meter
        let received: Counter
        let sent: Counter
        private let sessions: Meter
        private let commits: Counter
        private let stored: Counter
        private let storing: Timer
        private let repeated: Counter
        private let lackingCommits: Meter
        private let lackingJournals: Meter
        private let lacking = LackingJournals()

        /// The sentence that says how many commits lack bytes; nil if none do.
        public var lackingNote: String? {
            let (journals, commits) = lacking.totals
            return commits == 0
                ? nil
                : "Bytes of \(commits.counted("commit")) in \(journals.counted("journal")) are missing that nobody erased: the next exchange with a member that has them puts them back."
        }

        /// The system's backend, unless another is given.
        public init(factory: any MetricsFactory = MetricsSystem.factory) {
            self.factory = factory
            connections = Meter(label: "tripstore.hub.connections", factory: factory)
            accepted = Counter(label: "tripstore.hub.connections.accepted", factory: factory)
            rejected = Counter(label: "tripstore.hub.connections.rejected", factory: factory)
            streams = Meter(label: "tripstore.hub.streams", factory: factory)
            received = Counter(label: "tripstore.hub.received.bytes", factory: factory)
            sent = Counter(label: "tripstore.hub.sent.bytes", factory: factory)
            sessions = Meter(label: "tripstore.hub.sessions", factory: factory)
            commits = Counter(label: "tripstore.hub.commits.stored", factory: factory)
            stored = Counter(label: "tripstore.hub.messages.stored", factory: factory)
            storing = Timer(label: "tripstore.hub.store.duration", factory: factory)
            repeated = Counter(label: "tripstore.hub.messages.repeated", factory: factory)
            lackingCommits = Meter(label: "tripstore.hub.lacking.commits", factory: factory)
            lackingJournals = Meter(label: "tripstore.hub.lacking.journals", factory: factory)
            // So that a rate is known from the first one on.
            for outcome in SessionOutcome.allCases { ended(outcome).increment(by: 0) }
        }

        /// Counts what happens in a server's sessions.
        public func note(_ event: SessionEvent) {
            switch event {
            case .began: sessions.increment()
            case .ended(_, _, let outcome):
                sessions.decrement()
                ended(outcome).increment()
            case .turnedAway(let outcome): ended(outcome).increment()
            case .stored(_, _, let count, let seconds):
                stored.increment()
                commits.increment(by: count)
                storing.recordSeconds(seconds)
            case .refused(_, _, let code):
                Counter(label: "tripstore.hub.messages.refused", dimensions: [("code", code)], factory: factory)
                    .increment()
            case .repeated: repeated.increment()
            case .lacking(let journal, let commits):
                lacking.set(commits, of: journal)
                lackingJournals.set(lacking.totals.journals)
                lackingCommits.set(lacking.totals.commits)
            }
        }

        private func ended(_ outcome: SessionOutcome) -> Counter {
            Counter(
                label: "tripstore.hub.sessions.ended", dimensions: [("outcome", outcome.rawValue)], factory: factory)
        }

        /// The descriptions of the metrics, by their labels.
        public static let help = [
            "tripstore.hub.connections": "Connections that are open now.",
            "tripstore.hub.connections.accepted": "Connections that were accepted.",
            "tripstore.hub.connections.rejected":
                "Connections that were closed at once, because there were as many as allowed.",
            "tripstore.hub.streams": "Streams that are open now.",
            "tripstore.hub.received.bytes": "Bytes received in frames of sessions.",
            "tripstore.hub.sent.bytes": "Bytes sent in frames of sessions.",
            "tripstore.hub.sessions": "Sessions of admitted replicas that are open now.",
            "tripstore.hub.sessions.ended": "Connections of clients that ended, by outcome.",
            "tripstore.hub.commits.stored": "Commits in messages that were stored.",
            "tripstore.hub.messages.stored": "Messages with commits that brought something new.",
            "tripstore.hub.messages.repeated": "Messages with commits that were held already.",
            "tripstore.hub.messages.refused":
                "Messages that were refused, wholly or in part, by code; and what failed by a fault of the hub before.",
            "tripstore.hub.lacking.commits": "Commits of which bytes are missing that nobody erased.",
            "tripstore.hub.lacking.journals": "Journals with such commits.",
            "tripstore.hub.store.duration": "The time from a received message with commits until they are durable.",
            "tripstore.hub.waiting.bytes": "Bytes that were received and are not handled yet.",
            "tripstore.hub.waiting.bytes.limit": "The most such bytes before the hub stops reading.",
            "tripstore.hub.journals.open": "Journals whose logs are open now.",
            "tripstore.hub.database.connections": "Connections to the database that are in use now.",
            "tripstore.hub.database.connections.limit": "The most such connections.",
            "tripstore.hub.disk.free.bytes": "Bytes that are free where the hub keeps its journals.",
            "tripstore.hub.serving": "1 if the hub serves, else 0.",
            "tripstore.hub.webhook.posts": "Posts to the webhook, by outcome.",
            "tripstore.hub.webhook.waiting": "Journals that wait to be posted to the webhook.",
            "tripstore.hub.webhook.dropped":
                "Journals' notices that were dropped: the queue was full, or the receiver failed for too long.",
            "tripstore.log.commits": "Commits that logs of this process have written.",
            "tripstore.log.transactions": "Transactions in which they were written.",
            "tripstore.log.transaction.duration": "The time of such a transaction.",
            "process.resident.memory.bytes": "Bytes of memory that the process has.",
            "process.virtual.memory.bytes": "Bytes of address space that the process has.",
            "process.cpu.seconds": "Seconds of processor time that the process has used.",
            "process.open.fds": "File descriptors that are open.",
        ]
    }
#endif
