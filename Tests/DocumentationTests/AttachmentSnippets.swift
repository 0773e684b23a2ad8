import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("The page on attachments")
struct AttachmentSnippets {
    @Test("Attaching, reading, fetching")
    func attachments() async throws {
        let (place, other) = (Folder(), Folder())
        let files = Folder()
        let (file, copy) = (
            files.url.appendingPathComponent("pass.pdf"), files.url.appendingPathComponent("copy.pdf")
        )
        try FileManager.default.createDirectory(at: files.url, withIntermediateDirectories: true)
        try Data("a boarding pass".utf8).write(to: file)
        let phone = try await TripStore.open(at: place.url)
        let trip = try await phone.create(Trip(name: "Lisbon"))
        let flight = try await phone.create(Transportation(name: "TP 1", mode: .plane, in: trip))
        do {
            let store = phone
            // begin AttachingFiles-attach
            let pass = try await store.attach(file, to: flight, caption: "Seat 4A")
            for attachment in try store.attachments(of: flight) {
                print(attachment.name, attachment.size ?? 0)
            }
            // end
            #expect(try store.entity(pass)?.caption == "Seat 4A")
        }
        var options = TripStore.Options()
        // begin AttachingFiles-policy
        options.attachments = .ahead(upTo: 1_000_000)  // larger ones when they are asked for
        // end
        options.attachments = .onDemand
        let store = try await TripStore.clone(.folder(place.url), to: other.url, options: options).store
        let attachment = try #require(try store.attachments(of: flight).first)
        #expect(store.state(of: attachment) == .missing)
        do {
            let other = place.url
            // begin AttachingFiles-fetch
            try await store.fetch(attachment, from: .folder(other))
            // end
        }
        var shown: URL?
        func show(_ url: URL?) { shown = url }
        // begin AttachingFiles-read
        switch store.state(of: attachment) {
        case .here(let url): show(url)  // a file that must not be changed
        case .missing: show(nil)  // an exchange brings it
        case .unreadable(let reason): print(reason)
        case .discarded, .none: show(nil)
        }
        try await store.save(attachment, to: copy)
        // end
        #expect(shown != nil)
        #expect(try Data(contentsOf: copy) == Data("a boarding pass".utf8))
        for store in [phone, store] { try await store.expectInvariants() }
    }
}
