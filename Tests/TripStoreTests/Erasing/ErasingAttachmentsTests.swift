import Events
import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStoreTestSupport

@testable import TripStore

@Suite("Erasing attachments")
struct ErasingAttachmentsTests {
    @Test("The bytes go with the last event that names them")
    func lastReference() async throws {
        let store = try await TripStore.test()
        let trips = [try await store.create(Trip(name: "Lisbon")), try await store.create(Trip(name: "Porto"))]
        let bytes = Data("scan of a passport".utf8)
        let first = try await store.attach(bytes, to: trips[0].reference, as: "passport.jpg")
        let second = try await store.attach(bytes, to: trips[1].reference, as: "copy.jpg")
        let content = try #require(try store.entity(second)?.content)
        let shared = try await store.previewErasing(first)
        #expect(shared.count == 1 && shared.contents.isEmpty)
        try await store.erase(shared)
        #expect(try store.entity(first) == nil && store.contentFiles() == [content])
        let copy = try #require(try store.entity(second))
        #expect(try await store.data(of: copy) == bytes)

        let last = try await store.previewErasing(trips[1])
        #expect(last.count == 2 && last.contents == [content])
        try await store.erase(last)
        #expect(try store.contentFiles() == [] && store.trip(trips[0])?.name == "Lisbon")
        let files = try FileManager.default.subpathsOfDirectory(atPath: store.folder.path + "/attachments")
        #expect(!files.contains { $0.contains(content.description) })
        try await store.expectInvariants()
    }

    @Test("The bytes stay where another field of the attachment goes, and where the same file is attached again")
    func stay() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let bytes = Data("ticket".utf8)
        let ticket = try await store.attach(bytes, to: lisbon.reference, as: "a.txt", caption: "secret")
        let preview = try await store.previewErasing(ticket, fields: ["caption"])
        #expect(preview.contents.isEmpty && preview.rewritten == 1)
        try await store.erase(preview)
        let kept = try #require(try store.entity(ticket))
        #expect(try await store.data(of: kept) == bytes)
        #expect(try kept.caption == "" && !store.logContains("secret"))

        try await store.erase(store.previewErasing(ticket))
        #expect(try store.contentFiles() == [])
        let again = try await store.attach(bytes, to: lisbon.reference, as: "b.txt")
        try await store.finishErasures()
        let attachment = try #require(try store.entity(again))
        #expect(try await store.data(of: attachment) == bytes)
        try await store.expectInvariants()
    }
}
