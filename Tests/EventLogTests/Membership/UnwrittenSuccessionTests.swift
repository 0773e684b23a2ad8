import Events
import Foundation
import Platform
import StoreSupport
import Testing

@testable import EventLog

/// Replicas that are succeeded before they wrote anything: no commit has their keys.
@Suite("Successors of replicas that wrote nothing")
struct UnwrittenSuccessionTests {
    /// A copy of an open log, which notices that it is one.
    private func copy(_ log: Log, _ fixture: LogFixture, seed: UInt64) async throws -> LogFixture {
        try await log.worker.run { try log.prepareClose() }
        var copy = try fixture.copied(seed: seed)
        copy.dependencies.fileOrigin = { _ in FileOrigin(inode: seed, birthTime: 1) }
        return copy
    }

    @Test("A member that never wrote has its role after it was copied, by several steps", arguments: [1, 3, 40])
    func member(steps: Int) async throws {
        let pair = try await LogPair()
        try await pair.founder.grant(.admin, to: pair.other.replica)
        try await pair.founder.pass(to: pair.other)
        let granted = pair.other.replica
        var (fixture, log) = (pair.fixtures.1, pair.other)
        var replicas = [granted]
        for step in 0..<steps {
            fixture = try await copy(log, fixture, seed: UInt64(10 + step))
            log = try fixture.open()
            #expect(log.identityChange?.previous == replicas.last)
            #expect(try log.ownRole() == .admin)
            replicas.append(log.replica)
        }
        #expect(Set(replicas).count == steps + 1)
        #expect(try log.handovers().map(\.former) == replicas.dropLast())
        #expect(try log.handovers().allSatisfy { $0.isSigned(in: log.journal) })
        #expect(try log.read { try $0.identityChanges() }.map(\.previous) == replicas.dropLast().reversed())
        _ = try await log.append(.sample("moved"))
        _ = try await log.invite(.write)
        try await log.pass(to: pair.founder)
        #expect(try pair.founder.texts() == ["moved"])
        #expect(try pair.founder.membership()?.invitations.count == 1)
        #expect(try pair.founder.membership()?.role(of: log.replica) == .admin)
        // Once written its handovers are those of its introduction.
        #expect(try log.handovers().map(\.former) == replicas.dropLast())
        _ = try await pair.other.append(.sample("stayed"))
        try await pair.other.pass(to: pair.founder)
        #expect(try pair.founder.texts() == ["moved", "stayed"])
        // It falls with the one that was granted.
        try await pair.founder.revoke(granted)
        #expect(try pair.founder.membership()?.role(of: log.replica) == nil)
        try pair.expectIntact()
        try fixture.expectIntact()
    }

    @Test("A copy of a journal to which nobody wrote goes on in it, and all that write there meet")
    func founder() async throws {
        let fixture = LogFixture(seed: 1)
        let original = try fixture.open(founding: true)
        let first = try await copy(original, fixture, seed: 2)
        let unwritten = try first.open()
        let second = try await copy(unwritten, first, seed: 3)
        let last = try second.open()
        for log in [unwritten, last] {
            #expect(log.journal == original.journal && log.replica != original.replica)
            #expect(try log.ownRole() == .admin)
        }
        _ = try await last.append(.sample("last"))
        let reader = LogFixture(seed: 4)
        let log = try reader.open(journal: original.journal)
        try await last.pass(to: log)
        #expect(try log.membership()?.founder == original.replica)
        #expect(try log.texts() == ["last"])
        _ = try await original.append(.sample("original"))
        try await original.pass(to: log)
        #expect(try log.texts() == ["last", "original"])
        try await log.pass(to: unwritten)
        _ = try await unwritten.append(.sample("first"))
        let texts = try unwritten.texts()
        #expect(texts.sorted() == ["first", "last", "original"])
        #expect(try unwritten.membership()?.role(of: unwritten.replica) == .admin)
        for fixture in [fixture, first, second, reader] { try fixture.expectIntact() }
    }

    @Test("Without the founder's key a store to which nobody wrote founds another journal, and names both")
    func lostFounder() async throws {
        let fixture = LogFixture(seed: 1)
        let original = try fixture.open(founding: true)
        let copy = try await copy(original, fixture, seed: 2)
        try FileManager.default.removeItem(atPath: copy.folder.path("replica.key"))
        let log = try copy.open()
        #expect(log.journal != original.journal && log.journal.isFounded)
        let reason = try #require(log.identityChange?.reason)
        #expect(reason.contains("\(original.journal)") && reason.contains("\(log.journal)"))
        _ = try await log.append(.sample("anew"))
        #expect(try log.texts() == ["anew"] && log.ownRole() == .admin)
        try copy.expectIntact()
    }

    @Test("Without the founder's key a store with commits of the journal stays in that, and waits for a grant")
    func lostFounderOfOthers() async throws {
        let fixture = LogFixture(seed: 1)
        let original = try fixture.open(founding: true)
        let first = try await copy(original, fixture, seed: 2)
        let writer = try first.open()
        _ = try await writer.append(.sample("written"))
        try await writer.pass(to: original)
        let second = try await copy(original, fixture, seed: 3)
        try FileManager.default.removeItem(atPath: second.folder.path("replica.key"))
        let log = try second.open()
        #expect(log.journal == original.journal && log.replica != original.replica)
        #expect(try log.texts() == ["written"] && log.ownRole() == nil)
        _ = try await log.append(.sample("waits"))
        try await writer.grant(.write, to: log.replica)
        try await writer.pass(to: log)
        #expect(try log.ownRole() == .write && log.texts().sorted() == ["waits", "written"])
        for fixture in [fixture, first, second] { try fixture.expectIntact() }
    }

    @Test("Without the key of a member that never wrote, the new id has no role and no handover")
    func lostKey() async throws {
        let pair = try await LogPair()
        try await pair.founder.grant(.write, to: pair.other.replica)
        try await pair.founder.pass(to: pair.other)
        let copy = try await copy(pair.other, pair.fixtures.1, seed: 3)
        try FileManager.default.removeItem(atPath: copy.folder.path("replica.key"))
        let log = try copy.open()
        #expect(try log.ownRole() == nil && log.handovers() == [])
        _ = try await log.append(.sample("waits"))
        try await log.pass(to: pair.founder)
        #expect(try pair.founder.texts() == [] && log.texts() == ["waits"])
        try await pair.founder.grant(.write, to: log.replica)
        #expect(try pair.founder.texts() == ["waits"])
        try pair.expectIntact()
        try copy.expectIntact()
    }

    @Test("Keys that a successor carries count as far as each is signed by the one before it")
    func forged() throws {
        let story = try Story()
        let (ana, ben) = (try story.newcomer("ana"), try Story.actor("ben"))
        let thief = try Story.actor("thief")
        story.say(story.founder, .grant(ana.id, .write, invitation: nil))
        let heir = try story.heir("heir", of: [ben, ana])
        let forged = try story.heir("forged", of: [thief, ana], signers: [thief, thief])
        let other = try story.heir("other", of: [thief, ana], signers: [ben, ana])
        let membership = try story.membership()
        #expect(membership.role(of: heir.id) == .write && membership.role(of: ben.id) == .write)
        #expect(membership.predecessors[ben.id] == [ana.id])
        for replica in [forged.id, other.id, thief.id] { #expect(membership.role(of: replica) == nil) }
    }

    @Test("Of replicas that wrote nothing an admin grants each the role, and of a member's as many have it as may")
    func longChains() throws {
        let story = try Story()
        let ana = try story.newcomer("ana")
        story.say(story.founder, .grant(ana.id, .write, invitation: nil))
        let unwritten = try (0..<FormerKeys.most - 1).map { try Story.actor("unwritten \($0)") }
        let admin = try story.heir("admin", of: unwritten + [story.founder], isGranted: true)
        let others = try (0..<FormerKeys.most - 1).map { try Story.actor("other \($0)") }
        let writer = try story.heir("writer", of: others + [ana])
        let late = try story.newcomer("late", after: writer)
        let membership = try story.membership()
        #expect(unwritten.allSatisfy { membership.isRoot($0.id) && membership.role(of: $0.id) == .admin })
        #expect(membership.isRoot(admin.id) && membership.role(of: admin.id) == .admin)
        #expect(membership.role(of: writer.id) == .write && membership.role(of: late.id) == nil)
        #expect(membership.hasRoom(for: 100, after: story.founder.id, isGranted: true))
        #expect(!membership.hasRoom(for: 1, after: ana.id, isGranted: false))
    }

    @Test("Rank and grant of a replica are those that its successor shows, whether or not its own first commit is held")
    func witness() throws {
        for number in 0..<8 {
            let story = try Story()
            let first = try story.newcomer("first \(number)", after: story.founder)
            let heir = try story.heir("heir \(number)", of: [first, story.founder], isGranted: number % 2 == 0)
            let own = try #require(story.last(first))
            let (with, without) = (try story.membership(), try story.membership(without: [own]))
            #expect(with.members == without.members && with.members.count == 3)
            #expect(with.role(of: heir.id) == .admin)
        }
    }

    @Test("Keys of another length say nothing, and at most 64 are carried")
    func lengths() throws {
        let key = [UInt8](repeating: 1, count: 32)
        var keys = FormerKeys(key)
        #expect(keys.keys == [key] && keys.bytes == key)
        for count in [0, 31, 33, 96, 127] { #expect(FormerKeys([UInt8](repeating: 1, count: count)).keys == []) }
        let isAdded = (0..<FormerKeys.most).map { _ in
            keys.append(FormerKeys(key), signedBy: [UInt8](repeating: 2, count: 64))
        }
        #expect(isAdded == [Bool](repeating: true, count: FormerKeys.most - 1) + [false])
        #expect(keys.keys.count == FormerKeys.most && FormerKeys(keys.bytes).bytes == keys.bytes)
        #expect(FormerKeys(keys.bytes + [UInt8](repeating: 1, count: 96)).keys == [])
    }
}

extension Log {
    /// The role of this log's own replica, also before its first commit.
    func ownRole() throws -> MemberRole? {
        try read { log in
            let member = try log.membership().flatMap { try log.ownMember($0) }
            return member?.isRevoked == false ? member?.role : nil
        }
    }
}
