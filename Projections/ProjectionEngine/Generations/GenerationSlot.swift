import EventLog
import Events
import Foundation
import LMDB
import Platform
import Synchronization

/// Holds the generation that serves queries, for readers on any thread.
@usableFromInline
final class GenerationSlot: Sendable {
    private struct State {
        var serving: Generation?
        /// Whether the group was closed: then nothing is served.
        var isClosed = false
        /// Why nothing is served, while the group is suspended or resumes.
        var suspension: StorageError?
        var isResuming = false
        var progress: BuildProgress?
        var fault: GroupFault?
        /// The names of existing generations that are not served, and what was wrong with the last of them.
        var refusals: Set<String> = []
        var lastFault: String?
        /// Why the generation that existed when the group started is not served.
        var replacement: String?
    }

    private let configuration: GroupConfiguration
    private let log: Log
    private let group: WeakGroup
    private let state = BargingMutex(State())

    init(_ configuration: GroupConfiguration, _ log: Log, _ group: WeakGroup) {
        self.configuration = configuration
        self.log = log
        self.group = group
    }

    var serving: Generation? { state.withLock { $0.serving } }
    var isClosed: Bool { state.withLock { $0.isClosed } }
    var progress: BuildProgress? { state.withLock { $0.progress } }
    var fault: GroupFault? { state.withLock { $0.fault } }
    /// Why the views that existed when the group started were not served, in words; nil if they were, or there were
    /// none.
    var replacement: String? { state.withLock { $0.replacement } }

    /// The same as `pointed`, for starting the group.
    func pointedAtStart() throws -> Generation? {
        let generation = try pointed()
        state.withLock { $0.replacement = generation == nil ? $0.lastFault : nil }
        return generation
    }

    /// Without effect once the group is closed.
    func serve(_ generation: Generation) {
        generation.group.value = group.value
        state.withLock { state in
            guard !state.isClosed, state.suspension == nil || state.isResuming else { return }
            (state.serving, state.progress, state.fault) = (generation, nil, nil)
        }
    }

    /// Serves nothing from now on.
    func close() { state.withLock { ($0.serving, $0.progress, $0.isClosed) = (nil, nil, true) } }

    /// Serves nothing until `endSuspension`, and returns what it served.
    func suspend(_ path: String) -> Generation? {
        state.withLock { state in
            defer { (state.serving, state.progress, state.suspension) = (nil, nil, .suspended(path)) }
            return state.serving
        }
    }

    /// Serves what it is given, and still refuses to serve anything else.
    func beginResuming() { state.withLock { $0.isResuming = true } }
    func endSuspension() { state.withLock { ($0.suspension, $0.isResuming) = (nil, false) } }

    var isSuspended: Bool { state.withLock { $0.suspension != nil } }
    /// Throws `StorageError.suspended` from the moment at which the group is suspended until it has resumed.
    func checkNotSuspended() throws(StorageError) { if let error = state.withLock({ $0.suspension }) { throw error } }

    func report(_ progress: BuildProgress?) { state.withLock { $0.progress = progress } }
    /// Together with the end of a build, so that a reader that sees the fault does not see a build in progress.
    func report(_ fault: GroupFault) { state.withLock { ($0.fault, $0.progress) = (fault, nil) } }
    func clearFault() { state.withLock { $0.fault = nil } }

    /// Runs `body` on the serving generation; switches to another when that was retired.
    func read<T>(recorder: ReadRecorder? = nil, _ body: (borrowing ViewSnapshot) throws -> T) throws -> T {
        let views = try open(recorder: recorder)
        defer { views.finish() }
        return try body(views.snapshot)
    }

    /// The same inside of a read of the log. The successor of a retired generation is looked up in that read: the thread may not
    /// begin another read of the log.
    func read<T>(
        beside log: borrowing LogSnapshot, recorder: ReadRecorder? = nil,
        _ body: (borrowing ViewSnapshot) throws -> T
    ) throws -> T {
        let views = try open(recorder: recorder) { try pointed(in: log) }
        defer { views.finish() }
        return try body(views.snapshot)
    }

    /// Begins a read, which the caller must finish.
    @usableFromInline
    func open(recorder: ReadRecorder? = nil) throws -> OpenViews {
        try open(recorder: recorder) { try pointed() }
    }

    private func open(recorder: ReadRecorder?, _ pointed: () throws -> Generation?) throws -> OpenViews {
        var attempts = 0
        while true {
            let generation = try current(pointed)
            let reading = try OpenReading(generation.environment)
            do {
                if let position = try generation.servedPosition(reading.transaction) {
                    return OpenViews(generation, reading, position, recorder)
                }
                // A reader of another process finds the successor in the log; one of this process in the slot.
                if attempts == 8 {
                    let position = try generation.checkpoint(reading.transaction).position
                    return OpenViews(generation, reading, position, recorder)
                }
            } catch {
                reading.finish()
                throw error
            }
            reading.finish()
            attempts += 1
            if serving === generation, let successor = try pointed(), successor.folder.path != generation.folder.path {
                serve(successor)
            }
        }
    }

    private func current(_ pointed: () throws -> Generation?) throws -> Generation {
        // Alone: copying the others takes as long as the rest of this function.
        if let serving { return serving }
        let (serving, progress, fault, isClosed) = state.withLock { ($0.serving, $0.progress, $0.fault, $0.isClosed) }
        if let serving { return serving }
        if isClosed { throw ProjectionError.closed }
        try checkNotSuspended()
        // A read-only store may have been opened before a writer had built anything.
        if !log.keepsViews, let pointed = try pointed() {
            serve(pointed)
            return pointed
        }
        if let progress {
            throw ProjectionError(
                .beingBuilt,
                "The views are being built (\(progress.stage), \(progress.done) of \(progress.total)). "
                    + "Wait for 'catchUp()' or try again.")
        }
        // A read-only store has no fault of its own: the failing writer has recorded it in the log.
        if let fault = try fault ?? GroupFault.noted(configuration.name, in: log) {
            throw ProjectionError.notBuilt(for: fault, nextAttempt: fault.nextAttempt)
        }
        throw ProjectionError(
            .notBuilt, "No views that this version can read were built yet. Open the store for writing to build them.")
    }

    /// The generation that the log points to, if it is intact and fits the log; otherwise nil.
    func pointed() throws -> Generation? {
        try generation(log.note(configuration.pointer)) { checkpoint in
            try log.read { (try checkpoint.agrees(with: $0), try checkpoint.isOutdated(by: $0)) }
        }
    }

    /// The same inside a read of the log.
    private func pointed(in snapshot: borrowing LogSnapshot) throws -> Generation? {
        try generation(log.note(configuration.pointer, in: snapshot)) { checkpoint in
            (try checkpoint.agrees(with: snapshot), try checkpoint.isOutdated(by: snapshot))
        }
    }

    /// The generation that a pointer's bytes name; `compare` compares its checkpoint with the log.
    private func generation(
        _ pointer: [UInt8]?, _ compare: (Checkpoint) throws -> (agrees: Bool, isOutdated: Bool)
    ) throws -> Generation? {
        guard let name = pointer.map({ String(decoding: $0, as: UTF8.self) }) else { return nil }
        let path = configuration.path(name)
        // Inspecting it again would take long, and a refused generation is never repaired, but rebuilt under another
        // name.
        guard !state.withLock({ $0.refusals.contains(name) }), FileManager.default.fileExists(atPath: path) else {
            return nil
        }
        let folder: GenerationFolder
        switch try GenerationFolder.inspect(path) {
        case .whole(let found): folder = found
        case .refused(let words): return refuse(name, words)
        }
        do {
            let generation = try configuration.open(folder, for: log.keepsViews ? .serving : .reading)
            let checkpoint = try generation.environment.read { try generation.checkpoint($0) }
            let (agrees, isOutdated) = try compare(checkpoint)
            guard agrees else {
                // An erasure, or a commit that counts otherwise, is no fault of the views.
                return refuse(name, isOutdated ? nil : "they were built from another log")
            }
            return generation
        } catch let error as StorageError where Self.rebuilding.contains(error.code) {
            return refuse(name, error.message)
        } catch let error as ProjectionError where error.code == .damaged {
            return refuse(name, error.message)
        }
    }

    /// Opening failures that lead to a rebuild. Others, such as a full disk, would affect a rebuild as well.
    private static let rebuilding: Set<StorageError.Code> = [.damaged, .missing, .unfinished, .inputOutput, .other]

    /// `fault` says in words what is wrong with it; nil if nothing is.
    private func refuse(_ name: String, _ fault: String?) -> Generation? {
        state.withLock { state in
            state.refusals.insert(name)
            state.lastFault = fault
        }
        return nil
    }
}

/// Views during a read, until `finish` is called, once.
@usableFromInline
struct OpenViews: ~Copyable {
    private let generation: Generation
    private let reading: OpenReading
    private let position: Position
    private let recorder: ReadRecorder?

    init(_ generation: Generation, _ reading: consuming OpenReading, _ position: Position, _ recorder: ReadRecorder?) {
        self.generation = generation
        self.reading = reading
        self.position = position
        self.recorder = recorder
    }

    /// A snapshot of the views; it must not outlive them.
    @usableFromInline
    var snapshot: ViewSnapshot {
        ViewSnapshot(reading.transaction, generation, at: position, recorder: recorder)
    }

    /// The environment, to which the read has no counted reference, lives as long as the generation.
    @usableFromInline
    func finish() { withExtendedLifetime(generation) { reading.finish() } }

    @usableFromInline
    var origin: ReadOrigin { ReadOrigin(generation: generation.folder.path, position: position) }
}
