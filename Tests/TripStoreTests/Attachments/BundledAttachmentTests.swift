import EventLog
import Events
import Foundation
import LogExchange
import StoreSupport
import TestSupport
import Testing
import TripStoreTestSupport

@testable import TripStore

@Suite("Attachments in bundles", .timeLimit(.minutes(3)))
struct BundledAttachmentTests {
    private let place = TemporaryFolder()

    init() throws { try FileManager.default.createDirectory(at: place.url, withIntermediateDirectories: true) }

    private func file(_ name: String) -> URL { place.url.appendingPathComponent(name) }

    @Test("come with their commits into an empty store, if they are asked for", arguments: [false, true])
    func whole(isAskedFor: Bool) async throws {
        let phone = try await TripStore.test()
        let trip = try await phone.create(Trip(name: "Lisbon"))
        let film = Data((0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 &* 3) })
        try await phone.attach(film, to: trip.reference, as: "film")
        try await phone.attach(Data("ticket".utf8), to: trip.reference, as: "ticket")
        let given = try await phone.attach(Data("secret".utf8), to: trip.reference, as: "given up")
        try await phone.discard(given)
        let summary = try await phone.write(bundle: file("all"), attachments: isAskedFor)
        #expect(summary.contents.count == (isAskedFor ? 2 : 0))
        let laptop = try await TripStore.test()
        let report = try await laptop.exchange(with: .bundle(file("all")))
        #expect(report.attachments?.received.contents == (isAskedFor ? 2 : nil))
        let attachments = try laptop.attachments(of: trip).filter { $0.discardedAt == nil }
        #expect(attachments.count == 2)
        for attachment in attachments where isAskedFor {
            let expected = attachment.name == "film" ? film : Data("ticket".utf8)
            #expect(try await laptop.data(of: attachment) == expected)
        }
        if !isAskedFor { #expect(attachments.allSatisfy { laptop.state(of: $0) == .missing }) }
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("are those that newer commits name, for a reader that holds older ones; the others come by a later exchange")
    func newer() async throws {
        let (phone, laptop) = try await SyncFixture.devices()
        try await laptop.exchange(with: .store(phone))
        let trip = try #require(try phone.trips(.dated).rows.first?.trip.id)
        try await phone.attach(Data("old".utf8), to: trip.reference, as: "old")
        try await phone.write(bundle: file("commits"))
        try await laptop.exchange(with: .bundle(file("commits")))
        let frontier = try await laptop.frontier()
        try await phone.attach(Data("new".utf8), to: trip.reference, as: "new")
        let summary = try await phone.write(bundle: file("new"), for: .holder(of: frontier), attachments: true)
        #expect(summary.contents.count == 1)
        let report = try await laptop.exchange(with: .bundle(file("new")))
        #expect(report.attachments?.received.contents == 1)
        let states = try laptop.attachments(of: trip).map { ($0.name, laptop.state(of: $0) == .missing) }
        #expect(states.filter(\.1).map(\.0) == ["old"])
        #expect(try await laptop.exchange(with: .store(phone)).attachments?.received.contents == 1)
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("that only another replica names are taken in from any bundle that has them")
    func passedOn() async throws {
        let (phone, laptop) = try await SyncFixture.devices()
        try await laptop.exchange(with: .store(phone))
        let trip = try #require(try phone.trips(.dated).rows.first?.trip.id)
        try await laptop.attach(Data("of the laptop".utf8), to: trip.reference, as: "ticket")
        try await phone.exchange(with: .store(laptop))
        try await phone.write(bundle: file("all"), attachments: true)
        let tablet = try await TripStore.test()
        try await tablet.exchange(with: .bundle(file("all")))
        let ticket = try #require(try tablet.attachments(of: trip).first)
        #expect(try await tablet.data(of: ticket) == Data("of the laptop".utf8))
        for store in [phone, laptop, tablet] { try await store.expectInvariants() }
    }
}
