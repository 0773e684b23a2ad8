import Events
import Foundation
import Platform
import StoreSupport
import TestSupport
import Testing

@testable import LogExchange

@Suite("The folder of attachments' bytes")
struct ContentFolderTests {
    private let place = TemporaryFolder()
    private var folder: ContentFolder { ContentFolder(place.path("attachments"), now: { 0 }) }

    private func random(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        return generator.bytes(count: count)
    }

    /// Adds bytes in pieces of odd sizes.
    private func add(_ bytes: [UInt8], pieces: Int = 300_007) throws -> ContentID {
        var rest = bytes[...]
        return try folder.add {
            guard !rest.isEmpty else { return nil }
            defer { rest = rest.dropFirst(pieces) }
            return Array(rest.prefix(pieces))
        }
    }

    private func bytes(of content: ContentID) throws -> [UInt8] {
        let outline = try #require(try folder.outline(of: content))
        var found: [UInt8] = []
        try folder.read(0..<content.partCount, of: outline) { found += $0 }
        return found
    }

    private func files(_ path: String) -> [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: place.path(path))) ?? []).sorted()
    }

    static let sizes = [0, 1, 1 << 20, 1 << 20 + 1, 3 << 20, 3 << 20 + 77]

    @Test("The bytes that are stored are counted while they are, and once more where they are here already")
    func counted() throws {
        let (folder, bytes) = (self.folder, random(3 << 20))
        let source = place.path("source")
        try FileManager.default.createDirectory(at: place.url, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: source))
        #expect(folder.storedBytes == 0)
        for times in 1...2 {
            _ = try folder.add(file: source)
            #expect(folder.storedBytes == Int64(times * bytes.count))
        }
    }

    @Test("keeps bytes, whatever their number and the pieces in which they come", arguments: sizes)
    func kept(size: Int) throws {
        let bytes = random(size)
        let content = try add(bytes)
        #expect(content.size == Int64(size))
        #expect(try folder.holds(content))
        #expect(try self.bytes(of: content) == bytes)
        #expect(try add(bytes, pieces: 1 << 20) == content)
        #expect(try folder.contents().map(\.content) == [content])
        #expect(files("attachments/incoming").isEmpty)
    }

    @Test("stores nothing if the source fails on the way")
    func failing() throws {
        struct Broken: Error {}
        var count = 0
        #expect(throws: Broken.self) {
            try folder.add {
                count += 1
                if count > 5 { throw Broken() }
                return random(500_000)
            }
        }
        #expect(try folder.contents().isEmpty && files("attachments/incoming").isEmpty)
    }

    @Test("finds bytes that were altered, wherever they are", arguments: [0, 1 << 20, 2 << 20 + 5], [false, true])
    func altered(place offset: Int, hasOutline: Bool) throws {
        let content = try add(random(2 << 20 + 6))
        let path = folder.url(of: content).path
        if !hasOutline { try FileManager.default.removeItem(atPath: path + ".parts") }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(offset))
        let byte = try #require(try file.read(upToCount: 1))
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data([byte[0] ^ 1]))
        try file.close()
        let error = #expect(throws: ContentError.self) { try bytes(of: content) }
        #expect(error?.code == .damaged)
    }

    @Test("removes what it is asked to, and all that lies beside it")
    func removed() throws {
        let content = try add(random(2 << 20))
        #expect(try folder.keep(content))
        try folder.remove(content)
        #expect(try !folder.holds(content) && files("attachments").allSatisfy { !$0.contains(content.description) })
        try folder.remove(content)
        #expect(try !folder.keep(content))
    }
}
