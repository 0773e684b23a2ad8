import EventLog
import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import LogExchange

@Suite("Segments in parts")
struct SegmentAssemblyTests {
    private let place = TemporaryFolder()

    /// A segment with commits of some sizes, and the replica that wrote it.
    private static func segment(_ sizes: [Int]) async throws -> (replica: TestReplica, segment: LineSegment) {
        let replica = try TestReplica("writer", founding: true)
        for size in sizes { try await replica.write(1, bytes: size) }
        try await replica.log.signHead()
        let segments = try await replica.allSegments()
        return (replica, try #require(segments.last))
    }

    private func keeper(_ owner: String, _ replica: TestReplica) -> PartKeeper {
        let reader = replica.log
        return PartKeeper(
            folder: PartFolder(place.path("arriving"), now: { 1_000 }), owner: owner, log: reader,
            journal: reader.journal)
    }

    @Test(
        "A segment that was cut is the same when it is whole again, and no part is larger than allowed",
        arguments: [
            [10], [32_000], [32_768], [32_769], [65_536, 10], [10, 65_537], [20_000, 20_000, 20_000],
            [200_000, 40_000, 1],
        ])
    func cut(_ sizes: [Int]) async throws {
        let (replica, segment) = try await Self.segment(sizes)
        let parts = SegmentCutter(HeldParts()).parts(of: segment)
        #expect(parts.count == 1 || parts.allSatisfy { $0.segment.byteCount <= SegmentCutter.most })
        #expect(parts.dropLast().allSatisfy { !$0.isLast } && parts.last?.isLast == true)
        var assembly = SegmentAssembly(nil)
        for part in parts.dropLast() { #expect(try assembly.add(part) == nil && assembly.isWithin) }
        #expect(try assembly.add(try #require(parts.last)) == segment)
        #expect(!assembly.isWithin)
        try replica.expectIntact()
    }

    @Test("Whole commits that one peer sent are continued by another, and pieces of a commit by the same one alone")
    func continued() async throws {
        let (replica, segment) = try await Self.segment([20_000, 20_000, 100_000, 20_000])
        let all = SegmentCutter(HeldParts()).parts(of: segment)
        var first = SegmentAssembly(keeper("one", replica))
        // Two of whole commits, and one piece.
        let sent = all.prefix { ($0.piece?.offset ?? 0) == 0 }
        for part in sent { #expect(try first.add(part) == nil) }
        let (one, two) = (keeper("one", replica).held(), keeper("two", replica).held())
        #expect(one.commits == two.commits && one.commits.count == 1)
        #expect(Array(one.pieces.values) == [SegmentCutter.most] && two.pieces.isEmpty)
        for (owner, held) in [("two", two), ("one", one)] {
            let rest = SegmentCutter(held).parts(of: segment)
            #expect(rest.count == all.count - sent.count + (owner == "two" ? 1 : 0))
            var assembly = SegmentAssembly(keeper(owner, replica))
            var whole: LineSegment?
            for part in rest.dropLast() { #expect(try assembly.add(part) == nil) }
            if owner == "one" { whole = try assembly.add(try #require(rest.last)) }
            #expect(whole == (owner == "one" ? segment : nil))
        }
        #expect(!keeper("one", replica).folder.entries().contains { $0.file.owner == "one" })
        try replica.expectIntact()
    }

    @Test("The part that goes on from what is kept counts it, and those behind it do not")
    func loads() async throws {
        let (replica, segment) = try await Self.segment([20_000, 20_000, 100_000])
        let keeper = keeper("one", replica)
        var first = SegmentAssembly(keeper)
        for part in SegmentCutter(HeldParts()).parts(of: segment).prefix(while: { ($0.piece?.offset ?? 0) == 0 }) {
            _ = try first.add(part)
        }
        let rest = SegmentCutter(keeper.held()).parts(of: segment)
        try #require(rest.count > 1)
        var assembly = SegmentAssembly(keeper)
        let loaded = assembly.loads([rest[0]], keeper)
        #expect(loaded >= 40_000 + SegmentCutter.most && loaded == assembly.loads(rest, keeper))
        _ = try assembly.add(rest[0])
        #expect(assembly.loads([rest[1]], keeper) == 0)
        try replica.expectIntact()
    }

    @Test(
        "Commits that came without their bytes, or with erasures, are continued by the same peer alone",
        arguments: [false, true])
    func stripped(_ hasBytes: Bool) async throws {
        let (replica, segment) = try await Self.segment([20_000, 20_000])
        let withheld = try segment.withheld()
        #expect(!withheld.erasures.isEmpty)
        let part = SegmentPart(
            LineSegment(
                journal: segment.journal, replica: segment.replica, first: segment.first, previous: segment.previous,
                commits: hasBytes ? segment.commits : withheld.commits, signature: [], erasures: withheld.erasures),
            start: segment.first)
        for owner in ["one", PartKeeper.beginners] {
            var assembly = SegmentAssembly(keeper(owner, replica))
            #expect(try assembly.add(part) == nil)
        }
        #expect(keeper("one", replica).held().commits.count == 1)
        #expect(keeper("two", replica).held().commits.isEmpty)
        #expect(keeper(PartKeeper.beginners, replica).held().commits.isEmpty)
        var held = HeldParts()
        held.commits = Set(segment.commitIDs().suffix(1))
        var assembly = SegmentAssembly(keeper("two", replica))
        let rest = SegmentCutter(held).parts(of: segment)
        #expect(throws: ExchangeError.self) { try assembly.add(rest[0]) }
        try replica.expectIntact()
    }

    @Test("A kept commit whose bytes have changed in their file is sent again, with all behind it")
    func changed() async throws {
        let (replica, segment) = try await Self.segment([20_000, 20_000, 20_000, 20_000])
        let keeper = keeper("one", replica)
        var first = SegmentAssembly(keeper)
        for part in SegmentCutter(HeldParts()).parts(of: segment).dropLast() { #expect(try first.add(part) == nil) }
        let before = keeper.held()
        let entry = try #require(keeper.folder.entries().first)
        let path = "\(place.path("arriving"))/\(entry.file.owner)/\(entry.file.name)"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
        let held = keeper.held()
        #expect(held.commits.count == 1 && held.commits != before.commits)
        var assembly = SegmentAssembly(keeper)
        var whole: LineSegment?
        for part in SegmentCutter(held).parts(of: segment) { whole = try assembly.add(part) }
        #expect(whole == segment)
        #expect(keeper.folder.entries().isEmpty)
        try replica.expectIntact()
    }

    @Test("A segment of which all commits are held is completed by its signature alone")
    func signatureAlone() async throws {
        let (replica, segment) = try await Self.segment([20_000, 20_000])
        var held = HeldParts()
        held.commits = Set(segment.commitIDs().suffix(1))
        let rest = SegmentCutter(held).parts(of: segment)
        #expect(rest.count == 1 && rest[0].segment.commits.isEmpty && rest[0].isLast)
        let keeper = keeper("one", replica)
        let unsigned = LineSegment(
            journal: segment.journal, replica: segment.replica, first: segment.first, previous: segment.previous,
            commits: segment.commits, signature: [])
        var before = SegmentAssembly(keeper)
        #expect(try before.add(SegmentPart(unsigned, start: segment.first)) == nil)
        #expect(keeper.held().commits == held.commits)
        var assembly = SegmentAssembly(keeper)
        #expect(try assembly.add(rest[0]) == segment)
        #expect(keeper.folder.entries().isEmpty)
        try replica.expectIntact()
    }

    @Test("A wrong commit is passed on for the log to refuse, and nothing of its segment is kept for that peer")
    func wrong() async throws {
        let (replica, segment) = try await Self.segment([20_000, 20_000, 20_000])
        let keeper = keeper("one", replica)
        var parts = SegmentCutter(HeldParts()).parts(of: segment)
        #expect(parts.count > 2)
        var commits = parts[1].segment.commits
        commits[0][commits[0].count - 1] ^= 1
        parts[1] = SegmentPart(
            LineSegment(
                journal: segment.journal, replica: segment.replica, first: parts[1].segment.first,
                previous: parts[1].segment.previous, commits: commits, signature: []), start: segment.first)
        var assembly = SegmentAssembly(keeper)
        #expect(try assembly.add(parts[0]) == nil)
        #expect(keeper.held().commits.count == 1)
        #expect(try assembly.add(parts[1]) == nil)
        #expect(keeper.folder.entries().isEmpty)
        var whole: LineSegment?
        for part in parts.dropFirst(2) { whole = try assembly.add(part) }
        let wrong = try #require(whole)
        let other = try TestReplica("other", journal: replica.log.journal)
        let error = await failure { _ = try await other.log.store([wrong]) }
        #expect(code(error) == "rejected")
        #expect(keeper.folder.entries().isEmpty)
        for replica in [replica, other] { try replica.expectIntact() }
    }

    enum Disorder: CaseIterable, Sendable { case skipped, repeated, whole, other }

    @Test("A part that does not follow the last one is malformed", arguments: Disorder.allCases)
    func outOfOrder(_ disorder: Disorder) async throws {
        let (replica, segment) = try await Self.segment([20_000, 20_000, 20_000, 20_000])
        let parts = SegmentCutter(HeldParts()).parts(of: segment)
        var assembly = SegmentAssembly(nil)
        _ = try assembly.add(parts[0])
        let next =
            switch disorder {
            case .skipped: parts[2]
            case .repeated: parts[0]
            case .whole: SegmentPart(segment)
            case .other: SegmentPart(parts[1].segment, start: parts[1].segment.first)
            }
        let error = #expect(throws: ExchangeError.self) { try assembly.add(next) }
        #expect(error?.code == .malformed)
        try replica.expectIntact()
    }

    @Test("A peer that continues bytes that are no longer kept gets an error that says to try again")
    func notKept() async throws {
        let (replica, segment) = try await Self.segment([20_000, 20_000])
        var held = HeldParts()
        held.commits = Set(segment.commitIDs().prefix(1))
        let rest = SegmentCutter(held).parts(of: segment)
        var assembly = SegmentAssembly(keeper("one", replica))
        let error = #expect(throws: ExchangeError.self) { try assembly.add(rest[0]) }
        #expect(error?.code == .notKept)
        try replica.expectIntact()
    }
}
