import Foundation
import TripStore

/// Appends batches, each as one commit, without the records that the store refuses.
struct BatchWriter {
    private let store: TripStore
    private let author: String
    private let source: ImportSource
    /// One for all commits of a run.
    private let correlation = UUID()
    private(set) var report = ImportReport()

    init(_ store: TripStore, author: String, _ source: ImportSource) {
        self.store = store
        self.author = author
        self.source = source
    }

    mutating func write(_ batch: ImportBatch) async throws {
        report.add(batch.report)
        let authorship = Authorship(
            author: author, causation: batch.isMirror ? source.mirrorCausation : source.causation,
            correlation: correlation)
        var steps = batch.steps
        while !steps.isEmpty {
            let events = steps.flatMap(\.events)
            do {
                try await store.append(events, by: authorship)
                report.events += events.count
                report.commits += 1
                report.correlation = correlation
                for step in steps { report.count(step.outcome, step.entity.kind) }
                return
            } catch {
                steps = try without(error, steps)
            }
        }
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
