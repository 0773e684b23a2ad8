import Foundation
import StoreSupport
import Testing
import TripStore
import TripStoreTransports

@Suite("The page on staying in sync", .timeLimit(.minutes(1)))
struct StayingInSyncSnippets {
    @Test("Two devices that meet")
    func meeting() async throws {
        let (place, other) = (Folder(), Folder())
        let phone = try await TripStore.open(at: place.url)
        let lisbon = try await phone.create(Trip(name: "Lisbon"))
        let laptop = try await TripStore.clone(.folder(place.url), to: other.url).store
        let accepting = phone.sessionServer()
        let phoneConnector = MemoryNetwork(accepting)
        // begin StayingInSync-peer
        let server = phone.sessionServer()
        // For each connection that the phone's transport accepts, in a task of its own:
        // await server.serve(port)
        let meeting = laptop.stayInSync(with: phoneConnector)
        // end
        #expect(server.connections == (0, 0))
        try await phone.edit(lisbon) { $0.name = "Porto" }
        try await eventually { try laptop.trip(lisbon)?.name == "Porto" }
        // begin StayingInSync-once
        let report = try await laptop.exchange(with: .connector(phoneConnector))
        // end
        #expect(report.received.commits == 0)
        await meeting.stop()
        let notes = Notes()
        @Sendable func show(_ text: String) { notes.add(text) }
        let (store, hub) = (laptop, phoneConnector)
        // begin StayingInSync-start
        let sync = store.stayInSync(with: hub)
        // end
        let watching = Task {
            // begin StayingInSync-states
            for await state in sync {
                switch state {
                case .connecting: show("connecting")
                case .connected: show("in sync")
                case .catchingUp(let done, let total): show("\(done) of \(total) commits")
                case .impeded(let reason, _): show("in sync but for this: \(reason)")
                case .needsGrant: show("waits until an admin's device has granted it")
                case .offline(let since, let reason, _): show("offline since \(since): \(reason)")
                case .revoked(let admin): show("was revoked by \(admin); what is here stays")
                case .otherJournal(let reason, _), .notTrusted(let reason, _): show(reason)
                case .stopped(let reason): show(reason)
                }
            }
            // end
        }
        try await eventually { notes.all.contains("in sync") }
        // begin StayingInSync-retry
        sync.retryNow()  // connects at once, or finds out whether the connection is alive
        // end
        // begin StayingInSync-stop
        await sync.stop()
        // end
        await watching.value
        #expect(notes.all.last == "It was stopped.")
        await laptop.close()
        await phone.close()
    }
}
