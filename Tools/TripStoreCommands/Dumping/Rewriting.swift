import EventLog
import Events
import LogExchange
import TripFormats
import TripStore

/// Writes the events of a dump as commits of a store, one for each.
struct Rewriting {
    let dump: DumpedEvents
    /// Whether nothing is written.
    let isDryRun: Bool

    func run(in store: TripStore) async throws -> LoadTally {
        let known = try store.appendIDs()
        var tally = LoadTally(commits: dump.count, events: dump.eventCount)
        var last = Timestamp.zero
        do {
            try await dump.forEachCommit { commit in
                // Of two commits of one time the later in the order of the merge stays the later one: now they are of one replica.
                last = max(commit.timestamp, last.successor)
                try await rewrite(commit, at: last, in: store, known, &tally)
                Console.current.progress?("writing \(tally.written) of \(dump.count) commits")
            }
        } catch  where tally.written > 0 && !isDryRun {
            throw CommandError(
                "Loading stopped at a commit: \(error) \(Words.count(tally.written, "commit")) \(tally.written == 1 ? "was" : "were") "
                    + "written before, and loading the file again goes on from there.")
        }
        return tally
    }

    private func rewrite(
        _ commit: DumpedCommit, at time: Timestamp, in store: TripStore, _ known: Set<AppendID>,
        _ tally: inout LoadTally
    ) async throws {
        guard !commit.events.isEmpty else {
            tally.withoutEvents += 1
            return
        }
        guard commit.counts else {
            tally.notCounting += 1
            return
        }
        let isHeld = try known.contains(commit.appendID) || store.holds(commit.id, of: dump.header.journal)
        guard !isHeld else {
            tally.held += 1
            return
        }
        if !isDryRun, try await store.rewrite(commit, at: time).isRepeat {
            tally.held += 1
            return
        }
        tally.written += 1
        tally.writtenEvents += commit.events.count
    }
}
