import ArgumentParser
import EventLog
import Events
import Foundation
import LogExchange
import Platform
import TripFormats
import TripStore

struct LoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load", abstract: "Take in what 'tripstore dump' wrote.",
        discussion: """
            The commits' bytes are taken in as from another replica: each is held against its hash, its chain and its signature, and what is here \
            already is passed over. A store that holds nothing joins the dump's journal. What the lines say beside the bytes is not looked at.

            With --anew the decoded events are written as commits of this store, each with the author and the time that it had, in the \
            order of the merge. So the dump may come from another journal, and other programs may have left lines out. Loading it again changes \
            nothing. Who may write, and introductions of replicas, stay behind.

            The whole file is checked first: nothing of a faulty one is written.

            Examples:
              tripstore load log.jsonl
              tripstore load log.jsonl --dry-run
              tripstore load other.jsonl --anew
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: "The file, or - for standard input.", completion: .file())
    var file: String

    @Flag(name: .long, help: "Write the decoded events as commits of this store.")
    var anew = false

    @Flag(name: .long, help: "Check the file, and say what would be taken in.")
    var dryRun = false

    func run() async throws {
        guard file == "-" else { return try await load(URL(argument: file)) }
        try await SpooledInput(.standardInput).read { try await load(URL(fileURLWithPath: $0)) }
    }

    private func load(_ url: URL) async throws {
        if anew {
            let dump = try await Self.checked { try await DumpedEvents(url, progress: $0) }
            try await open { try await print(Rewriting(dump: dump, isDryRun: dryRun).run(in: $0)) }
        } else {
            let dump = try await Self.checked { try await DumpPeer(url, progress: $0) }
            try await open { try await print(receive(dump, $0)) }
        }
    }

    private func open(_ body: (TripStore) async throws -> Void) async throws {
        if dryRun { return try await body(try await options.openForReading()) }
        try await withStore(options, body)
    }

    private func receive(_ dump: DumpPeer, _ store: TripStore) async throws -> LoadTally {
        var tally = LoadTally(commits: dump.commits, events: dump.events)
        let isEmpty = try store.status().position == .start
        guard isEmpty || dump.header.journal == store.journal else {
            throw TripStoreError(
                .otherJournal,
                "The dump belongs to the journal \(dump.header.journal), and this store to \(store.journal): they share no history. 'tripstore "
                    + "load --anew' writes its events as commits of this store.")
        }
        guard dryRun else {
            let erasures = try store.erasures().rows
            let standing = "What was taken in before stands: loading the file again goes on from there."
            let report = try await ExchangeText.exchanging(standing: standing) {
                try await store.exchange(with: .peer(dump), progress: $0)
            }
            let text = try await ExchangeText(report, store, after: erasures)
            (tally.written, tally.writtenEvents) = (report.received.commits, report.received.events)
            tally.joined = report.joined != nil
            // Mostly all is taken in, and nothing is to be looked up.
            if tally.written < dump.commits {
                try await forEachCommit(of: dump) { commit, _ in
                    if try store.holds(commit, of: dump.header.journal) { tally.held += 1 } else { tally.notTaken += 1 }
                }
                tally.held = max(0, tally.held - tally.written)
            }
            if !options.json { text.print("Loaded \(file)", json: false) }
            return tally
        }
        tally.joined = isEmpty
        let rehearsal = dump.header.journal.isFounded ? try await store.rehearsal(of: dump) : nil
        try await forEachCommit(of: dump) { commit, bytes in
            if try store.holds(commit, of: dump.header.journal) {
                tally.held += 1
            } else if try rehearsal?.holds(commit, of: dump.header.journal) == false {
                tally.notTaken += 1
            } else {
                tally.written += 1
                tally.writtenEvents += LineSegment.eventCount(of: bytes)
            }
        }
        await rehearsal?.close()
        return tally
    }

    /// Calls `body` with the name and the bytes of every commit.
    private func forEachCommit(of dump: DumpPeer, _ body: (CommitID, [UInt8]) throws -> Void) async throws {
        try await dump.forEachSegment { segment in
            for (commit, bytes) in zip(segment.commitIDs(), segment.commits) { try body(commit, bytes) }
        }
    }

    private func print(_ tally: LoadTally) {
        if options.json {
            Console.current.out(tally.json(file, anew: anew, dryRun: dryRun).text)
        } else if anew || dryRun {
            for line in tally.lines(file, dryRun: dryRun) { Console.current.out(line) }
        }
    }

    /// Reads the file, which is checked, and shows the progress of that.
    private static func checked<Dump>(
        _ body: (@escaping @Sendable (Int64, Int64) -> Void) async throws -> Dump
    ) async throws -> Dump {
        try await LongWork.run(standing: "Nothing was taken in.") { work in
            try await body { work.report("checking", $0, of: $1, .bytes) }
        }
    }
}

/// What became of a dump's commits.
struct LoadTally {
    /// In the dump.
    let commits: Int
    let events: Int
    /// Commits that were taken in or written anew, or would be.
    var written = 0
    var writtenEvents = 0
    /// Commits that were here already, as they are or written anew.
    var held = 0
    /// Commits that are not taken in: their replicas may not write.
    var notTaken = 0
    /// Commits of which nothing is written anew: they have no events.
    var withoutEvents = 0
    /// Commits that are not written anew because they did not count.
    var notCounting = 0
    /// Whether the store joined the dump's journal, or would.
    var joined = false

    func json(_ file: String, anew: Bool, dryRun: Bool) -> JSON {
        .object([
            ("file", .string(file)), ("anew", .bool(anew)), ("dryRun", .bool(dryRun)), ("commits", .integer(commits)),
            ("events", .integer(events)), ("written", .integer(written)), ("writtenEvents", .integer(writtenEvents)),
            ("held", .integer(held)), ("notTaken", .integer(notTaken)), ("withoutEvents", .integer(withoutEvents)),
            ("notCounting", .integer(notCounting)), ("joined", .bool(joined)),
        ])
    }

    func lines(_ file: String, dryRun: Bool) -> [String] {
        var cells = [
            [
                dryRun ? "would load" : "loaded",
                "\(written) of \(commits.counted("commit")) with \(writtenEvents.counted("event")), from \(file)",
            ]
        ]
        if held > 0 { cells.append(["here", "\(held.counted("commit")) already"]) }
        if notTaken > 0 {
            cells.append(["not taken in", "\(notTaken.counted("commit")) of replicas that may not write"])
        }
        if withoutEvents > 0 {
            cells.append(["passed over", "\(withoutEvents.counted("commit")) without events"])
        }
        if notCounting > 0 { cells.append(["left out", "\(notCounting.counted("commit")) that did not count"]) }
        if joined {
            cells.append(["journal", "this store holds nothing, and \(dryRun ? "would join" : "joined") the dump's"])
        }
        return TextTable.lines(cells)
    }
}

/// Writes the events of a dump as commits of a store, one for each.
struct Rewriting {
    let dump: DumpedEvents
    /// Whether nothing is written.
    let isDryRun: Bool

    func run(in store: TripStore) async throws -> LoadTally {
        var written = 0
        let outcome: RewrittenDump
        let work = LongWork(
            standing: isDryRun
                ? "Nothing was written."
                : "What was written before stands: loading the file again goes on from there.")
        defer { work.end() }
        do {
            outcome = try await store.rewrite(dump, isDryRun: isDryRun) { step in
                written = step.written
                work.report(isDryRun ? "counting" : "writing", step.written, of: dump.count, .things("commit"))
            }
        } catch  where written > 0 && !isDryRun {
            throw CommandError(
                "Loading stopped at a commit: \(error.systemText) \(written.counted("commit")) \(written.agreeing("was", "were")) "
                    + "written before, and loading the file again goes on from there.")
        }
        var tally = LoadTally(commits: dump.count, events: dump.eventCount)
        (tally.written, tally.writtenEvents, tally.held) = (outcome.written, outcome.writtenEvents, outcome.held)
        (tally.withoutEvents, tally.notCounting) = (outcome.withoutEvents, outcome.notCounting)
        return tally
    }
}
