import Foundation
import StoreSupport
import TestSupport
import Testing

#if os(Linux)
    @Suite("Limits of the system")
    struct SystemLimitTests {
        @Test("Where a process may use few addresses a store is made, written, read and verified", arguments: [2, 64])
        func addresses(gibibytes: Int) async throws {
            let tool = Tool()
            try FileManager.default.createDirectory(at: tool.folder.url, withIntermediateDirectories: true)
            let outcome = try tool.shell(
                """
                ulimit -v \(gibibytes << 20) || exit 20
                "$T" init --name a && "$T" add trip --name Lisbon && "$T" trips --undated | grep Lisbon && "$T" find Lisbon \\
                    && "$T" audit verify && "$T" replay --verify
                """)
            #expect(outcome.code == 0, "\(outcome.complaint)")
            // Without the limit the same store is as large as it may be.
            #expect(await tool.run("add", "trip", "--name", "Porto").code == 0)
            await tool.expectInvariants()
        }
    }
#endif
