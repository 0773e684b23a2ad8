import Foundation
import Logging
import StoreSupport
import TestSupport
import Testing

@testable import LMDB
@testable import TripStore

@Suite("A store that is opened to be read")
struct OpeningForReadingTests {
    private let folder = TemporaryFolder()
    private let machine = TemporaryFolder()

    private func options(mapSize: Int? = 1 << 30) -> TripStore.Options {
        var options = TripStore.Options(access: .readOnlyBuildingViews, mapSize: mapSize)
        options.dependencies.machineFolder = machine.url.path
        options.logger.logLevel = .critical
        return options
    }

    /// The ids of trips that a writer acknowledged before it was killed, in the store at a path.
    private func killedWriter(at path: String, lines: Int = 30) throws -> Set<String> {
        Set(try KilledProcess.run([path], lines: lines))
    }

    /// The files of a store that name its replica, and its log.
    private func essence(_ path: String) throws -> [Data] {
        let url = URL(fileURLWithPath: path)
        return [try Data(contentsOf: url.appendingPathComponent("replica.key"))]
    }

    private func expect(_ store: TripStore, toShow acknowledged: Set<String>) throws {
        let rows = try store.trips(.dated, limit: 10_000_000).rows
        #expect(Set(rows.map { "\($0.id)" }).isSuperset(of: acknowledged))
        // Including the replica's introduction.
        #expect(try store.status().position == Position(UInt64(rows.count + 1)))
    }

    @Test("After a kill, and without views, it shows everything, and neither log nor key are changed")
    func killed() async throws {
        let path = folder.path("store")
        let acknowledged = try killedWriter(at: path)
        try? FileManager.default.removeItem(atPath: path + "/views")
        let key = try essence(path)
        let digests: [String: Digest]
        do {
            let store = try await TripStore.open(at: folder.url.appendingPathComponent("store"), options: options())
            #expect(store.isReadOnly && store.identityChange == nil)
            try expect(store, toShow: acknowledged)
            digests = try store.digests()
            await #expect(throws: (any Error).self) { try await store.create(Trip(name: "No")) }
            await store.close()
        }
        #expect(try essence(path) == key)
        // No replica was recorded, because nothing was written.
        #expect(!FileManager.default.fileExists(atPath: machine.url.path))
        let store = try await TripStore.test(at: folder.url.appendingPathComponent("store"))
        #expect(try store.digests() == digests)
        try await store.expectInvariants()
    }

    @Test("A copy of another machine's store is read as that replica's, which it stays")
    func copied() async throws {
        let original = folder.url.appendingPathComponent("store")
        let replica: ReplicaID
        do {
            let store = try await TripStore.test(at: original)
            replica = store.replica
            try await store.create(Trip(name: "Lisbon"))
            await store.close()
        }
        let copy = folder.url.appendingPathComponent("copy")
        try FileManager.default.copyItem(at: original, to: copy)
        for _ in 0..<2 {
            let store = try await TripStore.open(at: copy, options: options())
            #expect(store.replica == replica && store.identityChange == nil)
            #expect(try store.status().position == Position(2))
            try await store.expectInvariants()
            await store.close()
        }
        #expect(try essence(copy.path) == essence(original.path))
    }

    @Test(
        "On a medium that became read-only it shows everything, from a copy that goes with it",
        .enabled(if: MemoryFileSystem.isAvailable), arguments: [true, false], [true, false])
    func readOnlyMedium(hasViews: Bool, isPowerCut: Bool) async throws {
        let system = try MemoryFileSystem(kibibytes: 64 << 10)
        let path = system.path + "/store"
        let acknowledged = try killedWriter(at: path)
        if !hasViews { try FileManager.default.removeItem(atPath: path + "/views") }
        if isPowerCut { try loseMemory(path) }
        try system.makeReadOnly()
        let scratch = try await read(path, acknowledged)
        // After a kill alone the log is complete, and the views may be.
        #expect(scratch != nil || hasViews && !isPowerCut)
        #expect(!FileManager.default.fileExists(atPath: scratch ?? ""))
        #expect(try await TripStore.verify(at: URL(fileURLWithPath: path)).isIntact)
        withExtendedLifetime(system) {}
    }

    /// As after a restart of the machine: what is not synced is ignored.
    private func loseMemory(_ path: String) throws {
        let file = try #require(try WriteAheadFile(in: path + "/log", creating: false))
        var header = try #require(try file.header())
        #expect(header.isEnabled)
        header.session = "before"
        try file.write(header.bytes, at: 0)
    }

    @Test(
        "Frames that the medium lost are a finding until their file is removed, in place and in a copy",
        .enabled(if: MemoryFileSystem.isAvailable), arguments: [true, false])
    func lostFrames(isReadOnly: Bool) async throws {
        let system = try MemoryFileSystem(kibibytes: 64 << 10)
        let path = system.path + "/store"
        _ = try killedWriter(at: path)
        try loseMemory(path)
        do {
            let file = try #require(try WriteAheadFile(in: path + "/log", creating: false))
            let header = try #require(try file.header())
            let frames = try file.frames().withUnsafeBytes { WriteAheadFrame.all(in: $0, after: header) }
            let start = try #require(frames.dropFirst(frames.count / 2).first).changes.lowerBound
            try file.write(
                [UInt8](repeating: 0, count: WriteAheadFile.frameHead),
                at: WriteAheadHeader.block + start - WriteAheadFile.frameHead)
        }
        if isReadOnly { try system.makeReadOnly() }
        let url = URL(fileURLWithPath: path)
        let kept = "\(path)/log/\(isReadOnly ? "wal" : "wal.unreadable")"
        for _ in 0..<2 {
            let report = try await TripStore.verify(at: url)
            #expect(report.findings.map(\.code) == ["lostRecords"])
            #expect(report.findings.first?.message.contains("\(kept).") == true)
        }
        if !isReadOnly {
            try FileManager.default.removeItem(atPath: kept)
            #expect(try await TripStore.verify(at: url).isIntact)
        }
        withExtendedLifetime(system) {}
    }

    /// Reads a store that cannot be written to, and returns where its copy was, if it needed one.
    private func read(_ path: String, _ acknowledged: Set<String>) async throws -> String? {
        let store = try await TripStore.open(at: URL(fileURLWithPath: path), options: options())
        try expect(store, toShow: acknowledged)
        try await store.expectInvariants()
        let scratch = store.scratch?.layout.folder
        #expect(scratch.map { FileManager.default.fileExists(atPath: $0) } != false)
        await store.close()
        return scratch
    }

    @Test(
        "On a full disk it shows everything, though neither repair nor views find room",
        .enabled(if: MemoryFileSystem.isAvailable), arguments: [true, false], [true, false])
    func fullDisk(hasViews: Bool, isPowerCut: Bool) async throws {
        let system = try MemoryFileSystem(kibibytes: 64 << 10)
        let path = system.path + "/store"
        let acknowledged = try killedWriter(at: path)
        if !hasViews { try FileManager.default.removeItem(atPath: path + "/views") }
        if isPowerCut { try loseMemory(path) }
        try system.fill()
        do {
            let store = try await TripStore.open(at: URL(fileURLWithPath: path), options: options())
            try expect(store, toShow: acknowledged)
            await store.close()
        }
        #expect(try await TripStore.verify(at: URL(fileURLWithPath: path)).isIntact)
        // With space again the store continues.
        try FileManager.default.removeItem(atPath: system.path + "/ballast")
        let store = try await TripStore.test(at: URL(fileURLWithPath: path))
        try await store.create(Trip(name: "Last"))
        try await store.expectInvariants()
        await store.close()
        withExtendedLifetime(system) {}
    }

    @Test(
        "A log that needs no repair is read where it lies, though its views find no room",
        .enabled(if: MemoryFileSystem.isAvailable), arguments: [0, 32, 64, 128] as [UInt64])
    func roomForLittle(kibibytes: UInt64) async throws {
        let system = try MemoryFileSystem(kibibytes: 64 << 10)
        let path = system.path + "/store"
        let acknowledged = try killedWriter(at: path)
        try FileManager.default.removeItem(atPath: path + "/views")
        try system.fill(leaving: kibibytes << 10)
        let store = try await TripStore.open(at: URL(fileURLWithPath: path), options: options())
        try expect(store, toShow: acknowledged)
        let scratch = try #require(store.scratch)
        #expect(!FileManager.default.fileExists(atPath: scratch.layout.log))
        #expect(FileManager.default.fileExists(atPath: scratch.layout.views))
        try await store.expectInvariants()
        await store.close()
        withExtendedLifetime(system) {}
    }

    @Test(
        "After a power cut, where nothing can be written, a store is backed up, cloned and exchanged with, from a copy",
        .enabled(if: MemoryFileSystem.isAvailable), arguments: [true, false])
    func source(isFull: Bool) async throws {
        let system = try MemoryFileSystem(kibibytes: 64 << 10)
        let source = URL(fileURLWithPath: system.path + "/store")
        let peer = folder.url.appendingPathComponent("peer")
        do { await (try await TripStore.test(at: peer)).close() }
        let acknowledged = try KilledProcess.run([source.path, peer.path], lines: 60).compactMap { Trip.ID($0) }
        #expect(acknowledged.count > 2)
        try loseMemory(source.path)
        if isFull { try system.fill() } else { try system.makeReadOnly() }

        var reading = options()
        (reading.access, reading.waitsForViews) = (.readOnly, false)
        let backup = folder.url.appendingPathComponent("backup")
        do {
            let store = try await TripStore.open(at: source, options: reading)
            // On a full disk there may be free pages in the file itself.
            #expect(isFull || store.scratch != nil)
            try await store.backup(to: backup)
            await store.close()
        }
        var writing = options()
        writing.access = .readWrite
        let clone = folder.url.appendingPathComponent("clone")
        let cloned = try await TripStore.clone(.folder(source), to: clone, options: writing)
        let other = try await TripStore.test(journal: cloned.store.journal, clock: ManualClock(seed: 5))
        try await other.exchange(with: .folder(source))
        if !isFull { #expect(!cloned.report.peer.isWritable && cloned.report.sent.commits == 0) }
        let restored = try await TripStore.open(at: backup, options: writing)
        for store in [cloned.store, other, restored] {
            // A reader gets commits up to the last signed one: the exchanges before the kill signed these.
            let expected = store === restored ? acknowledged[...] : acknowledged.dropLast()
            for trip in expected { #expect(try store.trip(trip) != nil) }
            try await store.expectInvariants()
            await store.close()
        }
        withExtendedLifetime(system) {}
    }

    @Test("Beside a writer in another process it shows what that has acknowledged, and never asks it to stop")
    func besideWriter() async throws {
        let writer = try RunningProcess([folder.url.path])
        try writer.wait(forLines: 20)
        for _ in 0..<5 {
            let acknowledged = Set(writer.lines())
            let store = try await TripStore.open(at: folder.url, options: options())
            try await store.catchUp()
            let rows = try store.trips(.dated, limit: 10_000_000).rows
            #expect(Set(rows.map { "\($0.id)" }).isSuperset(of: acknowledged))
            await store.close()
        }
        writer.kill()
        let store = try await TripStore.test(at: folder.url)
        try await store.expectInvariants()
    }

    @Test("Beside a busy writer one snapshot is verified, each time a newer one")
    func verifiedBesideWriter() async throws {
        let writer = try RunningProcess([folder.url.path])
        try writer.wait(forLines: 20)
        var position = Position.start
        for _ in 0..<10 {
            let acknowledged = writer.lines().count
            let report = try await TripStore.verify(at: folder.url)
            #expect(report.isIntact, "\(report.findings)")
            #expect(report.position > position && report.position.rawValue > UInt64(acknowledged))
            #expect(UInt64(report.commits) == report.position.rawValue)
            position = report.position
            try writer.wait(forLines: acknowledged + 20)
        }
        writer.kill()
        let store = try await TripStore.test(at: folder.url)
        try await store.expectInvariants()
    }
}
