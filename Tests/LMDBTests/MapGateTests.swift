import Synchronization
import Testing

@testable import LMDB

@Suite("The gate before the map")
struct MapGateTests {
    @Test("The map changes once the readers inside have left, and those who come meanwhile wait for it")
    func order() throws {
        let gate = MapGate(path: "store")
        let events = Mutex<[String]>([])
        let first = try gate.enterReading().changes
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
            _ = gate.leaveReading(keeping: nil)
            let second = try gate.enterReading().changes
            let seesChange = gate.hasChanged(since: first) && !gate.hasChanged(since: second)
            events.withLock { $0.append("second reader enters, \(seesChange)") }
            _ = gate.leaveReading(keeping: nil)
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
                guard inside.add(1, ordering: .relaxed).newValue == 1 else { throw LMDBError(.other, "two at once") }
                let again = code { try gate.enterWriting() }
                guard again == .other else { throw LMDBError(.other, "twice") }
                inside.subtract(1, ordering: .relaxed)
                gate.leaveWriting()
            }
        }
        #expect(failures == [])
    }

    @Test("Once the map is lost nobody is let in, and everyone is told why")
    func loss() throws {
        let gate = MapGate(path: "store")
        let loss = LMDBError(.mapFull, "lost")
        try gate.enterWriting()
        #expect(code { try gate.changeMap { loss } } == .mapFull)
        gate.leaveWriting()
        #expect(code { _ = try gate.enterReading() } == .mapFull)
        #expect(code { try gate.enterWriting() } == .mapFull)
        #expect(code { try gate.lookAtMap {} } == .mapFull)
    }
}
