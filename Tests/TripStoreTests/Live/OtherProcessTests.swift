import Foundation
import Spawning
import StoreSupport
import Testing
import TripStore

@Suite("Changes of other processes")
struct OtherProcessTests {
    @Test("Live queries, the cache and subscriptions see what another process writes")
    func otherProcess() async throws {
        let folder = TemporaryFolder()
        let store = try await TripStore.test(at: folder.url)
        var query = store.live(.trips(.dated, limit: 1000)).makeAsyncIterator()
        #expect(try await query.next()?.rows.isEmpty == true)
        let reader = try await TripStore.open(at: folder.url, options: .readOnly)
        var reading = reader.live { try $0.tripCount() }.makeAsyncIterator()
        _ = try await reading.next()
        var commits = store.commits().makeAsyncIterator()

        let process = Process()
        process.executableURL = try KilledProcess.executable()
        process.arguments = [folder.url.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.start()
        var rows: [TripRow] = []
        while rows.count < 50 {
            let update = try #require(try await query.next())
            #expect(update.changes == RowChanges(from: rows, to: update.rows))
            #expect(update.changes.removed.isEmpty && !update.changes.isEmpty)
            rows = update.rows
        }
        while try #require(try await reading.next()) < 50 {}
        // What was cached meanwhile is as new as a fresh read.
        #expect(try store.trips(.dated, limit: 10).rows == store.read { try $0.trips(.dated, limit: 10).rows })
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        for expected in 1...50 { #expect(try await commits.next()?.position == Position(UInt64(expected))) }
        try await store.expectInvariants()
    }
}
