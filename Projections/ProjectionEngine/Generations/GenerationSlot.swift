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
        /// Whether the group was closed: nothing is served from then on.
        var isClosed = false
        var progress: BuildProgress?
        var fault: GroupFault?
        /// Why generations that were there are not served, by their names.
        var refusals: [String: String] = [:]
        var lastRefusal: String?
        /// Why the generation that was there when the group started is not served.
        var replacement: String?
    }

    private let configuration: GroupConfiguration
    private let log: Log
    private let state = BargingMutex(State())

    init(_ configuration: GroupConfiguration, _ log: Log) {
        self.configuration = configuration
        self.log = log
    }

    var serving: Generation? { state.withLock { $0.serving } }
    var isClosed: Bool { state.withLock { $0.isClosed } }
    var progress: BuildProgress? { state.withLock { $0.progress } }
    var fault: GroupFault? { state.withLock { $0.fault } }
    /// Why the views that were there when the group started were not served, in words; nil if they were, or there were none.
    var replacement: String? { state.withLock { $0.replacement } }

    /// The same as `pointed`, for who starts the group.
    func pointedAtStart() throws -> Generation? {
        let generation = try pointed()
        state.withLock { $0.replacement = generation == nil ? $0.lastRefusal : nil }
        return generation
    }

    /// Without effect once the group was closed.
    func serve(_ generation: Generation) {
        state.withLock { state in
            guard !state.isClosed else { return }
            (state.serving, state.progress, state.fault) = (generation, nil, nil)
        }
    }

    /// Serves nothing from now on.
    func close() { state.withLock { ($0.serving, $0.progress, $0.isClosed) = (nil, nil, true) } }

    func report(_ progress: BuildProgress?) { state.withLock { $0.progress = progress } }
    /// In one step with the end of a build, so that who sees the fault is not told that the views are being built.
    func report(_ fault: GroupFault) { state.withLock { ($0.fault, $0.progress) = (fault, nil) } }
    func clearFault() { state.withLock { $0.fault = nil } }

    /// Runs `body` on the serving generation; goes over to another when that one was retired.
    func read<T>(recorder: ReadRecorder? = nil, _ body: (borrowing ViewSnapshot) throws -> T) throws -> T {
        let views = try open(recorder: recorder)
        defer { views.finish() }
        return try body(views.snapshot)
    }

    /// The same inside of a read of the log: the successor of a retired generation is looked up in that read, for the thread
    /// may not begin another of the log.
    func read<T>(
        beside log: borrowing LogSnapshot, recorder: ReadRecorder? = nil,
        _ body: (borrowing ViewSnapshot) throws -> T
    ) throws -> T {
        let views = try open(recorder: recorder) { try pointed(in: log) }
        defer { views.finish() }
        return try body(views.snapshot)
    }

    /// Begins a read; it is to be finished by hand.
    @usableFromInline
    func open(recorder: ReadRecorder? = nil) throws -> OpenViews {
        try open(recorder: recorder) { try pointed() }
    }

    private func open(recorder: ReadRecorder?, _ pointed: () throws -> Generation?) throws -> OpenViews {
        var attempts = 0
        while true {
            let generation = try current(pointed)
            let reading = try OpenReading(generation.environmentOfReads)
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
        let (serving, progress, fault, isClosed) = state.withLock { ($0.serving, $0.progress, $0.fault, $0.isClosed) }
        if let serving { return serving }
        if isClosed { throw ProjectionError.closed }
        // A store that is read may have been opened before a writer had built anything.
        if !log.keepsViews, let pointed = try pointed() {
            serve(pointed)
            return pointed
        }
        if let progress {
            throw ProjectionError(
                .beingBuilt,
                "The views are being built (\(progress.stage.rawValue), \(progress.done) of \(progress.total)). "
                    + "Wait for 'settled()' or try again.")
        }
        // A store that is read has no fault of its own: the writer that failed has left it in the log.
        if let fault = try fault ?? GroupFault.noted(configuration.name, in: log) {
            throw ProjectionError.notBuilt(for: fault, nextAttempt: fault.nextAttempt)
        }
        throw ProjectionError(
            .notBuilt, "No views that this version can read were built yet. Open the store for writing to build them.")
    }

    /// The generation that the log points to, if it is whole and fits the log; else nil.
    func pointed() throws -> Generation? {
        try generation(log.note(configuration.pointer)) { checkpoint in
            try log.read { (try checkpoint.agrees(with: $0), try checkpoint.isOutdated(by: $0)) }
        }
    }

    /// The same inside of a read of the log.
    private func pointed(in snapshot: borrowing LogSnapshot) throws -> Generation? {
        try generation(log.note(configuration.pointer, in: snapshot)) { checkpoint in
            (try checkpoint.agrees(with: snapshot), try checkpoint.isOutdated(by: snapshot))
        }
    }

    /// The generation of a pointer's bytes; `compare` holds its checkpoint against the log.
    private func generation(
        _ pointer: [UInt8]?, _ compare: (Checkpoint) throws -> (agrees: Bool, isOutdated: Bool)
    ) throws -> Generation? {
        guard let name = pointer.map({ String(decoding: $0, as: UTF8.self) }) else { return nil }
        let path = configuration.path(name)
        // To look at it again would take long, and what was refused once is never mended, but built anew under another name.
        guard state.withLock({ $0.refusals[name] }) == nil, FileManager.default.fileExists(atPath: path) else {
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
                return refuse(
                    name,
                    isOutdated
                        ? "what they show was erased in part, or counts otherwise" : "they were built from another log")
            }
            return generation
        } catch let error as StorageError where Self.rebuilding.contains(error.code) {
            return refuse(name, error.message)
        } catch let error as ProjectionError where error.code == .damaged {
            return refuse(name, error.message)
        }
    }

    /// What views are built anew for that cannot be opened. Others, such as a full disk, a rebuild would meet as well.
    private static let rebuilding: Set<StorageError.Code> = [.damaged, .missing, .unfinished, .inputOutput, .other]

    private func refuse(_ name: String, _ words: String) -> Generation? {
        state.withLock { ($0.refusals[name], $0.lastRefusal) = (words, words) }
        return nil
    }
}

/// Views that are being read, until `finish` is called, once.
@usableFromInline
struct OpenViews {
    private let generation: Generation
    private let reading: OpenReading
    private let position: Position
    private let recorder: ReadRecorder?

    init(_ generation: Generation, _ reading: OpenReading, _ position: Position, _ recorder: ReadRecorder?) {
        self.generation = generation
        self.reading = reading
        self.position = position
        self.recorder = recorder
    }

    /// A handle on the views; it must not outlive them.
    @usableFromInline
    var snapshot: ViewSnapshot {
        ViewSnapshot(reading.transaction, generation, at: position, recorder: recorder)
    }

    /// The environment, which the reading does not count its reference to, lives as long as the generation.
    @usableFromInline
    func finish() { withExtendedLifetime(generation) { reading.finish() } }

    @usableFromInline
    var origin: ReadOrigin { ReadOrigin(generation: generation.folder.path, position: position) }
}
