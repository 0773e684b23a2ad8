import Foundation
import StoreSupport
import Testing

@Suite("Commands on damaged views")
struct DamagedViewsTests {
    @Test("Each answers rightly after the views were built anew, and status says why")
    func randomPages() async throws {
        let tool = try await Tool.withStore()
        var trip = ""
        for number in 0..<60 {
            trip = try await tool.value("add", "trip", "--name", "Trip \(number)", "--notes", "Some notes.")
        }
        let commands = [
            ["trips", "--json"], ["show", trip, "--json"], ["status"], ["replay", "--verify"], ["status", "--json"],
        ]
        for command in commands {
            let sound = await tool.run(command)
            #expect(sound.code == 0, "\(sound.error)")
            try await damage(tool)
            let outcome = await tool.run(command)
            #expect(outcome.code == 0, "\(command): \(outcome.error)")
            switch command {
            case ["status"]:
                #expect(outcome.out.joined(separator: "\n").contains("views     trips rebuilt: "), "\(outcome.out)")
            case ["status", "--json"]:
                let rebuilt = try #require(try outcome.object()["rebuilt"] as? [[String: Any]])
                #expect(rebuilt.map { $0["group"] as? String } == ["trips"])
                #expect((rebuilt.first?["reason"] as? String)?.contains("page ") == true, "\(rebuilt)")
            case ["replay", "--verify"]: break
            default: #expect(outcome.out == sound.out)
            }
            #expect(outcome.error.contains("The views 'trips' were built anew from the log: "), "\(outcome.error)")
            // It was reported once; the present views are intact.
            try await waitUntilUnused(tool)
            #expect(try await tool.run("status", "--json").object().lacks("rebuilt"))
        }
        try await damage(tool)
        let added = await tool.run("add", "trip", "--name", "Last")
        #expect(added.code == 0 && added.out.count == 1)
        #expect(added.error.contains("The views 'trips' were built anew from the log: "), "\(added.error)")
        await tool.expectInvariants()
    }

    @Test(
        "Views that cannot be built: status says when it is tried again, others read all the same, replay builds them")
    func unbuildable() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        let views = tool.path + "/views"
        try await waitUntilUnused(tool)
        try FileManager.default.removeItem(atPath: views)
        try Data().write(to: URL(fileURLWithPath: views))
        #expect(await tool.run("add", "trip", "--name", "Porto").code == 2)
        let trips = await tool.run("trips", "--undated")
        #expect(trips.code == 0 && trips.out.count == 1, "\(trips.error)")
        let status = await tool.run("status")
        #expect(status.out.contains { $0.contains("built anew with the first write from") }, "\(status)")
        try FileManager.default.removeItem(atPath: views)
        // At once, although it failed a moment ago.
        #expect(await tool.run("replay").code == 0)
        _ = try await tool.value("add", "trip", "--name", "Porto")
        #expect(try await tool.run("status", "--json").object().lacks("faults"))
        await tool.expectInvariants()
    }

    /// The data files of the views that serve.
    private func generations(_ tool: Tool) throws -> [String] {
        let folder = tool.path + "/views"
        return try FileManager.default.contentsOfDirectory(atPath: folder).map { "\(folder)/\($0)" }.filter {
            FileManager.default.fileExists(atPath: $0 + "/data.mdb")
        }
    }

    /// Overwrites the views with random bytes from page 2 on, once they are closed.
    private func damage(_ tool: Tool) async throws {
        try await waitUntilUnused(tool)
        for generation in try generations(tool) {
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: generation + "/data.mdb"))
            defer { try? file.close() }
            let size = try file.seekToEnd()
            try file.seek(toOffset: 8192)
            try file.write(
                contentsOf: Data((0..<size / 2).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }))
            try file.synchronize()
        }
    }

    /// Threads release their objects a moment after a command returned.
    private func waitUntilUnused(_ tool: Tool) async throws {
        for generation in try generations(tool) {
            let descriptor = open(generation + "/in-use", O_RDONLY)
            defer { close(descriptor) }
            while descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0 { await Task.yield() }
        }
    }
}
