import LogExchange
import TripFormats
import TripStore

/// Writes the events of a dump as commits of a store, one for each.
struct Rewriting {
    let dump: DumpedEvents
    /// Whether nothing is written.
    let isDryRun: Bool

    func run(in store: TripStore) async throws -> LoadTally {
        var written = 0
        let outcome: RewrittenDump
        do {
            outcome = try await store.rewrite(dump, isDryRun: isDryRun) { step in
                written = step.written
                Console.current.progress?(
                    "\(isDryRun ? "counting" : "writing") \(step.written) of \(dump.count) commits")
            }
        } catch  where written > 0 && !isDryRun {
            throw CommandError(
                "Loading stopped at a commit: \(error) \(Words.count(written, "commit")) \(written == 1 ? "was" : "were") "
                    + "written before, and loading the file again goes on from there.")
        }
        var tally = LoadTally(commits: dump.count, events: dump.eventCount)
        (tally.written, tally.writtenEvents, tally.held) = (outcome.written, outcome.writtenEvents, outcome.held)
        (tally.withoutEvents, tally.notCounting) = (outcome.withoutEvents, outcome.notCounting)
        return tally
    }
}
