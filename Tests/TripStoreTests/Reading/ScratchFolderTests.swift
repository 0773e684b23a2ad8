import Foundation
import StoreSupport
import Testing

@testable import TripStore

@Suite("Folders for temporary files of reading")
struct ScratchFolderTests {
    private let parent = TemporaryFolder()

    init() throws { try FileManager.default.createDirectory(at: parent.url, withIntermediateDirectories: true) }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: parent.url.path) }

    @Test("One goes with its object")
    func released() throws {
        do {
            let folder = try ScratchFolder(in: parent.url.path)
            #expect(try names().count == 1)
            withExtendedLifetime(folder) {}
        }
        #expect(try names() == [])
    }

    @Test("What a killed process left is removed by the next one, and what is in use stays, however old")
    func left() throws {
        let used = try ScratchFolder(in: parent.url.path)
        let left = parent.path("tripstore-reading-left")
        let other = parent.path("notes")
        for path in [left, other] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        try Data().write(to: URL(fileURLWithPath: left + "/in-use"))
        for path in [left, other, used.layout.folder] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: path)
        }
        let folder = try ScratchFolder(in: parent.url.path)
        #expect(!FileManager.default.fileExists(atPath: left))
        #expect(FileManager.default.fileExists(atPath: other))
        #expect(FileManager.default.fileExists(atPath: used.layout.folder))
        withExtendedLifetime((used, folder)) {}
    }
}
