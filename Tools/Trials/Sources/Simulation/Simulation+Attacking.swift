import Foundation

@testable import EventLog
@testable import Events
@testable import LogExchange
@testable import TripStore
@testable import TripStoreTestSupport

extension Simulation {
    /// Lets a hostile writer attack a replica, and checks what the replica stored.
    func attack(_ number: Int, _ act: HostileAct, on victim: Int, _ seed: UInt64) async throws {
        guard !scenario.isFounded, let store = try await writable(victim) else { return }
        var random = SeededRandom(seed: seed)
        outcome.attacks += 1
        switch act {
        case .write(let commits):
            let line = try line(number, .writing, &random)
            let payloads = try (0..<commits).map { _ in try payload(store, &random) }
            try line.extend(payloads, at: time(&random), &random)
            try await deliver(line, to: store, &random)
        case .fork(let branches):
            let line = try line(number, .forking, &random)
            if line.length == 0 || random.once(in: 3) {
                try line.extend([try payload(store, &random)], at: time(&random), &random)
            }
            for _ in 0..<branches {
                let index = Int.random(in: 0..<line.length, using: &random)
                try line.fork(behind: index, try payload(store, &random), at: time(&random), &random)
            }
            try await deliver(line, to: store, &random)
        case .scatter(let branches): try await scatter(branches, number, store, &random)
        case .tie: try await tie(number, store, &random)
        case .erase(let statements): try await erase(statements, number, store, &random)
        case .ahead(let hours): try await writeAhead(hours, store, &random)
        case .drag: try await drag(store, clock: replica(victim)?.time ?? 0, &random)
        case .forge(let forgery): try await forge(forgery, store, &random)
        case .lie(let lie): try await self.lie(lie, number, store, &random)
        }
        try expectGenuine(store)
    }

    // MARK: Valid commits

    func line(
        _ writer: Int, _ purpose: HostileLineName.Purpose, _ random: inout SeededRandom
    ) throws -> HostileLine {
        let name = HostileLineName(writer: writer, purpose: purpose)
        if let line = hostileLines[name] { return line }
        let line = HostileLine(try HostileKey(&random), in: journal)
        hostileLines[name] = line
        return line
    }

    private var known: [EntityReference] {
        writer.trips.map(\.reference) + writer.activities.map(\.reference) + writer.transportations.map(\.reference)
    }

    func payload(_ store: TripStore, _ random: inout SeededRandom) throws -> HostilePayload {
        // Only the newest commits, which a user is likely to undo.
        let newest = Position(max(try store.status().position.rawValue, 4) - 4)
        return HostilePayload(
            known, undoing: try store.commitHashes(after: newest).randomElement(using: &random), &random)
    }

    /// A time that every honest replica accepts, with any clock error.
    func time(_ random: inout SeededRandom) -> Timestamp {
        let hours = Int64.random(in: -48...10, using: &random)
        let counter = UInt16.random(in: 0...3, using: &random)
        return Timestamp(milliseconds: UInt64(now + hours * 3_600_000), counter: counter)
    }

    /// Sends two branches with the same time: only their hashes decide which of them counts.
    private func tie(_ number: Int, _ store: TripStore, _ random: inout SeededRandom) async throws {
        let line = try line(number, .tying, &random)
        // Few enough that the replica keeps all of them.
        guard line.branchCount < HostileLine.mostBranches - 2 else { return }
        if line.length == 0 { try line.extend([try payload(store, &random)], at: time(&random), &random) }
        let entity =
            known.randomElement(using: &random)
            ?? EntityReference(kind: EntityKind(rawValue: 1), id: UUID(random: &random))
        let names = ["tied one", "tied other"].map { HostilePayload(entity, field: 1, Array($0.utf8)) }
        try line.tie(
            behind: Int.random(in: 0..<line.length, using: &random), (names[0], names[1]), at: time(&random), &random)
        try await deliver(line, to: store, &random)
    }

    /// Forks a line and sends a number of new branches, other ones at each call.
    private func scatter(
        _ branches: Int, _ number: Int, _ store: TripStore, _ random: inout SeededRandom
    ) async throws {
        let line = try line(number, .scattering, &random)
        if line.length == 0 { try line.extend([try payload(store, &random)], at: time(&random), &random) }
        let delivered = line.branchCount
        for _ in 0..<branches { try line.fork(behind: 0, try payload(store, &random), at: time(&random), &random) }
        forged.formUnion(line.kept + line.refused)
        let segments = line.all.prefix(1) + line.all.dropFirst(1 + delivered)
        let refusal = try await refusal { _ = try await store.logPeer.store(Array(segments)) }
        try expect(refusal, branches > HostileLine.mostBranches ? .tooManyBranches : nil)
    }

    /// Sends a line with its branches. The replica must store all of it except branches beyond the limit.
    func deliver(_ line: HostileLine, to store: TripStore, _ random: inout SeededRandom) async throws {
        forged.formUnion(line.kept)
        malformed.formUnion(line.malformed)
        refused.formUnion(line.refused)
        let refusal = try await send(line.all, announcing: line.heads, from: line.key.replica, to: store, &random)
        let held = Set(try store.commitHashes(after: .start))
        if let missing = line.kept.first(where: { !held.contains($0) }) {
            throw SimulationFault(
                "the valid commit \(missing) was not stored: \(refusal.map { "\($0)" } ?? "without a word")")
        }
        try expect(refusal, line.refused.isEmpty ? nil : .tooManyBranches)
    }

    /// Sends segments to a store: pushed by another replica, fetched from one, or in a bundle.
    private func send(
        _ segments: [LineSegment], announcing heads: [CommitID], from replica: ReplicaID, to store: TripStore,
        _ random: inout SeededRandom
    ) async throws -> (any Error)? {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return try await refusal { _ = try await store.logPeer.store(segments) }
        case 1:
            let peer = HostilePeer(segments, announcing: heads, as: replica, in: journal)
            return try await refusal { try await store.exchange(with: .peer(peer)) }
        default:
            let file = URL(fileURLWithPath: "\(root)/hostile.bundle")
            defer { try? FileManager.default.removeItem(at: file) }
            try ForgedBundle.write(segments, announcing: heads, from: replica, in: journal, to: file)
            return try await refusal { try await store.exchange(with: .bundle(file)) }
        }
    }

    private func expect(_ refusal: (any Error)?, _ code: EventLogError.Code?) throws {
        if refusal != nil { outcome.refusals += 1 }
        let found = (refusal as? EventLogError)?.code
        guard found == code, code != nil || refusal == nil else {
            throw SimulationFault(
                "expected \(code.map { "a refusal (\($0.rawValue))" } ?? "no refusal"), and it was "
                    + (refusal.map { "refused: \($0)" } ?? "stored"))
        }
    }

    // MARK: Time

    /// A new line whose last commits have another time.
    private func line(
        with last: Timestamp, _ store: TripStore, _ random: inout SeededRandom
    ) throws -> (whole: HostileLine, plausible: Int) {
        let line = HostileLine(try HostileKey(&random), in: journal)
        try line.extend((0..<2).map { _ in try payload(store, &random) }, at: time(&random), &random)
        try line.extend((0..<2).map { _ in try payload(store, &random) }, at: last, &random)
        return (line, 2)
    }

    /// Sends a line whose first commits the replica must store, and whose later ones are too far ahead.
    private func writeAhead(_ hours: Int, _ store: TripStore, _ random: inout SeededRandom) async throws {
        let milliseconds = UInt64(now) + UInt64(hours) * 3_600_000
        let ahead = Timestamp(milliseconds: min(milliseconds, Timestamp.limit - 1))
        let (line, plausible) = try line(with: ahead, store, &random)
        forged.formUnion(line.kept.prefix(plausible))
        malformed.formUnion(line.malformed)
        refused.formUnion(line.kept.dropFirst(plausible))
        let refusal = try await send(line.all, announcing: line.heads, from: line.key.replica, to: store, &random)
        let held = Set(try store.commitHashes(after: .start))
        guard line.kept.prefix(plausible).allSatisfy(held.contains) else {
            throw SimulationFault("what comes before commits \(hours) hours ahead was not stored")
        }
        try expect(refusal, .implausibleTime)
    }

    /// Sends a line that advances the replica's own clock.
    private func drag(_ store: TripStore, clock: Int64, _ random: inout SeededRandom) async throws {
        clocksOnlyAdvance = true
        let (line, _) = try line(with: Timestamp(milliseconds: UInt64(clock + 23 * 3_600_000)), store, &random)
        try await deliver(line, to: store, &random)
    }

    // MARK: Refused input

    private func forge(_ forgery: Forgery, _ store: TripStore, _ random: inout SeededRandom) async throws {
        let (segment, head) = try forgery.segment(in: journal, at: time(&random), &random)
        guard try await send([segment], announcing: [head], from: segment.replica, to: store, &random) != nil else {
            throw SimulationFault("a forged segment was not refused (\(forgery.rawValue))")
        }
        outcome.refusals += 1
    }

    /// Exchanges with a hostile writer that violates the protocol: the exchange must end, and the replica must lose nothing.
    private func lie(
        _ lie: HostileLie, _ number: Int, _ store: TripStore, _ random: inout SeededRandom
    ) async throws {
        let line = try line(number, .writing, &random)
        try line.extend([try payload(store, &random)], at: time(&random), &random)
        forged.formUnion(line.kept)
        malformed.formUnion(line.malformed)
        let peer = HostilePeer(line.all, announcing: line.heads, as: line.key.replica, in: journal, lie)
        let before = Set(try store.commitHashes(after: .start))
        let refusal = try await refusal { try await store.exchange(with: .peer(peer)) }
        if refusal != nil { outcome.refusals += 1 }
        guard !peer.wasTakenWithoutEnd else {
            throw SimulationFault("the same segments were taken again and again, without an end")
        }
        if refusal == nil, [.hugeHead, .withheld, .endless].contains(lie) {
            throw SimulationFault("an exchange with a peer that lies (\(lie.rawValue)) came to its end without a word")
        }
        guard before.isSubset(of: try store.commitHashes(after: .start)) else {
            throw SimulationFault("commits are gone after an exchange with a peer that lies (\(lie.rawValue))")
        }
    }
}
