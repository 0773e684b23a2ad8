import Foundation
import LMDB
import Logging
import Platform
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import TripStore

@Suite("The folder in which a backup is made")
struct BackupFolderTests {
    private let folder = TemporaryFolder()

    private var store: URL { folder.url.appendingPathComponent("store") }
    private var target: URL { folder.url.appendingPathComponent("trips") }
    private var unfinished: URL { folder.url.appendingPathComponent("trips.unfinished-backup") }

    init() throws { try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true) }

    private func names(_ url: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }

    private func make(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: unfinished.appendingPathComponent(path).path, withIntermediateDirectories: true)
    }

    /// As after a backup that was cut off once the log was copied.
    private func leave(_ store: TripStore) throws {
        let place = try BackupFolder(for: target, of: store.folder)
        try store.log.copy(to: place.layout.log)
    }

    private func expectRefused(
        _ store: TripStore, saying words: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let error = await #expect(throws: TripStoreError.self, sourceLocation: sourceLocation) {
            try await store.backup(to: target)
        }
        #expect(
            error?.code == .backupRefused && error?.message.contains(words) == true, "\(String(describing: error))",
            sourceLocation: sourceLocation)
        #expect(!FileManager.default.fileExists(atPath: target.path), sourceLocation: sourceLocation)
    }

    @Test(
        "A store that lies where the backup would be made is refused and stays",
        arguments: ["", "backup", "deep/store"])
    func storeThere(path: String) async throws {
        let store = try await TripStore.test(at: path.isEmpty ? unfinished : unfinished.appendingPathComponent(path))
        let trip = try await store.create(Trip(name: "Lisbon"))
        let mark = unfinished.appendingPathComponent(BackupFolder.mark)
        for isMarked in [false, true] {
            if isMarked { try Data().write(to: mark) }
            try await expectRefused(store, saying: "the store \(store.folder.path) is there")
        }
        try await store.edit(trip) { $0.notes = "still here" }
        try FileManager.default.removeItem(at: mark)
        try await store.expectInvariants()
    }

    @Test("A folder of that name without the mark, a file and a link are refused and stay as they are")
    func unmarked() async throws {
        let store = try await TripStore.test(at: store)
        try make("log")
        try Data("mine".utf8).write(to: unfinished.appendingPathComponent("log/data.mdb"))
        try await expectRefused(store, saying: "was not left by a backup")
        #expect(try names(unfinished) == ["log"])
        #expect(try Data(contentsOf: unfinished.appendingPathComponent("log/data.mdb")) == Data("mine".utf8))
        let others = folder.url.appendingPathComponent("others")
        try FileManager.default.moveItem(at: unfinished, to: others)
        try FileManager.default.createSymbolicLink(at: unfinished, withDestinationURL: others)
        try await expectRefused(store, saying: "a file or a link")
        try FileManager.default.removeItem(at: unfinished)
        try Data("mine".utf8).write(to: unfinished)
        try await expectRefused(store, saying: "a file or a link")
        #expect(try names(folder.url) == ["others", "store", "trips.unfinished-backup"])
        try await store.expectInvariants()
    }

    @Test("What was left does not open as a store; if the copy in it is used all the same, it stays")
    func used() async throws {
        let store = try await TripStore.test(at: store)
        let trip = try await store.create(Trip(name: "Lisbon"))
        try leave(store)
        #expect(!TripStore.exists(at: unfinished))
        let error = await #expect(throws: TripStoreError.self) { _ = try await TripStore.open(at: unfinished) }
        #expect(error?.code == .notAStore)

        let copy = unfinished.appendingPathComponent("backup")
        do {
            var options = TripStore.Options(access: .readOnly, waitsForViews: false, mapSize: 1 << 30)
            options.logger.logLevel = .critical
            let reader = try await TripStore.open(at: copy, options: options)
            #expect(reader.journal == store.journal)
            try await expectRefused(store, saying: "has been used as a store since")
            await reader.close()
        }
        do {
            let writer = try await TripStore.test(clock: ManualClock(seed: 2), at: copy)
            try await writer.edit(trip) { $0.name = "Porto" }
            await writer.close()
        }
        try await expectRefused(store, saying: "has been used as a store since")
        let writer = try await TripStore.test(clock: ManualClock(seed: 3), at: copy)
        #expect(try writer.trip(trip)?.name == "Porto")
        try await writer.expectInvariants()
        try await store.expectInvariants()
    }

    @Test("What was left is removed with its mark, and other files beside it are not")
    func left() async throws {
        let store = try await TripStore.test(at: store)
        try leave(store)
        #expect(try names(unfinished) == ["backup", BackupFolder.mark])
        try Data("mine".utf8).write(to: unfinished.appendingPathComponent("note"))
        try await store.backup(to: target)
        #expect(try names(unfinished) == ["note"])
        #expect(try await TripStore.verify(at: target).isIntact)
        try await store.expectInvariants()
    }

    @Test("Of several who begin at once beside one that was cut off each has the folder to himself, or is refused")
    func together() async throws {
        let (holders, made) = (Counter(), Counter())
        try make("backup/log")
        try Data().write(to: unfinished.appendingPathComponent(BackupFolder.mark))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { [target, store] in
                    for _ in 0..<100 {
                        guard let place = try? BackupFolder(for: target, of: store) else { continue }
                        #expect(holders.add(1) == 1)
                        let file = place.layout.log + "/data.mdb"
                        #expect(FileManager.default.createFile(atPath: file, contents: nil))
                        sched_yield()
                        #expect(FileManager.default.fileExists(atPath: file))
                        _ = holders.add(-1)
                        if made.add(1) % 2 == 0 { place.discard() }
                        // It was locked until here.
                        withExtendedLifetime(place) {}
                    }
                }
            }
        }
        #expect(made.add(0) > 4)
    }

    private final class Counter: Sendable {
        private let value = Atomic(0)
        func add(_ amount: Int) -> Int { value.add(amount, ordering: .sequentiallyConsistent).newValue }
    }

    @Test("Where the folder can be made and nothing in it, there is an error, and the folder goes")
    func nothingInside() throws {
        // Too long for a path only together with the files inside.
        let length = 4095 - BackupFolder.suffix.utf8.count - 5
        var path = folder.url.path
        while path.utf8.count < length - 101 { path += "/" + String(repeating: "x", count: 100) }
        path += "/" + String(repeating: "y", count: length - path.utf8.count - 1)
        #expect(throws: StorageError.self) { _ = try BackupFolder(for: URL(fileURLWithPath: path), of: store) }
        #expect(try names(URL(fileURLWithPath: path).deletingLastPathComponent()) == [])
    }

    @Test("If its name may not outlast a power cut, the backup is not left in place")
    func unsyncedName() throws {
        struct Failure: Error {}
        let place = try BackupFolder(for: target, of: store)
        #expect(throws: Failure.self) {
            try place.finish { path in
                guard path == (place.target as NSString).deletingLastPathComponent else { return }
                #expect(FileManager.default.fileExists(atPath: place.target))
                throw Failure()
            }
        }
        #expect(try names(folder.url) == ["trips.unfinished-backup"])
        try place.finish()
        #expect(try names(folder.url) == ["trips"])
    }

    @Test("The last report of a copy comes before it ends")
    func reports() async throws {
        let isReporting = Atomic(false)
        let isCopied = Atomic(false)
        let isReported = Atomic(false)
        let value = try await TripStore.reporting(every: .zero) {
            isReporting.store(true, ordering: .releasing)
            while !isCopied.load(ordering: .acquiring) { sched_yield() }
            for _ in 0..<1000 { sched_yield() }
            isReported.store(true, ordering: .releasing)
        } during: {
            while !isReporting.load(ordering: .acquiring) { await Task.yield() }
            isCopied.store(true, ordering: .releasing)
            return 7
        }
        #expect(value == 7 && isReported.load(ordering: .acquiring))
    }
}
