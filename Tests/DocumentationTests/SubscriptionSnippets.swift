import Foundation
import Testing
import TripStore

@Suite("The page on subscriptions")
struct SubscriptionSnippets {
    @Test("Commits after a position")
    func commits() async throws {
        let store = try await TripStore.temporary()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let position = try store.status().position
        let notes = Notes()
        @Sendable func show(_ commit: AuditedCommit) { notes.add("\(commit.position)") }
        let task = Task {
            // begin Subscriptions-commits
            for try await commit in store.commits(after: position, AuditFilter(under: lisbon.reference)) {
                show(commit)
            }
            // end
        }
        try await store.edit(lisbon) { $0.name = "Porto" }
        await notes.wait(for: 1)
        task.cancel()
        try await task.value
        #expect(notes.all == ["3"])
    }

    @Test("A subscription, by hand and by run")
    func subscription() async throws {
        let store = try await TripStore.temporary()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let notes = Notes()
        func position(of name: String) throws -> Position? {
            try store.subscriptions().first { $0.name == name }?.position
        }
        @Sendable func index(_ commit: AuditedCommit) async throws { notes.add("\(commit.position)") }
        do {
            let task = Task {
                // begin Subscriptions-run
                let name = "search-index"
                let isNew = try !store.subscriptions().contains { $0.name == name }
                let subscription =
                    try await isNew ? store.createSubscription(name, from: .beginning) : store.subscription(name)
                try await subscription.run { commit in
                    try await index(commit)
                }
                // end
            }
            await notes.wait(for: 2)
            while try position(of: "search-index") != Position(2) { await Task.yield() }
            task.cancel()
            _ = await task.result
        }
        #expect(notes.all == ["1", "2"])

        _ = try await store.createSubscription("mail", from: .end)
        let task = Task {
            // begin Subscriptions-acknowledge
            let subscription = try await store.subscription("mail")
            var unacknowledged = 0
            for try await commit in subscription {
                try await index(commit)
                unacknowledged += 1
                if unacknowledged == 100 {
                    try await subscription.acknowledge(commit.position)
                    unacknowledged = 0
                }
            }
            // end
        }
        try await store.edit(lisbon) { $0.name = "Porto" }
        await notes.wait(for: 3)
        task.cancel()
        try await task.value
        #expect(try position(of: "mail") == Position(2))

        let position = Position(1)
        // begin Subscriptions-move
        try await store.moveSubscription("search-index", to: .after(position))  // tell again what came after
        try await store.removeSubscription("mail")
        let remaining = try store.subscriptions()  // the name and position of each
        // end
        #expect(remaining.map(\.name) == ["search-index"] && remaining.map(\.position) == [position])
    }
}
