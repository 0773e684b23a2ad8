import Foundation
import LMDBSupport
import Testing

@testable import LMDB

@Suite("Checkpoints of an idle environment")
struct IdleCheckpointTests {
    private func writeSome(_ environment: Environment, _ table: Table) throws {
        for row in UInt64(0)..<6 { try environment.put(row, bytes("row \(row)"), in: table) }
    }

    @Test("An environment is checkpointed when the timer finds no commits since it was started")
    func idle() throws {
        try withEnvironment(.durable) { environment, table in
            func isEnabled() throws -> Bool? { try environment.aheadHeader()?.isEnabled }
            for _ in 0..<2 {
                try writeSome(environment, table)
                // The timer was started by the first commit that was written ahead.
                environment.checkpointIfIdle()
                #expect(try isEnabled() == true)
                environment.checkpointIfIdle()
                #expect(try isEnabled() == false)
            }
        }
    }

    @Test("The timer runs by itself", .timeLimit(.minutes(10)))
    func timer() async throws {
        let sandbox = try Sandbox()
        do {
            var options = Environment.Options()
            options.idleTime = 0.01
            let environment = try Environment.open(at: sandbox.path, options: options)
            let table = try environment.tables(["rows"])[0]
            try writeSome(environment, table)
            // The time limit ends the test if no checkpoint comes.
            while try environment.aheadHeader()?.isEnabled != false { try await Task.sleep(for: .milliseconds(5)) }
            #expect(try environment.rows(of: table).count == 6)
        }
        #expect(try Environment.checkStructure(at: sandbox.path) == [])
    }
}
