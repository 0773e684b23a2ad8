import EventLog
import Events
import Foundation
import StoreSupport
import Testing

@testable import ProjectionEngine

@Suite("Views of a log with commits that need a newer version")
struct NeededUpdateTests {
    private static let version: UInt64 = 0x9_0009_0000

    /// A founded journal whose founder wrote an event, and a group of its views.
    private let fixture: EngineFixture
    private let group: ProjectionGroup

    init() async throws {
        fixture = try EngineFixture()
        group = try await fixture.group("updates", [ByValue()])
        try await fixture.append([.sample(.created, UUID(), "founder's")])
    }

    private static func payloads(_ count: Int) -> [Payload] {
        (0..<count).map { Payload(author: "ada", events: [.sample(.created, UUID(), "newer \($0)")]) }
    }

    /// The update that the views need once they show the log.
    private func needed() async throws -> NeededUpdate? {
        await group.applyPending()
        try await group.catchUp(to: fixture.log.read { try $0.lastPosition() })
        return try group.read { try $0.neededUpdate }
    }

    /// A member that wrote commits with an unknown feature.
    private func member(_ commits: Int, role: MemberRole = .write) async throws -> NewerReplica {
        var newer = try #require(NewerReplica(fixture.log.journal))
        try await fixture.log.grant(role, to: newer.id)
        try await fixture.log.store(newer.segment(Self.payloads(commits), needs: Self.version))
        return newer
    }

    @Test("The commits of a member are counted, the views show what else there is, and a rebuild finds the same")
    func counted() async throws {
        #expect(try await needed() == nil)
        var newer = try await member(2)
        let first = try #require(try await needed())
        #expect(first.commits == 2 && first.features == NewerReplica.feature && first.replicas == [newer.id])
        #expect(first.version?.description == "9.9")
        try await fixture.log.store(newer.segment(Self.payloads(1), features: 128))
        try await fixture.append([.sample(.created, UUID(), "later")])
        let both = try #require(try await needed())
        #expect(both.commits == 3 && both.features == NewerReplica.feature | 128)
        #expect(both.version?.description == "9.9")
        #expect(try group.rows()["by-value"]?.count == 2)
        _ = try await group.replace { _ in }
        #expect(try await needed() == both)
        try await group.expectRebuildEquals()
    }

    @Test("A version is ignored that only commits name whose features are all known")
    func knownFeatures() async throws {
        var newer = try #require(NewerReplica(fixture.log.journal))
        try await fixture.log.grant(.write, to: newer.id)
        try await fixture.log.store(newer.segment(Self.payloads(1), features: 0, needs: Self.version))
        #expect(try await needed() == nil)
        #expect(try group.rows()["by-value"]?.count == 2, "its events are shown")
    }

    @Test("The commits of a replica that may not write are ignored, until it is granted the right")
    func strangers() async throws {
        let reader = try await member(1, role: .read)
        #expect(try await needed() == nil)
        try await fixture.log.grant(.write, to: reader.id)
        #expect(try await needed()?.commits == 1)
    }

    @Test("Of a revoked member only the commits that still count are counted")
    func revoked() async throws {
        let newer = try await member(3)
        #expect(try await needed()?.commits == 3)
        try await fixture.log.revoke(newer.id, cut: [newer.commits[1]])
        #expect(try await needed()?.commits == 1)
        try await group.expectRebuildEquals()
    }

    @Test("A void commit is not counted, and is again when the void is lifted")
    func void() async throws {
        let newer = try await member(1)
        #expect(try await needed()?.commits == 1)
        try await fixture.log.void(newer.commits[1])
        #expect(try await needed() == nil)
        try await fixture.log.void(newer.commits[1], isVoid: false)
        #expect(try await needed()?.commits == 1)
    }

    @Test("A commit that was erased as a whole says nothing to any version")
    func erased() async throws {
        let newer = try await member(2)
        #expect(try await needed()?.commits == 2)
        try await fixture.log.erase(.all, in: newer.commits[1])
        #expect(try await needed()?.commits == 1)
    }

    @Test("A result that depends on the update is dropped when it changes, and by nothing else")
    func invalidation() async throws {
        #expect(try await needed() == nil)
        var runs = 0
        func asked() throws -> UInt64? {
            try group.reader.cached("update") { views in
                runs += 1
                return try views.neededUpdate?.commits
            }.value
        }
        #expect(try asked() == nil)
        try await fixture.append([.sample(.created, UUID(), "other")])
        #expect(try await needed() == nil)
        #expect(try asked() == nil && runs == 1)
        var newer = try #require(NewerReplica(fixture.log.journal))
        // The grant of a replica of which nothing is held changes no view.
        try await fixture.log.grant(.write, to: newer.id)
        #expect(try await needed() == nil)
        try await fixture.log.store(newer.segment(Self.payloads(1)))
        #expect(try await needed()?.commits == 1)
        #expect(try asked() == 1)
    }

    @Test("A version that knows another feature builds the views again")
    func otherVersion() throws {
        var other = group.configuration
        other.features |= NewerReplica.feature
        #expect(other.fingerprint != group.configuration.fingerprint)
        #expect(other.pointer != group.configuration.pointer)
    }
}
