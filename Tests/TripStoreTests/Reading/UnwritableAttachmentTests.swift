import EventLog
import Foundation
import LMDB
import LogExchange
import Logging
import StoreSupport
import Testing

@testable import TripStore

@Suite("Attachments that are read where a store cannot be written to, or not read at all")
struct UnwritableAttachmentTests {
    private let folder = TemporaryFolder()

    private func place(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    /// The store in a folder as it is opened where the log cannot be read in place: from a copy.
    private func copied(_ url: URL) async throws -> TripStore {
        let layout = StoreLayout(url)
        try await eventually { try !Environment.isOpen(at: layout.log) }
        var options = TripStore.Options(access: .readOnlyBuildingViews, mapSize: 1 << 30)
        options.dependencies.machineFolder = nil
        options.logger.logLevel = .critical
        let (log, scratch) = try layout.reading(prefersCopy: true) {
            try $0.openLog(options.forLog(isReadOnly: true, viewNotes: .inMemory))
        }
        let copy = try #require(scratch)
        let store = try await TripStore.make(at: url, log, copy.layout, options, scratch: copy)
        try await store.views.awaitPosition(log.read { try $0.lastPosition() })
        return store
    }

    @Test("Beside a copy of the log they are those of the store's folder, in a backup and in a bundle too")
    func copiedLog() async throws {
        let bytes = Data("ticket".utf8)
        let trip: Trip.ID
        do {
            let store = try await TripStore.test(at: place("store"))
            trip = try await store.create(Trip(name: "Lisbon"))
            try await store.attach(bytes, to: trip.reference, as: "ticket")
            await store.close()
        }
        let store = try await copied(place("store"))
        let ticket = try #require(try store.attachments(of: trip).first)
        let content = try #require(ticket.content)
        #expect(store.state(of: ticket) == .here(store.contentFolder.url(of: content)))
        #expect(try await store.data(of: ticket) == bytes)
        #expect(try await store.backup(to: place("backup")).leftOut == [])
        let bundle = try await store.write(bundle: place("all.bundle"), attachments: true)
        #expect(bundle.contents == [content])
        let restored = try await TripStore.test(at: place("backup"))
        #expect(try await restored.data(of: ticket) == bytes)
        for store in [store, restored] { try await store.expectInvariants() }
    }

    /// A reason that the system does not say whether a file is there.
    enum Hindrance: CaseIterable, Sendable {
        /// A symbolic link to itself: nobody reads there, an administrator neither.
        case loopedFolder, loopedFile
        /// Its names may be listed, and nothing else.
        case listedFolder

        /// An administrator may always look.
        static var usable: [Hindrance] { geteuid() == 0 ? [.loopedFolder, .loopedFile] : allCases }
    }

    @Test(
        "Attachments that cannot be looked for are not missing: they fail a backup and a bundle, and no file is left",
        arguments: Hindrance.usable)
    func unreadable(hindrance: Hindrance) async throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        try await store.attach(Data("ticket".utf8), to: trip.reference, as: "ticket")
        let ticket = try #require(try store.attachments(of: trip).first)
        let content = try #require(ticket.content)
        let file = store.contentFolder.url(of: content)
        let shelf = file.deletingLastPathComponent().path
        switch hindrance {
        case .loopedFolder, .loopedFile:
            let path = hindrance == .loopedFile ? file.path : shelf
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        case .listedFolder: try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: shelf)
        }
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: shelf) }
        guard case .unreadable(let reason) = store.state(of: ticket) else {
            Issue.record("\(store.state(of: ticket))")
            return
        }
        #expect(reason.contains(file.path))
        await #expect(throws: TripStoreError.self) { try await store.data(of: ticket) }
        await #expect(throws: TripStoreError.self) { try await store.backup(to: place("backup")) }
        await #expect(throws: TripStoreError.self) {
            try await store.write(bundle: place("all.bundle"), attachments: true)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        #expect(try await store.write(bundle: place("commits.bundle")).commits > 0)
        try await store.expectInvariants()
    }
}
