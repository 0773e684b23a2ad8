import Foundation
import Spawning
import Synchronization
import Trips

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
    private let input = Pipe.made()
    private let output = Pipe.made()
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
        try process.start()
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

    /// Lets it end once it has done what it was told, without reading what it says. What that is must have room in a pipe.
    func waitForEnd() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// What it said of itself and its stores so far.
    public var lines: [JournalLine] { heard.withLock { $0.journal } }

    /// What it was told and could not do, with the errors.
    public var refusals: [String] { heard.withLock { $0.refusals } }

    /// Waits for the next whole line; nil when no more come. A last one that was cut off does not count.
    public func readLine() -> String? {
        while true {
            if let line = takeLine() { return line }
            guard takeOutput() > 0 else { return nil }
        }
    }

    /// Waits until it has begun so many writes after now and they were acknowledged. Nil if they were; else what it did
    /// instead: it ended, was refused something, also before, or took longer than so many seconds.
    ///
    /// What lies in the pipe may have been said before now, so it is taken in first. Of what is read then, an acknowledgement
    /// counts if the beginning of its write is read before: it is written to the pipe before the store is asked.
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

    /// Takes in what lies in the pipe now, without waiting for more.
    private func drain() {
        // A pipe holds no more: whoever fills it meanwhile does not keep this from ending.
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

    /// Reads what there is, or waits for some; answers how many bytes, none at the end.
    private func takeOutput() -> Int {
        let more = output.fileHandleForReading.availableData
        unread = Data(unread) + more
        return more.count
    }

    /// The next whole line of what was read.
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
