import Events
import Foundation
import StoreSupport
import Synchronization
import Testing

@testable import EventLog
@testable import LogExchange

/// A signed erasure that no commit states explains what a commit lacks when it comes. It takes nothing away.
@Suite("Erasures that no commit states")
struct BareErasureTests {
    /// How a thief of a key hands erasures to a replica that holds the commits.
    enum Way: CaseIterable, Sendable {
        /// A record of a bundle, and a request, as versions sent them that offered erasures to each other.
        case bundle, request
        /// The segments of the commits once more, whole or without what is erased.
        case wholeSegments, strippedSegments
    }

    /// Whose key signs.
    enum Signer: CaseIterable, Sendable { case admin, author }

    private static func identity(of replica: TestReplica) throws -> ReplicaIdentity {
        try #require(try KeyFile(path: replica.folder.path("replica.key")).read().first)
    }

    /// A founder, a member that wrote three commits, and a reader; all hold the same.
    private static func group() async throws -> (founder: TestReplica, author: TestReplica, reader: TestReplica) {
        let founder = try TestReplica("founder", founding: true)
        let author = try TestReplica("author", journal: founder.log.journal)
        let reader = try TestReplica("reader", journal: founder.log.journal)
        try await founder.log.grant(.write, to: author.id)
        try await founder.log.grant(.write, to: reader.id)
        for replica in [author, reader] { try await replica.exchange(with: LogPeer(founder.log)) }
        try await author.write(3)
        try await author.exchange(with: LogPeer(founder.log))
        try await reader.exchange(with: LogPeer(founder.log))
        return (founder, author, reader)
    }

    /// The commits of a replica that can be erased.
    private static func commits(of author: TestReplica) async throws -> [CommitID] {
        try await author.log.allSegments(of: author.id).flatMap { $0.commitIDs() }.filter { $0.sequence.rawValue > 1 }
    }

    @Test(
        "What a thief of a key signs removes nothing that is held, of the author's copy or of another's",
        arguments: Way.allCases, Signer.allCases)
    func removesNothing(way: Way, signer: Signer) async throws {
        let (founder, author, reader) = try await Self.group()
        let key = try Self.identity(of: signer == .admin ? founder : author)
        let commits = try await Self.commits(of: author)
        #expect(commits.count == 3)
        let erasures = try commits.map { commit in
            try Erasure(of: .all, in: commit, of: founder.log.journal, at: 1, by: key).bytes
        }
        for victim in [author, reader] {
            switch way {
            case .bundle: try await Self.read(erasures, from: founder, victim)
            case .request: try await Self.request(erasures, victim, as: founder.id)
            case .wholeSegments, .strippedSegments:
                let segments = try await founder.log.allSegments(of: author.id)
                let changed = try segments.map { try $0.erased(by: key, stripped: way == .strippedSegments) }
                _ = try await LogPeer(victim.log).store(changed)
            }
            for commit in commits { #expect(try victim.erased(commit) == nil && victim.missing(commit) == nil) }
            #expect(try victim.log.read { try $0.holes() } == [])
        }
        // Nor do they go on from there.
        for replica in [author, reader] {
            let report = try await founder.exchange(with: LogPeer(replica.log))
            #expect(report.shortcomings.isEmpty)
        }
        for commit in commits { #expect(try founder.erased(commit) == nil) }
        try await expectEqual([founder, author, reader])
    }

    /// A bundle with nothing that the reader lacks, and the erasures.
    private static func read(_ erasures: [[UInt8]], from writer: TestReplica, _ reader: TestReplica) async throws {
        let file = try reader.bundle("rogue.bundle")
        _ = try await BundleWriter.write(
            writer.log, lacking: reader.frontier(), to: file, compression: Compression.none)
        var records = try BundleRecords(of: file)
        #expect(records.messages.count == 2)
        records.messages.insert(BundleRecords.erasures(erasures), at: 1)
        try Data(records.file).write(to: file)
        let report = try await reader.exchange(with: BundlePeer(file))
        #expect(report.received.commits == 0)
    }

    private static func request(_ erasures: [[UInt8]], _ reader: TestReplica, as peer: ReplicaID) async throws {
        let server = MessageServer(reader.log, authorizer: MemberAuthorizer(reader.log))
        let greeting = Greeting(
            journal: reader.log.journal, replica: peer, name: "thief", clock: nil, digest: .zero)
        _ = try await responses(of: server, to: ExchangeMessage.greeting(greeting).encoded())
        #expect(
            try await responses(
                of: server,
                to: former(11) { writer in
                    for erasure in erasures { writer.bytes(1, erasure) }
                }) == [ExchangeMessage.end(count: 0).encoded()])
    }

    /// A request with a number that is no longer used.
    private static func former(_ number: UInt32, _ write: (inout WireWriter) -> Void) -> [UInt8] {
        var writer = WireWriter()
        writer.varint(1, 1)
        writer.message(number) { write(&$0) }
        return writer.finish()
    }

    private static func responses(of server: MessageServer, to request: [UInt8]) async throws -> [[UInt8]] {
        let found = Mutex<[[UInt8]]>([])
        try await server.respond(to: request) { response in found.withLock { $0.append(response) } }
        return found.withLock { $0 }
    }

    @Test("A peer of an earlier version that asks for erasures is given none, and its exchange goes on")
    func earlierVersion() async throws {
        let (founder, author, _) = try await Self.group()
        let server = MessageServer(founder.log, authorizer: MemberAuthorizer(founder.log))
        let greeting = Greeting(
            journal: founder.log.journal, replica: author.id, name: "", clock: nil, digest: .zero)
        _ = try await Self.responses(of: server, to: ExchangeMessage.greeting(greeting).encoded())
        let request = Self.former(10) { writer in
            writer.bytes(1, founder.log.journal.bytes)
            writer.bytes(2, [UInt8](repeating: 7, count: ErasureState.size))
        }
        #expect(
            try await Self.responses(of: server, to: request) == [ExchangeMessage.end(count: 0).encoded()])
        let frontier = try await Self.responses(of: server, to: ExchangeMessage.frontierRequest.encoded())
        #expect(try await frontier == [ExchangeMessage.frontier(founder.frontier()).encoded()])
        try founder.expectIntact()
    }

    @Test("Commits that come without bytes are taken with the erasures, and any peer puts the bytes back")
    func explains() async throws {
        let (founder, author, reader) = try await Self.group()
        let key = try Self.identity(of: founder)
        let newcomer = try TestReplica("newcomer", journal: founder.log.journal)
        try await founder.log.grant(.write, to: newcomer.id)
        try await founder.log.signHead()
        for segment in try await founder.log.allSegments(of: founder.id) { try await newcomer.log.store(segment) }
        for segment in try await founder.log.allSegments(of: author.id) {
            try await newcomer.log.store(segment.erased(by: key, stripped: true))
        }
        for commit in try await Self.commits(of: author) { #expect(try newcomer.erased(commit) == .all) }
        let report = try await newcomer.exchange(with: LogPeer(reader.log))
        #expect(report.healed == 3 && report.shortcomings.isEmpty)
        for commit in try await Self.commits(of: author) { #expect(try newcomer.erased(commit) == nil) }
        for replica in [author, reader] { try await replica.exchange(with: LogPeer(founder.log)) }
        try await expectEqual([founder, author, reader, newcomer])
    }

    @Test("A segment that lacks bytes without an erasure is refused")
    func unexplained() async throws {
        let (founder, author, _) = try await Self.group()
        let key = try Self.identity(of: founder)
        let newcomer = try TestReplica("newcomer", journal: founder.log.journal)
        for segment in try await founder.log.allSegments() where segment.replica == author.id {
            let stripped = try segment.erased(by: key, stripped: true)
            let bare = LineSegment(
                journal: segment.journal, replica: segment.replica, first: segment.first, previous: segment.previous,
                commits: stripped.commits, signature: segment.signature)
            let error = await failure { try await newcomer.log.store(bare) }
            #expect((error as? EventLogError)?.code == .rejected)
            break
        }
        try newcomer.expectIntact()
    }
}

extension LineSegment {
    /// With an erasure of each of its commits but the first of the line, and, if it is `stripped`, without their payloads.
    func erased(by key: ReplicaIdentity, stripped: Bool) throws -> LineSegment {
        var (commits, erasures) = (commits, erasures)
        for (index, commit) in commitIDs().enumerated() where commit.sequence.rawValue > 1 {
            erasures.append(try Erasure(of: .all, in: commit, of: journal, at: 1, by: key).bytes)
            guard stripped else { continue }
            commits[index] = try commits[index].withUnsafeBytes { try CommitView($0).without(.all) }
        }
        return LineSegment(
            journal: journal, replica: replica, first: first, previous: previous, commits: commits,
            signature: signature, erasures: erasures)
    }
}
