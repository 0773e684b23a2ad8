import Foundation
import Spawning
import Synchronization
import Trips

/// A process that uses stores by command (`FaultWorker`), line by line.
///
/// `@unchecked Sendable`: `process` is started in the initialiser and only signalled and waited for afterwards, which
/// any thread may; the output is read by one caller at a time, and `heard` is guarded.
public final class WorkerProcess: @unchecked Sendable {
    public enum Answer: Equatable, Sendable {
        case done(String)
        case failed(String)
        /// It ended before it responded.
        case ended
    }

    private let process = Process()
    private let input = Pipe.made()
    private let output = Pipe.made()
    private var unread = Data()
    private let heard = Mutex((journal: [JournalLine](), refusals: [String]()))

    /// Starts it. `variables` are added to the environment.
    public init(in folder: String, variables: [String: String] = [:]) throws {
        // A missing response shows that the process ended.
        signal(SIGPIPE, SIG_IGN)
        process.executableURL = try Products.file("FaultWorker")
        process.arguments = [folder]
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.start()
        // Otherwise the end of its output would not be seen.
        try? output.fileHandleForWriting.close()
        try? input.fileHandleForReading.close()
    }

    deinit {
        kill()
        try? input.fileHandleForWriting.close()
        try? output.fileHandleForReading.close()
    }

    /// Sends a command and waits for its response.
    public func tell(_ command: String) -> Answer {
        begin(command)
        return answer()
    }

    /// Sends a command.
    public func begin(_ command: String) {
        try? input.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
    }

    /// Waits for the response to the last command.
    public func answer() -> Answer {
        while let line = readLine() {
            if line == "done" || line.hasPrefix("done ") { return .done(String(line.dropFirst(5))) }
            if line.hasPrefix("failed ") { return .failed(String(line.dropFirst(7))) }
        }
        return .ended
    }

    /// Kills it, and reads its remaining output.
    public func kill() {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
        while readLine() != nil {}
        process.waitUntilExit()
    }

    /// Lets it end by itself; returns its exit code, or the negated signal number.
    @discardableResult
    public func end() -> Int32 {
        try? input.fileHandleForWriting.close()
        while readLine() != nil {}
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal ? -process.terminationStatus : process.terminationStatus
    }

    /// Lets it end once it has run its commands, without reading its output, which must fit into a pipe.
    func waitForEnd() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Its journal so far.
    public var lines: [JournalLine] { heard.withLock { $0.journal } }

    /// Its failed commands, with the errors.
    public var refusals: [String] { heard.withLock { $0.refusals } }

    /// Waits for the next complete line; nil at the end. A cut-off last line does not count.
    public func readLine() -> String? {
        while true {
            if let line = takeLine() { return line }
            guard takeOutput() > 0 else { return nil }
        }
    }

    /// Waits until it has begun that many writes after now and they were acknowledged. Nil if they were; otherwise what
    /// it did instead: it ended, was refused something, also before, or took longer than `seconds`.
    ///
    /// The pipe may hold earlier output, so that is read first. Of later output, an acknowledgement counts if the
    /// beginning of its write is read before: it is written to the pipe before the store is called.
    func hindrance(to writes: Int, within seconds: Double = 120) -> String? {
        drain()
        let end = Date(timeIntervalSinceNow: seconds)
        var begun: [Trip.ID: String] = [:]
        var acknowledged = 0
        while acknowledged < writes {
            if let refusal = refusals.first { return "it was refused: \(refusal)" }
            guard let line = takeLine() else {
                guard hasOutput(until: end) else {
                    return "it had \(acknowledged) writes acknowledged and not \(writes) in \(seconds) s"
                }
                guard takeOutput() > 0 else { return "it ended by itself" }
                continue
            }
            switch JournalLine(line) {
            case .begin(_, let trip, let name): begun[trip] = name
            case .acknowledged(_, let trip, let name) where begun[trip] == name:
                begun[trip] = nil
                acknowledged += 1
            default: break
            }
        }
        return nil
    }

    /// Reads what is in the pipe now, without waiting for more.
    private func drain() {
        // A pipe holds no more: a process that fills it meanwhile does not keep this from ending.
        var rest = 1 << 16
        while rest > 0, hasOutput(until: .distantPast) {
            let count = takeOutput()
            guard count > 0 else { break }
            rest -= count
        }
        while takeLine() != nil {}
    }

    /// Waits until there is something to read, or the end of it; false if there is nothing until then.
    private func hasOutput(until end: Date) -> Bool {
        while true {
            var entry = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            let milliseconds = max(0, min(end.timeIntervalSinceNow * 1000, 1000))
            if poll(&entry, 1, Int32(milliseconds)) > 0 { return true }
            if end.timeIntervalSinceNow <= 0 { return false }
        }
    }

    /// Reads what there is, or waits for some; returns how many bytes, none at the end.
    private func takeOutput() -> Int {
        let more = output.fileHandleForReading.availableData
        unread = Data(unread) + more
        return more.count
    }

    /// The next complete line of what was read.
    private func takeLine() -> String? {
        guard let end = unread.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let line = String(decoding: unread[..<end], as: UTF8.self)
        unread = unread[(end + 1)...]
        heard.withLock { heard in
            if let line = JournalLine(line) { heard.journal.append(line) }
            if line.hasPrefix("failed ") { heard.refusals.append(String(line.dropFirst(7))) }
        }
        return line
    }
}

/// The package's products, which lie beside the running program.
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
