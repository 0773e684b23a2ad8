import Dispatch
import EventLog
import Foundation
import Synchronization
import Testing

@testable import ProjectionEngine

@Suite("Applying beside the sync")
struct ApplyingAheadTests {
    private final class Notes: Sendable {
        private let notes = Mutex<[String]>([])
        func add(_ note: String) { notes.withLock { $0.append(note) } }
        var all: [String] { notes.withLock { $0 } }
    }

    @Test(
        "What is durable is committed, then those who appended are told, then everybody else", arguments: [false, true])
    func durable(isWaiting: Bool) {
        let notes = Notes()
        let step = ApplyingAhead(on: WorkerThread(name: "test")) { isDurable in
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

    @Test("Who has waited long enough gives up, whatever becomes of the sync then")
    func impatient() {
        let notes = Notes()
        let hasGivenUp = DispatchSemaphore(value: 0)
        let step = ApplyingAhead(on: WorkerThread(name: "test"), patience: 0.001) { isDurable in
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

    @Test("What came to nothing is given up, and nobody is told")
    func givenUp() {
        let notes = Notes()
        let step = ApplyingAhead(on: WorkerThread(name: "test")) { isDurable in
            isDurable()
        } told: {
            notes.add("told")
        }
        #expect(step.conclude(isDurable: false) { notes.add("next") } == false)
        #expect(notes.all.isEmpty)
    }

    @Test("Rows that could not be made are left to the one who concludes")
    func failed() {
        let notes = Notes()
        let step = ApplyingAhead(on: WorkerThread(name: "test")) { _ in
            false
        } told: {
            notes.add("told")
        }
        #expect(step.conclude(isDurable: true) { notes.add("next") } == false)
        #expect(notes.all.isEmpty)
    }
}
