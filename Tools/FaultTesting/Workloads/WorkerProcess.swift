import Foundation
import Synchronization

/// A process that uses stores as it is told (`FaultWorker`), line by line.
///
/// `@unchecked Sendable`: `process` is started in the initialiser and only signalled and waited for afterwards, which any
/// thread may; the output is read by one caller at a time, and `heard` is guarded.
public final class WorkerProcess: @unchecked Sendable {
    public enum Answer: Equatable, Sendable {
        case done(String)
        case failed(String)
        /// It ended before it answered.
        case ended
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread = Data()
    private let heard = Mutex((journal: [JournalLine](), refusals: [String]()))

    /// Starts it. `variables` are added to the environment.
    public init(in folder: String, variables: [String: String] = [:]) throws {
        // A process that ended is told by the answer that does not come.
        signal(SIGPIPE, SIG_IGN)
        process.executableURL = try Products.file("FaultWorker")
        process.arguments = [folder]
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // Else the end of its output is not seen.
        try? output.fileHandleForWriting.close()
        try? input.fileHandleForReading.close()
    }

    deinit {
        kill()
        try? input.fileHandleForWriting.close()
        try? output.fileHandleForReading.close()
    }

    /// Tells it to do something and waits until it is done.
    public func tell(_ command: String) -> Answer {
        begin(command)
        return answer()
    }

    /// Tells it to do something.
    public func begin(_ command: String) {
        try? input.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
    }

    /// Waits until what it was told is done.
    public func answer() -> Answer {
        while let line = readLine() {
            if line == "done" || line.hasPrefix("done ") { return .done(String(line.dropFirst(5))) }
            if line.hasPrefix("failed ") { return .failed(String(line.dropFirst(7))) }
        }
        return .ended
    }

    /// Kills it, and takes in all that it had said.
    public func kill() {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
        while readLine() != nil {}
        process.waitUntilExit()
    }

    /// Lets it end by itself; answers its exit code, or the number of the signal below zero.
    @discardableResult
    public func end() -> Int32 {
        try? input.fileHandleForWriting.close()
        while readLine() != nil {}
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal ? -process.terminationStatus : process.terminationStatus
    }

    /// What it said of itself and its stores so far.
    public var lines: [JournalLine] { heard.withLock { $0.journal } }

    /// What it was told and could not do, with the errors.
    public var refusals: [String] { heard.withLock { $0.refusals } }

    /// Waits for the next whole line; nil when no more come. A last one that was cut off does not count.
    public func readLine() -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: unread[..<end], as: UTF8.self)
                unread = unread[(end + 1)...]
                heard.withLock { heard in
                    if let line = JournalLine(line) { heard.journal.append(line) }
                    if line.hasPrefix("failed ") { heard.refusals.append(String(line.dropFirst(7))) }
                }
                return line
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            unread = Data(unread) + more
        }
    }
}

/// What the package builds, which lies beside the program that runs.
enum Products {
    static func file(_ name: String) throws -> URL {
        let folders =
            [Bundle.main.bundleURL, Bundle.main.executableURL?.deletingLastPathComponent()].compactMap { $0 }
            + ProcessInfo.processInfo.arguments.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
        let found = folders.map { $0.appendingPathComponent(name) }.first {
            FileManager.default.fileExists(atPath: $0.path)
        }
        guard let found else { throw FaultTestingError("\(name) was not built. Build the whole package.") }
        return found
    }
}
