import EventLog
import Foundation

/// One run of a workload: the medium's content before, and every operation since.
public struct Recording: Sendable {
    public let workload: Workload
    /// The recorded folder, as it is now, with the stores, and the machine's record under `state`.
    let root: String
    /// Its content when the recording began.
    let base: FolderContents
    private let baseMarks = FileOrigins()
    let trace: Trace
    /// The expectations from before the recording began.
    let expectations: Expectations

    /// How many operations were recorded.
    public var operations: Int { trace.records.count }

    /// The boot id that the recorded processes see.
    static func bootID(_ number: Int) -> String {
        "00000000-0000-4000-8000-00000000000\(number)"
    }

    /// Runs a workload in a folder of its own, which must not exist yet.
    ///
    /// Throws `FaultTestingError` if it fails without injected faults, or if the trace is incomplete.
    public static func make(_ workload: Workload, in folder: String) async throws -> Recording {
        try await Task.onThread { try makeOnThread(workload, in: folder) }
    }

    private static func makeOnThread(_ workload: Workload, in folder: String) throws -> Recording {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var recorder = try Recorder(folder: folder, number: 1)
        var processes: [String: WorkerProcess] = [:]
        for step in workload.steps {
            switch step {
            case .tell(let name, let command):
                let process = try processes[name] ?? recorder.start()
                processes[name] = process
                switch process.tell(command) {
                case .done: break
                case .failed(let error): throw FaultTestingError("\(workload.name): '\(command)' failed: \(error)")
                case .ended: processes[name] = nil
                }
            case .start(let name, let home): processes[name] = try recorder.start(home: home)
            case .kill(let name): processes.removeValue(forKey: name)?.kill()
            case .end(let name): processes.removeValue(forKey: name)?.end()
            case .cutPower(let seed):
                for process in processes.values { process.kill() }
                processes = [:]
                recorder = try recorder.cutPower(workload, seed: seed)
            }
        }
        for process in processes.values { process.kill() }
        let recording = try recorder.recording(of: workload)
        try recording.checkCompleteness()
        return recording
    }

    /// Checks that the trace has everything that the processes did.
    private func checkCompleteness() throws {
        let medium = try start()
        for record in trace.records { try medium.apply(record) }
        let differences = try medium.differences(from: root)
        guard differences.isEmpty else {
            throw FaultTestingError(
                "\(workload.name): the recorder missed something: \(differences.joined(separator: "; "))")
        }
    }

    /// The processes' output meanwhile.
    var lines: [JournalLine] {
        trace.records.compactMap { record in
            if case .mark(let text) = record.operation { JournalLine(text) } else { nil }
        }
    }

    /// The check of the recorded folder, as the processes left it.
    func checkAtEnd() throws -> StoreCheck {
        var expectations = expectations
        for line in lines { expectations.note(line) }
        return StoreCheck(root: root, expectations: expectations, marks: baseMarks)
    }

    /// The medium as it was when the recording began.
    func start(ignoring ignored: IgnoredSyncs = []) throws -> RecordedMedium {
        try RecordedMedium(base, ignoring: ignored)
    }
}

/// Starts processes whose operations are recorded.
struct Recorder {
    let folder: String
    let root: String
    private let number: Int
    private let tracePath: String
    private var base: FolderContents
    private var hasMarks = false
    private var expectations = Expectations()

    init(folder: String, number: Int) throws {
        self.folder = folder
        self.number = number
        root = folder + "/root-\(number)"
        tracePath = folder + "/trace-\(number)"
        try FileManager.default.createDirectory(
            atPath: root, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        base = try FolderContents(of: root)
        try Trace.create(at: tracePath)
        try Data("\(Recording.bootID(number))\n".utf8).write(to: URL(fileURLWithPath: folder + "/boot-\(number)"))
    }

    /// The environment for a recorded process whose machine's records lie in the folder `home`.
    private func variables(home: String) throws -> [String: String] {
        var variables = [
            "LD_PRELOAD": try Products.file("libFileRecorder.so").path, "FILE_RECORDER_ROOT": root,
            "FILE_RECORDER_TRACE": tracePath, "FILE_RECORDER_BOOT_ID": folder + "/boot-\(number)",
            "XDG_STATE_HOME": "\(root)/\(home)",
            // The recorder is loaded before the sanitizer's runtime, which does no harm here.
            "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0",
        ]
        if hasMarks { variables["FAULT_WORKER_MARKS"] = folder + "/marks-\(number)" }
        return variables
    }

    func start(home: String = "state") throws -> WorkerProcess {
        try WorkerProcess(in: root, variables: try variables(home: home))
    }

    func recording(of workload: Workload) throws -> Recording {
        Recording(
            workload: workload, root: root, base: base, trace: try Trace(contentsOf: tracePath, root: root),
            expectations: expectations)
    }

    /// A recorder for the time after a power cut at the end of this one's trace.
    func cutPower(_ workload: Workload, seed: UInt64) throws -> Recorder {
        let recording = try recording(of: workload)
        let medium = try recording.start()
        var next = try Recorder(folder: folder, number: number + 1)
        next.expectations = expectations
        for record in recording.trace.records {
            try medium.apply(record)
            if case .mark(let text) = record.operation, let line = JournalLine(text) { next.expectations.note(line) }
        }
        var cut = PowerCut(seed: seed)
        let marks = try cut.write(medium, uncommitted: nil, to: next.root)
        next.base = try FolderContents(of: next.root, marks: marks)
        next.hasMarks = true
        try Data(marks.text.utf8).write(to: URL(fileURLWithPath: folder + "/marks-\(number + 1)"))
        return next
    }
}
