import Foundation
import Synchronization

/// Processes that check what faults left, so that a crash in one is a finding and not the end.
final class CheckerPool: Sendable {
    private let idle = Mutex<[WorkerProcess]>([])

    /// Every fault, empty if there is none.
    ///
    /// Throws what prevents starting a process, or writing the check.
    func faults(_ check: StoreCheck) async throws -> [StoreFault] {
        try check.save()
        return try await withCheckedThrowingContinuation { continuation in
            // It blocks for the process.
            Thread.detachNewThread {
                continuation.resume(with: Result { try self.faultsOnThread(check) })
            }
        }
    }

    private func faultsOnThread(_ check: StoreCheck) throws -> [StoreFault] {
        let process =
            try idle.withLock { $0.popLast() }
            ?? WorkerProcess(
                in: check.root, variables: ["SWIFT_BACKTRACE": "enable=no"])
        switch process.tell("check \(check.root)") {
        case .done(let report):
            idle.withLock { $0.append(process) }
            return try JSONDecoder().decode([StoreFault].self, from: Data(report.utf8))
        case .failed(let error): throw FaultTestingError("The check of \(check.root) failed: \(error)")
        case .ended:
            let code = process.end()
            return [StoreFault(kind: .crashed, store: "", message: "the check ended with \(code)")]
        }
    }
}
