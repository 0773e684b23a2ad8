import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore
import TripStoreTestSupport

@Suite("Attachments of a store")
struct AttachmentTests {
    private let place = TemporaryFolder()

    private func file(_ name: String, _ bytes: Data) throws -> URL {
        try FileManager.default.createDirectory(at: place.url, withIntermediateDirectories: true)
        let url = place.url.appendingPathComponent(name)
        try bytes.write(to: url)
        return url
    }

    @Test("have the bytes, the name and the type of the file, and belong to what they were attached to")
    func attached() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let flight = try await store.create(Transportation(name: "TP 1", mode: .plane, in: trip))
        let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let pass = try await store.attach(try file("pass.PDF", bytes), to: flight, caption: "Seat 4A")
        let note = try await store.attach(Data("Umbrella".utf8), to: trip.reference, as: "note.txt")
        let attachment = try #require(try store.attachments(of: flight).first)
        #expect(attachment.id == pass && attachment.name == "pass.PDF" && attachment.mediaType == "application/pdf")
        #expect(attachment.size == 3_000_000 && attachment.caption == "Seat 4A" && attachment.owner == flight.reference)
        #expect(try await store.data(of: attachment) == bytes)
        #expect(try store.attachments(of: trip).map(\.id) == [note])
        guard case .here(let url) = store.state(of: attachment) else {
            Issue.record("\(store.state(of: attachment))")
            return
        }
        #expect(try Data(contentsOf: url) == bytes)
        try await store.expectInvariants()
    }

    @Test("take no append id, as another attempt would make another id, and write nothing then")
    func appendID() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let authorship = Authorship(author: "ana", appendID: AppendID())
        let ticket = try file("ticket.txt", Data("ticket".utf8))
        let before = try store.status().position
        let attempts: [() async throws -> Void] = [
            { try await store.attach(ticket, to: trip, by: authorship) },
            { try await store.attach([ticket], to: trip.reference, by: authorship) },
            { try await store.attach(Data("note".utf8), to: trip.reference, as: "note.txt", by: authorship) },
        ]
        for attempt in attempts {
            let error = try await #require(throws: TripStoreError.self) { try await attempt() }
            #expect(error.code == .appendIDUnusable)
        }
        #expect(try store.attachments(of: trip).isEmpty && store.status().position == before)
        try await store.expectInvariants()
    }

    @Test("with equal bytes share them")
    func shared() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        for number in 0..<3 { try await store.attach(Data("same".utf8), to: trip.reference, as: "\(number).txt") }
        let contents = Set(try store.attachments(of: trip).compactMap(\.content))
        #expect(contents.count == 1)
        let files = try FileManager.default.subpathsOfDirectory(atPath: store.folder.path + "/attachments")
        #expect(files.count { $0.contains(contents.first?.description ?? "?") } == 1)
        try await store.expectInvariants()
    }

    @Test("are edited, deleted with their owner, restored and undone like everything else")
    func history() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let ticket = try await store.attach(Data("ticket".utf8), to: trip.reference, as: "a.txt")
        let receipt = try await store.edit(ticket) { $0.name = "b.txt" }
        #expect(try store.entity(ticket)?.name == "b.txt")
        try await store.undo(receipt)
        #expect(try store.entity(ticket)?.name == "a.txt")
        try await store.delete(trip)
        #expect(try store.entity(ticket) == nil)
        try await store.restore(trip)
        let attachment = try #require(try store.attachments(of: trip).first)
        #expect(try await store.data(of: attachment) == Data("ticket".utf8))
        try await store.expectInvariants()
    }

    @Test("are written to a file, whole, and over another one only if that was meant")
    func saved() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        try await store.attach(Data("ticket".utf8), to: trip.reference, as: "a.txt")
        let attachment = try #require(try store.attachments(of: trip).first)
        let target = try file("there.txt", Data("other".utf8))
        let error = await #expect(throws: TripStoreError.self) { try await store.save(attachment, to: target) }
        #expect(error?.code == .fileExists)
        #expect(try Data(contentsOf: target) == Data("other".utf8))
        try await store.save(attachment, to: target, replacing: true)
        #expect(try Data(contentsOf: target) == Data("ticket".utf8))
        let inStore = await #expect(throws: TripStoreError.self) {
            try await store.save(attachment, to: store.folder.appendingPathComponent("attachments/x"))
        }
        #expect(inStore?.code == .unusableFile)
        try await store.expectInvariants()
    }

    @Test("whose bytes are gone or were altered say so")
    func lost() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        try await store.attach(Data("ticket".utf8), to: trip.reference, as: "a.txt")
        let attachment = try #require(try store.attachments(of: trip).first)
        guard case .here(let url) = store.state(of: attachment) else { throw CancellationError() }
        try Data("tickeT".utf8).write(to: url)
        let altered = await #expect(throws: TripStoreError.self) { try await store.data(of: attachment) }
        #expect(altered?.code == .damagedContent)
        try FileManager.default.removeItem(at: url)
        #expect(store.state(of: attachment) == .missing)
        let gone = await #expect(throws: TripStoreError.self) { try await store.data(of: attachment) }
        #expect(gone?.code == .missingContent)
        // Attaching the same bytes brings them back.
        try await store.attach(Data("ticket".utf8), to: trip.reference, as: "again.txt")
        #expect(try await store.data(of: attachment) == Data("ticket".utf8))
        try await store.expectInvariants()
    }

    @Test("of several files come by one commit, all or none")
    func several() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let files = try ["a", "b"].map { try file($0, Data($0.utf8)) }
        // The first of a kind describes it, in a commit of its own.
        let first = try await store.attach(Data("0".utf8), to: trip.reference, as: "0")
        try await store.delete(first)
        let before = try store.status().position
        await #expect(throws: TripStoreError.self) {
            try await store.attach(files + [place.url.appendingPathComponent("none")], to: trip.reference)
        }
        #expect(try store.status().position == before)
        #expect(try await store.attach(files, to: trip.reference).count == 2)
        #expect(try store.status().position == before.next)
        #expect(try Set(store.attachments(of: trip).map(\.name)) == ["a", "b"])
        try await store.expectInvariants()
    }

    @Test("are in a backup, but for those that were altered")
    func backup() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let bytes = Data((0..<1_500_000).map { UInt8(truncatingIfNeeded: $0) })
        try await store.attach(bytes, to: trip.reference, as: "film")
        try await store.attach(Data("ticket".utf8), to: trip.reference, as: "ticket")
        let bad = try #require(try store.attachments(of: trip).last)
        guard case .here(let url) = store.state(of: bad) else { throw CancellationError() }
        try Data("tickeT".utf8).write(to: url)
        let target = place.url.appendingPathComponent("backup")
        #expect(try await store.backup(to: target).leftOut.count == 1)
        let restored = try await TripStore.test(at: target)
        let attachments = try restored.attachments(of: trip)
        #expect(try await restored.data(of: attachments[0]) == bytes)
        #expect(restored.state(of: attachments[1]) == .missing)
        for store in [store, restored] { try await store.expectInvariants() }
    }

    @Test("of what is not there, or from a file that is not there, write no commit")
    func refused() async throws {
        let store = try await TripStore.test()
        // The first attachment of a journal describes its kind in a commit of its own.
        let trip = try await store.create(Trip(name: "Lisbon"))
        try await store.attach(Data("x".utf8), to: trip.reference, as: "x")
        let before = try store.status().position
        let missing = await #expect(throws: TripStoreError.self) {
            try await store.attach(place.url.appendingPathComponent("none"), to: Trip.ID.new())
        }
        #expect(missing?.code == .missingContent)
        let parent = await #expect(throws: TripStoreError.self) {
            try await store.attach(Data("x".utf8), to: Trip.ID.new().reference, as: "x")
        }
        #expect(parent?.code == .unknownTrip)
        #expect(try store.status().position == before)
        try await store.expectInvariants()
    }
}
