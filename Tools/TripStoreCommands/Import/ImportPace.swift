import Synchronization
import TripFormats

/// How far an import is and how fast, in words: the share of the file that the pass has read, and the rate since it began.
final class ImportPace: Sendable {
    private struct Pass {
        let stage: ImportProgress.Stage
        let start: Duration
        let bytes: Int64
    }

    private let pass = Mutex<Pass?>(nil)

    /// - Parameter now: the time since any instant, the same one at each call.
    func words(_ progress: ImportProgress, at now: Duration) -> String {
        let pass = pass.withLock { pass in
            if let pass, pass.stage == progress.stage { return pass }
            let first = Pass(stage: progress.stage, start: now, bytes: progress.bytesRead)
            pass = first
            return first
        }
        let share = "\(progress.stage.rawValue) \(progress.bytesRead * 100 / max(progress.total, 1)) %"
        let milliseconds = (now - pass.start) / .milliseconds(1)
        // Before that it says more of the first pieces than of the pass.
        guard milliseconds >= 200 else { return share }
        let tenths = Int64(Double(progress.bytesRead - pass.bytes) / milliseconds / 100)
        return "\(share), \(tenths / 10).\(tenths % 10) MB/s"
    }
}
