import Events
import Foundation
import LMDB
import Platform
import StoreSupport
import TestSupport
import Testing

@testable import EventLog

@Suite("Erased bytes in the files of a log")
struct LogScrubTests {
    private struct CutOff: Error {}

    private let machine = TemporaryFolder()

    private func fixture(hasRecords: Bool = true) -> LogFixture {
        var fixture = LogFixture()
        fixture.dependencies.machineFolder = hasRecords ? machine.path("replicas") : nil
        return fixture
    }

    /// A closed log, half of whose texts were erased.
    private struct Erased {
        let fixture: LogFixture
        let replica: ReplicaID
        let hashes: [Digest]
        let search: CanarySearch
        let gone: Set<Int>
        let kept: Set<Int>

        init(_ fixture: LogFixture) async throws {
            self.fixture = fixture
            var generator = SeededGenerator(seed: 9)
            let texts = (0..<60).map { _ in
                (0..<24).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hexadecimal
            }
            search = CanarySearch(texts.map { Array($0.utf8) })
            let log = try fixture.open()
            // Three in each commit; some commits take pages of their own.
            for start in stride(from: 0, to: texts.count, by: 3) {
                let rest = start % 2 == 0 ? "" : String(repeating: "x", count: 5000)
                let events = texts[start..<start + 3].flatMap { Payload.sample($0 + rest).events }
                _ = try await log.append(Payload(author: "ana", events: events))
            }
            #expect(try log.owedScrubs().isEmpty)
            var gone: Set<Int> = []
            for (number, commit) in try log.commits().dropFirst().enumerated() {
                let id = CommitID(replica: log.replica, sequence: commit.header.sequence, hash: commit.hash)
                try await log.erase(number % 4 == 0 ? .all : .events(0, 2), in: id)
                gone.formUnion([3 * number, 3 * number + 2] + (number % 4 == 0 ? [3 * number + 1] : []))
            }
            #expect(try log.owedScrubs() == [.log])
            (self.gone, kept) = (gone, Set(texts.indices).subtracting(gone))
            (replica, hashes) = (log.replica, try log.commits().map(\.hash))
        }

        func found() throws -> Set<Int> { Set(try search.found(inFilesOf: fixture.folder.url.path).keys) }

        /// Opened for writing, the log is the same one, with all commits, and no file has an erased byte.
        func expectScrubbed(_ comment: Comment? = nil) async throws {
            for isFirst in [true, false] {
                let log = try fixture.open()
                #expect(log.scrubFailure == nil, comment)
                #expect(log.replica == replica && log.identityChange == nil, comment)
                #expect(try log.owedScrubs() == [.views, .contents], comment)
                #expect(try log.scrubTime(of: .views) == fixture.clock.now, comment)
                let all = try log.commits().map(\.hash)
                #expect(isFirst ? all == hashes : all.starts(with: hashes), comment)
                _ = try await log.appendSamples(1)
            }
            #expect(try found() == kept, comment)
            try fixture.expectIntact()
        }
    }

    @Test("The next opening for writing removes them, and the log stays the same", arguments: [true, false])
    func removed(hasRecords: Bool) async throws {
        let erased = try await Erased(fixture(hasRecords: hasRecords))
        #expect(try !erased.found().isDisjoint(with: erased.gone))
        // An opening for reading changes nothing.
        do { #expect(try erased.fixture.open(readOnly: true).owedScrubs() == [.log]) }
        try await erased.expectScrubbed()
        do {
            let log = try erased.fixture.open()
            try log.noteScrubbed(.views, upTo: erased.fixture.clock.now)
            // Of an earlier rewrite.
            try log.noteScrubbed(.contents, upTo: erased.fixture.clock.now - 1)
            #expect(try log.owedScrubs() == [.contents])
        }
        try erased.fixture.expectIntact()
    }

    @Test("While the log is open they stay, and go at the first opening after that")
    func open() async throws {
        let erased = try await Erased(fixture())
        do {
            let opened = try Environment.open(at: erased.fixture.folder.path("log"))
            do { #expect(try erased.fixture.open().owedScrubs() == [.log]) }
            withExtendedLifetime(opened) {}
        }
        try await erased.expectScrubbed()
    }

    @Test(
        "A rewrite that ends after any step leaves the same log, and the next opening completes it",
        arguments: Environment.RewriteStep.allCases)
    func cutOff(after last: Environment.RewriteStep) async throws {
        let erased = try await Erased(fixture())
        // Recovered, as by the opening that begins the rewrite.
        do { _ = try Environment.open(at: erased.fixture.folder.path("log")) }
        #expect(throws: CutOff.self) {
            try LogScrub.run(
                at: erased.fixture.folder.path("log"), erased.fixture.dependencies,
                step: { step in if step == last { throw CutOff() } })
        }
        try await erased.expectScrubbed("\(last)")
    }

    @Test("Half of a new file that a machine left when it stopped is no obstacle", arguments: [0, 5000])
    func torn(size: Int) async throws {
        let erased = try await Erased(fixture())
        let left = erased.fixture.folder.path("log/rewriting")
        try Folder.create(left)
        let whole = try Data(contentsOf: URL(fileURLWithPath: erased.fixture.folder.path("log/data.mdb")))
        try Data(whole.prefix(size)).write(to: URL(fileURLWithPath: left + "/data.mdb"))
        try await erased.expectScrubbed()
        #expect(!FileManager.default.fileExists(atPath: left))
    }

    @Test("A copy of a log with erased bytes is still found to be one")
    func copied() async throws {
        let erased = try await Erased(fixture())
        let copy = try erased.fixture.copied(seed: 2)
        do {
            let log = try copy.open()
            #expect(log.replica != erased.replica && log.identityChange?.reason.contains("copy") == true)
            #expect(try log.owedScrubs() == [.views, .contents])
        }
        #expect(Set(try erased.search.found(inFilesOf: copy.folder.url.path).keys) == erased.kept)
        try copy.expectIntact()
        try await erased.expectScrubbed()
    }
}
