import Foundation
import Testing

/// A process that works on stores until it is killed.
struct KilledProcess {
    /// Starts it, reads so many lines, kills it, and answers all that it had said by then.
    static func run(_ arguments: [String], lines: Int) throws -> [String] {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = try executable
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        var data = Data()
        while data.count(where: { $0 == UInt8(ascii: "\n") }) < lines {
            let part = pipe.fileHandleForReading.availableData
            if part.isEmpty { break }
            data += part
        }
        kill(process.processIdentifier, SIGKILL)
        data += pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        // A last line may be cut off; it counts only if it is whole.
        var said = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        said.removeLast()
        return said.map(String.init)
    }

    /// The executable lies beside the tests.
    static var executable: URL {
        get throws {
            let places =
                [Bundle.main.bundleURL, Bundle.main.executableURL?.deletingLastPathComponent()].compactMap { $0 }
                + ProcessInfo.processInfo.arguments.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
            let found = places.map { $0.appendingPathComponent("CrashWriter") }.first {
                FileManager.default.isExecutableFile(atPath: $0.path)
            }
            return try #require(found)
        }
    }
}
