import EventLog
import Synchronization

/// Whether the generations of a group have the views that it wants beside its own, and the progress of making these.
///
/// A version that does not know such a view drops it with its next batch of changes. It is made again with the first batch of this process after
/// some minutes: two versions that write in turn would otherwise make it again with each.
final class AttachingState: Sendable {
    /// In milliseconds.
    private static let pause: Int64 = 600_000

    private struct State {
        /// Called with the progress of making them.
        var observer: (@Sendable (BuildProgress) -> Void)?
        var progress: BuildProgress?
        /// Nil before the first making.
        var lastEnd: Int64?
        /// The row that lists the views of a generation, when it had all that are wanted.
        var completeRow: [UInt8]?
        /// The definitions that queries asked for, and when.
        var demands: [[UInt8]: Int64] = [:]
    }

    private let state = Mutex(State())

    /// Of the views that are being made; nil if none are.
    var progress: BuildProgress? { state.withLock { $0.progress } }

    func note(_ observer: @escaping @Sendable (BuildProgress) -> Void) { state.withLock { $0.observer = observer } }

    func report(_ progress: BuildProgress) {
        let observer = state.withLock { state in
            state.progress = progress
            return state.observer
        }
        observer?(progress)
    }

    /// The making has ended, or failed.
    func end(at time: Int64) {
        state.withLock { state in
            state.progress = nil
            state.lastEnd = time
        }
    }

    /// The definitions of the views that queries asked for.
    var demanded: [[UInt8]] { state.withLock { Array($0.demands.keys) } }

    /// Records that queries ask for views. Returns whether it is time to make some: they may have been made, or tried, a moment ago.
    func demand(_ definitions: [[UInt8]], at time: Int64) -> Bool {
        state.withLock { state in
            let due = definitions.filter { state.demands[$0].map { Self.hasPassed(since: $0, at: time) } ?? true }
            for definition in due { state.demands[definition] = time }
            return !due.isEmpty
        }
    }

    /// Whether the pause after a time is over.
    private static func hasPassed(since last: Int64, at time: Int64) -> Bool {
        // The clock may be anything.
        let (waited, overflow) = time.subtractingReportingOverflow(last)
        return overflow || waited >= pause
    }

    /// Whether a generation lacks wanted views and it is time to make them again. O(1) while its views are the same.
    func isDue(_ generation: Generation, _ wanted: [[UInt8]], at time: Int64) -> Bool {
        guard !wanted.isEmpty else { return false }
        let (row, definitions) = generation.knownAttached.withLock { known in
            (known?.row ?? [], known?.views.views.map(\.definition) ?? [])
        }
        return state.withLock { state in
            if state.completeRow == row { return false }
            guard wanted.allSatisfy(definitions.contains) else {
                return state.lastEnd.map { Self.hasPassed(since: $0, at: time) } ?? true
            }
            state.completeRow = row
            return false
        }
    }
}

extension ProjectionGroup {
    /// The definitions of the views that the group wants beside its own.
    package nonisolated var wantedAttachments: [[UInt8]] { configuration.attached }

    /// The progress of making such views; nil if none are being made.
    package nonisolated var attachingProgress: BuildProgress? { attaching.progress }

    /// Makes views that queries lack, by a rebuild beside the serving ones. Does not wait.
    nonisolated func demand(_ definitions: [[UInt8]]) {
        guard log.keepsViews, !log.isReadOnly, let serving = slot.serving, !definitions.allSatisfy(serving.has) else {
            return
        }
        worker.perform { [weak self] in
            self?.assumeIsolated { group in
                guard group.rebuild == nil, group.attaching.demand(definitions, at: group.now) else { return }
                group.beginRebuild(reason: "queries lack indexes")
            }
        }
    }
}
