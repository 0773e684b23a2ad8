import Foundation
import Synchronization

/// The peak of this process's anonymous memory during a run: what it allocates, without the pages of mapped files,
/// which the system can reclaim.
enum AnonymousMemory {
    /// Runs `body`, sampling every other millisecond, and returns the peak in bytes; 0 where the system does not report
    /// it.
    static func peak(_ body: () async throws -> Void) async throws -> Int {
        let watcher = Watcher()
        Thread.detachNewThread { watcher.watch() }
        do { try await body() } catch {
            _ = watcher.stop()
            throw error
        }
        return watcher.stop()
    }

    /// Bytes of anonymous memory now: resident memory less that of files. 0 where the system does not report it.
    static var now: Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let pages = text.split(separator: " ").compactMap { Int($0) }
        return pages.count < 3 ? 0 : (pages[1] - pages[2]) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    private final class Watcher: Sendable {
        private let most = Mutex(0)
        private let isStopped = Mutex(false)

        func watch() {
            while !isStopped.withLock({ $0 }) {
                look()
                usleep(2_000)
            }
        }

        func stop() -> Int {
            isStopped.withLock { $0 = true }
            look()
            return most.withLock { $0 }
        }

        private func look() { most.withLock { $0 = max($0, AnonymousMemory.now) } }
    }
}
