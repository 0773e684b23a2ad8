import Foundation
import StoreSupport
import Testing

@Suite("Bad bundles, and bad places for them")
struct BadBundleTests {
    @Test("A bundle that is cut anywhere, or has a byte changed, is refused by read and show, and nothing is stored")
    func damaged() async throws {
        let source = try await Tool.withStore()
        _ = try await source.value("add", "trip", "--name", "Lisbon")
        let file = source.folder.path("bundle")
        #expect(await source.run("bundle", "write", file).code == 0)
        let bytes = try #require(FileManager.default.contents(atPath: file))
        var samples = [Data(), bytes + [0]]
        for count in stride(from: 3, to: bytes.count, by: 37) { samples.append(bytes.prefix(count)) }
        for offset in stride(from: 0, to: bytes.count, by: 41) {
            var changed = bytes
            changed[offset] ^= 0x10
            samples.append(changed)
        }
        let empty = try await Tool.withStore()
        let bad = source.folder.path("bad")
        for sample in samples {
            try sample.write(to: URL(fileURLWithPath: bad))
            for command in ["read", "show"] {
                let refused = await empty.run("bundle", command, bad)
                #expect(refused.code == 2 && refused.out.isEmpty && refused.error.contains(bad), "\(refused.error)")
            }
        }
        #expect(try await empty.position() == 0)
        await empty.expectInvariants()
    }

    @Test("A bundle takes the place of a bundle and of no other file, and of no folder")
    func places() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        let (file, other) = (tool.folder.path("bundle"), tool.folder.path("letter"))
        for _ in 0..<2 { #expect(await tool.run("bundle", "write", file).code == 0) }
        try Data("Dear Ana,".utf8).write(to: URL(fileURLWithPath: other))
        let cases = [
            (other, "is there already and no bundle"), (tool.path, "is a folder"),
            (tool.folder.path("nowhere/bundle"), "could not be created"),
        ]
        for (place, words) in cases {
            let refused = await tool.run("bundle", "write", place)
            #expect(refused.code == 2 && refused.out.isEmpty)
            #expect(refused.error.contains(words), "\(refused.error)")
            #expect(refused.error.ranges(of: place).count == 1, "it is said once: \(refused.error)")
        }
        #expect(FileManager.default.contents(atPath: other) == Data("Dear Ana,".utf8))
        let left = try FileManager.default.contentsOfDirectory(atPath: tool.folder.url.path)
        #expect(Set(left) == ["store", "bundle", "letter"])
    }

    @Test(
        "A frontier that is none is refused, and so is one that cannot be looked up",
        arguments: [
            "x", "x:1", ",", "00112233445566778899aabbccddeeff:0", "00112233445566778899aabbccddeeff:-1",
            "00112233445566778899aabbccddeeff:1:abc", "00112233445566778899aabbccddeeff:1",
            "00112233445566778899aabbccddeeff:18446744073709551616",
        ])
    func frontiers(text: String) async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        let file = tool.folder.path("bundle")
        let refused = await tool.run("bundle", "write", file, "--holds", text)
        #expect(refused.code == 2 && refused.error.contains("bundle file"))
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test("The frontier of a bundle of another journal says nothing here")
    func otherJournal() async throws {
        let (one, other) = (try await Tool.withStore(), try await Tool.withStore())
        for tool in [one, other] { _ = try await tool.value("add", "trip", "--name", "Lisbon") }
        let file = other.folder.path("other")
        #expect(await other.run("bundle", "write", file).code == 0)
        let refused = await one.run("bundle", "write", one.folder.path("bundle"), "--holds", file)
        #expect(refused.code == 2 && refused.error.contains("another") == false && refused.error.contains("journal"))
        let read = await one.run("bundle", "read", file)
        #expect(read.code == 2 && read.error.contains("journal"))
        #expect(try await one.position() == 2)
    }
}
