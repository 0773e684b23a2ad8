import Dispatch
import EventLog
import Events
import Foundation
import LMDB
import Platform
import StoreSupport
import Synchronization
import TestSupport
import Testing

@Suite("Appending")
struct AppendTests {
    @Test("A line begins with the replica's key, and continues without gaps in numbers and positions (L2, L4)")
    func numbersAreDense() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        _ = try await log.appendSamples(10)
        let commits = try log.commits()
        #expect(commits.map(\.position.rawValue) == Array(1...11))
        #expect(commits.map(\.header.sequence.rawValue) == Array(1...11))
        let introduction = try #require(commits.first?.payload?.introduction)
        #expect(ReplicaID(publicKey: introduction.publicKey) == log.replica)
        #expect(introduction.name == "test")
        try fixture.expectIntact()
    }

    @Test("Many tasks append at once: all are stored, in dense positions, in far fewer transactions than commits (L4)")
    func concurrentAppends() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        let before = try log.changeCount()
        let positions = try await withThrowingTaskGroup(of: Position?.self) { group in
            for number in 0..<1000 { group.addTask { try await log.append(.sample("\(number)"))?.position } }
            return try await group.reduce(into: Set<Position>()) { if let position = $1 { $0.insert(position) } }
        }
        #expect(positions.map(\.rawValue).sorted() == Array(2...1001))
        #expect(try log.changeCount() - before < 500)
        try fixture.expectIntact()
    }

    @Test("Many commits at once are stored in their order, in fewer transactions than commits (L4)")
    func bulkAppends() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        let before = try log.changeCount()
        let appended = try await log.append((0..<300).map { .sample("\($0)") })
        #expect(appended.map(\.position.rawValue) == Array(2...301))
        let texts = try log.commits().dropFirst().map { $0.payload?.events.first?.changes.first?.value }
        #expect(texts == (0..<300).map { Array("\($0)".utf8) })
        #expect(try log.changeCount() - before < 300)
        #expect(try await log.append([Payload]()) == [])
        try fixture.expectIntact()
    }

    @Test("Of many commits at once none comes after one that is too large")
    func bulkAppendsThatFail() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        let large = Payload.sample(String(repeating: "x", count: CommitView.sizeLimit))
        let error = await #expect(throws: EventLogError.self) {
            try await log.append([.sample("0"), .sample("1"), large, .sample("3"), .sample("4")])
        }
        #expect(error?.code == .commitTooLarge)
        #expect(try log.read { try $0.lastPosition() } <= Position(3))
        try fixture.expectIntact()
    }

    @Test(
        "Of many commits at once none comes after one for which the medium has no room",
        .enabled(if: MemoryFileSystem.isAvailable))
    func bulkAppendsWithoutRoom() async throws {
        let fixture = LogFixture()
        let system = try MemoryFileSystem(kibibytes: 3 << 10)
        let log = try Log.open(
            at: system.path + "/log", keyPath: system.path + "/replica.key",
            options: Log.Options(
                environment: Environment.Options(.creating, mapSize: 1 << 30), dependencies: fixture.dependencies))
        // Every sixth is so large that it is refused long before the small ones after it.
        let texts = (0..<60).map { "\($0)" + String(repeating: "x", count: $0 % 6 == 5 ? 600_000 : 10) }
        let error = await #expect(throws: StorageError.self) { try await log.append(texts.map { .sample($0) }) }
        #expect(error?.code == .diskFull)
        let stored = try log.commits().dropFirst().map { $0.payload?.events.first?.changes.first?.value }
        #expect(!stored.isEmpty && stored.count < 60)
        #expect(stored == texts.prefix(stored.count).map { Array($0.utf8) })
        #expect(try LogVerifier.verify(EnvironmentRows(at: system.path + "/log")).findings == [])
    }

    @Test("After the largest position there is nothing")
    func afterTheLargestPosition() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        _ = try await log.appendSamples(2)
        try log.read { log in
            try log.forEachCommit(after: Position(.max)) { _ in
                Issue.record("a commit came")
                return true
            }
        }
        try fixture.expectIntact()
    }

    @Test("Timestamps increase though the wall clock stands still or goes back (L5)", arguments: [0, -1, -1_000_000])
    func timestampsIncrease(step: Int64) async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        for number in 0..<50 {
            _ = try await log.append(.sample("\(number)"))
            fixture.clock.advance(by: step)
        }
        let timestamps = try log.commits().map(\.header.timestamp)
        #expect(zip(timestamps, timestamps.dropFirst()).allSatisfy { earlier, later in earlier < later })
        try fixture.expectIntact()
    }

    @Test("A counter that is used up carries into the milliseconds (L5)")
    func counterCarries() {
        let last = Timestamp(milliseconds: 5, counter: .max)
        #expect(last.successor == Timestamp(milliseconds: 6, counter: 0))
    }

    @Test("The wall clock is kept only where it is over a second off the timestamp")
    func wallClockIsKept() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        _ = try await log.append(.sample("now"))
        fixture.clock.advance(by: -1000)
        _ = try await log.append(.sample("a second back"))
        fixture.clock.advance(by: -1)
        _ = try await log.append(.sample("more than a second back"))
        #expect(try log.commits().map(\.header.wallClock) == [nil, nil, nil, fixture.clock.now])
        try fixture.expectIntact()
    }

    @Test("A clock beyond what a commit may bear is refused, and nothing is written")
    func clockOutOfRange() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        fixture.clock.now = Int64(Timestamp.limit)
        await #expect { try await log.append(.sample("x")) } throws: {
            ($0 as? EventLogError)?.code == .clockOutOfRange
        }
        #expect(try log.commits().isEmpty)
    }

    @Test("A commit beyond 16 MiB is refused with its size, and its neighbours are stored")
    func tooLarge() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        await #expect { try await log.append(.sample(String(repeating: "x", count: 16 << 20))) } throws: {
            ($0 as? EventLogError)?.code == .commitTooLarge
        }
        #expect(try log.commits().isEmpty)
        _ = try await log.append(.sample(String(repeating: "x", count: 15 << 20)))
        #expect(try log.commits().count == 2)
        try fixture.expectIntact()
    }

    @Test("What a preparation throws fails that append alone")
    func preparationsFailAlone() async throws {
        struct Refusal: Error {}
        let fixture = LogFixture()
        let log = try fixture.open()
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                group.addTask {
                    (try? await log.append { _ in
                        if number % 2 == 0 { throw Refusal() }
                        return .sample("\(number)")
                    }) != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(outcomes == 50)
        #expect(try log.commits().count == 51)
        try fixture.expectIntact()
    }

    @Test("A commit that fails half-way takes those with it that share its transaction, and leaves nothing behind")
    func failingHalfWay() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        let (isBusy, mayGoOn, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchGroup())
        let outcomes = Mutex<[Bool?]>([nil, nil, nil])
        func enqueue(_ number: Int, _ before: @escaping @Sendable () -> Void) throws {
            let payload = try log.hashed(.sample("\(number)"))
            hasEnded.enter()
            log.enqueue { _ in
                before()
                return payload
            } _: { outcome in
                outcomes.withLock { $0[number] = (try? outcome.get()) != nil }
                hasEnded.leave()
            }
        }
        // While the first blocks the writer, the others queue up.
        try enqueue(0) {
            isBusy.signal()
            mayGoOn.wait()
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                isBusy.wait()
                continuation.resume()
            }
        }
        try enqueue(1) {}
        // Its own clock is beyond the range of timestamps: detected when the one before it is written.
        try enqueue(2) { fixture.clock.now = .max }
        mayGoOn.signal()
        await withCheckedContinuation { continuation in
            hasEnded.notify(queue: .global()) { continuation.resume() }
        }
        #expect(outcomes.withLock { $0 } == [true, false, false])
        // The introduction and the first.
        #expect(try log.commits().count == 2)
        fixture.clock.now = 1_798_761_700_000
        _ = try await log.append(.sample("after"))
        #expect(try log.commits().count == 3)
        try fixture.expectIntact()
    }

    @Test("A line is signed after 1,024 commits, and after 1 MiB")
    func signatures() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<1030 { group.addTask { _ = try await log.append(.sample("\(number)")) } }
            try await group.waitForAll()
        }
        let line = log.ownLine
        #expect(try log.read { try $0.signature(of: SequenceNumber(1024), in: line) } != nil)
        _ = try await log.append(.sample(String(repeating: "x", count: 1 << 20)))
        #expect(try log.read { try $0.signature(of: SequenceNumber(1032), in: line) } != nil)
        try fixture.expectIntact()
    }

    @Test("A reopened log continues where it stopped")
    func reopening() async throws {
        let fixture = LogFixture()
        let replica: ReplicaID
        do {
            let log = try fixture.open()
            replica = log.replica
            _ = try await log.appendSamples(3)
        }
        let log = try fixture.open()
        #expect(log.replica == replica)
        _ = try await log.appendSamples(3)
        #expect(try log.commits().map(\.header.sequence.rawValue) == Array(1...7))
        try fixture.expectIntact()
    }
}
