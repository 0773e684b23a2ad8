import Foundation
import LMDBSupport
import Platform
import Synchronization
import TestSupport
import Testing

@testable import LMDB

@Suite("Suspended environments")
struct SuspendingTests {
    /// None of these waits so long: a test fails that would.
    private static var later: ContinuousClock.Instant { .now + .seconds(600) }

    @Test(
        "A suspended environment holds no lock, no slot of a reader and no transaction, and goes on when it is resumed",
        .enabled(if: HeldByProcess.isShown))
    func holdsNothing() throws {
        try withEnvironment(.durable) { environment, table in
            for row in UInt64(0)..<6 { try environment.put(row, bytes("row \(row)"), in: table) }
            #expect(try environment.count(of: table) == 6)
            let before = try HeldByProcess(in: environment.path)
            #expect(before.locked.contains("lock.mdb") && before.readers > 0 && before.presences == 1, "\(before)")
            try environment.suspend(by: Self.later)
            #expect(try HeldByProcess(in: environment.path) == .nothing)
            // A second one does nothing.
            try environment.suspend(by: Self.later)
            try environment.resume()
            let after = try HeldByProcess(in: environment.path)
            #expect(after.locked.contains("lock.mdb") && after.presences == 1, "\(after)")
            #expect(try environment.count(of: table) == 6)
            try environment.put(UInt64(6), bytes("row 6"), in: table)
            #expect(try environment.count(of: table) == 7)
            try environment.resume()
        }
    }

    @Test("Every use of a suspended environment says that it is suspended, and a second opening gives the same one")
    func refuses() throws {
        try withEnvironment { environment, table in
            try environment.put(UInt64(0), bytes("row"), in: table)
            try environment.suspend(by: Self.later)
            let uses: [() throws -> Void] = [
                { try environment.put(UInt64(1), bytes("row"), in: table) }, { _ = try environment.count(of: table) },
                { _ = try environment.lastTransaction() }, { _ = try environment.information() },
                { _ = try environment.hasEntries() }, { try environment.sync() }, { try environment.checkpoint() },
                { try environment.clearStaleReaders() }, { _ = try environment.tables(["others"]) },
                { _ = try environment.tables(["rows"], creating: false) }, { _ = try environment.checkStructure() },
                { try environment.copy(to: environment.path + "/copy") }, { try environment.releasePages() },
            ]
            let codes = uses.map { code($0) }
            #expect(codes == Array(repeating: .suspended, count: uses.count))
            let second = try Environment.open(at: environment.path, options: .quick)
            let refused = code { _ = try second.count(of: table) }
            #expect(second === environment && refused == .suspended)
            try environment.resume()
            #expect(try second.count(of: table) == 1)
        }
    }

    @Test("What other processes leave meanwhile is there afterwards, also if they were killed or made the file grow")
    func others() throws {
        try withEnvironment(.durable(mapSize: 128 << 10)) { environment, table in
            for row in UInt64(0)..<6 { try environment.put(row, bytes("row \(row)"), in: table) }
            try environment.suspend(by: Self.later)
            let killed = try SecondProcess("commit", environment.path, "a", "20")
            #expect(killed.line() == "committed")
            killed.kill()
            let grower = try SecondProcess("fill", environment.path, "b", "400")
            #expect(grower.line() == "ready")
            try grower.go()
            #expect(try grower.end().code == 0)
            try environment.resume()
            #expect(try environment.count(of: table) == 426)
            try environment.put(UInt64(6), bytes("row 6"), in: table)
            #expect(try environment.count(of: table) == 427 && environment.lostTransactions == 0)
        }
    }

    @Test("A process opens a suspended environment as if it were alone, and both use it after it was resumed")
    func secondProcess() throws {
        try withEnvironment(.durable) { environment, table in
            try environment.put(UInt64(0), bytes("row"), in: table)
            try environment.suspend(by: Self.later)
            let other = try SecondProcess("commit", environment.path, "a", "5")
            #expect(other.line() == "committed")
            try environment.resume()
            try environment.put(UInt64(1), bytes("row"), in: table)
            try environment.suspend(by: Self.later)
            try other.go()
            #expect(try other.end().code == 0)
            try environment.resume()
            #expect(try environment.count(of: table) == 7)
        }
    }

    @Test("Writers that wait are refused, and the one that writes finishes")
    func writers() throws {
        try withEnvironment { environment, table in
            let inside = Atomic(false)
            let codes = Mutex<[StorageError.Code?]>([])
            let failures = concurrently(3) { number in
                if number == 0 {
                    try environment.write { transaction in
                        inside.store(true, ordering: .sequentiallyConsistent)
                        while !environment.isSuspended { sched_yield() }
                        try transaction.put(UInt64(0), bytes("row"), in: table)
                    }
                    return
                }
                while !inside.load(ordering: .sequentiallyConsistent) { sched_yield() }
                if number == 1 { return try environment.suspend(by: Self.later) }
                // Before the suspension begins or after, it is never its turn.
                let found = code { try environment.put(UInt64(1), bytes("row"), in: table) }
                codes.withLock { $0.append(found) }
            }
            #expect(failures == [])
            let refused: [StorageError.Code?] = codes.withLock { $0 }
            #expect(refused == [.suspended])
            try environment.resume()
            #expect(try environment.rows(of: table).count == 1)
        }
    }

    @Test("A read that goes on for long ends at its next row when half of the time is over")
    func longRead() throws {
        try withEnvironment { environment, table in
            try environment.put(UInt64(0), bytes("row"), in: table)
            let inside = Atomic(false)
            let codes = Mutex<[StorageError.Code?]>([])
            let failures = concurrently(2) { number in
                if number == 1 {
                    while !inside.load(ordering: .sequentiallyConsistent) { sched_yield() }
                    return try environment.suspend(by: .now + .seconds(4))
                }
                let found = code {
                    try environment.read { transaction in
                        inside.store(true, ordering: .sequentiallyConsistent)
                        while true { _ = try transaction.get(UInt64(0), in: table) }
                    }
                }
                codes.withLock { $0.append(found) }
            }
            #expect(failures == [])
            let refused: [StorageError.Code?] = codes.withLock { $0 }
            #expect(refused == [.suspended])
            try environment.resume()
            #expect(try environment.count(of: table) == 1)
        }
    }

    @Test("If a read has not ended at the deadline, the environment goes on as before")
    func deadline() throws {
        try withEnvironment { environment, table in
            let inside = Atomic(false)
            let isOver = Atomic(false)
            let failures = concurrently(2) { number in
                if number == 1 {
                    while !inside.load(ordering: .sequentiallyConsistent) { sched_yield() }
                    let found = code { try environment.suspend(by: .now + .milliseconds(20)) }
                    isOver.store(true, ordering: .sequentiallyConsistent)
                    guard found == .timedOut, !environment.isSuspended else {
                        throw StorageError(.other, "\(found as Any)")
                    }
                    try environment.put(UInt64(0), bytes("row"), in: table)
                    return
                }
                try environment.read { _ in
                    inside.store(true, ordering: .sequentiallyConsistent)
                    while !isOver.load(ordering: .sequentiallyConsistent) { sched_yield() }
                }
            }
            let count = try environment.count(of: table)
            #expect(failures == [] && count == 1)
            let nested = code { try environment.read { _ in try environment.suspend(by: Self.later) } }
            #expect(nested == .nested && !environment.isSuspended)
        }
    }

    @Test("Readers and writers of many threads come and go while it is suspended and resumed again and again")
    func again() throws {
        try withEnvironment { environment, table in
            try environment.put(UInt64(0), bytes(UInt64(0)), in: table)
            let isDone = Atomic(false)
            let failures = concurrently(5) { number in
                if number == 0 {
                    defer { isDone.store(true, ordering: .sequentiallyConsistent) }
                    for _ in 0..<100 {
                        try environment.suspend(by: Self.later)
                        try environment.resume()
                    }
                    return
                }
                while !isDone.load(ordering: .sequentiallyConsistent) {
                    let refused = code {
                        if number > 2 { return try environment.put(UInt64(number), bytes("row"), in: table) }
                        guard try environment.value(UInt64(0), in: table) == bytes(UInt64(0)) else {
                            throw StorageError(.other, "A row is gone.")
                        }
                        _ = try environment.information()
                    }
                    guard refused == nil || refused == .suspended else {
                        throw StorageError(.other, "\(refused as Any)")
                    }
                }
            }
            #expect(failures == [])
        }
    }

    @Test("A file that is gone cannot be resumed, and the environment stays suspended")
    func gone() throws {
        let sandbox = try Sandbox()
        let environment = try Environment.open(at: sandbox.path, options: .quick)
        let table = try environment.tables(["rows"])[0]
        try environment.put(UInt64(0), bytes("row"), in: table)
        try environment.suspend(by: Self.later)
        let (file, away) = (sandbox.path("data.mdb"), sandbox.path("away"))
        try FileManager.default.moveItem(atPath: file, toPath: away)
        let resuming = code { try environment.resume() }
        let counting = code { _ = try environment.count(of: table) }
        #expect(resuming == .missing && counting == .suspended)
        try FileManager.default.moveItem(atPath: away, toPath: file)
        try environment.resume()
        #expect(try environment.count(of: table) == 1)
        #expect(try environment.checkStructure() == [])
    }
}
