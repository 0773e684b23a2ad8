import EventLog
import Events
import Foundation
import LMDB
import LMDBFormat
import Platform
import StoreSupport
import TestSupport
import Testing

@testable import ProjectionEngine

/// Views that were not closed, or changed since, are inspected before LMDB reads them, and rebuilt if they are damaged.
@Suite("Views that may be damaged")
struct DamagedGenerationTests {
    /// Closed views, and their log.
    private final class Views {
        let fixture: EngineFixture
        let path: String

        init(closing: Bool) async throws {
            fixture = try EngineFixture()
            var group: ProjectionGroup? = try await fixture.group("views", [ByValue(), Tally()])
            for number in 0..<300 {
                try await fixture.append([.sample(.created, UUID(), "value \(number)")])
                if number % 50 == 0 { await group?.applyPending() }
            }
            await group?.applyPending()
            path = try #require(group?.slot.serving?.folder.path)
            if closing { await group?.close() }
            group = nil
            try await waitUntilUnused()
        }

        var data: String { path + "/data.mdb" }

        /// Threads release what they used a moment after they returned.
        func waitUntilUnused() async throws {
            for _ in 0..<1_000_000 {
                if GenerationFolder.joining(path) == nil { return }
                await Task.yield()
            }
            Issue.record("\(path) is still in use")
        }

        func bytes(of path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

        /// Writes in place, like a fault of the medium; but so that the modification time shows it at any clock
        /// resolution.
        func write(_ bytes: [UInt8], to path: String) throws {
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try file.write(contentsOf: bytes)
            try file.truncate(atOffset: UInt64(bytes.count))
            try file.close()
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: 10)], ofItemAtPath: path)
        }

        /// Opens them, expects that they were rebuilt for a reason, or served as they are if there is none.
        func expect(rebuiltFor reason: String?, sourceLocation: SourceLocation = #_sourceLocation) async throws {
            let group = try await fixture.group("views", [ByValue(), Tally()])
            if let reason {
                let words = group.replacementReason ?? "nothing"
                #expect(
                    words != "nothing" && (reason.isEmpty || words.contains(reason)), "\(words)",
                    sourceLocation: sourceLocation)
                #expect(group.slot.serving?.folder.path != path, sourceLocation: sourceLocation)
            } else {
                #expect(group.replacementReason == nil, sourceLocation: sourceLocation)
                #expect(group.slot.serving?.folder.path == path, sourceLocation: sourceLocation)
            }
            try await group.expectRebuildEquals(sourceLocation: sourceLocation)
        }
    }

    @Test("Unchanged views are served: closed ones, and those that a killed process left", arguments: [true, false])
    func unchanged(isClosed: Bool) async throws {
        let views = try await Views(closing: isClosed)
        let isKnown = !MountIdentity.of(views.path).isEmpty
        try await views.expect(rebuiltFor: isClosed || isKnown ? nil : "does not tell")
    }

    @Test("Pages of random bytes are found before anything is read, and the reason names page and table")
    func randomPages() async throws {
        for isClosed in [true, false] {
            let views = try await Views(closing: isClosed)
            var bytes = try views.bytes(of: views.data)
            var generator = SeededGenerator(seed: 7)
            // From page 2 on: which of them are in use depends on what was written in which order.
            for place in 2 * 4096..<bytes.count / 2 { bytes[place] = .random(in: .min ... .max, using: &generator) }
            try views.write(bytes, to: views.data)
            try await views.expect(rebuiltFor: "page ")
        }
    }

    @Test(
        "Files that end early, are empty or gone, and first pages of noise, are rebuilt", arguments: [true, false])
    func filesOfOtherSizes(isClosed: Bool) async throws {
        let shapes: [(String, (inout [UInt8]) -> Void)] = [
            ("", { $0.removeLast($0.count - 5 * 4096) }), ("", { $0.removeLast($0.count - 4096 - 10) }),
            ("is empty", { $0 = [] }),
            ("page 0", { $0.replaceSubrange(0..<8192, with: repeatElement(0xA5, count: 8192)) }),
        ]
        for (reason, change) in shapes {
            let views = try await Views(closing: isClosed)
            var bytes = try views.bytes(of: views.data)
            change(&bytes)
            try views.write(bytes, to: views.data)
            try await views.expect(rebuiltFor: reason)
        }
        let views = try await Views(closing: isClosed)
        try FileManager.default.removeItem(atPath: views.data)
        try await views.expect(rebuiltFor: "'data.mdb' is missing")
    }

    @Test("A value that changed in closed views is not served, though no page shows it")
    func changedValue() async throws {
        let views = try await Views(closing: true)
        var bytes = try views.bytes(of: views.data)
        let place = try #require(bytes.indices.last { bytes[$0...].starts(with: Array("value 29".utf8)) })
        bytes[place + 6] ^= 1
        try views.write(bytes, to: views.data)
        try await views.expect(rebuiltFor: "was changed after they were closed")
    }

    @Test("A copy of closed views is checked once, and served")
    func copied() async throws {
        let views = try await Views(closing: true)
        let bytes = try views.bytes(of: views.data)
        // Made beside it, because the inode of a removed file is reused.
        try Data(bytes).write(to: URL(fileURLWithPath: views.data + ".copy"))
        #expect(rename(views.data + ".copy", views.data) == 0)
        guard case .whole = try GenerationFolder.inspect(views.path) else { return #expect(Bool(false), "refused") }
        let mark = try #require(GenerationMark(path: views.path + "/boot"))
        #expect(!mark.isClean && mark.stamp == FileVersion(path: views.data))
        if !mark.mount.isEmpty { try await views.expect(rebuiltFor: nil) }
    }

    @Test("Checked views are not checked again until they are written to")
    func checkedOnce() async throws {
        let views = try await Views(closing: false)
        guard !MountIdentity.of(views.path).isEmpty else { return }
        guard case .whole = try GenerationFolder.inspect(views.path) else { return #expect(Bool(false), "refused") }
        let mark = try #require(GenerationMark(path: views.path + "/boot"))
        #expect(mark.stamp == FileVersion(path: views.data))
        let group = try await views.fixture.group("views", [ByValue(), Tally()])
        #expect(group.slot.serving?.folder.mark?.stamp == nil)
        try await group.expectRebuildEquals()
    }

    @Test(
        "Views whose mark is of another mount or boot, of an earlier version or unreadable, are rebuilt",
        arguments: [
            ("boot BOOT\nmount another\nopen\nfile\n", "unmounted"),
            ("boot another\nmount MOUNT\nopen\nfile\n", "machine"),
            ("BOOT\nopen\n", "'boot'"), ("BOOT\nclean\n", "'boot'"), ("\u{1}\u{2}", "'boot'"), ("", "'boot'"),
        ])
    func marks(mark: (text: String, reason: String)) async throws {
        let views = try await Views(closing: false)
        guard !MountIdentity.of(views.path).isEmpty else { return }
        let text = mark.text.replacingOccurrences(of: "BOOT", with: BootIdentity.current)
            .replacingOccurrences(of: "MOUNT", with: MountIdentity.of(views.path))
        try views.write(Array(text.utf8), to: views.path + "/boot")
        try await views.expect(rebuiltFor: mark.reason)
    }

    @Test("Views in use are not inspected, and another mount's name for them does no harm")
    func inUse() async throws {
        let views = try await Views(closing: false)
        let user = open(views.path + "/in-use", O_RDONLY)
        #expect(flock(user, LOCK_SH) == 0)
        let text = "boot \(BootIdentity.current)\nmount another\nopen\nfile\n"
        try views.write(Array(text.utf8), to: views.path + "/boot")
        try await views.expect(rebuiltFor: nil)
        close(user)
    }

    @Test("Without the file that shows their users views are rebuilt; its content does not matter")
    func lockFile() async throws {
        let views = try await Views(closing: true)
        try views.write([1, 2, 3], to: views.path + "/in-use")
        try await views.expect(rebuiltFor: nil)
        try await views.waitUntilUnused()
        let others = try await Views(closing: true)
        try FileManager.default.removeItem(atPath: others.path + "/in-use")
        try await others.expect(rebuiltFor: "'in-use' is missing")
    }

    /// An intact data file, which holds none of the engine's rows.
    private static func bytesWithoutViews() throws -> [UInt8] {
        let other = TemporaryFolder()
        try Folder.create(other.url.path)
        let file = try DataFileBuilder(in: other.url.path)
        try file.part(Generation.entitiesPart).append([1], [1])
        try file.finish()
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: file.path)))
    }

    @Test("A data file that is whole and holds no views is damage")
    func otherFile() async throws {
        let views = try await Views(closing: false)
        guard !MountIdentity.of(views.path).isEmpty else { return }
        try views.write(Self.bytesWithoutViews(), to: views.data)
        try await views.expect(rebuiltFor: "the checkpoint")
    }

    @Test("Views that were refused once are not looked at again")
    func refusedOnce() async throws {
        let views = try await Views(closing: true)
        let group = views.fixture.unstartedGroup("views", [ByValue(), Tally()])
        let bytes = try views.bytes(of: views.data)
        try views.write(Self.bytesWithoutViews(), to: views.data)
        // So that the change does not show.
        let mark = GenerationMark.now(at: views.path, isClean: true, stamp: FileVersion(path: views.data))
        try views.write(Array(mark.text.utf8), to: views.path + "/boot")
        #expect(try group.slot.pointed() == nil)
        try views.write(bytes, to: views.data)
        let sound = GenerationMark.now(at: views.path, isClean: true, stamp: FileVersion(path: views.data))
        try views.write(Array(sound.text.utf8), to: views.path + "/boot")
        #expect(try group.slot.pointed() == nil)
        // Another group has not read them.
        try await views.expect(rebuiltFor: nil)
    }

    @Test("Views that are refused later do not count as replaced at the start")
    func refusedLater() async throws {
        let views = try await Views(closing: true)
        let group = try await views.fixture.group("views", [ByValue(), Tally()])
        #expect(group.replacementReason == nil)
        let other = views.fixture.folder.path("views/other")
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        let serving = try #require(group.slot.serving?.folder.name)
        _ = try views.fixture.log.exchangeViewNote(group.configuration.pointer, Array("other".utf8))
        #expect(try group.slot.pointed() == nil)
        #expect(group.replacementReason == nil)
        _ = try views.fixture.log.exchangeViewNote(group.configuration.pointer, Array(serving.utf8))
        try await group.expectRebuildEquals()
    }

    @Test("Keys in the list of changes that are no positions are damage, and not read beyond")
    func changes() async throws {
        let fixture = try EngineFixture()
        let group = try await fixture.group("views", [Tally()])
        for _ in 0..<3 {
            try await fixture.append([.sample(.created, UUID(), "one")])
            await group.applyPending()
        }
        let generation = try #require(group.slot.serving)
        try generation.environment.write { try $0.put([0], [], in: generation.changes) }
        #expect(throws: ProjectionError.self) { try group.read { try $0.invalidations(since: Position(1)) } }
        try generation.environment.write { _ = try $0.delete([0], in: generation.changes) }
        try await group.expectRebuildEquals()
    }
}
