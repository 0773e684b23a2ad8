import Foundation
import TripStore

/// Appends batches, each as one commit, without the records that the store refuses.
struct BatchWriter {
    private let store: TripStore
    private let authorship: Authorship
    private let source: ImportSource
    /// One for all commits of a run.
    private let correlation: UUID
    private(set) var report = ImportReport()
    /// The batch that the store is writing.
    private var running: Running?

    private struct Running {
        var steps: [ImportStep]
        let authorship: Authorship
        let task: Task<Void, any Error>
    }

    init(_ store: TripStore, by authorship: Authorship, _ source: ImportSource) {
        self.store = store
        self.authorship = authorship
        correlation = authorship.correlation ?? UUID()
        self.source = source
    }

    /// Has a batch written once the one before is; the caller makes the next meanwhile. `finish` waits for the last.
    mutating func write(_ batch: ImportBatch) async throws {
        let authorship = Authorship(
            author: authorship.author, causation: batch.isMirror ? source.mirrorCausation : source.causation,
            correlation: correlation)
        try await finish()
        report.add(batch.report)
        guard !batch.steps.isEmpty else { return }
        let events = batch.steps.flatMap(\.events)
        running = Running(
            steps: batch.steps, authorship: authorship,
            task: Task { [store] in try await store.append(events, by: authorship) })
    }

    /// Waits for the batch that is being written, and writes it without what the store refuses.
    mutating func finish() async throws {
        guard let running else { return }
        self.running = nil
        var steps = running.steps
        do {
            try await running.task.value
            return count(steps)
        } catch {
            steps = try without(error, steps)
        }
        while !steps.isEmpty {
            do {
                try await store.append(steps.flatMap(\.events), by: running.authorship)
                return count(steps)
            } catch {
                steps = try without(error, steps)
            }
        }
    }

    private mutating func count(_ steps: [ImportStep]) {
        report.events += steps.reduce(0) { $0 + $1.events.count }
        report.commits += 1
        report.correlation = correlation
        for step in steps { report.count(step.outcome, step.entity.kind) }
    }

    /// The steps without those of the entity that the store refused; throws the error on if it names none of them.
    private mutating func without(_ error: any Error, _ steps: [ImportStep]) throws -> [ImportStep] {
        guard let refused = (error as? TripStoreError)?.entity ?? (error as? ValidationError)?.entity else {
            throw error
        }
        let kept = steps.filter { $0.entity != refused && $0.trip != refused }
        guard kept.count < steps.count else { throw error }
        for step in steps where step.entity == refused || step.trip == refused {
            report.count(.skipped, step.entity.kind)
            let place = step.place.map { "\($0)" } ?? step.entity.id.uuidString
            report.warnings.append("\(place): the \(step.entity.kind.words) is left out: \(error)")
        }
        return kept
    }
}
