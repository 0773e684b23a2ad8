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

    @Test("The log is searched for contents no more once their erasure is final, or was taken back")
    func noted() async throws {
        let clock = ManualClock(seed: 1)
        let phone = try await TripStore.founded(clock: clock)
        let laptop = try await TripStore.test(journal: phone.journal, clock: ManualClock(seed: 2))
        try await phone.grant(.write, to: laptop.replica)
        try await laptop.exchange(with: .store(phone))
        let lisbon = try await laptop.create(Trip(name: "Lisbon"))
        let kept = try await laptop.attach(Data("ticket".utf8), to: lisbon.reference, as: "ticket.txt")
        let gone = try await laptop.attach(Data("passport".utf8), to: lisbon.reference, as: "passport.txt")
        try await laptop.exchange(with: .store(phone))
        let erasures = [
            try await phone.erase(phone.previewErasing(kept)), try await phone.erase(phone.previewErasing(gone)),
        ]
        #expect(try phone.contentFiles().count == 2 && ErasedContents(phone.log).times.count == 2)

        try await phone.takeBack(#require(erasures[0].first))
        try await phone.finishErasures()
        let content = try #require(try phone.entity(kept)?.content)
        #expect(try phone.contentFiles().count == 2 && ErasedContents(phone.log).times[content] == nil)
        #expect(try phone.entity(gone) == nil && ErasedContents(phone.log).times.count == 1)

        clock.advance(by: 31 * 86_400_000)
        try await phone.finishErasures()
        #expect(try phone.contentFiles() == [content] && ErasedContents(phone.log).times.isEmpty)
        for store in [phone, laptop] { try await store.expectInvariants() }
    }
}
