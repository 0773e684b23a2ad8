import Foundation

/// Makes the disk fail at every operation in turn: each time another one of a script's writes or syncs.
public struct DiskTrial: Sendable {
    /// How operations fail.
    public enum Kind: String, CaseIterable, Sendable {
        /// There is no room from then on, until it is freed.
        case noRoom
        /// The same, and the first failing write is cut short.
        case noRoomInPart
        /// A write fails once, with EIO.
        case badWrite
        /// A sync fails once, with EIO: the data that it was to sync counts as lost.
        case badSync
        /// All fail from then on, until the disk is repaired.
        case badSyncs

        /// The worker's command, without the number.
        fileprivate func command(_ nth: UInt64) -> String {
            switch self {
            case .noRoom: "fail room \(nth) on whole"
            case .noRoomInPart: "fail room \(nth) on cut"
            case .badWrite: "fail writes \(nth) once whole"
            case .badSync: "fail syncs \(nth) once whole"
            case .badSyncs: "fail syncs \(nth) on whole"
            }
        }
    }

    /// The result of a run.
    public struct Run: Sendable {
        public let kind: Kind
        public let operation: Int
        /// The refusals, with their errors.
        public internal(set) var refusals: [String] = []
        /// Whether the store had to be reopened before it worked again.
        public internal(set) var wasReopened = false
        /// How many writes failed with an unknown outcome.
        public internal(set) var unknown = 0
        public internal(set) var faults: [StoreFault] = []

        /// The faults of each kind.
        public var byKind: [(kind: StoreFault.Kind, faults: [StoreFault])] {
            StoreFault.Kind.allCases.compactMap { kind in
                let found = faults.filter { $0.kind == kind }
                return found.isEmpty ? nil : (kind, found)
            }
        }

        public var description: String {
            "\(kind.rawValue) at operation \(operation): "
                + byKind.map { "\($1.count) \($1[0].description.prefix(400))" }.joined(separator: "; ")
                + (refusals.isEmpty ? "" : " (refused: \(refusals.joined(separator: " | ")))")
        }
    }

    /// The commands of each run.
    public struct Script: Sendable, CaseIterable, CustomStringConvertible {
        public let description: String
        /// The commands of another process, before the disk fails.
        fileprivate var before: [String] = []
        fileprivate let commands: [String]

        public static let use = Script(
            description: "use",
            commands: [
                "open s", "small s 7", "large s 1", "small s 5", "edit s 2", "rebuild s", "close s", "open s",
                "small s 2", "open t", "exchange s t", "bundle s file.bundle", "close t", "close s",
            ])
        /// The opening removes erased bytes from the log's file.
        public static let rewrite = Script(
            description: "rewrite", before: ["open s", "large s 1", "small s 7", "erase s 4", "close s"],
            commands: ["open s", "small s 2", "close s"])

        public static let allCases = [use, rewrite]
    }

    /// What must succeed once the disk works again.
    private static let afterwards = ["open s", "small s 6", "close s"]

    private let folder: String
    private let script: Script
    /// Images of what a power cut leaves at the end, for each run.
    private let images: Int

    public init(in folder: String, _ script: Script = .use, images: Int = 4) {
        self.folder = folder
        self.script = script
        self.images = images
    }

    /// How many operations of a kind the script has.
    public func operations(_ kind: Kind) async throws -> Int {
        try await Task.onThread { try operationsOnThread(kind) }
    }

    private func operationsOnThread(_ kind: Kind) throws -> Int {
        let recorder = try Recorder(folder: "\(folder)/count-\(kind.rawValue)", number: 1)
        defer { try? FileManager.default.removeItem(atPath: recorder.folder) }
        let process = try script.begin(recorder)
        guard case .done = process.tell(kind.command(UInt64(Int.max))) else {
            throw FaultTestingError("The recorder was not told to count.")
        }
        try script.commands.forEach(process.require)
        guard case .done(let answer) = process.tell("count"),
            let count = answer.split(separator: " ").first.flatMap({ Int($0) })
        else { throw FaultTestingError("The operations were not counted.") }
        return count
    }

    /// Tries operations, some at a time.
    public func runs(_ kind: Kind, _ operations: [Int], jobs: Int) async throws -> [Run] {
        try await withThrowingTaskGroup(of: Run.self) { group in
            var runs: [Run] = []
            for (index, operation) in operations.enumerated() {
                if index >= jobs, let run = try await group.next() { runs.append(run) }
                group.addTask { try await self.run(kind, operation: operation) }
            }
            for try await run in group { runs.append(run) }
            return runs.sorted { $0.operation < $1.operation }
        }
    }

    /// Runs the script with the `operation`th (from 1) failing, and checks the remains.
    public func run(_ kind: Kind, operation: Int) async throws -> Run {
        let place = "\(folder)/\(kind.rawValue)-\(operation)"
        defer { try? FileManager.default.removeItem(atPath: place) }
        var (run, recording) = try await Task.onThread { [script] in
            try Self.record(script, kind, operation, in: place)
        }
        guard run.faults.isEmpty else { return run }
        var options = CrashImages.Options(images: images, seed: UInt64(operation))
        options.cuts = .end
        let outcome = try await CrashImages.check(recording, in: place, options)
        run.faults += outcome.failures.flatMap { failure in
            failure.faults.map { StoreFault(kind: $0.kind, store: $0.store, message: "\(failure.cut): \($0.message)") }
        }
        // And without a cut.
        let check = try recording.checkAtEnd()
        if check.expectations.unknown > 0 {
            run.faults.append(
                StoreFault(
                    kind: .unusable, store: "",
                    message: "of \(check.expectations.unknown) writes it is still not known whether they are there"))
        }
        run.faults += try await CheckerPool().faults(check)
        return run
    }

    private static func record(
        _ script: Script, _ kind: Kind, _ operation: Int, in place: String
    ) throws -> (Run, Recording) {
        var run = Run(kind: kind, operation: operation)
        let recorder = try Recorder(folder: place, number: 1)
        let process = try script.begin(recorder)
        _ = process.tell(kind.command(UInt64(operation)))
        var open: Set<String> = []
        for command in script.commands { try Self.run(command, process, &open, &run) }
        _ = process.tell("heal")
        for name in open.sorted() { _ = process.tell("close \(name)") }
        for command in Self.afterwards { try Self.run(command, process, &open, &run) }
        let code = process.end()
        if code != 0 {
            run.faults.append(StoreFault(kind: .crashed, store: "", message: "the process ended with \(code)"))
        }
        let recording = try recorder.recording(of: Workload("\(kind.rawValue) \(operation)", []))
        run.unknown = recording.lines.count {
            if case .unknown = $0 { true } else { false }
        }
        return (run, recording)
    }

    /// Runs a command; if it is refused, again after the disk was repaired, and again in a reopened store.
    private static func run(
        _ command: String, _ process: WorkerProcess, _ open: inout Set<String>, _ run: inout Run
    ) throws {
        let words = command.split(separator: " ").map(String.init)
        let isOpening = words[0] == "open"
        let attempts = isOpening ? Self.openings : 3
        for attempt in 0..<attempts {
            switch process.tell(command) {
            case .done:
                if words[0] == "open" { open.insert(words[1]) }
                if words[0] == "close" { open.remove(words[1]) }
                return
            case .ended: return run.faults.append(StoreFault(kind: .crashed, store: words[1], message: command))
            case .failed(let error):
                if attempt < 2 { run.refusals.append("\(command): \(error)") }
                guard Self.isClear(error) else {
                    return run.faults.append(
                        StoreFault(kind: .unusable, store: words[1], message: "'\(command)': \(error)"))
                }
                guard attempt + 1 < attempts else {
                    return run.faults.append(
                        StoreFault(
                            kind: .unusable, store: words[1], message: "'\(command)' is refused for good: \(error)"))
                }
            }
            _ = process.tell("heal")
            // As in `reopen`: the failed store may still be being released.
            if isOpening, attempt > 0 { usleep(10_000) }
            guard attempt == 1 else { continue }
            run.wasReopened = true
            for name in open.sorted() {
                _ = process.tell("close \(name)")
                reopen(name, process, &run)
            }
        }
    }

    /// Opens a store that was closed. Its release may block opening for a moment.
    private static func reopen(_ name: String, _ process: WorkerProcess, _ run: inout Run) {
        for attempt in 0..<Self.openings {
            guard case .failed(let error) = process.tell("open \(name)") else { return }
            if attempt == 0 { run.refusals.append("open \(name), once it was closed: \(error)") }
            usleep(10_000)
        }
    }

    /// How often opening a store is tried.
    private static let openings = 100

    /// Whether it is one of the store's documented errors.
    private static func isClear(_ error: String) -> Bool {
        ["StorageError: ", "EventLogError: ", "TripStoreError: ", "ProjectionError: ", "ExchangeError: "].contains {
            error.hasPrefix($0) && error.count > $0.count
        }
    }
}

extension DiskTrial.Script {
    /// Starts the process for the commands, after those of the other one. Throws `FaultTestingError` if one is not done.
    fileprivate func begin(_ recorder: Recorder) throws -> WorkerProcess {
        if !before.isEmpty {
            let process = try recorder.start()
            try before.forEach(process.require)
            process.end()
        }
        return try recorder.start()
    }
}

extension WorkerProcess {
    /// Throws `FaultTestingError` if a command is not done.
    fileprivate func require(_ command: String) throws {
        guard case .done = tell(command) else { throw FaultTestingError("'\(command)' was not done.") }
    }
}
