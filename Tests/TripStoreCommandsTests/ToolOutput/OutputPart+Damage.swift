import Foundation
import StoreSupport
import Testing

extension OutputPart {
    /// Copies of a store whose files are damaged, each in another way.
    static func damage(_ session: inout OutputSession) async throws {
        _ = try await session.add("trip", "--name", "Lisbon")
        let original = session.tool
        func copy(_ change: (String) throws -> Void) throws -> OutputSession {
            let tool = Tool()
            try FileManager.default.createDirectory(at: tool.folder.url, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: original.path, toPath: tool.path)
            try change(tool.path)
            return OutputSession(tool: tool)
        }
        var blocked = try copy { path in
            try FileManager.default.removeItem(atPath: path + "/views")
            try Data().write(to: URL(fileURLWithPath: path + "/views"))
        }
        #expect(await blocked.tool.run("add", "trip", "--name", "Porto").code == 2)
        try await blocked.run("status", "status")
        var rebuilt = try copy { path in
            for generation in try FileManager.default.contentsOfDirectory(atPath: path + "/views") {
                let file = "\(path)/views/\(generation)/data.mdb"
                if FileManager.default.fileExists(atPath: file) { try overwrite(file) }
            }
        }
        try await rebuilt.run("status", "status")
        var faulty = try copy { try overwrite($0 + "/log/data.mdb") }
        try await faulty.run("verification", "audit", "verify", code: 1)
        try await faulty.run("diagnosis", "doctor", code: 1)
        var unfinished = try copy {
            try Data("tripstore clone v1\nunknown\n/elsewhere\n".utf8).write(
                to: URL(fileURLWithPath: $0 + "/clone.unfinished"))
        }
        try await unfinished.run("status", "status")
        session = OutputSession(
            tool: original, lines: [session, blocked, rebuilt, faulty, unfinished].flatMap(\.lines))
    }

    /// Overwrites the pages after the first two.
    private static func overwrite(_ path: String) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        defer { try? file.close() }
        let size = Int(try file.seekToEnd())
        try file.seek(toOffset: 8192)
        try file.write(contentsOf: Data((0..<max(0, size - 8192)).map { UInt8(truncatingIfNeeded: $0 &* 31 + 7) }))
    }
}
