import Events
import Foundation
import LMDB
import StoreSupport
import TestSupport
import Testing

@testable import EventLog

/// Some replicas of a journal, of which one founded it, who grant, revoke, invite, join, void and write by chance, and meet by chance.
final class Crowd {
    let folders: [TemporaryFolder]
    let logs: [Log]
    private var generator: SeededGenerator
    private var codes: [InvitationCode] = []

    init(seed: UInt64, count: Int = 6) async throws {
        generator = SeededGenerator(seed: seed)
        folders = (0..<count).map { _ in TemporaryFolder() }
        var logs: [Log] = []
        for (index, folder) in folders.enumerated() {
            logs.append(
                try Log.open(
                    at: folder.path("log"), keyPath: folder.path("replica.key"),
                    options: Log.Options(
                        journal: logs.first?.journal,
                        environment: Environment.Options(durability: .unsynced, mapSize: 1 << 28),
                        surroundings: ManualClock(seed: seed &* 31 &+ UInt64(index)).surroundings)))
            if index == 0 { _ = try await logs[0].append(.sample("founded", &generator)) }
        }
        self.logs = logs
    }

    /// What is refused, for whoever says it may not, or what they say has no effect, is passed over.
    func play(steps: Int) async throws {
        for step in 0..<steps {
            guard let log = logs.randomElement(using: &generator), let other = logs.randomElement(using: &generator),
                let role = MemberRole.allCases.randomElement(using: &generator)
            else { continue }
            do {
                switch Int.random(in: 0..<12, using: &generator) {
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
                case 8, 9: _ = try await log.append(.sample("\(step)", &generator))
                default:
                    try await pass(log, to: other)
                    try await pass(other, to: log)
                }
            } catch let error as EventLogError
                where [.notAMember, .noEffect, .otherJournal].contains(error.code)
            {
                continue
            }
        }
    }

    private func pass(_ log: Log, to other: Log) async throws {
        guard log !== other else { return }
        try await log.signHead()
        let segments = try log.read { log in
            let journal = try log.journal()
            var found: [LineSegment] = []
            for stretch in try log.stretches(towards: log.listedHeads(of: journal), lackedBy: [], in: journal) {
                var sequence = stretch.after
                while sequence < stretch.head.sequence,
                    let segment = try log.segment(towards: stretch.head, after: sequence, in: journal)
                {
                    found.append(segment)
                    sequence = segment.last
                }
            }
            return found
        }
        for segment in segments { try await other.store(segment) }
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
        let change = Change(path: Path(field: 1), value: Array(text.utf8))
        return Payload(events: [Event(verb: .created, entity: entity, changes: [change])])
    }
}
