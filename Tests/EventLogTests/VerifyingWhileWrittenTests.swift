import Dispatch
import EventLog
import Events
import Foundation
import StoreSupport
import Testing

@Suite("Verifying while others write")
struct VerifyingWhileWrittenTests {
    /// Rows that grow between one table and the next.
    private struct GrowingRows: LogRows {
        let rows: EnvironmentRows
        let grow: () -> Void

        func forEachRow(
            of table: LogTableName, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
        ) throws {
            try rows.forEachRow(of: table, body)
        }

        func atOneMoment<T>(_ body: (any LogRows) throws -> T) throws -> T {
            try rows.atOneMoment { rows in try body(Growing(rows: rows, grow: grow)) }
        }

        private struct Growing: LogRows {
            let rows: any LogRows
            let grow: () -> Void

            func forEachRow(
                of table: LogTableName, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
            ) throws {
                try rows.forEachRow(of: table, body)
                grow()
            }
        }
    }

    @Test("Commits that arrive during a verification are no faults")
    func growing() async throws {
        let (fixture, source) = (LogFixture(seed: 1), LogFixture(seed: 2))
        let journal = JournalID(UUID())
        let (log, other) = (try fixture.open(journal: journal), try source.open(journal: journal))
        _ = try await log.appendSamples(2)
        _ = try await other.appendSamples(20)
        let segments = try await other.allSegments()
        let path = fixture.folder.path("log")
        // On a thread that may block for what is stored meanwhile.
        let report = try await WorkerThread(name: "verifier").run {
            let rows = GrowingRows(rows: try EnvironmentRows(at: path)) {
                let isStored = DispatchSemaphore(value: 0)
                Task {
                    _ = try? await log.store(segments)
                    _ = try? await log.append(.sample("meanwhile"))
                    isStored.signal()
                }
                isStored.wait()
            }
            return try LogVerifier.verify(rows)
        }
        #expect(report.findings == [] && report.commits == 3)
        #expect(try log.commits().count > 3)
        try fixture.expectIntact()
    }
}
