import Foundation
import StoreSupport
import Testing

@testable import DamageTrials

@Suite("Images of a store")
struct StoreImageTests {
    @Test("A file that was removed or exchanged comes back as the same file, with its bytes and its time")
    func sameFile() throws {
        let folder = TemporaryFolder()
        let root = folder.path("root")
        let paths = ["removed", "below/exchanged", "changed"].map { "\(root)/\($0)" }
        try FileManager.default.createDirectory(atPath: root + "/below", withIntermediateDirectories: true)
        for path in paths { try Data(path.utf8).write(to: URL(fileURLWithPath: path)) }
        let image = try StoreImage(of: root, originals: folder.path("originals"))
        let before = try paths.map(Self.identity)

        try FileManager.default.removeItem(atPath: paths[0])
        // It takes the freed inode number, if the file system reuses it.
        try Data("another".utf8).write(to: URL(fileURLWithPath: root + "/another"))
        try Data("exchanged".utf8).write(to: URL(fileURLWithPath: paths[1]), options: .atomic)
        try StoreImage.write(Array("changed".utf8), to: paths[2], modified: nil)
        try image.restore(to: root)

        #expect(try paths.map(Self.identity) == before)
        for path in paths { #expect(try String(contentsOfFile: path, encoding: .utf8) == path) }
        #expect(!FileManager.default.fileExists(atPath: root + "/another"))
    }

    /// The number of a file and the time of its last change.
    private static func identity(_ path: String) throws -> [Int] {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        let number = try #require(attributes[.systemFileNumber] as? NSNumber)
        let modified = try #require(attributes[.modificationDate] as? Date)
        return [number.intValue, Int(modified.timeIntervalSince1970 * 1_000_000)]
    }
}
