import Events
import Foundation
import StoreSupport
import Testing

@testable import EventLog

@Suite("Commits that need a newer version")
struct NeededUpdateTests {
    private static func header(_ features: UInt32, needs: UInt64 = 0, by replica: UInt8 = 1) throws -> CommitHeader {
        CommitHeader(
            journal: JournalID(UUID()), replica: try #require(ReplicaID([UInt8](repeating: replica, count: 16))),
            sequence: SequenceNumber(2), timestamp: Timestamp(milliseconds: 1), wallClock: nil, schema: 1,
            payloadHash: .zero, features: features, needs: NeededVersion(rawValue: needs))
    }

    private static func read(_ header: CommitHeader, _ edit: (inout WireWriter) -> Void) throws -> CommitHeader {
        var writer = WireWriter()
        writer.raw(header.encoded())
        edit(&writer)
        return try writer.bytes.withUnsafeBytes { try CommitHeader($0) }
    }

    @Test(
        "A version is shown in one form, whatever number a header has",
        arguments: [
            (UInt64(0x2_0001_0000), "2.1"), (0x9_0009_0003, "9.9.3"), (1, "0.0.1"),
            (.max, "4294967295.65535.65535"), (1 << 32, "1.0"),
        ])
    func versions(number: UInt64, text: String) throws {
        let header = try Self.header(64, needs: number)
        #expect(try Self.read(header) { _ in } == header)
        #expect(header.needs?.description == text)
    }

    @Test("Nothing in the field of the version makes a header malformed, because earlier versions skip the field")
    func junk() throws {
        let header = try Self.header(64)
        #expect(try Self.read(header) { $0.varint(10, 0) }.needs == nil)
        #expect(try Self.read(header) { $0.string(10, "\u{1B}[2J version 9") }.needs == nil)
        #expect(try Self.read(header) { $0.fixed64(10, .max) }.needs == nil)
        // As for every field that is not repeated the last counts.
        let twice = try Self.read(header) {
            $0.varint(10, 5)
            $0.varint(10, 7)
        }
        #expect(twice.needs?.rawValue == 7)
    }

    @Test("A named version makes no difference where all features are known")
    func known() throws {
        for features in [0, CommitHeader.membershipFeature] {
            let header = try Self.header(features, needs: 9 << 32)
            #expect(header.isUnderstood && NeededUpdate(header) == nil)
        }
        let mixed = try #require(NeededUpdate(Self.header(64 | CommitHeader.membershipFeature)))
        #expect(mixed.features == 64 && mixed.version == nil && mixed.commits == 1)
    }

    @Test("The sum of commits is the same in every order, and names few of many replicas")
    func sums() throws {
        let all = try (1...20).map { number in
            try #require(
                NeededUpdate(
                    Self.header(number % 2 == 0 ? 64 : 128, needs: UInt64(number) << 32, by: UInt8(number))))
        }
        let sums = [all, all.reversed()].map { $0.dropFirst().reduce($0[0]) { $0.adding($1) } }
        #expect(sums[0] == sums[1])
        #expect(sums[0].commits == 20 && sums[0].features == 192)
        #expect(sums[0].version?.description == "20.0")
        #expect(sums[0].replicas.count == NeededUpdate.mostReplicas && sums[0].replicas == sums[0].replicas.sorted())
        #expect(try sums[0].encoded().withUnsafeBytes { try NeededUpdate($0) } == sums[0])
        #expect(throws: WireError.self) { try [UInt8(8)].withUnsafeBytes { try NeededUpdate($0) } }
    }

    @Test("A commit that needs a newer version is verified, kept as it is, and forwarded")
    func forwarded() async throws {
        let (fixture, target) = (LogFixture(), LogFixture(seed: 2))
        let log = try fixture.open()
        var newer = try #require(NewerReplica(log.journal))
        let segment = try newer.segment([.sample("one"), .sample("two")], needs: 0x9_0009_0000)
        try await log.store(segment)
        let other = try target.open(journal: log.journal)
        try await log.pass(to: other)
        for log in [log, other] {
            let commits = try log.commits()
            #expect(commits.map(\.header.needs?.description) == [nil, "9.9", "9.9"])
            #expect(commits.dropFirst().allSatisfy { $0.counts && $0.payload == nil })
            #expect(try log.texts() == [])
        }
        let line = LineID(journal: log.journal, replica: newer.id)
        #expect(
            try other.read { try $0.signature(of: SequenceNumber(3), in: line) } == segment.signature)
        try fixture.expectIntact()
        try target.expectIntact()
    }
}
