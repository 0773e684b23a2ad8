/// Runs functions that are isolated to no actor on a thread of its own, for work that blocks: the cooperative pool has as many threads as
/// the machine has processors.
///
/// ```swift
/// try await withTaskExecutorPreference(ThreadExecutor(name: "tripstore.export")) { try await export() }
/// ```
package final class ThreadExecutor: TaskExecutor {
    private let worker: WorkerThread

    /// Starts the thread, which ends with the executor.
    package init(name: String) { worker = WorkerThread(name: name) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        worker.perform { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
