import Foundation
import Spawning
import StoreSupport
import Synchronization
import Testing

/// A process of the tool, or of another program, that runs until it gets a signal. The program beside the tool takes over what needs a
/// network or a web server.
final class RunningTool: Sendable {
    private let process: Process
    private let said: AsyncStream<String>
    private let complaints: Complaints
    private let exit = AsyncStream<Int32>.makeStream()

    /// Outlives the process's object: the thread that reads must not keep a process running that nobody has any more.
    private final class Complaints: Sendable {
        let text = Mutex("")
    }

    convenience init(_ arguments: [String]) throws {
        try self.init(program: try KilledProcess.executable("tripstore"), arguments)
    }

    init(program: URL, _ arguments: [String]) throws {
        process = Process()
        process.executableURL = program
        process.arguments = arguments
        let (output, errorOutput) = (Pipe.made(), Pipe.made())
        process.standardOutput = output
        process.standardError = errorOutput
        let lines = AsyncStream<String>.makeStream()
        said = lines.stream
        let complaints = Complaints()
        self.complaints = complaints
        process.terminationHandler = { [exit] in exit.continuation.yield($0.terminationStatus) }
        try process.start()
        // The threads end with the process, whose ends of the pipes are the last.
        let (reader, errorReader) = (output.fileHandleForReading, errorOutput.fileHandleForReading)
        Thread.detachNewThread {
            var rest = Data()
            while case let part = reader.availableData, !part.isEmpty {
                rest += part
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    lines.continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                    rest = Data(rest[rest.index(after: end)...])
                }
            }
            lines.continuation.finish()
        }
        Thread.detachNewThread {
            while case let part = errorReader.availableData, !part.isEmpty {
                complaints.text.withLock { $0 += String(decoding: part, as: UTF8.self) }
            }
        }
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// What it said on standard error.
    var complaint: String { complaints.text.withLock { $0 } }

    /// The next line that it prints and that fits. Throws if it ends before.
    @discardableResult
    func line(where fits: @Sendable (String) -> Bool = { _ in true }) async throws -> String {
        for await line in said where fits(line) { return line }
        throw ToolEnded(complaint: complaint)
    }

    func raise(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Sends a signal, waits for the end and returns the exit code; that of a process that was killed is the signal's.
    @discardableResult
    func end(_ signal: Int32 = SIGTERM) async -> Int32 {
        raise(signal)
        return await exitCode()
    }

    func exitCode() async -> Int32 {
        for await code in exit.stream { return code }
        return -1
    }
}

struct ToolEnded: Error {
    let complaint: String
}
