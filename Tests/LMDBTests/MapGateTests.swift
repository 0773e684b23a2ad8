import LMDBSupport
import Platform
import Synchronization
import Testing

@testable import LMDB

@Suite("The gate before the map")
struct MapGateTests {
    @Test("The map changes once the readers inside have left, and those who come meanwhile wait for it")
    func order() throws {
        let gate = MapGate(path: "store")
        let events = Mutex<[String]>([])
        nonisolated(unsafe) let first = try gate.enterReading()
        let failures = concurrently(2) { number in
            if number == 0 {
                try gate.enterWriting()
                defer { gate.leaveWriting() }
                try gate.changeMap {
                    events.withLock { $0.append("change") }
                    return nil
                }
                return
            }
            while !gate.isChanging && events.withLock({ $0.isEmpty }) {}
            events.withLock { $0.append("first reader leaves") }
            _ = gate.leaveReading(first, keeping: nil)
            let second = try gate.enterReading()
            let seesChange = gate.hasChanged(since: first.changes) && !gate.hasChanged(since: second.changes)
            events.withLock { $0.append("second reader enters, \(seesChange)") }
            _ = gate.leaveReading(second, keeping: nil)
        }
        #expect(failures == [])
        #expect(events.withLock { $0 } == ["first reader leaves", "change", "second reader enters, true"])
    }

    @Test("Writers take turns; one that comes twice is told so")
    func turns() throws {
        let gate = MapGate(path: "store")
        let inside = Atomic<Int>(0)
        let failures = concurrently(6) { _ in
            for _ in 0..<500 {
                try gate.enterWriting()
                defer { gate.leaveWriting() }
                guard inside.add(1, ordering: .relaxed).newValue == 1 else { throw StorageError(.other, "two at once") }
                let again = code { try gate.enterWriting() }
                inside.subtract(1, ordering: .relaxed)
                guard again == .nested else { throw StorageError(.other, "twice") }
            }
        }
        #expect(failures == [])
    }

    @Test("No reader and no look is inside while the map changes, however many come and go")
    func exclusion() throws {
        let gate = MapGate(path: "store")
        let inside = Atomic<Int>(0)
        let looking = Atomic<Int>(0)
        let isDone = Atomic<Bool>(false)
        let failures = concurrently(6) { number in
            if number == 0 {
                defer { isDone.store(true, ordering: .sequentiallyConsistent) }
                for _ in 0..<300 {
                    try gate.enterWriting()
                    defer { gate.leaveWriting() }
                    var found = 0
                    try gate.changeMap {
                        for _ in 0..<20 {
                            found += inside.load(ordering: .sequentiallyConsistent)
                            found += looking.load(ordering: .sequentiallyConsistent)
                        }
                        return nil
                    }
                    guard found == 0 else { throw StorageError(.other, "the map changed beside \(found)") }
                }
                return
            }
            while !isDone.load(ordering: .sequentiallyConsistent) {
                let permit = try gate.enterReading()
                inside.add(1, ordering: .sequentiallyConsistent)
                // Also from inside a read, while somebody waits to change the map.
                try gate.withStableMap {}
                inside.subtract(1, ordering: .sequentiallyConsistent)
                _ = gate.leaveReading(permit, keeping: nil)
                try gate.withStableMap {
                    looking.add(1, ordering: .sequentiallyConsistent)
                    looking.subtract(1, ordering: .sequentiallyConsistent)
                }
            }
        }
        #expect(failures == [])
    }

    @Test("More readers at once than there are places find room, and what they keep is handed out again")
    func crowd() throws {
        let gate = MapGate(path: "store")
        let admissions = try (0..<40).map { _ in try gate.enterReading() }
        #expect(admissions.allSatisfy { $0.kept == nil })
        var kept = 0
        for (number, permit) in admissions.enumerated() {
            // An address that stands for a transaction; nobody follows it.
            let transaction = OpaquePointer(bitPattern: (number + 1) * 64)
            if gate.leaveReading(permit, keeping: transaction) == nil { kept += 1 }
        }
        #expect(kept == 16)
        let again = try (0..<kept).map { _ in try gate.enterReading() }
        #expect(Set(again.compactMap(\.kept)).count == kept)
        for permit in again { _ = gate.leaveReading(permit, keeping: permit.kept) }
        var drained = 0
        gate.drain { _ in drained += 1 }
        #expect(drained == kept)
    }

    @Test("Once the map is lost nobody is let in, and everyone is told why")
    func loss() throws {
        let gate = MapGate(path: "store")
        let loss = StorageError(.mapFull, "lost")
        try gate.enterWriting()
        #expect(code { try gate.changeMap { loss } } == .mapFull)
        gate.leaveWriting()
        #expect(code { _ = try gate.enterReading() } == .mapFull)
        #expect(code { try gate.enterWriting() } == .mapFull)
        #expect(code { try gate.withStableMap {} } == .mapFull)
    }
}
