import Synchronization

/// Follows how a file is read before anything of it is written: says how far it is, and ends it when the import is cancelled.
final class ReadingWatch: Sendable {
    private let progress: (@Sendable (ImportProgress) -> Void)?
    private let state = Mutex<(isStopped: Bool, percent: Int64)>((false, -1))

    init(_ progress: (@Sendable (ImportProgress) -> Void)?) { self.progress = progress }

    /// For the task that waits: the next report ends the reading.
    func stop() { state.withLock { $0.isStopped = true } }

    /// For the reader: a part of the file, from 0 to 1, is read. Each percent is said once.
    ///
    /// Throws `TextFormatError` once the reading is stopped, in whose place the import throws that it was cancelled.
    func report(_ share: Double, of size: Int64) throws(TextFormatError) {
        let percent = Int64(share * 100)
        let (isStopped, isNew) = state.withLock { state in
            defer { state.percent = max(state.percent, percent) }
            return (state.isStopped, percent > state.percent)
        }
        guard !isStopped else { throw TextFormatError(.unreadable, "The reading was stopped.") }
        if isNew { progress?(ImportProgress(stage: .checking, bytesRead: size * percent / 100, total: size)) }
    }
}
