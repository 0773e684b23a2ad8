import Foundation
import LogExchange
import Testing
import TripStore
import TripStoreTransports

@Suite("The page on syncing")
struct SyncingSnippets {
    @Test("A clone, an exchange, its report and what is known afterwards")
    func exchange() async throws {
        let (place, other) = (Folder(), Folder())
        let (phoneFolder, laptopFolder) = (place.url, other.url)
        let phone = try await TripStore.open(at: phoneFolder, options: TripStore.Options(deviceName: "Ana's phone"))
        let lisbon = try await phone.create(Trip(name: "Lisbon"), by: "ana")
        let notes = Notes()
        @Sendable func show(_ parts: String...) { notes.add(parts.joined(separator: " ")) }
        // begin Syncing-clone
        let options = TripStore.Options(deviceName: "Ana's laptop")
        let laptop = try await TripStore.clone(.folder(phoneFolder), to: laptopFolder, options: options).store
        // end
        try await phone.edit(lisbon, by: "ana") { $0.name = "Porto" }
        try await phone.edit(lisbon, by: "ana") { $0.notes = "by train" }
        let receipt = try await laptop.edit(lisbon, by: "ben") { $0.name = "Faro" }
        // begin Syncing-exchange
        let report = try await laptop.exchange(with: .folder(phoneFolder))
        show("sent \(report.sent.commits), received \(report.received.commits) commits in \(report.seconds) s")
        // end
        #expect(notes.all.last?.hasPrefix("sent 2, received 2 commits") == true)
        // begin Syncing-conflicts
        try await laptop.catchUp()  // queries show all that came
        for conflict in try laptop.conflicts(from: report) {
            show(conflict.name, conflict.field, conflict.superseded.value.text, "lost to", conflict.winner.value.text)
        }
        // end
        #expect(notes.all.last?.contains("lost to") == true)
        #expect(try phone.trip(lisbon)?.notes == "by train")
        #expect(try laptop.trip(lisbon)?.notes == "by train")

        // begin Syncing-status
        for peer in try laptop.peers() {
            show(peer.name, peer.lastExchange.map { "met \($0)" } ?? "never met", peer.lastError ?? "")
            show("\(peer.commitsToSend) to send, \(peer.commitsToReceive) to receive")
        }
        let holders = try laptop.holders(of: receipt)  // the commit is safe on so many others
        // end
        #expect(holders == [phone.replica])
        #expect(notes.all.last == "0 to send, 0 to receive")

        let task = Task {
            // begin Syncing-progress
            try await laptop.exchange(with: .folder(phoneFolder)) { step in
                show("\(step.received.commits) of \(step.commitsToReceive) commits")
            }
            // end
        }
        _ = try await task.value
        #expect(notes.all.last == "0 of 0 commits")

        // begin Syncing-update
        if let needed = try laptop.trips().neededUpdate {
            let version = needed.version.map { "version \($0)" } ?? "a newer version"
            show("\(needed.commits) changes need \(version) and are not shown")
        }
        // end
        #expect(notes.all.last == "0 of 0 commits")

        let wire = Wire(server: phone.exchangeServer())
        try await laptop.edit(lisbon) { $0.destination = "Portugal" }
        // begin Syncing-peer
        try await laptop.exchange(with: .peer(MessagePeer(wire)))
        // end
        try await phone.catchUp()
        #expect(try phone.trip(lisbon)?.destination == "Portugal")
    }

    // begin Syncing-carrier
    struct Wire: MessageChannel {
        let server: MessageServer  // on the other device: `store.exchangeServer()`

        func call(_ request: [UInt8], _ body: ([UInt8]) async throws -> Void) async throws {
            // Send the request, and hand over each response as it comes. Here both ends are one process.
            try await server.respond(to: request, body)
        }
    }
    // end

    @Test("Bundles")
    func bundles() async throws {
        let (place, other) = (Folder(), Folder())
        let phone = try await TripStore.open(at: place.url)
        try await phone.create(Trip(name: "Lisbon"))
        let file = place.url.appendingPathExtension("bundle")
        defer { try? FileManager.default.removeItem(at: file) }
        // begin Syncing-bundle
        try await phone.write(bundle: file)  // by mail, AirDrop or on a stick
        // end
        let laptop = try await TripStore.clone(.bundle(file), to: other.url).store
        try await laptop.exchange(with: .store(phone))
        try await phone.create(Trip(name: "Porto"))
        // begin Syncing-bundle-for
        let summary = try await phone.write(bundle: file, for: .replica(laptop.replica))
        try await laptop.exchange(with: .bundle(file))
        // end
        #expect(summary.commits == 1)
        try await laptop.catchUp()
        #expect(try laptop.trips(.undated).rows.count == 2)
        try await phone.create(Trip(name: "Faro"))
        // begin Syncing-frontier
        let text = try await laptop.frontier().text  // brought to the phone by whatever way
        let news = try await phone.write(bundle: file, for: .holder(of: phone.frontier(text)))
        // end
        #expect(news.commits == 1)
    }

    @Test("Identities")
    func identity() async throws {
        let place = Folder()
        let notes = Notes()
        func show(_ text: String) { notes.add(text) }
        let folder = place.url.appendingPathComponent("state")
        // begin Syncing-dependencies
        var options = TripStore.Options()
        options.dependencies.machineFolder = folder.path  // kept as long as the store, and not copied with it
        // end
        let store = try await TripStore.open(at: place.url.appendingPathComponent("store"), options: options)
        // begin Syncing-identity
        if let change = store.identityChange {
            show("This device goes on as another replica than \(change.previous): \(change.reason).")
        }
        for fork in try store.forks() {
            show("Replica \(fork.replica) wrote \(fork.branches.count) different commits \(fork.sequence).")
        }
        // end
        #expect(notes.all.isEmpty)
        #expect(FileManager.default.fileExists(atPath: folder.path))
    }

    @Test("Two journals become one")
    func adopting() async throws {
        let place = Folder()
        let other = place.url
        let stranger = try await TripStore.open(at: other)
        try await stranger.create(Trip(name: "Porto"))
        let store = try await TripStore.temporary()
        try await store.create(Trip(name: "Lisbon"))
        let notes = Notes()
        func show(_ text: String) { notes.add(text) }
        // begin Syncing-adopt
        do {
            try await store.exchange(with: .folder(other))
        } catch let error as TripStoreError where error.code == .otherJournal {
            let report = try await store.adopt(.folder(other), by: "ana")
            show("\(report.created) created, \(report.edited) edited, \(report.unchanged) as they were")
        }
        // end
        #expect(notes.all == ["1 created, 0 edited, 0 as they were"])
        #expect(try store.trips(.undated).rows.count == 2)
        #expect(try stranger.peers().isEmpty)
    }
}
