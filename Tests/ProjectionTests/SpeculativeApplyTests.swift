import Dispatch
import EventLog
import Foundation
import Synchronization
import Testing

@testable import ProjectionEngine

@Suite("Speculative apply, overlapped with the fsync")
struct SpeculativeApplyTests {
    private final class Notes: Sendable {
        private let notes = Mutex<[String]>([])
        func add(_ note: String) { notes.withLock { $0.append(note) } }
        var all: [String] { notes.withLock { $0 } }
    }

    @Test(
        "Durable rows are committed, then the appenders are resumed, then all others are notified",
        arguments: [false, true])
    func durable(isWaiting: Bool) {
        let notes = Notes()
        let step = SpeculativeApply(on: WorkerThread(name: "test")) { isDurable in
            notes.add("rows")
            guard isDurable() else { return false }
            notes.add("committed")
            return true
        } told: {
            notes.add("told")
        }
        while isWaiting && notes.all.isEmpty { sched_yield() }
        #expect(step.conclude(isDurable: true) { notes.add("next") })
        #expect(notes.all == ["rows", "committed", "next", "told"])
    }

    @Test("After its patience it gives up, whatever the result of the sync")
    func impatient() {
        let notes = Notes()
        let hasGivenUp = DispatchSemaphore(value: 0)
        let step = SpeculativeApply(on: WorkerThread(name: "test"), patience: 0.001) { isDurable in
            if !isDurable() { notes.add("given up") }
            hasGivenUp.signal()
            return false
        } told: {
            notes.add("told")
        }
        hasGivenUp.wait()
        #expect(step.conclude(isDurable: true) { notes.add("next") } == false)
        #expect(notes.all == ["given up"])
    }

    @Test("A failed transaction's rows are abandoned, without notification")
    func givenUp() {
        let notes = Notes()
        let step = SpeculativeApply(on: WorkerThread(name: "test")) { isDurable in
            isDurable()
        } told: {
            notes.add("told")
        }
        #expect(step.conclude(isDurable: false) { notes.add("next") } == false)
        #expect(notes.all.isEmpty)
    }

    @Test("Rows that could not be made are left to the concluding thread")
    func failed() {
        let notes = Notes()
        let step = SpeculativeApply(on: WorkerThread(name: "test")) { _ in
            false
        } told: {
            notes.add("told")
        }
        #expect(step.conclude(isDurable: true) { notes.add("next") } == false)
        #expect(notes.all.isEmpty)
    }
}
