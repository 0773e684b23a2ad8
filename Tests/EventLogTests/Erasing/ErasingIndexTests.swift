import Events
import LMDB
import StoreSupport
import Testing

@testable import EventLog

/// What a log derives from the statements about erasing.
@Suite("The index of what is erased")
struct ErasingIndexTests {
    /// A log with a commit of eight events of another replica, which that one has erased in part.
    private static func holding() async throws -> (signed: SignedErasures, log: Log) {
        let signed = try await SignedErasures()
        try await signed.logs[0].erase([signed.commit: .events(1, 5)])
        for segment in try await signed.logs[0].allSegments() { try await signed.logs[1].store(segment) }
        return (signed, signed.logs[1])
    }

    /// Removes the index, as in a log that an earlier version wrote.
    private static func removeIndex(of log: Log) throws {
        let tables = log.tables
        var positions: [UInt64] = []
        try log.read { log in try ErasingIndex.forEachRow(log) { positions.append($0.position) } }
        try log.environment.write { transaction in
            _ = try transaction.delete(MetaKey.erasing, in: tables.meta)
            for position in positions {
                _ = try transaction.delete(ErasingIndex.key(Position(position)), in: tables.meta)
            }
        }
    }

    @Test("A log without an index gets one when it is opened for writing, and what is erased is hidden then")
    func builds() async throws {
        let (signed, log) = try await Self.holding()
        #expect(try log.commit(signed.commit).erased == .events(1, 5))
        try Self.removeIndex(of: log)
        #expect(try log.commit(signed.commit).erased == nil)
        try signed.expectIntact()
        let before = try log.read { try $0.rewriteCount() }
        let again = try signed.fixtures[1].open(journal: log.journal)
        #expect(try again.commit(signed.commit).erased == .events(1, 5))
        #expect(try again.read { try $0.rewriteCount() } == before + 1)
        // It has held the statement since now.
        let due = signed.fixtures[1].clock.now + 7 * 86_400_000
        #expect(try again.statedErasures().map(\.state) == [.pending(removedFrom: due)])
        try signed.expectIntact()
    }

    @Test("A statement that an earlier version stored is listed when the log is next opened for writing, and hides")
    func completes() async throws {
        let (signed, log) = try await Self.holding()
        let tables = log.tables
        let token = try #require(try log.read { try $0.meta(MetaKey.erasing) })
        _ = try signed.fixtures[1].open(journal: log.journal)
        let last = try log.read { try $0.lastPosition() }
        // What is read again so quickly is not noted.
        #expect(try log.read { try $0.meta(MetaKey.erasingEnd) } == nil)
        try await signed.logs[0].erase([signed.commit: .events(2)])
        for segment in try await signed.logs[0].allSegments() { try await log.store(segment) }
        // An earlier version would have stored the commit alone.
        try log.environment.write { transaction in
            try transaction.delete(ErasingIndex.key(last.next), in: tables.meta)
            try transaction.put(MetaKey.erasing, token, in: tables.meta)
        }
        #expect(try log.commit(signed.commit).erased == .events(1, 5))
        let before = try log.read { try $0.rewriteCount() }
        for _ in 0..<2 {
            let again = try signed.fixtures[1].open(journal: log.journal)
            #expect(try again.commit(signed.commit).erased == .events(1, 2, 5))
            #expect(try again.read { try $0.rewriteCount() } == before + 1)
            #expect(try again.read { try $0.meta(MetaKey.erasingEnd) } == last.next.rawValue.bigEndianBytes)
        }
        try signed.expectIntact()
    }

    @Test("Only the log that wrote a statement knows it as its own, and not a copy of that log under another id")
    func ownStatements() async throws {
        let original = LogFixture(seed: 1)
        let commit: CommitID
        do { commit = try #require(try await original.open().append(.sample("hello"))).id }
        let fixture = try original.copied(seed: 2)
        let copy = try fixture.open()
        #expect(copy.identityChange?.previous == commit.replica)
        let log = try original.open()
        #expect(log.replica == commit.replica)
        try await log.erase(.all, in: commit)
        #expect(try log.missing(of: commit) == .all)
        for segment in try await log.allSegments() { try await copy.store(segment) }
        #expect(try copy.commit(commit).erased == .all && copy.missing(of: commit) == nil)
        for (log, isOwn) in [(log, true), (copy, false)] {
            var rows: [Bool] = []
            try log.read { log in try ErasingIndex.forEachRow(log) { rows.append($0.isWrittenHere) } }
            #expect(rows == [isOwn])
        }
        for fixture in [original, fixture] { try fixture.expectIntact() }
    }

    @Test("A statement about leaves that a commit does not have hides no hole of it")
    func unfitting() async throws {
        let signed = try await SignedErasures()
        let (log, other) = (signed.logs[0], signed.logs[1])
        try other.lose(.events(1), of: signed.commit)
        #expect(try await other.keep([signed.erasure(.events(1))]) == 1)
        let statement = ErasingStatement.erasure(try signed.erasure(.events(1, 100)), naming: [])
        let stated = try #require(try await log.append(Payload(erasing: [statement]))).id
        try await log.signHead()
        // Only what follows the commit: a whole copy of it would fill the hole.
        let segment = try log.read { log in
            try log.segment(towards: stated, after: signed.commit.sequence, in: log.journal())
        }
        try await other.store(#require(segment))
        #expect(try other.read { try $0.holes().map(\.commit) } == [signed.commit])
        #expect(try other.read { try $0.searchedHoles().map(\.commit) } == [signed.commit])
        try signed.expectIntact()
    }

    @Test("A row of the index too many, or too few, is a finding")
    func verified() async throws {
        let (signed, log) = try await Self.holding()
        let rows = { try EnvironmentRows(at: signed.fixtures[1].folder.path("log")) }
        let tables = log.tables
        try log.environment.write { transaction in
            try transaction.put(ErasingIndex.key(Position(1)), UInt64(1).bigEndianBytes, in: tables.meta)
        }
        #expect(try LogVerifier.verify(rows()).findings.map(\.code) == ["meta"])
        try Self.removeIndex(of: log)
        try log.environment.write { try $0.put(MetaKey.erasing, ErasingIndex.noStatements, in: tables.meta) }
        #expect(try LogVerifier.verify(rows()).findings.map(\.code) == ["meta"])
    }

    @Test("Each reader shows a commit without what is hidden, and forwards it with it")
    func readers() async throws {
        let (signed, log) = try await Self.holding()
        let expected = [0, 2, 3, 4, 6, 7]
        try log.read { log in
            let position = try #require(try log.position(of: signed.commit, in: log.journal()))
            var found: [[Int]] = []
            func indexes(_ commit: StoredCommit) {
                var indexes: [Int] = []
                commit.forEachEvent { _, index in indexes.append(index) }
                if commit.position == position { found.append(indexes) }
            }
            indexes(try #require(try log.commit(at: position)))
            try log.forEachCommit(after: .start) { commit in
                indexes(commit)
                return true
            }
            try log.forEachCommitBackwards(before: Position(.max)) { commit in
                indexes(commit)
                return true
            }
            #expect(found == [expected, expected, expected])
            let segment = try log.segment(towards: signed.commit, after: .start, in: log.journal())
            #expect(try #require(segment).erasures == [])
            #expect(LineSegment.eventCount(of: try #require(segment?.commits.last)) == 8)
        }
        try signed.expectIntact()
    }

    @Test("Many commits are erased at once, by few commits that say so")
    func many() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        let commits = try await log.appendSamples(300).map(\.id)
        let stated = try await log.erase(Dictionary(uniqueKeysWithValues: commits.map { ($0, .all) }))
        #expect(stated.count == 2)
        #expect(try log.statedErasures().allSatisfy { $0.state == .removed })
        for commit in commits { #expect(try log.missing(of: commit) == .all) }
        try fixture.expectIntact()
    }
}
