import EventLog
import Events
import Foundation
import LogExchange
import Testing
import TripStore
import TripStoreTestSupport

@testable import Simulation

@Suite("Refused stretches")
struct StarvationTests {
    private static func line(_ random: inout SeededRandom, in journal: JournalID, below id: ReplicaID) throws -> HostileLine {
        var key = try HostileKey(&random)
        while key.replica > id { key = try HostileKey(&random) }
        return HostileLine(key, in: journal)
    }

    @Test("Large branches that the other refuses do not keep the rest away", arguments: [100, 20_000])
    func branches(size: Int) async throws {
        var random = SeededRandom(seed: 1)
        let clock = ManualClock()
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("starve-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        var options = TripStore.Options(deviceName: "one", mapSize: 64 << 20, surroundings: clock.surroundings)
        options.logger.logLevel = .critical
        let one = try await TripStore.open(at: root.appendingPathComponent("one"), options: options)
        try await one.create(Trip(name: "first"))
        options = TripStore.Options(journal: one.journal, deviceName: "two", mapSize: 64 << 20, surroundings: clock.surroundings)
        options.logger.logLevel = .critical
        let two = try await TripStore.open(at: root.appendingPathComponent("two"), options: options)
        try await one.exchange(with: .store(two))
        let line = try Self.line(&random, in: one.journal, below: one.replica)
        let time = Timestamp(milliseconds: UInt64(clock.now))
        let entity = EntityReference(kind: EntityKind(rawValue: 1), id: UUID())
        try line.extend([HostilePayload(entity, field: 1, [1])], at: time, &random)
        for _ in 0..<128 {
            try line.fork(behind: 0, HostilePayload(entity, field: 3, [UInt8](repeating: 65, count: size)), at: time, &random)
        }
        for segment in line.all.prefix(65) { try await one.store(segment) }
        for segment in line.all.prefix(1) + line.all.suffix(64) { try await two.store(segment) }
        try await one.create(Trip(name: "honest"))
        var failures: [String] = []
        for _ in 0..<3 {
            do { try await one.exchange(with: .store(two)) } catch { failures.append("\(error)") }
        }
        let held = Set(try two.commitHashes(after: .start))
        let honest = try one.commitHashes(after: .start).last
        #expect(honest.map(held.contains) == true, "\(failures)")
    }
}
