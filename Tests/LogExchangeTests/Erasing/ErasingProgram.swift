import Events
import LogExchange
import StoreSupport
import TestSupport

@testable import EventLog

/// Replicas that erase, also trips as wholes, take back, set periods, revoke each other, are copied unnoticed and
/// exchange late, all at random, while days pass. Their clocks differ by hours.
///
/// A founder, two admins of different rank and two writers meet at a hub, and sometimes each other.
struct ErasingProgram {
    private static let day: Int64 = 86_400_000
    private static let hour: Int64 = 3_600_000
    private static let mostReplicas = 7

    private var random: SeededGenerator
    private(set) var replicas: [TestReplica]
    let hub: TestReplica
    private var time: Int64
    /// What was written, of three events each.
    private var commits: [CommitID] = []
    /// The commits that state what was erased, taken back or set, as the log reported them.
    private(set) var stated: Set<CommitID> = []
    /// What was written under a trip, with the statements that its author held, and whether it says so.
    private(set) var under: [(commit: CommitID, trip: EntityReference, held: Set<CommitID>, saysHeld: Bool)] = []
    /// The statements that erase a trip with what arrives of it later.
    private(set) var sweeping: [EntityReference: Set<CommitID>] = [:]
    /// The commits of which a replica erased something that it held.
    private(set) var planned: Set<CommitID> = []
    private var trips: [EntityReference] = []
    /// What happened, to be read after a failure.
    private(set) var trace: [String] = []

    /// Everyone knows everyone, and has written.
    init(seed: UInt64) async throws {
        random = SeededGenerator(seed: seed)
        let founder = try TestReplica("founder \(seed)", founding: true, fixedKeys: true)
        let others = try ["ana", "ben", "cai", "dan", "hub"].map {
            try TestReplica("\($0) \(seed)", journal: founder.log.journal, fixedKeys: true)
        }
        hub = others[4]
        replicas = [founder] + others.prefix(4)
        time = founder.clock.now
        try await founder.log.grant(.admin, to: others[0].id)
        for (role, other) in [(MemberRole.write, 2), (.write, 3), (.relay, 4)] {
            try await founder.log.grant(role, to: others[other].id)
        }
        try await others[0].exchange(with: LogPeer(founder.log))
        try await others[0].log.grant(.admin, to: others[1].id)
        // Nothing can be erased of the first commit of a line.
        for replica in replicas { for _ in 0..<3 { try await write(replica) } }
        for _ in 0..<2 {
            let trip = entity(1)
            trips.append(trip)
            try await write(under: trip, founder)
        }
        for _ in 0..<2 { try await meet() }
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func replica() -> TestReplica {
        let index = number(0...replicas.count - 1)
        return replicas[index]
    }

    private mutating func trip() -> EntityReference {
        let index = number(0...trips.count - 1)
        return trips[index]
    }

    /// Takes that many steps. A replica may refuse what it may not state.
    mutating func run(steps: Int) async throws {
        for _ in 0..<steps {
            for replica in replicas { replica.clock.advance(by: Int64(number(1...1000))) }
            do { try await step() } catch let error as EventLogError
                where [.notAMember, .noEffect, .notErasable].contains(error.code)
            {
                trace.append("  refused: \(error.code.rawValue)")
            }
        }
    }

    private mutating func step() async throws {
        let (one, other) = (replica(), replica())
        switch number(0...99) {
        case 0..<5: try await write(one)
        case 5..<14: try await write(under: trip(), one)
        case 14..<20: try await erase(trip(), by: one)
        case 20..<34: try await erase(one)
        case 34..<43: try await takeBack(one)
        case 43..<48: try await takeBack(trip(), by: one)
        case 48..<52:
            let days = [0, 7, 8, 60, 365][number(0...4)]
            trace.append("\(one.name) sets \(days) days")
            try await one.log.setErasingPeriod(days: days)
        case 52..<54:
            trace.append("\(one.name) revokes \(other.name)")
            try await one.log.revoke(other.id)
        case 54..<56:
            guard replicas.count < Self.mostReplicas else { return }
            trace.append("\(one.name) is copied as \(replicas.count)")
            replicas.append(try one.copied(as: "\(replicas.count) \(one.name)"))
        case 56..<64: pass(days: number(1...20), apart: 5)
        case 64..<74 where one !== other:
            trace.append("\(one.name) exchanges with \(other.name)")
            try await one.exchange(with: LogPeer(other.log))
        default:
            trace.append("\(one.name) exchanges with the hub")
            try await one.exchange(with: LogPeer(hub.log))
        }
    }

    private mutating func entity(_ kind: UInt16) -> EntityReference {
        EntityReference(
            kind: EntityKind(rawValue: kind), id: random.bytes(count: 16).withUnsafeBytes { $0.uuid() })
    }

    private static func edit(_ entity: EntityReference, _ field: UInt64, _ text: String) -> Event {
        Event(
            verb: .edited, entity: entity, changes: [Change(path: FieldPath(field: field), value: Array(text.utf8))])
    }

    /// Edits a trip, puts something into it, and edits something else. Mostly says what was held, as stores do; one of an
    /// older version does not.
    private mutating func write(under trip: EntityReference, _ replica: TestReplica) async throws {
        let item = Event(
            verb: .created, entity: entity(2), changes: [Change(path: .parent, value: trip.valueBytes)])
        let other = entity(1)
        let events = [Self.edit(trip, 1, replica.name), item, Self.edit(other, 1, replica.name)]
        let saysHeld = number(0...4) > 0
        let stated = stated
        let (statements, held) = try replica.log.read { log in
            let journal = try log.journal()
            let statements = try stated.filter { try log.position(of: $0, in: journal) != nil }
            return (statements, saysHeld ? try log.held() : VersionVector())
        }
        trace.append("\(replica.name) writes under \(trip)\(saysHeld ? "" : " as an older version")")
        let payload = Payload(author: replica.name, events: events, held: held)
        guard let written = try await replica.log.append(payload) else { return }
        commits.append(written.id)
        under.append((written.id, trip, statements, saysHeld))
    }

    /// Everything of it and under it that the replica holds and may erase, hidden or not, and what arrives later.
    private mutating func erase(_ trip: EntityReference, by replica: TestReplica) async throws {
        let parts = try replica.log.read { log in
            let (own, verdicts) = (try log.replica(), try log.verdicts())
            var parts: [CommitID: ErasedLeaves] = [:]
            try log.forEachCommit(after: .start) { commit in
                guard commit.header.isErasable, verdicts.mayErase(own, commitsOf: commit.header.replica),
                    let stored = try log.storedCommit(at: commit.position)
                else { return true }
                var events: [Int] = []
                stored.asCounting.forEachEvent { event, index in
                    if event.concerns({ $0 == trip }) { events.append(index) }
                }
                if !events.isEmpty { parts[commit.name] = .some(LeafSet(events: events)) }
                return true
            }
            return parts
        }
        guard !parts.isEmpty else { return }
        trace.append("\(replica.name) erases \(trip)")
        planned.formUnion(parts.keys)
        let statements = try await replica.log.erase(parts, naming: [ErasedName(trip)])
        stated.formUnion(statements)
        sweeping[trip, default: []].formUnion(statements)
    }

    private mutating func write(_ replica: TestReplica) async throws {
        let entity = entity(1)
        let events = (0..<3).map { Self.edit(entity, UInt64($0 + 1), "\($0) of \(replica.name)") }
        trace.append("\(replica.name) writes")
        guard let written = try await replica.log.append(Payload(author: replica.name, events: events)) else { return }
        if written.sequence.rawValue > 1 { commits.append(written.id) }
    }

    /// Mostly one of its own commits: others are refused to replicas that are no admins.
    private mutating func erase(_ replica: TestReplica) async throws {
        let own = commits.filter { $0.replica == replica.id }
        let commit = (own.isEmpty || number(0...2) == 0 ? commits : own).randomElement(using: &random)
        guard let commit else { return }
        let leaves = leaves()
        trace.append("\(replica.name) erases \(leaves) in \(commit)")
        planned.insert(commit)
        stated.formUnion(try await replica.log.erase([commit: leaves]))
    }

    private mutating func takeBack(_ replica: TestReplica) async throws {
        let erased = try replica.log.statedErasures().map(\.commit)
        guard let commit = erased.randomElement(using: &random) else { return }
        let leaves = leaves()
        trace.append("\(replica.name) takes back \(leaves) of \(commit)")
        stated.formUnion(try await replica.log.takeBack([commit: leaves]))
    }

    /// Everything that one statement about a trip erases.
    private mutating func takeBack(_ trip: EntityReference, by replica: TestReplica) async throws {
        let statements = sweeping[trip] ?? []
        let erased = try replica.log.statedErasures().filter { stated in
            if case .takenBack = stated.state { return false }
            return statements.contains(stated.statement)
        }
        guard let statement = erased.map(\.statement).randomElement(using: &random) else { return }
        trace.append("\(replica.name) takes back what \(statement) erased of \(trip)")
        let parts = erased.filter { $0.statement == statement }.map { ($0.commit, $0.leaves) }
        stated.formUnion(try await replica.log.takeBack(Dictionary(parts) { $0.union($1) }))
    }

    private mutating func leaves() -> ErasedLeaves {
        number(0...1) == 0 ? .all : .some(LeafSet(events: (0...1).map { _ in number(0...2) }))
    }

    /// Sets every clock to a later time; with some hours, each to another one, in part before the time.
    private mutating func pass(days: Int, apart hours: Int = 0) {
        trace.append("\(days) days pass")
        time += Int64(days) * Self.day
        for replica in replicas + [hub] { replica.clock.now = time + Int64(number(-hours...hours)) * Self.hour }
    }

    private func meet() async throws {
        for replica in replicas { try await replica.exchange(with: LogPeer(hub.log)) }
    }

    /// Lets all exchange, then everything become due, and all exchange again, twice.
    mutating func settle() async throws {
        pass(days: 2)
        // One replica after another sweeps what the others wrote.
        for _ in 0..<5 { try await meet() }
        pass(days: 400)
        for replica in replicas + [hub] { try await replica.log.removeDue() }
        for _ in 0..<2 { try await meet() }
    }
}
