import Events
import Foundation
import LMDB
import Platform
import StoreSupport
import TestSupport
import Testing

@testable import EventLog

/// Replicas of a journal that one of them founded. At random they grant, revoke, invite, join, void, erase and write,
/// make statements that they may not make, are copied with and without noticing, write while their clock is ahead, where
/// another takes it in whose clock is as wrong, and exchange.
final class Crowd {
    private static let mostLogs = 9
    private(set) var folders: [TemporaryFolder] = []
    private(set) var logs: [Log] = []
    /// By log: a copy with the same mark does not notice that it is one.
    private var marks: [UInt64] = []
    private var clocks: [ManualClock] = []
    private let seed: UInt64
    private var generator: SeededGenerator
    private var codes: [InvitationCode] = []

    init(seed: UInt64, count: Int = 6) async throws {
        self.seed = seed
        generator = SeededGenerator(seed: seed)
        for index in 0..<count {
            folders.append(TemporaryFolder())
            marks.append(UInt64(index) + 1)
            logs.append(try open(index, journal: logs.first?.journal))
            if index == 0 { _ = try await logs[0].append(.sample("founded", &generator)) }
        }
    }

    private func open(_ index: Int, journal: JournalID?) throws -> Log {
        let clock = ManualClock(seed: seed &* 31 &+ UInt64(index) &+ UInt64(logs.count) << 32)
        if clocks.indices.contains(index) { clocks[index] = clock } else { clocks.append(clock) }
        var dependencies = clock.dependencies
        let mark = marks[index]
        dependencies.fileOrigin = { _ in FileOrigin(inode: mark, birthTime: 0) }
        return try Log.open(
            at: folders[index].path("log"), keyPath: folders[index].path("replica.key"),
            options: Log.Options(
                journal: journal, environment: Environment.Options(durability: .unsynced, mapSize: 1 << 28),
                dependencies: dependencies))
    }

    private func copy(_ index: Int, isSeen: Bool) async throws {
        guard logs.count < Self.mostLogs else { return }
        let log = logs[index]
        try await log.worker.run { try log.prepareClose() }
        let folder = TemporaryFolder()
        try folders[index].copy(to: folder)
        folders.append(folder)
        marks.append(isSeen ? UInt64(100 + logs.count) : marks[index])
        logs[index] = try open(index, journal: nil)
        logs.append(try open(logs.count, journal: nil))
        _ = try await logs[logs.count - 1].append(.sample("copy", &generator))
    }

    /// Writes while the clock is far ahead, and passes that on to another whose clock is as wrong; writes again once both are right.
    private func writeAhead(_ index: Int, heldBy holder: Int) async throws {
        let log = logs[index]
        let late = Set([index, holder]).map { clocks[$0] }
        let line = log.ownLine
        guard try log.read({ try $0.head(of: line) }) != nil else { return }
        do {
            for clock in late { clock.advance(by: 400 * 86_400_000) }
            defer { for clock in late { clock.advance(by: -400 * 86_400_000) } }
            _ = try await log.append(.sample("ahead", &generator))
            if index != holder { try await log.pass(to: logs[holder]) }
        }
        _ = try await log.append(.sample("right", &generator))
    }

    /// Statements that the library would refuse to write.
    private func sayWhatIsRefused(_ log: Log, of other: Log) async throws {
        let held = try log.read { log in
            try log.newestCommits(of: log.journal()).filter { $0.replica == other.replica }
        }
        let cut = Set(held.prefix(Int.random(in: 0...1, using: &generator)))
        let statement: MembershipStatement =
            Bool.random(using: &generator)
            ? .revocation(other.replica, cut: cut) : .grant(other.replica, .admin, invitation: nil)
        _ = try await log.append(Payload(membership: [statement.encoded()]))
    }

    /// A refusal, for lack of a role or of effect, is ignored.
    func play(steps: Int) async throws {
        for step in 0..<steps {
            guard let log = logs.randomElement(using: &generator), let other = logs.randomElement(using: &generator),
                let role = MemberRole.allCases.randomElement(using: &generator)
            else { continue }
            do {
                switch Int.random(in: 0..<16, using: &generator) {
                case 0, 1: try await log.grant(role, to: other.replica)
                case 2: try await log.grant(.admin, to: other.replica)
                case 3: if step > steps / 3 { try await log.revoke(other.replica) }
                case 4: codes.append(try await log.invite(role, uses: Int.random(in: 1...3, using: &generator)))
                case 5: if let code = codes.randomElement(using: &generator) { try await log.join(code) }
                case 6: try await log.admitRequests()
                case 7:
                    let commits = try other.events()
                    if let commit = commits.randomElement(using: &generator) {
                        try await log.void(commit, isVoid: Bool.random(using: &generator))
                    }
                case 12: try await sayWhatIsRefused(log, of: other)
                case 13:
                    try await copy(Int.random(in: logs.indices, using: &generator), isSeen: .random(using: &generator))
                case 14:
                    try await writeAhead(
                        Int.random(in: logs.indices, using: &generator),
                        heldBy: Int.random(in: logs.indices, using: &generator))
                case 8:
                    if let commit = try log.events().randomElement(using: &generator) {
                        try await log.erase(
                            Bool.random(using: &generator) ? .all : .some(LeafSet(events: [0])), in: commit)
                    }
                case 9, 10: _ = try await log.append(.sample("\(step)", &generator))
                default:
                    guard log !== other else { continue }
                    try await log.pass(to: other)
                    try await other.pass(to: log)
                }
            } catch let error as EventLogError
                where [.notAMember, .noEffect, .otherJournal, .notErasable, .implausibleTime].contains(error.code)
            {
                continue
            }
        }
    }
}

extension Log {
    /// Commits of events.
    fileprivate func events() throws -> [CommitID] {
        try read { log in
            var found: [CommitID] = []
            try log.forEachCommit(after: .start) { commit in
                if !commit.header.isMembership {
                    found.append(
                        CommitID(
                            replica: commit.header.replica, sequence: commit.header.sequence, hash: commit.hash))
                }
                return true
            }
            return found
        }
    }
}

extension Payload {
    fileprivate static func sample(_ text: String, _ generator: inout SeededGenerator) -> Payload {
        let entity = EntityReference(kind: EntityKind(rawValue: 1), id: generator.uuid())
        let change = Change(path: FieldPath(field: 1), value: Array(text.utf8))
        return Payload(events: [Event(verb: .created, entity: entity, changes: [change])])
    }
}
