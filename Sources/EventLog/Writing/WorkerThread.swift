import Foundation
import Synchronization

/// A thread of its own for blocking work, on which actors can run too.
///
/// Neither the log's writer nor the actors that build views may block the cooperative pool: they share such a thread.
/// Jobs queued when the last reference is released still run.
public final class WorkerThread: SerialExecutor, Sendable {
    private let queue = JobQueue()

    /// Starts the thread.
    public init(name: String) {
        // The thread retains the queue and not this object, so that it ends with it.
        let isStarted = DispatchSemaphore(value: 0)
        let thread = Thread { [queue] in
            // On Linux a name is lost that is set before the call that starts the thread has noted it.
            isStarted.wait()
            Thread.current.name = name
            queue.run()
        }
        thread.stackSize = 4 << 20
        thread.start()
        isStarted.signal()
    }

    deinit { queue.stop() }

    /// Queues a job. Jobs run one at a time, in order.
    public func perform(_ job: @escaping @Sendable () -> Void) { queue.add(job) }

    /// Runs a job on the thread and returns its result to the caller, which suspends meanwhile.
    ///
    /// When the caller resumes, the thread holds neither the job nor its result: an environment that the caller then
    /// releases is closed.
    public func run<T: Sendable>(_ job: @escaping @Sendable () throws -> T) async throws -> T {
        let handover = Handover(job)
        await withCheckedContinuation { continuation in
            perform {
                handover.run()
                continuation.resume()
            }
        }
        return try handover.take().get()
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.add { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    public func checkIsolated() {
        precondition(queue.isCurrentThread, "The code runs outside the worker thread that its actor belongs to.")
    }

    public func isIsolatingCurrentContext() -> Bool? { queue.isCurrentThread }
}

/// Carries a job to a thread and its result back, each held by one side at a time.
private final class Handover<T: Sendable>: Sendable {
    private enum State: Sendable {
        case job(@Sendable () throws -> T)
        case result(Result<T, any Error>)
        case over
    }

    private let state: Mutex<State>

    init(_ job: @escaping @Sendable () throws -> T) { state = Mutex(.job(job)) }

    /// Not inlined, so that nothing of the job is left when it returns.
    @inline(never)
    func run() {
        guard case .job(let job) = exchange(.over) else { return }
        _ = exchange(.result(Result { try job() }))
    }

    func take() -> Result<T, any Error> {
        guard case .result(let result) = exchange(.over) else { return .failure(CancellationError()) }
        return result
    }

    private func exchange(_ next: State) -> State {
        state.withLock { state in
            defer { state = next }
            return state
        }
    }
}

/// The jobs of one thread.
///
/// `@unchecked Sendable`: every variable is touched with `condition` locked, but for `thread`, which is atomic.
private final class JobQueue: @unchecked Sendable {
    private let condition = NSCondition()
    private var jobs: [@Sendable () -> Void] = []
    private var isStopped = false
    /// The thread's own number; 0 before it runs. `isCurrentThread` compares the calling thread's number, without a
    /// lock.
    private let thread = Atomic<UInt>(0)

    // A number or a pointer, as the C library has it.
    private static var currentThread: UInt {
        withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) }
    }

    var isCurrentThread: Bool { thread.load(ordering: .acquiring) == Self.currentThread }

    func add(_ job: @escaping @Sendable () -> Void) {
        condition.lock()
        jobs.append(job)
        condition.unlock()
        // The woken thread finds the lock free.
        condition.signal()
    }

    func stop() {
        condition.lock()
        isStopped = true
        condition.signal()
        condition.unlock()
    }

    func run() {
        // A number may be reused by another thread once this one has ended.
        thread.store(Self.currentThread, ordering: .releasing)
        defer { thread.store(0, ordering: .releasing) }
        while let batch = next() {
            for job in batch { job() }
        }
    }

    /// Waits for jobs; nil when there are no more. Finished jobs are released before: with them may go the last
    /// reference to the owner of the thread, who then stops it and takes the lock.
    private func next() -> [@Sendable () -> Void]? {
        condition.lock()
        defer { condition.unlock() }
        while jobs.isEmpty && !isStopped { condition.wait() }
        defer { jobs = [] }
        return jobs.isEmpty ? nil : jobs
    }
}

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
