import Events
import Foundation
import LMDB
import Platform
import StoreSupport
import TestSupport
import Testing
import TripStore

@testable import EventLog

/// A verifier in Python, written from the description of the format alone, applied to our stores.
@Suite(
    "A verifier written from the document alone",
    .enabled(if: IndependentVerifier.isHere, IndependentVerifier.hint))
struct IndependentVerifierTests {
    @Test("It holds logs to the bounds that we hold them to")
    func bounds() throws {
        let expected = [
            "log.KNOWN_FORMAT": Int(CommitHeader.currentFormat),
            "log.KNOWN_FEATURES": Int(CommitHeader.knownFeatures),
            "log.LARGEST_COMMIT": CommitView.sizeLimit,
            "log.MOST_EVENTS": Payload.mostEvents,
            "log.MOST_CHANGES": Payload.mostChanges,
            "log.LONGEST_KEY": Payload.longestKey,
            "log.COMMITS_BETWEEN_SIGNATURES": Int(LineSignature.commitsBetween),
            "log.BYTES_BETWEEN_SIGNATURES": Int(LineSignature.bytesBetween),
            "log.LARGEST_ERASURE_FRAME": Erasure.largestFrame,
            "log.ENOUGH_ERASURES": CommitErasures.enoughForAll,
            "log.GREATEST_ERASURE_NUMBER": Int(Erasure.greatestNumber),
            "log.LEAST_EVENT": PayloadHash.leastEvent,
            "log.MOST_LEAVES": Int(LeafSet.limit),
            "log.MOST_TIMES": VersionVector.mostTimes,
            "log.MOST_TIMES_OF_ONE": VersionVector.mostBranches,
            "log.MOST_ERASURES": LineSegment.mostErasures,
            "erasing.FEATURE": Int(CommitHeader.erasingFeature),
            "erasing.MOST_STATEMENTS": Payload.mostErasingStatements,
            "erasing.MOST_STATEMENT_BYTES": Payload.mostErasingBytes,
            "erasing.MOST_JUDGED": ErasureResolver.mostJudged,
            "members.FEATURE": Int(CommitHeader.membershipFeature),
            "members.MOST_STATEMENTS": Payload.mostStatements,
            "members.MOST_STATEMENT_BYTES": Payload.mostStatementBytes,
            "members.MOST_GRANTEES": Membership.mostGrantees,
            "members.MOST_CUT": MembershipStatement.mostCuts,
            "members.MOST_KEYS": FormerKeys.most,
            "members.MOST_REQUESTS": MembershipRequest.mostJudged,
            "members.MOST_REPLACEMENTS": Replacement.most,
            "members.DAY": Int(Dependencies.toleratedLead) << 16,
            "members.EARLIEST_REPLACEMENT": Int(Replacement.earliest.rawValue),
        ]
        let names = expected.keys.sorted()
        let program =
            "import sys; sys.path.insert(0, sys.argv[1]); import verify_log as log, members, erasing; "
            + "[print(eval(name)) for name in sys.argv[2:]]"
        let output = try #require(
            try Program.run("python3", ["-B", "-c", program, SourceFile.path("Tests/CodecTests")] + names))
        try #require(output.complaint == "", "\(output.complaint)")
        #expect(output.text.split(separator: "\n").map(String.init) == names.map { "\(expected[$0] ?? 0)" })
    }

    @Test("It finds nothing wrong with a store of trips", arguments: Seeds.some(2))
    func findsStoreIntact(seed: UInt64) async throws {
        let folder = TemporaryFolder()
        do {
            let store = try await TripStore.test(clock: ManualClock(seed: seed), at: folder.url)
            var writer = RandomWriter(seed: seed)
            for _ in 0..<60 { try await writer.write(to: store) }
        }
        let report = try LogVerifier.verify(EnvironmentRows(at: folder.path("log")))
        let verdict = try IndependentVerifier.verify(folder.path("log"))
        #expect(verdict.lines == [])
        let counts =
            "\(report.commits) commits \(report.events) events \(report.replicas) lines 0 events and 0 commits erased"
        #expect(verdict.last == "ok \(counts)")
        #expect(verdict.code == 0)
    }

    @Test("It reaches the same members, counting commits and erasures", arguments: Seeds.some(4))
    func agreesOnMembers(seed: UInt64) async throws {
        let crowd = try await Crowd(seed: seed)
        try await crowd.play(steps: 80)
        let isHead = { (line: String) in line.hasPrefix("head ") }
        for (folder, log) in zip(crowd.folders, crowd.logs) {
            let membership = try #require(try log.membership())
            var expected: [String] = membership.members.values.sorted { $0.replica < $1.replica }
                .map { "member \($0.replica) \($0.role)\($0.isRevoked ? " revoked" : "")" }
            expected += membership.requests.keys.sorted().map { "waiting \($0)" }
            expected += membership.invitations.sorted { $0.key.lexicographicallyPrecedes($1.key) }
                .map { "invitation \($0.key.hexadecimal) used \($0.value.used)" }
            let heads = try log.read { try $0.listedHeads(of: $0.journal()) }
                .map { "head \($0.replica) \($0.sequence) \($0.hash)" }
            #expect(try IndependentVerifier.verify(folder.path("log"), "--frontier").lines.filter(isHead) == heads)
            let verdict = try IndependentVerifier.verify(folder.path("log"), "--members")
            // What a replica erased that is no longer an admin is missing here, if it went before that.
            let lost = try log.read { try $0.searchedHoles().filter { !$0.isExplained } }
            let report = try LogVerifier.verify(EnvironmentRows(at: folder.path("log")))
            #expect(report.findings.map(\.code) == lost.map { _ in "payloadMissing" }, "seed \(seed)")
            let findings = verdict.lines.filter { $0.hasPrefix("position") }
            #expect(findings.count == lost.count && findings.allSatisfy { $0.contains("no erasure by who may") })
            let lines = verdict.lines.filter { !$0.hasPrefix("counts") && !$0.hasPrefix("position") }
            #expect(lines == expected, "seed \(seed)")
            let waiting = try log.read { try $0.verdicts().waiting }
            let counting = try log.read { log in
                var found: Set<String> = []
                try log.forEachCommit(after: .start) { commit in
                    // A waiting replica's commits count for itself alone.
                    if commit.counts,
                        membership.members[commit.header.replica] != nil || !waiting.contains(commit.header.replica)
                    {
                        found.insert("counts \(commit.hash)")
                    }
                    return true
                }
                return found
            }
            #expect(Set(verdict.lines.filter { $0.hasPrefix("counts") }) == counting, "seed \(seed)")
            #expect(verdict.code == (lost.isEmpty ? 0 : 1), "\(verdict.last)")
        }
    }

    @Test("It reaches the same members where a store took many ids, some of which wrote nothing")
    func agreesOnManyIdentities() async throws {
        let folder = TemporaryFolder()
        for number in 1...UInt64(70) {
            var dependencies = ManualClock(seed: number).dependencies
            dependencies.fileOrigin = { _ in FileOrigin(inode: number, birthTime: 1) }
            let log = try Log.open(
                at: folder.path("log"), keyPath: folder.path("replica.key"),
                options: Log.Options(
                    environment: Environment.Options(durability: .unsynced, mapSize: 1 << 28),
                    dependencies: dependencies))
            // The founder writes nothing either.
            if number % 3 != 1 { _ = try await log.append(Payload(author: "\(number)")) }
            guard [23, 47, 69].contains(number) else { continue }
            let members = try #require(try log.membership()).members.values.sorted { $0.replica < $1.replica }
            #expect(members.count == Int(number) && members.allSatisfy { $0.role == .admin })
            let verdict = try IndependentVerifier.verify(folder.path("log"), "--members")
            let lines = verdict.lines.filter { !$0.hasPrefix("counts") }
            #expect(lines == members.map { "member \($0.replica) \($0.role)" })
            #expect(verdict.code == 0, "\(verdict.last)")
            #expect(try LogVerifier.verify(EnvironmentRows(at: folder.path("log"))).findings == [])
        }
    }

    @Test("It finds nothing wrong with a line that forks, and forks again")
    func agreesOnForks() async throws {
        let folders = (0..<4).map { _ in TemporaryFolder() }
        let journal = JournalID(UUID())
        // One key, used by three logs from the first commit on, or from the fifth.
        var logs: [Log] = []
        for (index, folder) in folders.enumerated() {
            var dependencies = ManualClock(seed: UInt64(index / 2)).dependencies
            if index < 3 { dependencies.newKey = { Array(repeating: 9, count: 32) } }
            logs.append(
                try Log.open(
                    at: folder.path("log"), keyPath: folder.path("replica.key"),
                    options: Log.Options(
                        journal: journal, environment: Environment.Options(durability: .unsynced, mapSize: 1 << 30),
                        dependencies: dependencies)))
        }
        var generator = SeededGenerator(seed: 4)
        let shared = (0..<5).map { _ in Payload.random(&generator, largestValue: 100) }
        for (index, log) in logs.dropLast().enumerated() {
            // The first two draw the same salts, and so write the same until they diverge.
            for payload in shared { _ = try await log.append(payload) }
            for _ in 0...index { _ = try await log.append(Payload.random(&generator, largestValue: 100)) }
            for segment in try await log.allSegments() { try await logs[3].store(segment) }
        }
        let forks = try logs[3].read { try $0.forks(in: journal) }
        #expect(forks.map(\.branches.count) == [2, 2] && forks.first?.sequence.rawValue == 1)
        let report = try LogVerifier.verify(EnvironmentRows(at: folders[3].path("log")))
        #expect(report.findings == [])
        let verdict = try IndependentVerifier.verify(folders[3].path("log"))
        #expect(verdict.lines == [])
        #expect(
            verdict.last == "ok \(report.commits) commits \(report.events) events 3 lines 0 events and 0 commits erased"
        )
    }

    @Test("It agrees on what was erased, and that nothing else is missing", arguments: Seeds.some(3))
    func agreesOnErasures(seed: UInt64) async throws {
        let folder = TemporaryFolder()
        let log = try IndependentVerifier.openLog(folder, JournalID(UUID()), seed: seed)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let appended = try #require(try await log.append(Payload.random(&generator, largestValue: 100)))
            let id = CommitID(replica: log.replica, sequence: appended.sequence, hash: appended.hash)
            let events = (0..<4).filter { _ in Bool.random(using: &generator) }
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: try await log.erase(.all, in: id)
            case 1...2 where !events.isEmpty: try await log.erase(.some(LeafSet(events: events)), in: id)
            case 3: try await log.erase(.some(LeafSet([0])), in: id)
            default: break
            }
        }
        try await log.signHead()
        let report = try LogVerifier.verify(EnvironmentRows(at: folder.path("log")))
        #expect(report.findings == [] && report.erasedEvents > 0 && report.erasedCommits > 0)
        let verdict = try IndependentVerifier.verify(folder.path("log"))
        #expect(verdict.lines == [])
        let erased = "\(report.erasedEvents) events and \(report.erasedCommits) commits erased"
        #expect(verdict.last == "ok \(report.commits) commits \(report.events) events 1 lines \(erased)")
        withExtendedLifetime(log) {}
    }

    @Test("It finds nothing wrong with two lines of thousands of commits, and merges them to the same registers", .long)
    func agreesOnLargeLogs() async throws {
        let folders = (TemporaryFolder(), TemporaryFolder())
        let journal = JournalID(UUID())
        var expected: [EntityReference: EntityRecord] = [:]
        do {
            let logs = (
                try IndependentVerifier.openLog(folders.0, journal, seed: 1),
                try IndependentVerifier.openLog(folders.1, journal, seed: 2)
            )
            var generator = SeededGenerator(seed: 3)
            for round in 0..<4 {
                for log in [logs.0, logs.1] {
                    for payload in (0..<350).map({ _ in Payload.random(&generator, largestValue: round * 20_000) }) {
                        _ = try await log.append(payload)
                    }
                }
                let known = try logs.0.read { try $0.head(of: logs.1.ownLine)?.sequence } ?? .start
                for segment in try await logs.1.allSegments(of: logs.1.replica) where segment.last > known {
                    try await logs.0.store(segment)
                }
            }
            try logs.0.read { log in
                try log.forEachCommit(after: .start) { commit in
                    try commit.forEachEvent { event, index in
                        try expected[event.entity, default: EntityRecord()].apply(
                            event, index: index, stamp: commit.stamp)
                    }
                    return true
                }
            }
        }
        let verdict = try IndependentVerifier.verify(folders.0.path("log"), "--state")
        #expect(verdict.last.hasPrefix("ok 2802 commits") && verdict.last.contains(" 2 lines "), "\(verdict.last)")
        let registers = verdict.lines.filter { !$0.contains(" created ") }
        #expect(Set(registers) == Set(expected.flatMap { Self.lines(of: $1, $0) }))
        #expect(verdict.lines.count - registers.count == expected.values.count { $0.creation != nil })
    }

    private static func lines(of record: EntityRecord, _ entity: EntityReference) -> [String] {
        record.registers.map { register in
            let value = register.value.map { "=\($0.hexadecimal)" } ?? "cleared"
            let path = "\(register.path.field) =\(register.path.key.hexadecimal)"
            return "\(entity.kind.rawValue) \(entity.id.bytes.hexadecimal) \(path) \(value)"
        }
    }
}
