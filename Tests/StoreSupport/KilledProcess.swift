public import Foundation
import Spawning
import Synchronization
import Testing

/// A process that works on stores until it is killed.
public struct KilledProcess {
    /// Starts it, reads that many lines, kills it, and returns everything that it had printed by then.
    public static func run(_ arguments: [String], lines: Int) throws -> [String] {
        let process = try process(arguments, "CrashWriter")
        let pipe = Pipe.made()
        process.standardOutput = pipe
        try process.start()
        var data = Data()
        while data.count(where: { $0 == UInt8(ascii: "\n") }) < lines {
            let part = pipe.fileHandleForReading.availableData
            if part.isEmpty { break }
            data += part
        }
        kill(process.processIdentifier, SIGKILL)
        data += pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        // A last line may be cut off; it counts only if it is complete.
        var said = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        said.removeLast()
        return said.map(String.init)
    }

    /// Starts one of the package's programs, and kills it as soon as a file exists. Returns whether it was killed:
    /// false if it ended before.
    @discardableResult
    public static func run(
        _ arguments: [String], untilThereIs path: String, program: String = "CrashWriter"
    ) throws -> Bool {
        let process = try process(arguments, program)
        process.standardOutput = FileHandle.nullDevice
        try process.start()
        while process.isRunning, !FileManager.default.fileExists(atPath: path) { sched_yield() }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal
    }

    fileprivate static func process(_ arguments: [String], _ program: String) throws -> Process {
        let process = Process()
        process.executableURL = try executable(program)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        return process
    }

    /// One of the package's programs, which lie beside the tests.
    public static func executable(_ program: String = "CrashWriter") throws -> URL {
        let places =
            [Bundle.main.bundleURL, Bundle.main.executableURL?.deletingLastPathComponent()].compactMap { $0 }
            + ProcessInfo.processInfo.arguments.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
        let found = places.map { $0.appendingPathComponent(program) }.first {
            FileManager.default.isExecutableFile(atPath: $0.path)
        }
        return try #require(found)
    }
}

/// A process that works on a store beside the test.
public final class RunningProcess: Sendable {
    private let process: Process
    private let said = Mutex(Data())

    public init(_ arguments: [String]) throws {
        process = try KilledProcess.process(arguments, "CrashWriter")
        let pipe = Pipe.made()
        process.standardOutput = pipe
        try process.start()
        // The thread ends with the process, whose end of the pipe is the last.
        let reader = pipe.fileHandleForReading
        Thread.detachNewThread { [self] in
            while case let part = reader.availableData, !part.isEmpty { said.withLock { $0 += part } }
        }
    }

    /// Its complete output lines so far.
    public func lines() -> [String] {
        let text = String(decoding: said.withLock { $0 }, as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// Waits for that many lines. Throws if it ends before.
    public func wait(forLines count: Int) throws {
        while lines().count < count {
            try #require(process.isRunning, "the process ended early")
            usleep(1000)
        }
    }

    /// Kills it, and waits for its end.
    public func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
