import Foundation
import LMDB
import Platform
import Testing

@testable import FaultTesting

@Suite("What a power cut may leave of a medium")
struct RecordedMediumTests {
    private let place = NSTemporaryDirectory() + "tripstore-medium-\(UUID().uuidString)"
    private let medium: RecordedMedium
    private let folder: UInt64

    init() throws {
        try FileManager.default.createDirectory(atPath: place + "/empty", withIntermediateDirectories: true)
        let contents = try FolderContents(of: place + "/empty")
        folder = contents.root.inode
        medium = try RecordedMedium(contents)
    }

    /// Applies operations, numbered from 0.
    private func apply(_ operations: [Trace.Record.Operation]) throws {
        for (number, operation) in operations.enumerated() {
            try medium.apply(Trace.Record(number: UInt64(number), operation: operation))
        }
    }

    /// Everything that images of many seeds hold, a set of the files' contents by name each.
    private func images(_ seeds: Range<UInt64> = 0..<60) throws -> Set<[String: [UInt8]]> {
        var images: Set<[String: [UInt8]]> = []
        for seed in seeds {
            let path = "\(place)/\(seed)"
            var cut = PowerCut(seed: seed)
            _ = try cut.write(medium, uncommitted: nil, to: path)
            var image: [String: [UInt8]] = [:]
            for name in try FileManager.default.contentsOfDirectory(atPath: path) {
                image[name] = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
            }
            images.insert(image)
        }
        try FileManager.default.removeItem(atPath: place)
        return images
    }

    private static let old = [UInt8](repeating: 1, count: 8192)
    private static let new = [UInt8](repeating: 2, count: 8192)

    private func create(_ name: String, _ inode: UInt64) -> Trace.Record.Operation {
        .create(path: name, inode: inode, birthTime: 0, isFolder: false)
    }

    private func write(
        _ bytes: [UInt8], _ durability: Trace.Record.Durability = .unsynced
    ) -> Trace.Record.Operation {
        .write(inode: 7, offset: 0, bytes: bytes[...], durability: durability)
    }

    @Test("What was synced, with its folder, is always there")
    func synced() throws {
        try apply([create("a", 7), write(Self.old), .sync(inode: 7, before: 2), .sync(inode: folder, before: 3)])
        #expect(try images() == [["a": Self.old]])
    }

    @Test("A name whose folder was not synced may be missing, with all that was synced in it")
    func names() throws {
        try apply([create("a", 7), write(Self.old), .sync(inode: 7, before: 2)])
        #expect(try images() == [["a": Self.old], [:]])
    }

    @Test("A sync covers what was done before it began, and nothing after that")
    func syncUnderWay() throws {
        try apply([
            create("a", 7), write(Self.old), write(Self.new), .sync(inode: 7, before: 2),
            .sync(inode: folder, before: 4),
        ])
        let images = try images()
        #expect(images.contains(["a": Self.old]))
        #expect(images.contains(["a": Self.new]))
        #expect(images.allSatisfy { $0["a"]?.count == 8192 })
    }

    @Test("A write may be there in blocks, in torn blocks, or not at all")
    func blocks() throws {
        try apply([
            create("a", 7), write(Self.old), .sync(inode: 7, before: 2), .sync(inode: folder, before: 3),
            write(Self.new),
        ])
        let contents = try images(0..<200).compactMap { $0["a"] }
        #expect(contents.contains(Self.old))
        #expect(contents.contains(Self.new))
        #expect(contents.contains(Array(Self.new.prefix(4096)) + Self.old.prefix(4096)))
        // Sectors of 512 bytes are never torn.
        for image in contents {
            #expect(stride(from: 0, to: 8192, by: 512).allSatisfy { Set(image[$0..<($0 + 512)]).count == 1 })
        }
        #expect(contents.contains { Set($0[0..<4096]).count == 2 }, "none was torn")
    }

    @Test("A write through a descriptor that syncs is there at once, over what was not synced before")
    func syncedWrite() throws {
        try apply([
            create("a", 7), .sync(inode: folder, before: 1), write(Self.old), write(Self.new, .synced),
        ])
        #expect(try images() == [["a": Self.new]])
    }

    @Test("What a failed sync was to make sure of may be gone for good, whatever is synced later")
    func loss() throws {
        try apply([
            create("a", 7), write(Self.old), .sync(inode: 7, before: 2), .sync(inode: folder, before: 3),
            write(Self.new),
            .loss(inode: 7, before: 5), .sync(inode: 7, before: 6),
        ])
        #expect(try images().contains(["a": Self.old]))
    }

    @Test("A rename is done or not, and never half")
    func renames() throws {
        try apply([
            create("a", 7), write(Self.old), .sync(inode: 7, before: 2), .sync(inode: folder, before: 3),
            .rename(from: "a", to: "b"),
        ])
        #expect(try images() == [["a": Self.old], ["b": Self.old]])
    }
}
