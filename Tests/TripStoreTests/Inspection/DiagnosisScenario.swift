import EventLog
import Events
import Foundation
import LogExchange
import Logging
import ProjectionEngine
import StoreSupport
import Testing
import TripStore
import TripStoreTestSupport

/// Stores in which something is wrong, one for each code.
struct DiagnosisScenario {
    let folder = TemporaryFolder()
    let clock = ManualClock()

    var options: TripStore.Options { Self.options(clock) }

    static func options(_ clock: ManualClock, seesCopies: Bool = true) -> TripStore.Options {
        var options = TripStore.Options(mapSize: 1 << 30, dependencies: clock.dependencies)
        options.logger.logLevel = .critical
        options.foundsJournal = false
        if !seesCopies { options.dependencies.fileOrigin = { _ in nil } }
        return options
    }

    /// Days later than the clock of the store.
    func checks(days: Double = 0, room: UInt64 = .max) -> StoreDiagnosis.Options {
        var checks = StoreDiagnosis.Options()
        let now = Date(timeIntervalSince1970: Double(clock.now) / 1000 + days * 86_400)
        checks.now = { now }
        checks.room = { _ in room }
        return checks
    }

    func diagnose(
        _ options: TripStore.Options? = nil, _ checks: StoreDiagnosis.Options? = nil
    ) async throws -> StoreDiagnosis {
        try await TripStore.diagnose(at: folder.url, opening: options ?? self.options, checks ?? self.checks())
    }

    /// A store in the folder that was written to and closed.
    func written(_ write: (TripStore) async throws -> Void = { _ in }) async throws {
        let store = try await TripStore.open(at: folder.url, options: options)
        try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        try await write(store)
        await store.close()
    }

    /// What a peer may have written.
    static func peers(_ events: [TripEvent]) -> [Event] {
        events.map { event in
            Event(
                verb: event.verb, entity: event.entity,
                changes: event.writes.map { Change(path: $0.path, value: $0.value) })
        }
    }

    /// Diagnoses a store after events of a peer.
    private func after(_ events: TripEvent...) async throws -> StoreDiagnosis {
        try await written { try await $0.appendUnchecked(Self.peers(events)) }
        return try await diagnose()
    }

    private func put(_ text: String, at name: String) throws {
        let url = folder.url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: url, atomically: false, encoding: .utf8)
    }

    /// A diagnosis in which a code is.
    func diagnosis(of code: StoreFinding.Code) async throws -> StoreDiagnosis {
        let moment = Moment.sample(0)
        let days = Day(2027, 5, 1)...Day(2027, 5, 8)
        switch code {
        case .cannotOpen:
            try await written()
            try put("no log", at: "log/data.mdb")
            return try await diagnose()
        case .damagedLog:
            try await written()
            try overwrite("log/data.mdb")
            return try await diagnose()
        case .checkFailed:
            let faults = FaultInjector()
            var options = options
            options.interceptor = faults
            let store = try await TripStore.temporary(options: options)
            faults.failReads(with: TripStoreError(.damaged, "The page 7 cannot be read."), times: 1)
            return await store.diagnose(checks())
        case .lostRecords:
            try await written()
            try put("", at: "log/wal.unreadable")
            return try await diagnose()
        case .foreignRecords:
            try await written()
            try put("", at: "log/wal.other")
            return try await diagnose()
        case .unfinishedClone:
            try await written()
            try put("tripstore clone v1\nunknown\n/elsewhere\n", at: "clone.unfinished")
            return try await diagnose()
        case .nearlyFullDisk:
            try await written()
            return try await diagnose(nil, checks(room: 1 << 20))
        case .strangeFile:
            try await written()
            try put("", at: "notes.txt")
            return try await diagnose()
        case .leftover:
            try await written()
            try put("", at: "attachments/incoming/half.new")
            return try await diagnose()
        case .unsignedTail:
            let store = try await TripStore.test(clock: clock)
            try await store.create(Trip(name: "Lisbon"))
            return await store.diagnose(checks(days: 2))
        case .clockAhead:
            try await written()
            return try await diagnose(nil, checks(days: -1))
        case .clockBehind:
            try await written()
            clock.advance(by: -3_600_000)
            try await written()
            return try await diagnose()
        case .lostKey:
            try await written()
            try put("no key", at: "replica.key")
            return try await diagnose()
        case .identityChange, .strandedCommits, .fork: return try await replicas(code)
        case .manyIdentities: return try await identities()
        case .waitingForMembership, .revokedMembership, .membershipRequest: return try await members(code)
        case .missingBytes, .lostBytes:
            let founder = try await TripStore.founded(clock: clock)
            try await founder.create(Trip(name: "Lisbon"))
            _ = try await founder.frontier()
            let guest = try await TripStore.test(clock: ManualClock(seed: 5))
            try await guest.join(try await founder.invite(.write))
            // What a file lacks others may have.
            let carrier = WithholdingPeer(founder.logPeer, asFile: code == .missingBytes)
            try await guest.exchange(with: .peer(carrier))
            if code == .lostBytes {
                // Another one that lacks them is the only peer that is known.
                let other = try await TripStore.test(clock: ManualClock(seed: 6))
                try await other.join(try await founder.invite(.write))
                try await other.exchange(with: .peer(carrier))
                try await guest.exchange(with: .store(other))
                try await guest.forget(founder.replica)
            }
            return await guest.diagnose(checks())
        case .viewsNotBuilt:
            try await written()
            try FileManager.default.removeItem(atPath: folder.path("views"))
            return try await diagnose()
        case .viewsBehind:
            try await written()
            try FileManager.default.copyItem(atPath: folder.path("views"), toPath: folder.path(".views"))
            try await written()
            try FileManager.default.removeItem(atPath: folder.path("views"))
            try FileManager.default.moveItem(atPath: folder.path(".views"), toPath: folder.path("views"))
            return try await diagnose()
        case .faultedViews:
            var options = options
            options.projections = [NeverRight()]
            let store = try await TripStore.temporary(options: options)
            try await store.create(Trip(name: "Lisbon"))
            try? await store.appViews.catchUp()
            return await store.diagnose(checks())
        case .missingIndex:
            try await written()
            var options = options
            options.indexes = [Index(on: \Activity.cost)]
            return try await diagnose(options)
        case .neededUpdate:
            try await written { store in
                var newer = try #require(NewerReplica(store.journal))
                try await store.store(newer.segment([Payload(author: "ada", events: [])]))
                try await store.catchUp()
            }
            return try await diagnose()
        case .unfiledItem: return try await after(.created(Activity(name: "Tram", in: .new(), from: moment)))
        case .unfiledEntity:
            return try await after(.created(Budget(Money(minorUnits: 100, "EUR"), for: "food", in: .new())))
        case .duplicateTrip:
            try await written { try await $0.create(Trip(name: "Lisbon", days: days)) }
            return try await diagnose()
        case .endBeforeStart:
            return try await withTrip { trip in
                .created(Activity(name: "Tram", in: trip, from: .sample(600), until: .sample(0)))
            }
        case .reversedDays:
            return try await after(.created(Trip(name: "Rome", startDay: Day(2027, 5, 2), endDay: Day(2027, 5, 1))))
        case .farOutsideOfTrip:
            return try await withTrip(on: days) {
                .created(Activity(name: "Tram", in: $0, days: Day(2028, 5, 1)...Day(2028, 5, 1)))
            }
        case .unknownZone:
            return try await withTrip {
                .created(
                    Activity(name: "Tram", in: $0, from: Moment(milliseconds: moment.milliseconds, zone: "Mars/Base")))
            }
        case .orphanedAttachment:
            let root = try #require(Digest(String(repeating: "ab", count: 32)))
            let content = try #require(ContentID(root: root, size: 6))
            return try await after(
                .created(AttachedFile(name: "a.pdf", of: Trip.ID.new().reference, content: content)))
        case .missingContent: return try await attached { try FileManager.default.removeItem(at: $0) }
        case .damagedContent: return try await attached { try Data("tickeT".utf8).write(to: $0) }
        case .orphanedContent:
            try await written { store in
                var rest: [[UInt8]] = [[1, 2, 3]]
                _ = try store.addContent { rest.popLast() }
            }
            return try await diagnose(nil, checks(days: 2))
        }
    }

    private func withTrip(
        on days: ClosedRange<Day>? = nil, _ event: @escaping (Trip.ID) -> TripEvent
    ) async throws -> StoreDiagnosis {
        let trip = Trip(name: "Rome", days: days)
        return try await after(.created(trip), event(trip.id))
    }

    private func attached(_ change: (URL) throws -> Void) async throws -> StoreDiagnosis {
        try await written { store in
            let trip = try await store.create(Trip(name: "Rome"))
            let id = try await store.attach(Data("ticket".utf8), to: trip.reference, as: "ticket.txt")
            let file = try #require(try store.entity(id))
            guard case .here(let url) = store.state(of: file) else { return }
            try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
            try change(url)
        }
        return try await diagnose()
    }

    /// Pages after the first two.
    private func overwrite(_ name: String) throws {
        let file = try FileHandle(forUpdating: folder.url.appendingPathComponent(name))
        defer { try? file.close() }
        let size = Int(try file.seekToEnd())
        try file.seek(toOffset: 8192)
        try file.write(contentsOf: Data((0..<max(0, size - 8192)).map { UInt8(truncatingIfNeeded: $0 &* 31 + 7) }))
    }
}

/// Fails on every entity.
private struct NeverRight: Projection {
    let name = "never-right"
    let version: UInt32 = 1

    func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink) throws(WireError) {
        throw WireError("this projection fails on purpose")
    }
}
