import EventLog
import Foundation
import Logging
import Platform
import StoreSupport
import TestSupport
import Testing
import TripStore
import TripStoreTestSupport

/// V3: what counts changes with a store's own identity as well, and views follow.
@Suite("Views where identities and members change")
struct RenewedViewsTests {
    /// Stores of a journal, each of which takes a new id on request.
    private final class Devices {
        private(set) var stores: [TripStore] = []
        private var folders: [TemporaryFolder] = []
        private var clocks: [ManualClock] = []
        private var marks: [UInt64] = []

        init(_ count: Int, seed: UInt64) async throws {
            for index in 0..<count {
                folders.append(TemporaryFolder())
                clocks.append(ManualClock(seed: seed &* 100 &+ UInt64(index)))
                marks.append(UInt64(index + 1))
                stores.append(try await open(index, journal: stores.first?.journal))
                if index == 0 { try await stores[0].create(Trip(name: "Founded")) }
            }
        }

        private func open(_ index: Int, journal: JournalID? = nil) async throws -> TripStore {
            var dependencies = clocks[index].dependencies
            let mark = marks[index]
            dependencies.fileOrigin = { _ in FileOrigin(inode: mark, birthTime: 1) }
            var options = TripStore.Options(
                deviceName: "device \(index)", mapSize: 1 << 28, dependencies: dependencies)
            options.journal = journal
            options.logger.logLevel = .critical
            return try await TripStore.open(at: folders[index].url, options: options)
        }

        /// Opens a store as a copy of itself, with or without its key.
        func renew(_ index: Int, losesKey: Bool = false) async throws {
            let former = stores[index].replica
            await stores[index].close()
            marks[index] += 100
            if losesKey { try FileManager.default.removeItem(atPath: folders[index].path("replica.key")) }
            stores[index] = try await open(index)
            #expect(stores[index].replica != former)
        }

        /// A store writes while its clock is ahead. Another one, whose clock is as wrong, may take that in; then both are right again.
        func writeAhead(_ index: Int, heldBy peer: Int?, _ writer: inout RandomWriter) async throws {
            let late = [index, peer].compactMap(\.self).map { clocks[$0] }
            for clock in late { clock.advance(by: Self.lead) }
            defer { for clock in late { clock.advance(by: -Self.lead) } }
            try await writer.write(to: stores[index])
            if let peer { try await stores[index].pass(to: stores[peer]) }
        }

        private static let lead: Int64 = 400 * 86_400_000
    }

    @Test(
        "After each renewal, wrong clock, grant, revocation and exchange the views equal rebuilt ones",
        arguments: Seeds.some(4))
    func atRandom(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var writer = RandomWriter(seed: seed)
        let devices = try await Devices(3, seed: seed)
        for _ in 0..<48 {
            let index = Int.random(in: 0..<3, using: &generator)
            let peer = (index + Int.random(in: 1..<3, using: &generator)) % 3
            let (store, other) = (devices.stores[index], devices.stores[peer])
            do {
                switch Int.random(in: 0..<14, using: &generator) {
                case 0, 1:
                    let role = [MemberRole.read, .write, .admin].randomElement(using: &generator) ?? .write
                    try await store.grant(role, to: other.replica)
                case 2: try await store.revoke(other.replica)
                case 3, 4: try await devices.renew(index)
                // The founder's key is the last of an admin's.
                case 5: try await devices.renew(index, losesKey: index > 0)
                case 6, 7, 8: try await writer.write(to: store)
                case 9, 10:
                    let holder = Bool.random(using: &generator) ? peer : nil
                    try await devices.writeAhead(index, heldBy: holder, &writer)
                    // Until it writes again it is as it was.
                    for index in [index, peer] { try await devices.stores[index].expectInvariants() }
                    if Bool.random(using: &generator) { try await writer.write(to: store) }
                default:
                    try await store.pass(to: other)
                    try await other.pass(to: store)
                }
            } catch let error as TripStoreError where [.notAMember, .noEffect].contains(error.code) {
                continue
            } catch let error as EventLogError where [.quotaExceeded, .implausibleTime].contains(error.code) {
                // What was written by a wrong clock waits for its author, who writes it again.
            }
            for index in [index, peer] { try await devices.stores[index].expectInvariants() }
        }
        for store in devices.stores { await store.close() }
    }

    @Test("A store that took more ids than may succeed one shows what it wrote, as a rebuild does")
    func manyIdentities() async throws {
        let devices = try await Devices(2, seed: 1)
        try await devices.stores[0].grant(.write, to: devices.stores[1].replica)
        try await devices.stores[1].exchange(with: .store(devices.stores[0]))
        for number in 1...67 {
            try await devices.renew(1)
            try await devices.stores[1].create(Trip(name: "Trip \(number)"))
            if number >= 64 { try await devices.stores[1].expectInvariants() }
        }
        #expect(try devices.stores[1].trips(.undated, limit: 100).count == 68)
        // The founder grants it in the first exchange.
        for _ in 0..<2 { try await devices.stores[0].exchange(with: .store(devices.stores[1])) }
        for store in devices.stores {
            try await store.catchUp()
            #expect(try store.trips(.undated, limit: 100).count == 68)
            try await store.expectInvariants()
            await store.close()
        }
    }
}
