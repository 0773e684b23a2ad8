import Dispatch
import EventLog
import Foundation
import Synchronization
import Testing

@Suite("Worker threads")
struct WorkerThreadTests {
    private final class Owner: Sendable {
        let worker = WorkerThread(name: "test")
        private let end: DispatchSemaphore

        init(_ end: DispatchSemaphore) { self.end = end }
        deinit { end.signal() }
    }

    @Test("An owner whose last reference goes with a job on the thread ends it, without waiting")
    func lastReference() {
        let end = DispatchSemaphore(value: 0)
        let (isHeld, mayGo) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        do {
            let owner = Owner(end)
            owner.worker.perform { [owner] in
                isHeld.signal()
                mayGo.wait()
                _ = owner
            }
        }
        isHeld.wait()
        mayGo.signal()
        #expect(end.wait(timeout: .now() + 30) == .success)
    }

    @Test("Jobs run in the order in which they came, also those that are queued when the last reference goes")
    func order() {
        let done = Mutex<[Int]>([])
        let end = DispatchSemaphore(value: 0)
        do {
            let worker = WorkerThread(name: "test")
            for number in 0..<100 { worker.perform { done.withLock { $0.append(number) } } }
            worker.perform { end.signal() }
        }
        end.wait()
        #expect(done.withLock { $0 } == Array(0..<100))
    }

    private final class Probe: Sendable {}

    @Test("When a job's caller resumes, the thread holds neither its result nor what it captured")
    func released() async throws {
        let worker = WorkerThread(name: "test")
        var kept = 0
        for _ in 0..<5000 {
            var captured = Probe()
            var result = try await worker.run { [captured] in
                _ = captured
                return Probe()
            }
            if !isKnownUniquelyReferenced(&result) { kept += 1 }
            if !isKnownUniquelyReferenced(&captured) { kept += 1 }
        }
        #expect(kept == 0)
    }

    @Test("What a job throws its caller gets")
    func failure() async {
        let worker = WorkerThread(name: "test")
        await #expect(throws: CancellationError.self) { try await worker.run { throw CancellationError() } }
    }
}
