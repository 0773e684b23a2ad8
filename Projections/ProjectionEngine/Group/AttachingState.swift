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

    /// Whether a generation lacks wanted views and it is time to make them again. O(1) while its views are the same.
    func isDue(_ generation: Generation, _ wanted: [[UInt8]], at time: Int64) -> Bool {
        guard !wanted.isEmpty else { return false }
        let (row, definitions) = generation.knownAttached.withLock { known in
            (known?.row ?? [], known?.views.views.map(\.definition) ?? [])
        }
        return state.withLock { state in
            if state.completeRow == row { return false }
            guard wanted.allSatisfy(definitions.contains) else {
                guard let lastEnd = state.lastEnd else { return true }
                // The clock may be anything.
                let (waited, overflow) = time.subtractingReportingOverflow(lastEnd)
                return overflow || waited >= Self.pause
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
}
