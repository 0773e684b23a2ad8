import Foundation
import LMDB
import Logging
import Platform
import StoreSupport
import Synchronization
import TestSupport
import Testing
import TripStore

@Suite("Backups")
struct BackupTests {
    private let folder = TemporaryFolder()
    private let machine = TemporaryFolder()

    private var storeFolder: URL { folder.url.appendingPathComponent("store") }
    private var backup: URL { folder.url.appendingPathComponent("backup") }

    private func open(_ url: URL, seed: UInt64 = 1, isReadOnly: Bool = false) async throws -> TripStore {
        let clock = ManualClock(seed: seed)
        clock.advance(by: Int64(seed) * 60_000)
        var dependencies = clock.dependencies
        dependencies.machineFolder = machine.url.path
        var options = TripStore.Options(
            access: isReadOnly ? .readOnly : .readWrite, deviceName: isReadOnly ? "" : "device", mapSize: 1 << 30,
            dependencies: dependencies)
        options.logger.logLevel = .critical
        return try await TripStore.open(at: url, options: options)
    }

    private func names(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    @Test("A backup holds the log and the key, and nothing else, and opens with everything that was committed")
    func contents() async throws {
        let store = try await open(storeFolder)
        var writer = RandomWriter(seed: 3)
        for _ in 0..<40 { try await writer.write(to: store) }
        let steps = Mutex<[BackupProgress]>([])
        let report = try await store.backup(to: backup) { step in steps.withLock { $0.append(step) } }
        #expect(try report.position == store.status().position)
        #expect(report.replica == store.replica && report.journal == store.journal && report.holdsKey)
        #expect(UInt64(report.commits) == report.position.rawValue && report.events > 0 && report.fileSize > 0)
        #expect(report.folder.path.hasSuffix("/backup"))
        #expect(try names(backup.path) == ["log", "replica.key"])
        #expect(try names(backup.path + "/log") == ["data.mdb"])
        #expect(try names(folder.url.path) == ["backup", "store"])
        for name in ["replica.key", "log/data.mdb"] {
            let path = backup.appendingPathComponent(name).path
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            #expect(mode as? Int == 0o600, "\(name)")
        }
        #expect(
            try Data(contentsOf: backup.appendingPathComponent("replica.key"))
                == Data(contentsOf: storeFolder.appendingPathComponent("replica.key")))
        let told = steps.withLock { $0 }
        #expect(told.first?.stage == .copying && told.last == BackupProgress.done(report.commits))
        #expect(told.allSatisfy { $0.done <= $0.total })
        #expect(try await TripStore.verify(at: backup).isIntact)

        // The store continues as the same replica.
        try await writer.write(to: store)
        let digests = try store.digests()
        await store.close()
        let reopened = try await open(storeFolder)
        #expect(reopened.identityChange == nil)
        #expect(try reopened.digests() == digests)
        try await reopened.expectInvariants()
    }

    @Test(
        "A backup that is put back goes on as a new replica, and nothing is lost, on either side",
        arguments: [true, false])
    func restoring(originalIsGone: Bool) async throws {
        let original = try await open(storeFolder)
        let trip = try await original.create(Trip(name: "Lisbon"))
        try await original.edit(trip) { $0.notes = "before" }
        let digests = try original.digests()
        try await original.backup(to: backup)
        let peer = try await TripStore.test(clock: ManualClock(seed: 9))
        try await original.edit(trip) { $0.destination = "after" }
        try await original.exchange(with: .store(peer))
        let replica = original.replica
        await original.close()

        let restored: TripStore
        if originalIsGone {
            // As documented: copied back to its old path.
            try FileManager.default.removeItem(at: storeFolder)
            try FileManager.default.copyItem(at: backup, to: storeFolder)
            restored = try await open(storeFolder, seed: 2)
        } else {
            let copy = folder.url.appendingPathComponent("copy")
            try FileManager.default.copyItem(at: backup, to: copy)
            restored = try await open(copy, seed: 2)
        }
        #expect(restored.identityChange?.previous == replica && restored.replica != replica)
        #expect(try restored.digests() == digests)
        try await restored.edit(trip) { $0.name = "Porto" }
        // Later commits of the original return from a peer, and there is no fork.
        try await restored.exchange(with: .store(peer))
        try await restored.expectEqual(to: peer)
        var stores = [restored, peer]
        if !originalIsGone {
            let again = try await open(storeFolder, seed: 3)
            #expect(again.replica == replica)
            try await again.edit(trip) { $0.notes = "since" }
            try await restored.exchange(with: .store(again))
            try await restored.expectEqual(to: again)
            #expect(try restored.trip(trip)?.notes == "since")
            stores = [restored, again, peer]
        }
        #expect(try restored.trip(trip)?.destination == "after")
        for store in stores {
            #expect(try store.forks().isEmpty)
            #expect(try store.trip(trip)?.name == "Porto")
            try await store.expectInvariants()
        }
    }

    @Test(
        "A store that was opened for reading is backed up, also one that a killed writer left with commits written ahead"
    )
    func readOnly() async throws {
        let said = try KilledProcess.run([storeFolder.path], lines: 30)
        var options = TripStore.Options(access: .readOnly, waitsForViews: false, mapSize: 1 << 30)
        options.logger.logLevel = .critical
        let store = try await TripStore.open(at: storeFolder, options: options)
        try await store.backup(to: backup)
        let copy = try await TripStore.test(at: backup)
        for trip in said.compactMap({ Trip.ID($0) }) { #expect(try copy.trip(trip) != nil) }
        try await copy.expectInvariants()
    }

    @Test("A backup while another process writes is of one moment, with all that was acknowledged before it began")
    func whileOthersWrite() async throws {
        let writer = try RunningProcess([storeFolder.path])
        defer { writer.kill() }
        try writer.wait(forLines: 10)
        var options = TripStore.Options(access: .readOnly, waitsForViews: false, mapSize: 1 << 30)
        options.logger.logLevel = .critical
        let store = try await TripStore.open(at: storeFolder, options: options)
        var positions: [Position] = []
        for round in 0..<4 {
            let acknowledged = writer.lines().compactMap { Trip.ID($0) }
            let target = folder.url.appendingPathComponent("backup \(round)")
            let report = try await store.backup(to: target)
            positions.append(report.position)
            let copy = try await open(target, seed: UInt64(round + 2))
            for trip in acknowledged {
                #expect(try copy.trip(trip) != nil)
                #expect(try copy.items(of: trip).count == 1)
            }
            try await copy.expectInvariants()
            try writer.wait(forLines: acknowledged.count + 5)
        }
        #expect(positions == positions.sorted() && Set(positions).count == positions.count)
        writer.kill()
        #expect(try await TripStore.verify(at: storeFolder).isIntact)
    }

    @Test("A folder that is in use, or lies in the store, is refused, and nothing is changed")
    func refused() async throws {
        let store = try await open(storeFolder)
        try await store.create(Trip(name: "Lisbon"))
        let full = folder.url.appendingPathComponent("full")
        try FileManager.default.createDirectory(at: full, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: full.appendingPathComponent("file"))
        let link = folder.url.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: storeFolder)
        let targets = [
            full, full.appendingPathComponent("file"), storeFolder, storeFolder.appendingPathComponent("backup"),
            storeFolder.appendingPathComponent("log/deep/backup"), link.appendingPathComponent("backup"), folder.url,
        ]
        for target in targets {
            let error = await #expect(throws: TripStoreError.self) { try await store.backup(to: target) }
            #expect(error?.code == .backupRefused, "\(target.path)")
        }
        #expect(try names(folder.url.path) == ["full", "link", "store"])
        #expect(try names(full.path) == ["file"])
        // An empty folder is replaced, and other files beside the store are not copied.
        let beside = folder.url.appendingPathComponent("store backup")
        try FileManager.default.createDirectory(at: beside, withIntermediateDirectories: true)
        try await store.backup(to: beside)
        let error = await #expect(throws: TripStoreError.self) { try await store.backup(to: beside) }
        #expect(error?.code == .backupRefused)
        try await store.expectInvariants()
    }

    @Test("What a backup that was cut off left is removed by the next one, but not while it is being made")
    func cutOff() async throws {
        let store = try await open(storeFolder)
        try await store.create(Trip(name: "Lisbon"))
        let unfinished = URL(fileURLWithPath: backup.path + ".unfinished-backup")
        try FileManager.default.createDirectory(
            at: unfinished.appendingPathComponent("backup/log"), withIntermediateDirectories: true)
        try Data(count: 5000).write(to: unfinished.appendingPathComponent("backup/log/data.mdb"))
        try Data().write(to: unfinished.appendingPathComponent("made-by-tripstore-backup"))
        // A running backup to that folder has it locked.
        let descriptor = Foundation.open(unfinished.path, O_RDONLY)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        let error = await #expect(throws: TripStoreError.self) { try await store.backup(to: backup) }
        #expect(error?.code == .backupRefused && error?.message.contains(unfinished.path) == true)
        #expect(try names(unfinished.path + "/backup/log") == ["data.mdb"])
        close(descriptor)
        try await store.backup(to: backup)
        #expect(try names(folder.url.path) == ["backup", "store"])
        #expect(try await TripStore.verify(at: backup).isIntact)
        try await store.expectInvariants()
    }

    @Test("A process that is killed while it makes a backup leaves no folder that passes for one")
    func killed() async throws {
        do {
            let store = try await open(storeFolder)
            let notes = String(repeating: "x", count: 100_000)
            for number in 0..<60 { try await store.create(Trip(name: "\(number)", notes: notes)) }
            await store.close()
        }
        for lines in [0, 1, 2] {
            _ = try KilledProcess.run(["backup", storeFolder.path, backup.path], lines: lines)
            let left = try names(folder.url.path).filter { $0 != "store" }
            #expect(left.allSatisfy { ["backup", "backup.unfinished-backup"].contains($0) })
            let unfinished = URL(fileURLWithPath: backup.path + ".unfinished-backup")
            if left.contains(unfinished.lastPathComponent) {
                // It is not recognised as a store.
                await #expect(throws: TripStoreError.self) { _ = try await open(unfinished) }
            }
            // It may have ended before the signal.
            if left.contains("backup") {
                #expect(try await TripStore.verify(at: backup).commits == 61)
                try FileManager.default.removeItem(at: backup)
            }
        }
        let store = try await open(storeFolder)
        let report = try await store.backup(to: backup)
        #expect(report.commits == 61)
        #expect(try names(folder.url.path) == ["backup", "store"])
        try await store.expectInvariants()
    }

    @Test("On a full disk there is a clear error and nothing is left", .enabled(if: MemoryFileSystem.isAvailable))
    func fullDisk() async throws {
        let store = try await open(storeFolder)
        let notes = String(repeating: "x", count: 100_000)
        for number in 0..<20 { try await store.create(Trip(name: "\(number)", notes: notes)) }
        let system = try MemoryFileSystem(kibibytes: 1024)
        let target = URL(fileURLWithPath: system.path + "/backup")
        let error = await #expect(throws: TripStoreError.self) { try await store.backup(to: target) }
        #expect(error?.code == .diskFull && error?.message.contains(system.path) == true)
        #expect(try names(system.path).isEmpty)
        try await store.expectInvariants()
        withExtendedLifetime(system) {}
    }

    @Test("Without its key a store is backed up, and the report says so")
    func withoutKey() async throws {
        let store = try await open(storeFolder)
        try await store.create(Trip(name: "Lisbon"))
        try FileManager.default.removeItem(at: storeFolder.appendingPathComponent("replica.key"))
        let report = try await store.backup(to: backup)
        #expect(!report.holdsKey)
        #expect(try names(backup.path) == ["log"])
        let copy = try await open(backup, seed: 2)
        #expect(copy.identityChange?.previous == store.replica)
        try await copy.expectInvariants()
    }
}

extension BackupProgress {
    fileprivate static func done(_ commits: Int) -> BackupProgress {
        BackupProgress(stage: .verifying, done: commits, total: commits)
    }
}
