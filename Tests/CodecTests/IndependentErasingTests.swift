import Events
import Foundation
import LMDB
import StoreSupport
import TestSupport
import Testing

@testable import EventLog

/// The verifier in Python decides what is hidden, too.
@Suite(
    "Erasures, judged by a verifier written from the document alone",
    .enabled(if: IndependentVerifier.isHere, IndependentVerifier.hint))
struct IndependentErasingTests {
    @Test(
        "It hides the same events, also where erasures fall or stand with others for which they came late",
        arguments: Seeds.some(12))
    func agreesOnCauses(seed: UInt64) async throws {
        let folders = [TemporaryFolder(), TemporaryFolder()]
        let logs = try folders.indices.reduce(into: [Log]()) { logs, index in
            logs.append(
                try Log.open(
                    at: folders[index].path("log"), keyPath: folders[index].path("replica.key"),
                    options: Log.Options(
                        journal: logs.first?.journal,
                        environment: Environment.Options(durability: .unsynced, mapSize: 1 << 28),
                        dependencies: ManualClock(seed: seed &* 2 &+ UInt64(index)).dependencies)))
        }
        var random = SeededGenerator(seed: seed)
        try await logs[0].grant(seed % 2 == 0 ? .admin : .write, to: logs[1].replica)
        // Nothing can be erased of the first commit of a line.
        _ = try await logs[1].append(Payload(author: "first"))
        var commits: [CommitID] = []
        for log in logs {
            for _ in 0..<3 {
                let events = (0..<3).map { _ in
                    Event(verb: .created, entity: EntityReference(kind: EntityKind(rawValue: 1), id: random.uuid()))
                }
                commits.append(try #require(try await log.append(Payload(author: "ana", events: events))).id)
            }
        }
        try await logs[0].pass(to: logs[1])
        var stated: [CommitID] = []
        for number in 0...40 {
            // The founder erases a commit of its own last: nothing takes that back.
            let isLast = number == 40
            let index = isLast ? 0 : Int.random(in: logs.indices, using: &random)
            let log = logs[index]
            let commit = commits[isLast ? 0 : Int.random(in: commits.indices, using: &random)]
            let isWhole = isLast || Bool.random(using: &random)
            let leaves = isWhole ? ErasedLeaves.all : .some(LeafSet(events: [Int.random(in: 0..<3, using: &random)]))
            guard isLast || Int.random(in: 0..<5, using: &random) < 3 else {
                _ = try await log.append(Payload(erasing: [.takeBack(commit, leaves)]))
                continue
            }
            // Some name commits that state nothing.
            let named = stated + [commit]
            let causes = (0..<(isLast ? 0 : Int.random(in: 0...2, using: &random))).map { _ in
                named[Int.random(in: named.indices, using: &random)]
            }
            let key = try #require(try KeyFile(path: folders[index].path("replica.key")).read().first)
            let erasure = try Erasure(of: leaves, in: commit, of: log.journal, at: 1, by: key)
            let statement = ErasingStatement.erasure(erasure, causes: causes)
            stated.append(try #require(try await log.append(Payload(erasing: [statement]))).id)
        }
        try await logs[1].pass(to: logs[0])
        var shown: Set<String> = []
        try logs[0].read { log in
            try log.forEachCommit(after: .start) { commit in
                commit.forEachEvent { event, _ in shown.insert(event.entity.id.bytes.hexadecimal) }
                return true
            }
        }
        let verdict = try IndependentVerifier.verify(folders[0].path("log"), "--state")
        let found = verdict.lines.filter { $0.contains(" created ") }.map { $0.split(separator: " ")[1] }
        #expect(verdict.code == 0 && Set(found.map(String.init)) == shown, "seed \(seed): \(verdict.last)")
        #expect(shown.count < 18 && stated.count > 9)
        withExtendedLifetime(folders) {}
    }
}
