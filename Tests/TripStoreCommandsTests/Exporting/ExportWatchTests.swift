import Foundation
import StoreSupport
import Testing
import TripStore

@testable import TripStoreCommands

@Suite("Exports that follow a store")
struct ExportWatchTests {
    @Test("A calendar is written again when something in it changes, and not otherwise, with what it leaves out")
    func watch() async throws {
        let tool = try await Tool.withStore()
        #expect(
            await tool.run("add", "trip", "--name", "Lisbon", "--start-date", "2027-05-01", "--end-date", "2027-05-04")
                .code == 0)
        #expect(await tool.run("add", "organization", "--name", "Nobody").code == 0)
        #expect(await tool.run("add", "activity", "--name", "Some day", "--trip", "Lisbon").code == 0)
        // Within one process a writer must open before readers.
        let store = try await TripStore.open(
            at: URL(fileURLWithPath: tool.path), options: TripStore.Options(mapSize: 1 << 30))
        let path = tool.folder.path("live.ics")
        let (sizes, continuation) = AsyncStream<String>.makeStream()
        let watching = Task {
            await tool.run("export", path, "--watch") { console in
                console.out = { continuation.yield($0) }
            }
        }
        var written = sizes.makeAsyncIterator()
        #expect(await written.next()?.hasPrefix("Wrote ") == true)
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("SUMMARY:Lisbon\r\n"))
        // Nothing of it is in the calendar.
        #expect(await tool.run("add", "organization", "--name", "Somebody").code == 0)
        #expect(await tool.run("edit", "Lisbon", "--name", "Porto").code == 0)
        #expect(await written.next()?.hasPrefix("Wrote ") == true)
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("SUMMARY:Porto\r\n"))
        watching.cancel()
        let outcome = await watching.value
        #expect(outcome.code == 0 && outcome.error.contains("Trips and items without a day or a time are left out: 1."))
        await store.close()
        let refused = await tool.run("export", "-", "--format", "ics", "--watch")
        #expect(refused.code != 0 && refused.error.contains("--watch"))
        await tool.expectInvariants()
    }

    /// A clock whose sleepers wait until they are woken.
    private final class GateClock: Clock, Sendable {
        typealias Instant = ContinuousClock.Instant
        private let gate = AsyncStream<Void>.makeStream()
        let asleep = AsyncStream<Void>.makeStream()

        var now: Instant { ContinuousClock().now }
        var minimumResolution: Duration { .zero }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            asleep.continuation.yield()
            for await _ in gate.stream { return }
        }

        func wake() { gate.continuation.yield() }
    }

    @Test("Commits in quick succession are written together, a while after the last file")
    func together() async throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let (store, clock) = (try await TripStore.test(), GateClock())
        let trip = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 4)))
        let path = folder.path("live.ics")
        let watch = ExportWatch(CalendarExporter(), path: path, trips: nil, days: nil, clock: clock)
        let (files, continuation) = AsyncStream<Int>.makeStream()
        // Without the signals of this process.
        let watching = Console.$current.withValue(Console(out: { _ in }, error: { _ in })) {
            Task { try await watch.run(store, replacing: false) { continuation.yield($0.trips) } }
        }
        var (written, asleep) = (files.makeAsyncIterator(), clock.asleep.stream.makeAsyncIterator())
        #expect(await written.next() == 1)
        _ = await asleep.next()
        for number in 1...5 { try await store.edit(trip) { $0.name = "Lisbon \(number)" } }
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("SUMMARY:Lisbon\r\n"))
        clock.wake()
        #expect(await written.next() == 1)
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("SUMMARY:Lisbon 5\r\n"))
        _ = await asleep.next()
        watching.cancel()
        clock.wake()
        _ = try? await watching.value
        continuation.finish()
        #expect(await written.next() == nil)
        try await store.expectInvariants()
    }

    @Test("A file of any format follows", arguments: ["json", "gpx", "geojson", "html"])
    func formats(ending: String) async throws {
        let tool = try await Tool.withStore()
        #expect(
            await tool.run("add", "trip", "--name", "Lisbon", "--start-date", "2027-05-01", "--end-date", "2027-05-04")
                .code == 0)
        // Within one process a writer must open before readers.
        let store = try await TripStore.open(
            at: URL(fileURLWithPath: tool.path), options: TripStore.Options(mapSize: 1 << 30))
        let path = tool.folder.path("live.\(ending)")
        let (lines, continuation) = AsyncStream<String>.makeStream()
        let arguments = ending == "html" ? ["export", "Lisbon", "--html", path] : ["export", path]
        let watching = Task {
            await Tool.run(arguments + ["--watch", "--json", "--store", tool.path]) { console in
                console.out = { continuation.yield($0) }
            }
        }
        var written = lines.makeAsyncIterator()
        #expect(await written.next()?.contains("\"format\":\"\(ending)\"") == true)
        let first = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(await tool.run("edit", "Lisbon", "--name", "Porto", "--notes", "Rain").code == 0)
        #expect(await written.next() != nil)
        let second = try Data(contentsOf: URL(fileURLWithPath: path))
        // Maps have no trips without places.
        if !["gpx", "geojson"].contains(ending) {
            #expect(first != second && String(decoding: second, as: UTF8.self).contains("Porto"))
        }
        watching.cancel()
        #expect(await watching.value.code == 0)
        await store.close()
        await tool.expectInvariants()
    }
}
