import ArgumentParser
import Events
public import Foundation
import LogExchange
import TripFormats
public import TripStore

struct DumpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump", abstract: "Write all that the log says as JSON Lines.",
        discussion: """
            A commit is a line, with its events by the names and numbers of their fields, and with the bytes that were hashed and signed. \
            DumpFormat.md says what each line has. 'tripstore load' takes it in again. The bytes of attachments are not in it: 'bundle write \
            --attachments' takes them.

            Without a file it goes to standard output. What is handed to others is signed first; of a store that cannot be written to, what \
            is signed already is written, and a warning says how much is not. Where the medium lost commits, the dump has the others, and the \
            exit code is 1.

            Examples:
              tripstore dump log.jsonl
              tripstore dump | jq -r 'select(.type == "commit") | .author'
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: "The file to write, or - for standard output.", completion: .file())
    var file = "-"

    @Flag(name: .long, help: "Replace any file that is there.")
    var force = false

    func validate() throws { try OutputTarget.check(file, json: options.json) }

    func run() async throws {
        let target = OutputTarget(argument: file)
        let store = try await openToSign()
        do {
            let written = try await write(target, store)
            await store.close()
            tell(written, target)
        } catch {
            await store.close()
            throw error
        }
        for finding in store.lostRecords { Console.current.warn("\(finding.code): \(finding)") }
        if !store.lostRecords.isEmpty { throw ExitCode.found }
    }

    /// Opens the store for writing, or for reading if it cannot be written to.
    private func openToSign() async throws -> TripStore {
        do { return try await options.openForWriting() } catch  where TripStore.isUnwritable(error) {
            return try await options.openForReading()
        }
    }

    private func write(_ target: OutputTarget, _ store: TripStore) async throws -> DumpTally {
        // On a terminal, and where only text is read, the lines are text like any other.
        let file =
            target.isStandardOutput && Console.current.bytes == nil
            ? nil : try ExportOutput(target, replacing: force, isPrivate: true)
        let work = LongWork(
            standing: target.isStandardOutput
                ? "The dump ends in the middle." : "No dump was written; a file that was there stands as it was.")
        defer { work.end() }
        var tally = DumpTally()
        do {
            tally.held = try store.status().position.rawValue
            try await store.dump { part in
                // A reader that is gone needs no rest of it.
                if target.isStandardOutput, !Console.current.hasReader(), Console.current.failure() == nil {
                    throw ExitCode.success
                }
                for line in tally.lines(of: part) {
                    if let file { try file.write(line + "\n") } else { Console.current.out(line) }
                }
                work.report("dumping", tally.commits, of: tally.held, .things("commit"))
            }
            try file?.finish()
            tally.bytes = file?.size ?? tally.bytes
            return tally
        } catch {
            file?.discard()
            throw error
        }
    }

    private func tell(_ written: DumpTally, _ target: OutputTarget) {
        if written.unsigned > 0 {
            Console.current.warn(
                "\(written.unsigned.counted("commit")) of this store \(written.unsigned == 1 ? "is" : "are") not in the dump: not "
                    + "signed yet, or not handed on, and the store cannot be written to here.")
        }
        if options.json { return Console.current.out(written.json(file).text) }
        guard !target.isStandardOutput else { return }
        Console.current.out(
            "Wrote \(written.commits.counted("commit")) with \(written.events.counted("event")), "
                + "\(Words.bytes(written.bytes)), to \(file)")
    }
}

/// What a dump has.
struct DumpTally {
    /// Commits of the store.
    var held: UInt64 = 0
    private(set) var commits = 0
    private(set) var events = 0
    private(set) var segments = 0
    var bytes = 0

    /// Commits of the store that are not in the dump.
    var unsigned: UInt64 { held > UInt64(commits) ? held - UInt64(commits) : 0 }

    /// The lines of a part of the log, which is counted.
    mutating func lines(of part: DumpPart) -> [String] {
        let lines: [String]
        switch part {
        case .beginning(let source): lines = [DumpLine.beginning(source).text]
        case .segment(let segment, let recorded):
            segments += 1
            commits += segment.commits.count
            lines =
                [DumpLine.segment(segment).text]
                + zip(recorded, segment.commits).map { commit, bytes in
                    events += commit.indexedEvents.count
                    let line = DumpLine.commit(commit, bytes, names: true).text
                    return line.utf8.count < DumpHeader.longestLine
                        ? line : DumpLine.commit(commit, bytes, names: false).text
                }
        case .end(let segments, let commits): lines = [DumpLine.end(segments: segments, commits: commits).text]
        }
        bytes += lines.reduce(0) { $0 + $1.utf8.count + 1 }
        return lines
    }

    func json(_ file: String) -> JSON {
        .object([
            ("file", .string(file)), ("segments", .integer(segments)), ("commits", .integer(commits)),
            ("events", .integer(events)), ("bytes", .integer(bytes)), ("unsigned", .integer(unsigned)),
        ])
    }
}

/// Writes dumps of stores that are open already.
public enum DumpFile {
    /// Writes everything that a store's log says to a file, for this user alone, whole or not at all. Another file there is replaced.
    ///
    /// Throws what reading the log throws, or why the file cannot be written.
    public static func write(_ store: TripStore, to file: URL) async throws {
        let output = try ExportOutput(.file(path: file.path), replacing: true, isPrivate: true)
        var tally = DumpTally()
        do {
            try await store.dump { part in
                for line in tally.lines(of: part) { try output.write(line + "\n") }
            }
            try output.finish()
        } catch {
            output.discard()
            throw error
        }
    }
}
