import Foundation
import Spawning
import Testing

/// A run of the helper program beside the tests.
package final class SecondProcess {
    private let process = Process()
    private let input = Pipe.made()
    private let output = Pipe.made()

    package init(_ arguments: String...) throws {
        process.executableURL = try Self.program()
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.start()
    }

    deinit { kill() }

    /// Waits for one line of output; returns it, up to its end.
    package func line() -> String {
        var line: [UInt8] = []
        while let byte = try? output.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    /// Lets a waiting program continue.
    package func go() throws { try input.fileHandleForWriting.write(contentsOf: Data([10])) }

    /// Ends it at once, as a crash would.
    package func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    package struct End {
        /// The exit code, or nil if a signal ended it.
        package let code: Int32?
        package let signal: Int32?
        package let output: String
    }

    /// Waits for the end.
    package func end() throws -> End {
        let rest = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let isSignal = process.terminationReason == .uncaughtSignal
        return End(
            code: isSignal ? nil : process.terminationStatus, signal: isSignal ? process.terminationStatus : nil,
            output: String(decoding: rest, as: UTF8.self))
    }

    /// The path of the helper program, beside the tests' own.
    package static func path() throws -> String { try program().path }

    private static func program() throws -> URL {
        var folders = [URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()]
        folders += Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
        folders.append(Bundle.main.bundleURL)
        let programs = folders.map { $0.appendingPathComponent("LMDBProcess") }
        return try #require(programs.first { FileManager.default.isExecutableFile(atPath: $0.path) })
    }
}

/// Runs a program; returns its exit code and output, or nil if it does not exist.
package func runProgram(_ path: String, _ arguments: [String]) -> (code: Int32, output: String)? {
    let process = Process()
    let output = Pipe.made()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = output
    guard (try? process.start()) != nil else { return nil }
    let text = (try? output.fileHandleForReading.readToEnd()) ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: text, as: UTF8.self))
}
