import ArgumentParser
import Foundation
import HubDatabase
import TripFormats
import TripStore

/// Verifies the journals of a database for `audit verify`.
struct DatabaseAudit {
    let database: DatabaseArgument
    let journal: JournalID?

    /// Prints each journal's report. Returns whether all are intact.
    func run() async throws -> Bool {
        try await database.use { database, copies in
            var isIntact = true
            for journal in try await database.journals(journal) {
                Console.current.progress?("\(journal)")
                let report = try await database.verify(journal, in: copies)
                Console.current.progress?("")
                if !report.isIntact { isIntact = false }
                show(report)
            }
            return isIntact
        }
    }

    private func show(_ report: DatabaseVerification) {
        for finding in report.entries { Console.current.out("\(report.journal) \(finding)".visible) }
        for finding in report.log.findings { Console.current.out("\(report.journal) \(finding.code): \(finding)") }
        let counts = "\(Words.count(report.log.commits, "commit")) of \(Words.count(report.log.replicas, "replica"))"
        let count = report.entries.count + report.log.findings.count
        Console.current.out(
            "\(report.journal) \(report.isIntact ? "intact" : Words.count(count, "finding")), \(counts)")
    }
}
