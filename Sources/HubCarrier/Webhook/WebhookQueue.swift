#if Hub
    internal import Events

    /// The journals with something new, each once, in the order in which they changed first.
    struct WebhookQueue: Sendable {
        /// A journal, and the replicas whose devices brought what is new.
        struct Notice: Sendable, Equatable {
            let journal: JournalID
            var replicas: [ReplicaID]
        }

        private let (mostWaiting, mostReplicas): (Int, Int)
        private var replicas: [JournalID: [ReplicaID]] = [:]
        private var order: [JournalID] = []

        init(mostWaiting: Int, mostReplicas: Int) {
            self.mostWaiting = mostWaiting
            self.mostReplicas = mostReplicas
        }

        var count: Int { order.count }

        /// Returns false if the notice is dropped.
        mutating func add(_ journal: JournalID, _ replica: ReplicaID) -> Bool {
            guard let known = replicas[journal] else {
                guard order.count < mostWaiting else { return false }
                order.append(journal)
                replicas[journal] = [replica]
                return true
            }
            if known.count < mostReplicas, !known.contains(replica) { replicas[journal, default: []].append(replica) }
            return true
        }

        mutating func take(_ count: Int) -> [Notice] {
            let taken = order.prefix(count).map {
                Notice(journal: $0, replicas: replicas.removeValue(forKey: $0) ?? [])
            }
            order.removeFirst(taken.count)
            return taken
        }
    }

    extension [WebhookQueue.Notice] {
        /// As JSON. Ids are letters, digits and hyphens.
        var json: String {
            let journals = map { notice in
                let replicas = notice.replicas.map { "\"\($0)\"" }.joined(separator: ",")
                return "{\"journal\":\"\(notice.journal)\",\"by\":[\(replicas)]}"
            }
            return "{\"version\":1,\"journals\":[\(journals.joined(separator: ","))]}"
        }
    }
#endif
