import EventLog
import Events
import Foundation
import LMDB
import Platform
import StoreSupport
import Testing

@testable import ProjectionEngine

@Suite("A rebuild that fails is not tried again at once")
struct RebuildDelayTests {
    private struct Failure: Error {}

    @Test("The delay doubles from a second to five minutes, and starts over after a success")
    func doubles() {
        var delay = RebuildDelay()
        #expect(delay.next(at: 0) == nil && delay.error(at: 0) == nil)
        var now: Int64 = 1_000_000
        for expected in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] as [Int64] {
            delay.note(Failure(), at: now, room: 0)
            #expect(delay.next(at: now) == now + expected * 1000)
            #expect(delay.error(at: now + expected * 1000 - 1) is Failure)
            #expect(delay.error(at: now + expected * 1000) == nil)
            now += expected * 1000
        }
        delay.reset()
        delay.note(Failure(), at: now, room: 0)
        #expect(delay.next(at: now) == now + 1000)
        #expect(delay.next(at: now - 1) == nil, "a clock that was set back")
    }

    @Test("After a failure for lack of room it waits only until there is more room than then, also in another process")
    func room() throws {
        let full = StorageError(.diskFull, "The disk is full.")
        var delay = RebuildDelay()
        for _ in 0..<5 { delay.note(full, at: 1_000_000, room: 8 << 20) }
        var resumed = RebuildDelay(resuming: try GroupFault(GroupFault(full, delay, at: 1_000_000).encoded()))
        for room in [0, 8 << 20, 9 << 20 - 1] as [UInt64] {
            delay.note(room: room)
            resumed.note(room: room)
            #expect(delay.next(at: 1_000_001) == 1_016_000 && resumed.next(at: 1_000_001) == 1_016_000)
        }
        delay.note(room: 9 << 20)
        resumed.note(room: 9 << 20)
        #expect(delay.next(at: 1_000_001) == nil && resumed.next(at: 1_000_001) == nil)
        // Where it fails all the same, the wait is longer.
        delay.note(full, at: 1_000_002, room: 9 << 20)
        #expect(delay.next(at: 1_000_002) == 1_032_002)
        // Other failures have nothing to do with room.
        delay.note(Failure(), at: 1_000_002, room: 0)
        delay.note(room: .max)
        #expect(delay.next(at: 1_000_002) != nil)
    }

    @Test("Where nothing is served the kept failure is thrown until the delay is over, unless a rebuild is asked for")
    func nothingServed() async throws {
        for isRequested in [false, true] {
            let fixture = try EngineFixture()
            let group = fixture.unstartedGroup("views", [Tally()])
            try fixture.block("views")
            try await group.start()
            await #expect(throws: StorageError.self) { try await group.catchUp(to: .start) }
            let fault = try #require(group.fault)
            #expect(fault.nextAttempt == Date(timeIntervalSince1970: Double(fixture.clock.now + 1000) / 1000))
            // Beside the log, for other processes.
            #expect(try GroupFault.all(in: fixture.log)["views"] == fault)
            try fixture.unblock("views")
            // Both a wait and a query name the failure, and when it is retried.
            let waiting = await #expect(throws: ProjectionError.self) { try await group.catchUp(to: .start) }
            let reading = #expect(throws: ProjectionError.self) { try group.position }
            for error in [waiting, reading] {
                #expect(error?.code == .notBuilt)
                for words in [fault.description, try #require(fault.nextAttempt).formatted(.iso8601)] {
                    #expect(error?.description.contains(words) == true, "\(String(describing: error))")
                }
            }
            if !isRequested { fixture.clock.advance(by: 1000) }
            try await group.catchUp(to: .start, isRequested: isRequested)
            #expect(group.fault == nil)
            #expect(try GroupFault.all(in: fixture.log).isEmpty)
            try await group.expectRebuildEquals()
        }
    }

    @Test(
        "After a second failure a process continues the delay of the previous one, and waits longer after the next"
    )
    func acrossProcesses() async throws {
        let fixture = try EngineFixture()
        try fixture.block("views")
        // After a single failure it is retried at once.
        for seconds in [1, 2] as [Int64] {
            let group = fixture.unstartedGroup("views", [Tally()])
            try await group.start()
            await #expect(throws: StorageError.self) { try await group.catchUp(to: .start) }
            let next = Date(timeIntervalSince1970: Double(fixture.clock.now + seconds * 1000) / 1000)
            #expect(group.fault?.nextAttempt == next)
        }
        for seconds in [4, 8] as [Int64] {
            let noted = try #require(try GroupFault.all(in: fixture.log)["views"])
            let group = fixture.unstartedGroup("views", [Tally()])
            try await group.start()
            #expect(group.fault == noted && group.progress == nil)
            await #expect(throws: ProjectionError.self) { try await group.catchUp(to: .start) }
            #expect(try GroupFault.all(in: fixture.log)["views"] == noted)
            fixture.clock.advance(by: seconds / 2 * 1000)
            await #expect(throws: StorageError.self) { try await group.catchUp(to: .start) }
            let next = Date(timeIntervalSince1970: Double(fixture.clock.now + seconds * 1000) / 1000)
            #expect(group.fault?.nextAttempt == next)
        }
        try fixture.unblock("views")
        fixture.clock.advance(by: 8000)
        let group = try await fixture.group("views", [Tally()])
        #expect(group.fault == nil)
        #expect(try GroupFault.all(in: fixture.log).isEmpty)
        try await group.expectRebuildEquals()
    }

    @Test("A note with a delay that is none, or far out, delays nothing")
    func nonsenseNote() throws {
        for (next, length) in [(Int64.min, 1000), (.max, 1000), (5000, -1), (5000, 1 << 40)] as [(Int64, Int64)] {
            var writer = WireWriter()
            writer.string(1, "words")
            writer.signed(4, next)
            writer.signed(5, length)
            let delay = RebuildDelay(resuming: try GroupFault(writer.bytes))
            #expect(delay.next(at: 4500) == nil)
        }
    }

    @Test("The delay starts over once commits could be applied again")
    func applied() async throws {
        let fixture = try EngineFixture()
        let group = try await fixture.group("views", [Tally()])
        try await fixture.append([.sample(.created, UUID(), "one")])
        await group.applyPending()
        let position = try group.position
        let views = try #require(group.slot.serving)
        var state: [UInt8] = []
        func fail() async throws {
            state = try views.environment.read {
                try $0.get(Generation.stateKey, in: views.meta).map { [UInt8]($0) } ?? []
            }
            try views.environment.write { try $0.put(Generation.stateKey, [1, 2, 3], in: views.meta) }
            try fixture.block("views")
            try await fixture.append([.sample(.created, UUID(), "two")])
            await group.applyPending()
            await #expect(throws: (any Error).self) { try await group.catchUp(to: position) }
            let next = Date(timeIntervalSince1970: Double(fixture.clock.now + 1000) / 1000)
            #expect(group.fault?.nextAttempt == next)
            try fixture.unblock("views")
        }
        try await fail()
        try views.environment.write { try $0.put(Generation.stateKey, state, in: views.meta) }
        fixture.clock.advance(by: 1500)
        await group.applyPending()
        #expect(group.fault == nil && group.slot.serving === views)
        try await fail()
        fixture.clock.advance(by: 1500)
        try? await group.catchUp(to: .start)
        try await group.expectRebuildEquals()
    }

    @Test("Commits do not begin a rebuild before the delay is over; the views stay as they were")
    func eachCommit() async throws {
        let fixture = try EngineFixture()
        let group = try await fixture.group("views", [Tally()])
        try await fixture.append([.sample(.created, UUID(), "one")])
        await group.applyPending()
        let position = try group.position
        let first = try #require(group.slot.serving)
        // The next commit cannot be applied, and no other generation can be made.
        try first.environment.write { try $0.put(Generation.stateKey, [1, 2, 3], in: first.meta) }
        try fixture.block("views")
        try await fixture.append([.sample(.created, UUID(), "two")])
        await group.applyPending()
        await #expect(throws: (any Error).self) { try await group.catchUp(to: position) }
        #expect(group.fault?.nextAttempt != nil)
        try fixture.unblock("views")
        for _ in 0..<3 {
            try await fixture.append([.sample(.created, UUID(), "three")])
            await group.applyPending()
            #expect(group.slot.serving === first)
        }
        fixture.clock.advance(by: 1000)
        try? await group.catchUp(to: .start)
        #expect(group.slot.serving !== first)
        #expect(group.fault == nil)
        try await group.expectRebuildEquals()
    }
}

extension EngineFixture {
    /// Puts a file in the place of a group's folder: open files stay open, and nothing can be made.
    func block(_ name: String) throws {
        if FileManager.default.fileExists(atPath: folder.path(name)) {
            try FileManager.default.moveItem(atPath: folder.path(name), toPath: folder.path(name + ".aside"))
        }
        try Data().write(to: URL(fileURLWithPath: folder.path(name)))
    }

    func unblock(_ name: String) throws {
        try FileManager.default.removeItem(atPath: folder.path(name))
        if FileManager.default.fileExists(atPath: folder.path(name + ".aside")) {
            try FileManager.default.moveItem(atPath: folder.path(name + ".aside"), toPath: folder.path(name))
        }
    }
}
