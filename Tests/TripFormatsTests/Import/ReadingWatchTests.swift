import Dispatch
import Foundation
import StoreSupport
import Synchronization
import Testing
import TripStore

@testable import TripFormats

@Suite("The reading of a file before it is imported", .timeLimit(.minutes(10)))
struct ReadingWatchTests {
    private static func calendar(in folder: TemporaryFolder) throws -> String {
        let events = (0..<600).map { number in
            "BEGIN:VEVENT\nUID:\(number)@test\nSUMMARY:Walk \(number)\nDTSTART:20270501T100000Z\nEND:VEVENT"
        }
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let path = folder.path("walks.ics")
        try Data(CalendarSample.calendar(events.joined(separator: "\n"))).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test(
        "It is said how far it is, of a calendar in memory and of one that is read in parts", arguments: [10_000, 100])
    func progress(atOnce limit: Int) async throws {
        let store = try await TripStore.test()
        let folder = TemporaryFolder()
        var importer = Importer(store: store)
        importer.recordsAtOnce = limit
        let seen = Mutex<[ImportProgress]>([])
        let report = try await importer.run(path: try Self.calendar(in: folder)) { progress in
            seen.withLock { $0.append(progress) }
        }
        #expect(report.created.values.reduce(0, +) == 601)
        let read = seen.withLock { $0 }.filter { $0.stage == .checking }.map(\.bytesRead)
        #expect(read.first == 0 && read.count > 50 && read == read.sorted(), "\(read)")
        try await store.expectInvariants()
        withExtendedLifetime(folder) {}
    }

    @Test("It ends when the import is cancelled, and nothing is written", arguments: [10_000, 100])
    func cancelled(atOnce limit: Int) async throws {
        let store = try await TripStore.test()
        let position = try store.status().position
        let folder = TemporaryFolder()
        let path = try Self.calendar(in: folder)
        var importer = Importer(store: store)
        importer.recordsAtOnce = limit
        let (isReading, isCancelled) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let last = Mutex<ImportProgress?>(nil)
        let importing = Task { [importer] in
            try await importer.run(path: path) { progress in
                last.withLock { $0 = progress }
                guard progress.bytesRead > 0 else { return }
                isReading.signal()
                // The file is read on a thread of its own, which may wait.
                isCancelled.wait()
                isCancelled.signal()
            }
        }
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                isReading.wait()
                continuation.resume()
            }
        }
        importing.cancel()
        isCancelled.signal()
        await #expect(throws: CancellationError.self) { try await importing.value }
        #expect(last.withLock { $0 }.map { $0.stage == .checking && $0.bytesRead < $0.total / 2 } == true)
        #expect(try store.status().position == position)
        try await store.expectInvariants()
        withExtendedLifetime(folder) {}
    }
}
