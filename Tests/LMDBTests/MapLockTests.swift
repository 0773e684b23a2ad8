import LMDBSupport
import Platform
import Synchronization
import Testing

@testable import LMDB

@Suite("The lock around changes of the map")
struct MapLockTests {
    @Test("The map changes once its readers have left, and later readers wait for it")
    func order() throws {
        let mapLock = MapLock(path: "store")
        let events = Mutex<[String]>([])
        nonisolated(unsafe) let first = try mapLock.enterReading()
        let failures = concurrently(2) { number in
            if number == 0 {
                try mapLock.enterWriting()
                defer { mapLock.leaveWriting() }
                try mapLock.changeMap {
                    events.withLock { $0.append("change") }
                    return nil
                }
                return
            }
            while !mapLock.isChanging && events.withLock({ $0.isEmpty }) {}
            events.withLock { $0.append("first reader leaves") }
            _ = mapLock.leaveReading(first, keeping: nil)
            let second = try mapLock.enterReading()
            let seesChange = mapLock.hasChanged(since: first.changes) && !mapLock.hasChanged(since: second.changes)
            events.withLock { $0.append("second reader enters, \(seesChange)") }
            _ = mapLock.leaveReading(second, keeping: nil)
        }
        #expect(failures == [])
        #expect(events.withLock { $0 } == ["first reader leaves", "change", "second reader enters, true"])
    }

    @Test("Writers take turns; a nested one gets an error")
    func turns() throws {
        let mapLock = MapLock(path: "store")
        let inside = Atomic<Int>(0)
        let failures = concurrently(6) { _ in
            for _ in 0..<500 {
                try mapLock.enterWriting()
                defer { mapLock.leaveWriting() }
                guard inside.add(1, ordering: .relaxed).newValue == 1 else { throw StorageError(.other, "two at once") }
                let again = code { try mapLock.enterWriting() }
                inside.subtract(1, ordering: .relaxed)
                guard again == .nested else { throw StorageError(.other, "twice") }
            }
        }
        #expect(failures == [])
    }

    @Test("No reader and no look is inside while the map changes, however many come and go")
    func exclusion() throws {
        let mapLock = MapLock(path: "store")
        let inside = Atomic<Int>(0)
        let looking = Atomic<Int>(0)
        let isDone = Atomic<Bool>(false)
        let failures = concurrently(6) { number in
            if number == 0 {
                defer { isDone.store(true, ordering: .sequentiallyConsistent) }
                for _ in 0..<300 {
                    try mapLock.enterWriting()
                    defer { mapLock.leaveWriting() }
                    var found = 0
                    try mapLock.changeMap {
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
                let permit = try mapLock.enterReading()
                inside.add(1, ordering: .sequentiallyConsistent)
                // Also from inside a read, while another thread waits to change the map.
                try mapLock.withStableMap {}
                inside.subtract(1, ordering: .sequentiallyConsistent)
                _ = mapLock.leaveReading(permit, keeping: nil)
                try mapLock.withStableMap {
                    looking.add(1, ordering: .sequentiallyConsistent)
                    looking.subtract(1, ordering: .sequentiallyConsistent)
                }
            }
        }
        #expect(failures == [])
    }

    @Test("More readers at once than there are slots are admitted, and kept transactions are reused")
    func crowd() throws {
        let mapLock = MapLock(path: "store")
        let admissions = try (0..<40).map { _ in try mapLock.enterReading() }
        #expect(admissions.allSatisfy { $0.kept == nil })
        var kept = 0
        for (number, permit) in admissions.enumerated() {
            // An address that stands for a transaction; it is never dereferenced.
            let transaction = OpaquePointer(bitPattern: (number + 1) * 64)
            if mapLock.leaveReading(permit, keeping: transaction) == nil { kept += 1 }
        }
        #expect(kept == 16)
        let again = try (0..<kept).map { _ in try mapLock.enterReading() }
        #expect(Set(again.compactMap(\.kept)).count == kept)
        for permit in again { _ = mapLock.leaveReading(permit, keeping: permit.kept) }
        var drained = 0
        mapLock.drain { _ in drained += 1 }
        #expect(drained == kept)
    }

    @Test("Once the map is lost every call throws the reason")
    func loss() throws {
        let mapLock = MapLock(path: "store")
        let loss = StorageError(.mapFull, "lost")
        try mapLock.enterWriting()
        #expect(code { try mapLock.changeMap { loss } } == .mapFull)
        mapLock.leaveWriting()
        #expect(code { _ = try mapLock.enterReading() } == .mapFull)
        #expect(code { try mapLock.enterWriting() } == .mapFull)
        #expect(code { try mapLock.withStableMap {} } == .mapFull)
    }
}
