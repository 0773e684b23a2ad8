import Foundation
import LMDB
import Platform
import StoreSupport
import Testing

@testable import ProjectionEngine

@Suite("The mark beside the views")
struct GenerationMarkTests {
    private static let path = FileManager.default.temporaryDirectory.path
    private static let stamp = FileVersion(size: 4096, modified: -1, inode: .max)

    @Test("It is read as it was written")
    func roundTrip() {
        for isClean in [false, true] {
            for stamp in [nil, Self.stamp] {
                let mark = GenerationMark(boot: "b", mount: "/sys/fs/ext4/sda 7", isClean: isClean, stamp: stamp)
                #expect(GenerationMark(text: mark.text) == mark)
            }
        }
    }

    @Test(
        "Anything else is no mark: one of an earlier version, a part, and what was damaged",
        arguments: [
            "", "b\nclean\n", "b\nopen\n", "boot b\nmount m\nclean\n", "boot b\nmount m\nclean\nfile 1 2\n",
            "boot b\nmount m\nclean\nfile 1 2 -3\n", "boot b\nmount m\nclosed\nfile\n",
            "boot b\nmount m\nclean\nfile 1 2 3",
            "boot b\nmount m\nclean\nfile 1 2 3\nmore", "\u{0}\u{0}\u{0}",
        ])
    func noMark(text: String) { #expect(GenerationMark(text: text) == nil) }

    @Test("A file of any size and any bytes is read without harm")
    func files() throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        #expect(GenerationMark(path: folder.path("none")) == nil)
        try Data(count: 1 << 20).write(to: URL(fileURLWithPath: folder.path("zeros")))
        #expect(GenerationMark(path: folder.path("zeros")) == nil)
        let mark = GenerationMark.now(at: folder.url.path, isClean: true, stamp: Self.stamp)
        try Data(mark.text.utf8).write(to: URL(fileURLWithPath: folder.path("mark")))
        #expect(GenerationMark(path: folder.path("mark")) == mark)
    }

    @Test("What was not synced counts only in the same run of the machine, and on the same mount")
    func objections() {
        let here = GenerationMark.now(at: Self.path, isClean: false, stamp: nil)
        func mark(boot: String? = nil, mount: String? = nil, isClean: Bool = false) -> String? {
            GenerationMark(boot: boot ?? here.boot, mount: mount ?? here.mount, isClean: isClean, stamp: nil)
                .objection(at: Self.path)
        }
        // Where the system does not identify the mount, unclosed views never count.
        #expect((mark() == nil) == !here.mount.isEmpty)
        #expect(mark(boot: "another")?.contains("machine stopped") == true)
        #expect(mark(boot: "")?.contains("machine stopped") == true)
        #expect(mark(mount: "another") != nil)
        #expect(mark(mount: "") != nil)
        #expect(mark(boot: "another", mount: "another", isClean: true) == nil)
        #expect(here.objection(at: Self.path + "/there is no such file") != nil)
    }
}
